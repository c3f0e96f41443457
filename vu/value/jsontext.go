package value

// Hot path: AppendJSON allocates nothing but what its buffer needs.

import (
	"math"
	"strings"
	"unicode/utf16"
)

// JSONFormat is how JSON.stringify writes. The zero value is without any space and
// with every member.
type JSONFormat struct {
	// Gap stands once per level at the start of each line; empty means one line.
	Gap string
	// Names are the members that are written, in this order; nil means all.
	Names []string
}

// JSONFormatOf reads the second and third argument of JSON.stringify. A replacer
// that is a function is none here.
func JSONFormatOf(replacer, space Value) JSONFormat {
	return JSONFormat{Gap: gapOf(space), Names: namesOf(replacer)}
}

func gapOf(space Value) string {
	switch space.kind {
	case KindNumber:
		return strings.Repeat(" ", clamp(space.num, 10))
	case KindString:
		gap := WellFormed(space.str)
		return Clean(gap[:min(len(gap), 10)])
	}
	return ""
}

func namesOf(replacer Value) []string {
	if replacer.kind != KindArray {
		return nil
	}
	names := []string{}
	seen := map[string]bool{}
	for _, v := range replacer.obj.items {
		if v.kind != KindString && v.kind != KindNumber {
			continue
		}
		if name := WellFormed(ToString(v)); !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names
}

// JSONStringify is JSON.stringify(v, replacer, space): undefined where there is no
// JSON of a value.
func JSONStringify(v, replacer, space Value) (Value, error) {
	b, ok, err := AppendJSON(nil, v, JSONFormatOf(replacer, space))
	if err != nil || !ok {
		return Undefined, err
	}
	return Str(string(b)), nil
}

// AppendJSON appends what JSON.stringify gives. ok is false, and b is as it was,
// where that is undefined.
func AppendJSON(b []byte, v Value, format JSONFormat) (out []byte, ok bool, err error) {
	w := jsonWriter{b: b, format: format}
	ok, err = w.value(v)
	if err != nil || !ok {
		return b, false, err
	}
	return w.b, true, nil
}

// jsonWriter writes a value; those it is inside of are open. As in the script
// tier what follows an empty array stays indented as its elements would be.
type jsonWriter struct {
	b      []byte
	format JSONFormat
	indent int // gaps at the start of a line
	open   []*Object
}

func (w *jsonWriter) value(v Value) (ok bool, err error) {
	if v.kind == KindRef {
		if _, is := v.obj.host.(*Function); is {
			return false, nil
		}
		if h, is := v.obj.host.(HostJSON); is {
			if v, err = h.ToJSON(); err != nil {
				return false, err
			}
		}
	}
	switch v.kind {
	case KindUndefined, kindHole:
		return false, nil
	case KindNull:
		w.b = append(w.b, "null"...)
	case KindBool:
		w.b = append(w.b, ToString(v)...)
	case KindNumber:
		if math.IsInf(v.num, 0) || v.num != v.num {
			w.b = append(w.b, "null"...)
		} else {
			w.b = AppendNumber(w.b, v.num)
		}
	case KindString:
		w.b = AppendQuoted(w.b, v.str)
	default:
		return true, w.container(v.obj)
	}
	return true, nil
}

func (w *jsonWriter) container(o *Object) error {
	for _, p := range w.open {
		if p == o {
			return TypeError("Converting circular structure to JSON")
		}
	}
	w.open = append(w.open, o)
	var err error
	if o.isArray {
		err = w.array(o)
	} else {
		err = w.object(o)
	}
	w.open = w.open[:len(w.open)-1]
	return err
}

// line begins a line at the indent of a level.
func (w *jsonWriter) line(indent int) {
	if w.format.Gap == "" {
		return
	}
	w.b = append(w.b, '\n')
	for range indent {
		w.b = append(w.b, w.format.Gap...)
	}
}

func (w *jsonWriter) array(o *Object) error {
	outer := w.indent
	w.indent++
	if len(o.items) == 0 {
		w.b = append(w.b, "[]"...)
		return nil
	}
	inner := w.indent
	w.b = append(w.b, '[')
	for i, v := range o.items {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		w.line(inner)
		ok, err := w.value(v)
		if err != nil {
			return err
		}
		if !ok {
			w.b = append(w.b, "null"...)
		}
	}
	w.line(outer)
	w.indent = outer
	w.b = append(w.b, ']')
	return nil
}

func (w *jsonWriter) object(o *Object) error {
	outer := w.indent
	w.indent++
	inner, empty := w.indent, true
	w.b = append(w.b, '{')
	names := w.format.Names
	if names == nil {
		o.order()
		names = o.keys
	}
	for i, name := range names {
		var v Value
		if w.format.Names == nil {
			v = o.vals[i]
		} else {
			v, _ = o.Own(name)
		}
		start := len(w.b)
		ok, err := w.member(name, v, inner, empty)
		if err != nil {
			return err
		}
		if !ok {
			w.b = w.b[:start]
			continue
		}
		empty = false
	}
	if !empty {
		w.line(outer)
		w.indent = outer
	}
	w.b = append(w.b, '}')
	return nil
}

func (w *jsonWriter) member(name string, v Value, indent int, first bool) (bool, error) {
	if !first {
		w.b = append(w.b, ',')
	}
	w.line(indent)
	w.b = append(AppendQuoted(w.b, name), ':')
	if w.format.Gap != "" {
		w.b = append(w.b, ' ')
	}
	return w.value(v)
}

const lowerHex = "0123456789abcdef"

// AppendQuoted appends a string as JSON.stringify writes it.
func AppendQuoted(b []byte, s string) []byte {
	b = append(b, '"')
	for start, i := 0, 0; ; {
		for i < len(s) && s[i] >= ' ' && s[i] != '"' && s[i] != '\\' && s[i] != 0xED {
			i++
		}
		b = append(b, s[start:i]...)
		if i == len(s) {
			return append(b, '"')
		}
		n := 1
		b, n = appendEscaped(b, s[i:])
		i += n
		start = i
	}
}

// appendEscaped appends the first character of s, and its length in s.
func appendEscaped(b []byte, s string) ([]byte, int) {
	switch c := s[0]; c {
	case '"', '\\':
		return append(b, '\\', c), 1
	case '\b':
		return append(b, `\b`...), 1
	case '\t':
		return append(b, `\t`...), 1
	case '\n':
		return append(b, `\n`...), 1
	case '\f':
		return append(b, `\f`...), 1
	case '\r':
		return append(b, `\r`...), 1
	}
	r, n := decode(s)
	if r >= ' ' && !utf16.IsSurrogate(r) {
		return append(b, s[:n]...), n
	}
	return append(b, '\\', 'u', lowerHex[r>>12&15], lowerHex[r>>8&15], lowerHex[r>>4&15], lowerHex[r&15]), n
}
