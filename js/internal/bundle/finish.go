package bundle

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// export is one line of the export statement that ends esbuild's output.
type export struct{ local, name string }

// tail is esbuild's output taken apart: what comes before the exports, and them.
type tail struct {
	body    string
	exports []export
	// whole is the expression that gives the exports of a CommonJS script.
	whole string
}

var (
	exportLine    = regexp.MustCompile(`^ {2}(\S+?)(?: as (\S+?|".*"))?,?$`)
	exportDefault = regexp.MustCompile(`^export default (require_\w+\(\));$`)
)

// splitTail finds the exports. esbuild writes them last, one to a line.
func splitTail(code string) tail {
	code = strings.TrimRight(code, "\n")
	last := code[strings.LastIndexByte(code, '\n')+1:]
	if m := exportDefault.FindStringSubmatch(last); m != nil {
		return tail{body: strings.TrimSuffix(code, last), whole: m[1]}
	}
	start := strings.LastIndex(code, "export {\n")
	if start < 0 || last != "};" || start > 0 && code[start-1] != '\n' {
		return tail{body: code + "\n"}
	}
	t := tail{body: code[:start]}
	for line := range strings.SplitSeq(strings.TrimSuffix(code[start+len("export {\n"):], "\n};"), "\n") {
		m := exportLine.FindStringSubmatch(line)
		if m == nil {
			return tail{body: code + "\n"}
		}
		e := export{local: m[1], name: m[2]}
		if e.name == "" {
			e.name = e.local
		}
		t.exports = append(t.exports, export{local: e.local, name: strings.Trim(e.name, `"`)})
	}
	return t
}

// reads tells whether the code may use what it exports under a name: the name of it
// stands in more places than its declaration.
func (t tail) reads(name string) bool {
	i := slices.IndexFunc(t.exports, func(e export) bool { return e.name == name })
	if i < 0 {
		return false
	}
	local := regexp.MustCompile(`(?:^|[^\w$.])` + regexp.QuoteMeta(t.exports[i].local) + `(?:[^\w$:]|$)`)
	return len(local.FindAllStringIndex(t.body, 2)) > 1
}

// register is the statement that hands the exports to the host.
func (t tail) register() string {
	if t.whole != "" {
		return "__jsload.register(" + t.whole + ");"
	}
	fields := make([]string, len(t.exports))
	for i, e := range t.exports {
		fields[i] = quote(e.name) + ": " + e.local
	}
	return "__jsload.register({ " + strings.Join(fields, ", ") + " });"
}

// mapComment makes goja ask its host for the source map.
const mapComment = "//# sourceMappingURL=jsload:map"

// finish makes a function of esbuild's output, and a source map to match.
func (b *builder) finish(out *Bundle) error {
	t := splitTail(string(b.code()))
	m, err := decodeMap(b.sourceMap())
	if err != nil {
		return err
	}
	out.CommonJS = t.whole != "" || out.CommonJS
	if t.whole == "" {
		out.Exports = []string{}
		for _, e := range t.exports {
			out.Exports = append(out.Exports, e.name)
		}
		slices.Sort(out.Exports)
	}
	out.ReadsOptions = t.reads("options")
	out.Async = awaitsAtTop(t.body)
	c := newCode(t.body, m)
	b.nameDefaults(out, c)
	renamed := b.renames(out, c)
	c.readExports()
	c.tagNamespaces()
	c.guardEval()
	blocks := c.commonJSBlocks()
	b.keepStrict(out, c, blocks)
	c.apply()
	zoned := len(blocks) > 0 && !b.sloppy
	if zoned {
		c.zones(blocks, out.Async)
	}
	c.lines = append([]string{b.prefix(out, zoned)}, c.lines...)
	m.lines = append([][]segment{nil}, c.segments...)
	c.lines = append(c.lines, restoreNames(out, renamed)+t.register())
	if zoned {
		c.lines = append(c.lines, "})();")
	}
	c.lines = append(c.lines, "})", mapComment)
	m.lines = append(m.lines, make([][]segment, len(c.lines)-len(m.lines))...)
	b.point(m, c.lines)
	out.Code = strings.Join(c.lines, "\n")
	out.SourceMap = m.encode()
	return nil
}

