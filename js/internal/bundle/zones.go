package bundle

import (
	"regexp"
	"slices"
	"strings"
)

// ES modules are strict and CommonJS modules are not, unless they say so, but a
// function passes its mode to all functions within. So a bundle that holds both
// has two zones: esbuild's helpers and the CommonJS modules stand in the outer
// function, the rest in a strict function within it.
//
//	(function(__jsload) {
//	helpers; var require_x = __commonJS({...});
//	var init_y, y_exports; return (function() { "use strict";
//	y_exports = {}; init_y = __esm({...}); ...
//	})();
//	})

var (
	commonJSOpen = regexp.MustCompile(`^var require_\w+ = __commonJS\(\{$`)
	commonJSName = regexp.MustCompile(`^  "((?:[^"\\]|\\.)*)"\(.*\) \{$`)
	wrappedName  = regexp.MustCompile(`\b(?:init_\w+|\w+_exports)\b`)
)

// block is a run of lines of the output, from start to before end.
type block struct{ start, end int }

// commonJSBlocks finds the CommonJS modules.
func (c *code) commonJSBlocks() []block {
	var blocks []block
	for i := 0; i < len(c.lines); i++ {
		if !commonJSOpen.MatchString(c.lines[i]) {
			continue
		}
		end := c.lineOf(c.statementEnd(c.starts[i], ";")) + 1
		blocks = append(blocks, block{i, end})
		i = end - 1
	}
	return blocks
}

// lineOf gives the line that holds the byte before an offset.
func (c *code) lineOf(offset int) int {
	i, found := slices.BinarySearch(c.starts, offset)
	if found {
		return i
	}
	return i - 1
}

// prologue tells how many lines of helpers come first: all up to the comment
// that names the first module.
func (c *code) prologue() int {
	for i, line := range c.lines {
		if strings.HasPrefix(line, "// ") {
			return i
		}
	}
	return 0
}

// keepStrict puts back the directive of CommonJS modules that say they are
// strict, which esbuild drops since all of its output would be.
func (b *builder) keepStrict(out *Bundle, c *code, blocks []block) {
	for _, bl := range blocks {
		m := commonJSName.FindStringSubmatch(c.lines[bl.start+1])
		if m == nil {
			continue
		}
		f := b.files[out.wrapped[m[1]]]
		if f != nil && isStrict(f.src) {
			at := c.starts[bl.start+1] + len(c.lines[bl.start+1])
			c.edits = append(c.edits, edit{start: at, end: at, text: ` "use strict";`})
		}
	}
}

// isStrict tells whether a file begins with the directive.
func isStrict(src []byte) bool {
	l := newLexer(src)
	t := l.next()
	return t.kind == tokString && string(unquote(l.text(t))) == "use strict"
}

// zones orders the lines for two zones; async says that the inner one awaits.
// blocks must not be empty.
func (c *code) zones(blocks []block, async bool) {
	var outer, inner section
	for i := range c.prologue() {
		outer.add(c, i)
	}
	at := len(outer.lines)
	needed := map[string]bool{}
	for _, bl := range blocks {
		for ; at < bl.start; at++ {
			inner.add(c, at)
		}
		for ; at < bl.end; at++ {
			outer.add(c, at)
			if line := c.lines[at]; !strings.Contains(line, "init_") && !strings.Contains(line, "_exports") {
				continue
			}
			for _, name := range wrappedName.FindAllString(c.lines[at], -1) {
				needed[name] = true
			}
		}
	}
	for ; at < len(c.lines); at++ {
		inner.add(c, at)
	}
	declared := inner.undeclare(needed)
	head := "return (function() { \"use strict\";"
	if async {
		head = "return (async function() { \"use strict\";"
	}
	if len(declared) > 0 {
		head = "var " + strings.Join(declared, ", ") + "; " + head
	}
	c.lines = slices.Concat(outer.lines, []string{head}, inner.lines)
	c.segments = slices.Concat(outer.segments, [][]segment{nil}, inner.segments)
}

// section collects lines with their segments.
type section struct {
	lines    []string
	segments [][]segment
}

func (b *section) add(c *code, i int) {
	b.lines = append(b.lines, c.lines[i])
	b.segments = append(b.segments, c.segments[i])
}

// undeclare turns the declarations of names into assignments to variables of
// the outer zone, and gives the names it found.
func (b *section) undeclare(names map[string]bool) []string {
	var found []string
	for i, line := range b.lines {
		rest, ok := strings.CutPrefix(line, "var ")
		if !ok {
			continue
		}
		name, _, ok := strings.Cut(rest, " = ")
		if !ok || !names[name] {
			continue
		}
		found = append(found, name)
		b.lines[i] = rest
		for j := range b.segments[i] {
			b.segments[i][j].gen = max(0, b.segments[i][j].gen-int32(len("var ")))
		}
	}
	return found
}

// onlyCommonJS tells whether no ES module of the user is in the bundle, so that
// nothing has to be strict.
func (b *builder) onlyCommonJS(meta metafile) bool {
	for pretty, in := range meta.Inputs {
		if _, ok := b.inputURL(pretty); ok && in.Format == "esm" {
			return false
		}
	}
	return true
}
