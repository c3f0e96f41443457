package globals

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules/conv"
)

// The interpreter takes \p{L} in a regular expression for the text "p{L}". What
// it runs instead is the class written out.

// rewritePattern writes out the Unicode classes of a pattern:
// rewrite(source, flags).
func (i *instance) rewritePattern(c goja.FunctionCall) goja.Value {
	text, err := rewriteProperties(c.Argument(0).String())
	if err != nil {
		panic(conv.NewError(i.rt, "SyntaxError", err.Error()))
	}
	return i.rt.ToValue(text)
}

// rewriteProperties replaces \p{..} and \P{..} in a pattern with the flag u.
func rewriteProperties(pattern string) (string, error) {
	var b strings.Builder
	inClass := false
	for n := 0; n < len(pattern); n++ {
		switch c := pattern[n]; {
		case c == '\\' && n+1 < len(pattern) && pattern[n+1]|0x20 == 'p':
			end := strings.IndexByte(pattern[n:], '}')
			if n+2 >= len(pattern) || pattern[n+2] != '{' || end < 0 {
				return "", fmt.Errorf("Invalid regular expression: /%s/: Invalid property name", shortened(pattern)) //nolint:staticcheck // scripts see it
			}
			if err := writeProperty(&b, pattern[n+3:n+end], pattern[n+1] == 'P', inClass); err != nil {
				return "", err
			}
			n += end
		case c == '\\' && n+1 < len(pattern):
			b.WriteString(pattern[n : n+2])
			n++
		default:
			if c == '[' {
				inClass = true
			} else if c == ']' {
				inClass = false
			}
			b.WriteByte(c)
		}
	}
	return b.String(), nil
}

func writeProperty(b *strings.Builder, name string, negated, inClass bool) error {
	ranges, err := propertyRanges(name)
	if err != nil {
		return err
	}
	if negated && inClass {
		ranges = complement(ranges)
	}
	switch {
	case inClass:
	case negated:
		b.WriteString("[^")
	default:
		b.WriteByte('[')
	}
	for n := 0; n < len(ranges); n += 2 {
		writeRange(b, ranges[n], ranges[n+1])
	}
	if !inClass {
		b.WriteByte(']')
	}
	return nil
}

// writeRange leaves out the surrogates, which no pattern can name.
func writeRange(b *strings.Builder, lo, hi rune) {
	if lo < 0xD800 && hi > 0xDFFF {
		writeRange(b, lo, 0xD7FF)
		lo = 0xE000
	}
	switch {
	case lo >= 0xD800 && hi <= 0xDFFF:
		return
	case lo >= 0xD800 && lo <= 0xDFFF:
		lo = 0xE000
	case hi >= 0xD800 && hi <= 0xDFFF:
		hi = 0xD7FF
	}
	writeClassRune(b, lo)
	if hi > lo {
		if hi > lo+1 {
			b.WriteByte('-')
		}
		writeClassRune(b, hi)
	}
}

func writeClassRune(b *strings.Builder, r rune) {
	if r < 0x80 {
		fmt.Fprintf(b, `\x%02x`, r)
		return
	}
	b.WriteRune(r)
}

// propertyRanges are the characters with a property, as pairs of first and last:
// a general category, a script or a binary property.
func propertyRanges(expr string) ([]rune, error) {
	key, value, hasValue := strings.Cut(expr, "=")
	var table *unicode.RangeTable
	switch {
	case hasValue && (key == "Script" || key == "sc"):
		table = unicode.Scripts[scriptOf(value)]
	case hasValue && (key == "General_Category" || key == "gc"):
		table = category(value)
	case hasValue && (key == "Script_Extensions" || key == "scx"):
		return nil, fmt.Errorf("Invalid regular expression: \\p{%s}: Script_Extensions are not supported, use Script", shortened(expr)) //nolint:staticcheck // scripts see it
	case !hasValue:
		if r := emojiRanges(emojiName(key)); r != nil {
			return r, nil
		}
		if r, ok := derived(key); ok {
			return r, nil
		}
		if table = category(key); table == nil {
			table = unicode.Properties[binaryName(key)]
		}
	}
	if table == nil {
		return nil, fmt.Errorf("Invalid regular expression: \\p{%s}: Invalid property name", shortened(expr)) //nolint:staticcheck // scripts see it
	}
	return rangesOf(table), nil
}