// prefix is the first line: the head of the function and what modules need.
func (b *builder) prefix(out *Bundle, zoned bool) string {
	var p strings.Builder
	p.WriteString("(")
	if out.Async && !zoned {
		p.WriteString("async ")
	}
	p.WriteString("function(__jsload) {")
	if !zoned && !b.sloppy {
		p.WriteString(` "use strict";`)
	}
	if b.shim {
		p.WriteString(" var require = __jsload.require;")
	}
	if len(b.constants) > 0 {
		p.WriteString(" var " + constantObject + ` = new Proxy({}, { set() { throw new TypeError("Assignment to constant variable."); } });`)
	}
	for _, name := range sortedKeys(b.metas) {
		fmt.Fprintf(&p, " var %s = __jsload.meta(%s);", name, quote(b.metas[name]))
	}
	return p.String()
}

// awaitsAtTop tells whether code awaits outside of any function, by letting
// esbuild try a format that forbids it.
func awaitsAtTop(code string) bool {
	if !strings.Contains(code, "await") {
		return false
	}
	res := api.Transform(code, api.TransformOptions{
		Format: api.FormatIIFE, Target: api.ESNext, LogLevel: api.LogLevelSilent, LogLimit: 1,
	})
	return len(res.Errors) > 0 && strings.Contains(res.Errors[0].Text, "op-level await")
}

// code is esbuild's output while it is changed. Changes are collected by offset
// and made all at once, so that positions stay those of the output till then.
type code struct {
	text     string
	bytes    []byte   // the same
	sources  []string // of the segments
	starts   []int    // offset of each line
	lines    []string
	segments [][]segment
	edits    []edit
}

// edit replaces a span, which must lie in one line, by text without line breaks.
type edit struct {
	start, end int
	text       string
}

func newCode(text string, m *mapping) *code {
	c := &code{text: text, bytes: []byte(text), sources: m.sources, lines: strings.Split(strings.TrimSuffix(text, "\n"), "\n")}
	at := 0
	for _, line := range c.lines {
		c.starts = append(c.starts, at)
		at += len(line) + 1
	}
	c.segments = make([][]segment, len(c.lines))
	copy(c.segments, m.lines)
	return c
}

// apply makes the edits, moving segments to the right of each along.
func (c *code) apply() {
	slices.SortFunc(c.edits, func(a, b edit) int { return b.start - a.start })
	for _, e := range c.edits { // from the end, so that offsets stay true
		i, found := slices.BinarySearch(c.starts, e.start)
		if !found {
			i--
		}
		from, to := e.start-c.starts[i], e.end-c.starts[i]
		c.lines[i] = c.lines[i][:from] + e.text + c.lines[i][to:]
		shift := int32(len(e.text) - (to - from))
		for j := range c.segments[i] {
			if s := &c.segments[i][j]; int(s.gen) >= to {
				s.gen += shift
			} else if int(s.gen) > from {
				s.gen = int32(from)
			}
		}
	}
}

var pureGet = regexp.MustCompile(`/\* @__PURE__ \*/ ` + getMark + `\((\w+), ("(?:[^"\\]|\\.)*")\)`)

// readExports turns the marked calls of virtual modules into property accesses.
func (c *code) readExports() {
	for _, m := range pureGet.FindAllStringSubmatchIndex(c.text, -1) {
		object, name := c.text[m[2]:m[3]], c.text[m[4]:m[5]]
		access := object + "[" + name + "]"
		if bare := name[1 : len(name)-1]; nameOnly.MatchString(bare) {
			access = object + "." + bare
		}
		c.edits = append(c.edits, edit{start: m[0], end: m[1], text: access})
	}
}

