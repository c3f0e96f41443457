package bundle

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"
)

// declared matches what gives a function or class a name that esbuild may have
// chosen: it adds a number when two files use a name, or a file and the language.
var declared = regexp.MustCompile(`\b(?:function\*?|class|var|let|const) ([\w$]*\d)\b(?:\(| \{| extends | = (?:async\b|function\b|class\b|\(|[\w$]+ =>))`)

// renames finds the names that the user gave to functions that esbuild had to
// rename, for stack traces. It returns the names of those at the top of the bundle.
// A name that stands for several is left as it is.
func (b *builder) renames(out *Bundle, c *code) []string {
	var top, unclear []string
	texts := map[*file][]string{}
	for i, line := range c.lines {
		for _, m := range declared.FindAllStringSubmatchIndex(line, -1) {
			name := line[m[2]:m[3]]
			own := b.sourceName(c, texts, i, m[2])
			if own == "" || out.Functions[name] == "default" {
				continue
			}
			if known, ok := out.Functions[name]; ok && known != own || own == name {
				unclear = append(unclear, name)
				continue
			}
			out.Functions[name] = own
			if m[0] == 0 {
				top = append(top, name)
			}
		}
	}
	for _, name := range unclear {
		delete(out.Functions, name)
	}
	return slices.DeleteFunc(top, func(name string) bool { return out.Functions[name] == "" })
}

// sourceName gives the identifier that stands in a source for a place of the
// output; "" if none does.
func (b *builder) sourceName(c *code, texts map[*file][]string, line, column int) string {
	segments := c.segments[line]
	at, found := slices.BinarySearchFunc(segments, int32(column), func(s segment, column int32) int { return int(s.gen - column) })
	if !found {
		return ""
	}
	s := segments[at]
	f := b.files[b.sourceURL(c.sources[s.source])]
	if f == nil {
		return ""
	}
	if texts[f] == nil {
		texts[f] = strings.Split(string(f.src), "\n")
	}
	if int(s.line) >= len(texts[f]) {
		return ""
	}
	return leadingName.FindString(fromColumn(texts[f][s.line], s.col))
}

var leadingName = regexp.MustCompile(`^[\p{L}_$][\p{L}\p{N}_$]*`)

// fromColumn gives the rest of a line from a column in UTF-16 units on.
func fromColumn(text string, col int32) string {
	left := int(col)
	for i, r := range text {
		if left <= 0 {
			return text[i:]
		}
		left -= utf16.RuneLen(r)
	}
	return ""
}

// restoreNames is a statement that gives functions their own names back, as far as
// they have not been given others.
func restoreNames(out *Bundle, names []string) string {
	if len(names) == 0 {
		return ""
	}
	fields := make([]string, len(names))
	for i, n := range names {
		fields[i] = fmt.Sprintf("[%s, %s, %s]", n, quote(n), quote(out.Functions[n]))
	}
	return "for (const [f, made, name] of [" + strings.Join(fields, ", ") +
		`]) if (typeof f === "function" && f.name === made) Reflect.defineProperty(f, "name", { value: name, configurable: true });`
}