func category(name string) *unicode.RangeTable {
	if short, ok := unicode.CategoryAliases[name]; ok {
		name = short
	}
	return unicode.Categories[name]
}

func emojiName(s string) string {
	switch s {
	case "EPres":
		return "Emoji_Presentation"
	case "EMod":
		return "Emoji_Modifier"
	case "EBase":
		return "Emoji_Modifier_Base"
	case "EComp":
		return "Emoji_Component"
	case "ExtPict":
		return "Extended_Pictographic"
	}
	return s
}

func binaryName(s string) string {
	switch s {
	case "space":
		return "White_Space"
	case "AHex":
		return "ASCII_Hex_Digit"
	case "Hex":
		return "Hex_Digit"
	}
	return s
}

// derived are the properties that Unicode derives from others.
func derived(name string) ([]rune, bool) {
	p, c := unicode.Properties, unicode.Categories
	switch name {
	case "Any":
		return []rune{0, unicode.MaxRune}, true
	case "ASCII":
		return []rune{0, 0x7F}, true
	case "Assigned":
		return complement(rangesOf(c["Cn"])), true
	case "Alphabetic", "Alpha":
		return union(c["L"], c["Nl"], p["Other_Alphabetic"]), true
	case "Uppercase", "Upper":
		return union(c["Lu"], p["Other_Uppercase"]), true
	case "Lowercase", "Lower":
		return union(c["Ll"], p["Other_Lowercase"]), true
	case "Cased":
		return union(c["Lu"], c["Ll"], c["Lt"], p["Other_Uppercase"], p["Other_Lowercase"]), true
	case "Math":
		return union(c["Sm"], p["Other_Math"]), true
	case "ID_Start", "IDS", "XID_Start", "XIDS":
		return union(c["L"], c["Nl"], p["Other_ID_Start"]), true
	case "ID_Continue", "IDC", "XID_Continue", "XIDC":
		return union(c["L"], c["Nl"], p["Other_ID_Start"], c["Mn"], c["Mc"], c["Nd"], c["Pc"], p["Other_ID_Continue"]), true
	}
	return nil, false
}

// rangesOf flattens a table into sorted pairs that neither touch nor overlap.
func rangesOf(t *unicode.RangeTable) []rune { return union(t) }

func union(tables ...*unicode.RangeTable) []rune {
	var pairs [][2]rune
	add := func(lo, hi, stride rune) {
		if stride == 1 {
			pairs = append(pairs, [2]rune{lo, hi})
			return
		}
		for r := lo; r <= hi; r += stride {
			pairs = append(pairs, [2]rune{r, r})
		}
	}
	for _, t := range tables {
		if t == nil {
			continue
		}
		for _, r := range t.R16 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
		for _, r := range t.R32 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
	}
	slices.SortFunc(pairs, func(a, b [2]rune) int { return int(a[0] - b[0]) })
	var merged []rune
	for _, p := range pairs {
		if n := len(merged); n > 0 && p[0] <= merged[n-1]+1 {
			merged[n-1] = max(merged[n-1], p[1])
			continue
		}
		merged = append(merged, p[0], p[1])
	}
	return merged
}

// complement are the characters outside of the ranges.
func complement(ranges []rune) []rune {
	var out []rune
	next := rune(0)
	for n := 0; n < len(ranges); n += 2 {
		if ranges[n] > next {
			out = append(out, next, ranges[n]-1)
		}
		next = ranges[n+1] + 1
	}
	if next <= unicode.MaxRune {
		out = append(out, next, unicode.MaxRune)
	}
	return out
}
