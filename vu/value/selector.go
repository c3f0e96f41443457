package value

// Hot path: selecting allocates nothing for plain paths; of what was selected only
// texts and objects are made.

import (
	"strings"

	"github.com/tidwall/gjson"
)

// Selector is a gjson path into JSON, prepared once. The zero value selects
// nothing.
type Selector struct {
	path  string
	names []string // of a plain path: members and indexes
}

// NewSelector prepares a path. Any text is one.
func NewSelector(path string) *Selector {
	s := &Selector{path: path}
	names := strings.Split(path, ".")
	for _, name := range names {
		if !plainName(name) {
			return s
		}
	}
	s.names = names
	return s
}

// plainName tells whether a part of a path has no meaning beyond its letters.
func plainName(name string) bool {
	if name == "" {
		return false
	}
	digits := 0
	for i := range len(name) {
		c := name[i]
		switch {
		case c >= '0' && c <= '9':
			digits++
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c == '-':
		default:
			return false
		}
	}
	return digits < len(name) || digits < 9
}

// Raw is the part of a body that the path selects, as it is written there, if the
// path is a plain one. ok is false where nothing is, or the body is no JSON.
func (s *Selector) Raw(body []byte) (raw []byte, ok bool) {
	if s.names == nil {
		return nil, false
	}
	p := scan{s: body}
	f := finder{scan: &p, start: -1}
	i := f.find(p.space(0), s.names)
	if i < 0 || p.space(i) != len(body) || f.start < 0 {
		return nil, false
	}
	return body[f.start:f.end], true
}

// Plain tells whether Raw serves the path.
func (s *Selector) Plain() bool { return s.names != nil }

// Value is what the path selects in a body: undefined if there is nothing, or the
// body is no JSON.
func (s *Selector) Value(body []byte) Value {
	if s.names != nil {
		raw, ok := s.Raw(body)
		if !ok {
			return Undefined
		}
		return RawValue(raw)
	}
	if !ValidJSON(body) {
		return Undefined
	}
	found := gjson.GetBytes(body, s.path)
	switch {
	case !found.Exists():
		return Undefined
	case found.Type == gjson.Null:
		return Null
	case found.Type == gjson.Number && found.Raw == "": // computed, such as a count
		return Number(found.Num)
	}
	v, err := ReadJSON(found.Raw, builder{})
	if err != nil {
		return Str(Clean(found.String()))
	}
	return v
}

// RawValue makes the value of one JSON text that is known to be valid, without
// space around it.
func RawValue(raw []byte) Value {
	switch raw[0] {
	case 't':
		return True
	case 'f':
		return False
	case 'n':
		return Null
	case '{', '[', '"':
	default:
		if f, ok := shortNumber(raw); ok {
			return Number(f)
		}
	}
	v, _ := ReadJSON(string(raw), builder{})
	return v
}

// shortNumber reads a decimal number of up to 15 digits: both its digits and the
// power of ten are exact then, and so is their quotient as near as can be.
func shortNumber(raw []byte) (float64, bool) {
	digits, n, after := 0, 0, -1
	for i, c := range raw {
		switch {
		case c >= '0' && c <= '9':
			n = n*10 + int(c-'0')
			digits++
			if after >= 0 {
				after++
			}
		case c == '.':
			after = 0
		case c != '-' || i > 0:
			return 0, false
		}
	}
	if digits > 15 {
		return 0, false
	}
	f := float64(n)
	for p := 1.0; after >= 0; after-- {
		if after == 0 {
			f /= p
		}
		p *= 10
	}
	if raw[0] == '-' {
		f = -f
	}
	return f, true
}

// finder looks for one path in a scan, which goes on to the end.
type finder struct {
	*scan
	start, end int // of what was found; start is -1 before
}

// find skips the value at i and looks for names in it.
func (f *finder) find(i int, names []string) int {
	c := f.at(i)
	if len(names) == 0 || f.start >= 0 || c != '{' && c != '[' {
		start := i
		i = f.value(i)
		if len(names) == 0 && f.start < 0 {
			f.start, f.end = start, i
		}
		return i
	}
	if f.depth++; f.depth > MaxJSONDepth {
		return -1
	}
	if c == '{' {
		i = f.members(f.space(i+1), names)
	} else {
		i = f.elements(f.space(i+1), names)
	}
	f.depth--
	return i
}

func (f *finder) members(i int, names []string) int {
	if f.at(i) == '}' {
		return i + 1
	}
	for {
		value := f.member(i, true)
		if value < 0 {
			return -1
		}
		if f.start < 0 && f.isName(i, names[0]) { // the first that has the rest of the path
			i = f.find(value, names[1:])
		} else {
			i = f.value(value)
		}
		if i < 0 {
			return -1
		}
		i = f.space(i)
		switch f.at(i) {
		case '}':
			return i + 1
		case ',':
			i = f.space(i + 1)
		default:
			return -1
		}
	}
}

// isName compares the member's name at i, a valid string, with a plain one.
func (f *finder) isName(i int, name string) bool {
	s := f.s[i+1:]
	if len(s) > len(name) && string(s[:len(name)]) == name && s[len(name)] == '"' {
		return true
	}
	for j := range len(name) {
		n := 1
		c := uint16(s[0])
		if c == '\\' {
			c, n = unescape(string(s[:escapeLength(s)]))
		}
		if c != uint16(name[j]) {
			return false
		}
		s = s[n:]
	}
	return s[0] == '"'
}

func (f *finder) elements(i int, names []string) int {
	if f.at(i) == ']' {
		return i + 1
	}
	wanted, ok := elementIndex(names[0])
	for n := 0; ; n++ {
		if ok && n == wanted {
			i = f.find(i, names[1:])
		} else {
			i = f.value(i)
		}
		if i < 0 {
			return -1
		}
		i = f.space(i)
		switch f.at(i) {
		case ']':
			return i + 1
		case ',':
			i = f.space(i + 1)
		default:
			return -1
		}
	}
}

// elementIndex reads an index, which may have zeros before it.
func elementIndex(name string) (n int, ok bool) {
	for i := range len(name) {
		if name[i] < '0' || name[i] > '9' {
			return 0, false
		}
		n = n*10 + int(name[i]-'0')
	}
	return n, true
}
