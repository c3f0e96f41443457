package bundle

import (
	"strings"
	"testing"

	"github.com/dop251/goja/parser"
)

func TestLexer(t *testing.T) {
	t.Parallel()
	tests := []struct{ src, want string }{
		{`a/b/c`, "a / b / c"},
		{`x = /b[/]"/g.test(y)`, `x = /b[/]"/g . test ( y )`},
		{`return /x'/`, `return /x'/`},
		{`if (a) /"/.test(b)`, `if ( a ) /"/ . test ( b )`},
		{`f(a) / 2 / "x"`, `f ( a ) / 2 / "x"`},
		{`i++ / 2 / 'x'`, `i ++ / 2 / 'x'`},
		{"`a${b + `c${d}e`}f`", "`a${ b + `c${ d }e` }f`"},
		{`"a\"b" 'c\
d'`, "\"a\\\"b\" 'c\\\nd'"},
		{"a // c '\nb /* \" */ c", "a b c"},
		{"#!/bin/x '\nimport", "import"},
		{"a?.b ?? c?.1:2", "a ?. b ? ? c ? .1 : 2"},
		{"x=>y**2", "x => y ** 2"},
		{"1e+5.toFixed 0x1F", "1e+5.toFixed 0x1F"},
		{"größe\u00a0= \"é\"", "größe\u00a0 = \"é\""},
		{"'open\nb", "'open b"},
	}
	for _, tt := range tests {
		l := newLexer([]byte(tt.src))
		var got []string
		for tok := l.next(); tok.kind != tokEOF; tok = l.next() {
			got = append(got, string(l.text(tok)))
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%q: got %q, want %q", tt.src, s, tt.want)
		}
	}
}

// FuzzLexer checks that tokens cover the source in order, whatever it is.
func FuzzLexer(f *testing.F) {
	for _, tt := range syntaxCases {
		f.Add(tt.body)
	}
	f.Add("`${`${`")
	f.Add("/[/")
	f.Add("\\")
	f.Fuzz(func(t *testing.T, src string) {
		l := newLexer([]byte(src))
		at := 0
		for tok := l.next(); tok.kind != tokEOF; tok = l.next() {
			if tok.start < at || tok.end <= tok.start || tok.end > len(src) {
				t.Fatalf("token %d-%d after %d of %d", tok.start, tok.end, at, len(src))
			}
			at = tok.end
		}
		if l.pos > len(src) {
			t.Fatalf("read %d of %d bytes", l.pos, len(src))
		}
	})
}

func TestTooDeep(t *testing.T) {
	t.Parallel()
	const n = 200
	r := strings.Repeat
	tests := []struct {
		name, src string
		deep      bool
	}{
		{"parentheses", r("(", n) + "1" + r(")", n), true},
		{"brackets", r("[", n), true},
		{"objects", "x = " + r("{a:", n), true},
		{"blocks", r("{", n), true},
		{"functions", r("function f(){", n), true},
		{"templates", r("`${", n), true},
		{"not", r("!", n) + "x", true},
		{"minus", "x = " + r("- ", n) + "1", true},
		{"typeof", r("typeof ", n) + "x", true},
		{"arrows", r("a=>", n) + "1", true},
		{"assignments", r("a=", n) + "1", true},
		{"powers", "1" + r("**2", n), true},
		{"conditionals", r("a?b:", n) + "c", true},
		{"else if", "if(a){}" + r("else if(a){}", n), true},
		{"else if without braces", "if(a)b;" + r("else if(a)b;", n), true},
		{"nested if", r("if(a)", n) + "b", true},
		{"generic types", "let x: " + r("A<", n), true},
		{"list of brackets", r("([{}]);", n), false},
		{"sum", "x = 1" + r(" + 2", n), false},
		{"members", "x" + r(".y", n), false},
		{"calls", "x" + r("()", n), false},
		{"statements", r("a = !b;", n), false},
		{"statements without semicolons", r("a = !b\n", n), false},
		{"elements", "[" + r("!a,", n) + "]", false},
		{"object members", "({" + r("a: b ? c : d,", n) + "})", false},
		{"interface members", "interface A {" + r("a: string\n", n) + "}", false},
		{"in a string", `x = "` + r("(", n) + `"`, false},
		{"in a comment", "/*" + r("(", n) + "*/", false},
		{"in a regexp", "x = /" + r("[(]", n) + "/", false},
		{"ifs in a row", r("if (a) { b() }\n", n), false},
		{"cases", "switch(a){" + r("case 1: b = !c; break\n", n) + "}", false},
	}
	for _, tt := range tests {
		if at := tooDeep([]byte(tt.src), n/2); (at >= 0) != tt.deep {
			t.Errorf("%s: too deep at %d, want %v", tt.name, at, tt.deep)
		}
	}
}

// FuzzTooDeep checks the scan against a parser that counts nothing: what passes
// the scan must not need more stack than its limit allows, which shows as the
// process surviving; and wrapping code in brackets makes it deeper.
func FuzzTooDeep(f *testing.F) {
	for _, tt := range syntaxCases {
		f.Add("async () => { " + tt.body + " }")
	}
	f.Fuzz(func(t *testing.T, src string) {
		const limit = 50
		if len(src) > 1<<16 {
			return
		}
		if _, err := parser.ParseFile(nil, "", src, 0); err != nil {
			return // only what parses can be wrapped
		}
		wrapped := strings.Repeat("{", limit+1) + "\n" + src + "\n" + strings.Repeat("}", limit+1)
		if tooDeep([]byte(wrapped), limit) < 0 {
			t.Errorf("%d blocks around it go unnoticed", limit+1)
		}
	})
}

// FuzzBuild bundles whatever comes: no input may panic, and what builds must
// be accepted by goja's parser.
func FuzzBuild(f *testing.F) {
	for _, tt := range syntaxCases {
		f.Add("export default async function () { " + tt.body + " }")
	}
	f.Add("import * as x from 'k6'; export * as y from 'k6/http'; export { z } from 'k6'")
	f.Add("module.exports = require(a)")
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, src string) {
		cfg := config(t, dir, "-")
		cfg.Main.Data = []byte(src)
		b, err := Build(t.Context(), cfg)
		if err != nil {
			return
		}
		if _, err := parser.ParseFile(nil, "", b.Code, 0); err != nil {
			t.Fatalf("%v\n%s", err, b.Code)
		}
	})
}