// tagNamespaces makes the namespace objects of esbuild's helper say what they
// are, as String(ns) and structured printing ask.
func (c *code) tagNamespaces() {
	const head = "var __export = (target, all) => {"
	if i := strings.Index(c.text, head+"\n"); i >= 0 {
		at := i + len(head)
		c.edits = append(c.edits, edit{start: at, end: at, text: ` __defProp(target, Symbol.toStringTag, { value: "Module" });`})
	}
}

var (
	defaultFunction = regexp.MustCompile(`^((?:async )?function\*?) ([\w$]+)\(`)
	defaultValue    = regexp.MustCompile(`^var ([\w$]+) = (?:async\b|function\b|class\b|\(|[\w$]+ =>)`)
)

// nameDefaults gives anonymous default exports the name "default", which esbuild
// had to replace: a function takes the name of the property it is written in.
// The name is what stack traces show.
//
//	function script_default() {...}  ->  var script_default = {default: function() {...}}.default;
//	var script_default = () => ...;  ->  var script_default = {default: () => ...}.default;
//
// The first form is no longer hoisted, which only a cycle of imports can tell;
// files in one keep esbuild's name.
func (b *builder) nameDefaults(out *Bundle, c *code) {
	for i, line := range c.lines {
		fn := defaultFunction.FindStringSubmatchIndex(line)
		val := defaultValue.FindStringSubmatchIndex(line)
		switch {
		case fn != nil && b.isDefault(out, c, i, fn[4], line[fn[4]:fn[5]]):
			end := c.statementEnd(c.starts[i], "}")
			c.edits = append(c.edits,
				edit{start: c.starts[i], end: c.starts[i] + fn[5], text: "var " + line[fn[4]:fn[5]] + " = {default: " + line[fn[2]:fn[3]]},
				edit{start: end, end: end, text: "}.default;"})
		case val != nil && b.isDefault(out, c, i, val[2], line[val[2]:val[3]]):
			end := c.statementEnd(c.starts[i], ";") - 1
			at := c.starts[i] + val[3] + len(" = ")
			c.edits = append(c.edits,
				edit{start: at, end: at, text: "{default: "},
				edit{start: end, end: end, text: "}.default"})
		}
	}
}

// isDefault tells whether a name in the output stands for the word default in
// a source file, and may be replaced.
func (b *builder) isDefault(out *Bundle, c *code, line, column int, name string) bool {
	if !strings.Contains(name, "default") {
		return false
	}
	for _, s := range c.segments[line] {
		if int(s.gen) != column {
			continue
		}
		f := b.files[b.sourceURL(c.sources[s.source])]
		if f == nil || !strings.HasPrefix(lineFrom(f.src, s), "default") {
			return false
		}
		out.Functions[name] = "default"
		return !out.inCycle(f.url)
	}
	return false
}

// statementEnd gives the offset behind the first closing token outside of all
// brackets, from a statement's start on.
func (c *code) statementEnd(start int, closing string) int {
	l := newLexer(c.bytes[start:])
	for t := l.next(); t.kind != tokEOF; t = l.next() {
		if len(l.open) == 0 && l.is(t, closing) {
			return start + t.end
		}
	}
	return len(c.text) - 1
}

// inCycle tells whether a file imports itself, if only by way of others.
func (b *Bundle) inCycle(u string) bool {
	seen := map[string]bool{}
	queue := []string{u}
	for len(queue) > 0 {
		i, ok := slices.BinarySearchFunc(b.Inputs, queue[0], func(in Input, u string) int { return strings.Compare(in.URL, u) })
		queue = queue[1:]
		if !ok {
			continue
		}
		for _, target := range b.Inputs[i].Imports {
			if target == u {
				return true
			}
			if !seen[target] {
				seen[target] = true
				queue = append(queue, target)
			}
		}
	}
	return false
}
