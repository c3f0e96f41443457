package bundle

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"regexp"
	"slices"
)

var (
	starAs     = regexp.MustCompile(`\*\s*as\b`)
	importMeta = []byte("import.meta")
	moduleType = regexp.MustCompile(`"type"\s*:\s*"module"`)
)

// prepare gives the text that esbuild gets for a file. Two things are written
// differently, each in exactly as many columns, so that positions stay true:
//
// import * as x from "k6/http" becomes import {x} from "k6/http", where the
// virtual module exports its object under that name. esbuild would build a
// namespace object with a getter for each export, of which scripts would also
// see the default one.
//
// import.meta becomes a variable, which the host fills for this module.
//
// An assignment to a constant, which esbuild refuses, becomes one that throws.
// Only this moves what follows on the line.
func (b *builder) prepare(f *file) string {
	text := b.prepareSameLength(f)
	places := slices.Sorted(slices.Values(b.constants[f.url]))
	for _, at := range slices.Backward(places) {
		text = text[:at] + constantObject + "." + text[at:]
	}
	return text
}

// constantObject is an object whose properties cannot be assigned.
const constantObject = "__jsload_constant"

func (b *builder) prepareSameLength(f *file) string {
	if !starAs.Match(f.src) && !bytes.Contains(f.src, importMeta) {
		return string(f.src)
	}
	text := bytes.Clone(f.src)
	l := newLexer(f.src)
	var last [6]token // the newest is the last
	for t := l.next(); t.kind != tokEOF; t = l.next() {
		copy(last[:], last[1:])
		last[5] = t
		switch {
		case t.kind == tokString:
			b.rewriteNamespace(l, f, last, text)
		case l.is(t, "meta") && l.is(last[4], ".") && l.is(last[3], "import") && t.end-last[3].start == len(importMeta):
			if f.meta == "" {
				f.meta = b.metaName(f.url)
			}
			copy(text[last[3].start:t.end], f.meta)
		}
	}
	return string(text)
}

// rewriteNamespace looks at the tokens: [import|export|,|type] * as NAME from "path".
func (b *builder) rewriteNamespace(l *lexer, f *file, last [6]token, text []byte) {
	before, star, as, name, from := last[0], last[1], last[2], last[3], last[4]
	if !l.is(star, "*") || !l.is(as, "as") || name.kind != tokName || !l.is(from, "from") {
		return
	}
	if !l.is(before, "import") && !l.is(before, "export") && !l.is(before, ",") && !l.is(before, "type") {
		return
	}
	path := string(unquote(l.text(last[5])))
	alias := string(l.text(name))
	if !b.canAlias(f.url, path, alias) {
		return
	}
	region := text[star.start:name.end]
	if bytes.ContainsAny(region, "\r\n") {
		return
	}
	n := copy(region, "{"+alias+"}")
	for i := n; i < len(region); i++ {
		region[i] = ' '
	}
	if f.spaces == nil {
		f.spaces = map[string][]string{}
	}
	f.spaces[path] = append(f.spaces[path], alias)
}

// canAlias tells whether the whole of a module can be an export of it under a name.
func (b *builder) canAlias(importer, path, alias string) bool {
	if alias == "default" {
		return false
	}
	if m := b.library(importer, path); m != nil {
		return !m.Has(alias) && !slices.Contains(b.extra[m.Path()], alias)
	}
	return b.isBuiltin(path) && !slices.Contains(b.builtins[path].Names, alias) && !slices.Contains(b.extra[path], alias)
}

// namespaces gives the names under which a file imports the whole of a module.
func (b *builder) namespaces(importer, path string) []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if f := b.files[importer]; f != nil {
		return slices.Compact(slices.Sorted(slices.Values(f.spaces[path])))
	}
	return nil
}

const (
	metaPrefix = "__jsmeta" // with three digits as long as import.meta
	metaDigits = 36 * 36 * 36
)

// metaName gives a file its name for import.meta. It depends on the address
// alone, unless two addresses collide, so that equal input gives equal output.
func (b *builder) metaName(u string) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(u))
	b.mu.Lock()
	defer b.mu.Unlock()
	for n := h.Sum32() % metaDigits; ; n = (n + 1) % metaDigits {
		name := fmt.Sprintf("%s%03s", metaPrefix, base36(n))
		if owner, taken := b.metas[name]; !taken || owner == u {
			b.metas[name] = u
			return name
		}
	}
}

func base36(n uint32) string {
	const digits = "0123456789abcdefghijklmnopqrstuvwxyz"
	return string([]byte{digits[n/36/36%36], digits[n/36%36], digits[n%36]})
}

// hasModuleSyntax tells whether a file can only be an ES module: it imports or
// exports by statement.
func hasModuleSyntax(src []byte) bool {
	l := newLexer(src)
	var prev token
	for t := l.next(); t.kind != tokEOF; t = l.next() {
		if len(l.open) == 0 && t.kind == tokName && !l.is(prev, ".") && !l.is(prev, "?.") {
			switch string(l.text(t)) {
			case "export":
				return true
			case "import":
				next := l.next()
				if !l.is(next, "(") && !l.is(next, ":") && !l.is(next, "=") {
					return true // import.meta also belongs to modules only
				}
				t = next
			}
		}
		prev = t
	}
	return false
}
