package native

import (
	"math"
	"unicode/utf8"

	"github.com/jsload/jsload/vu/value"
)

// stringify is JSON.stringify of plain data.
func stringify(args []value.Value) (value.Value, error) {
	w := jsonWriter{}
	if ok, err := w.value(args[0]); err != nil || !ok {
		return value.Undefined, err
	}
	return value.Str(string(w.b)), nil
}

type jsonWriter struct {
	b    []byte
	path []*value.Object
}

// value writes a value; false if it has no form in JSON.
func (w *jsonWriter) value(v value.Value) (bool, error) {
	switch v.Kind() {
	case value.KindUndefined:
		return false, nil
	case value.KindNumber:
		if f := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
			w.b = append(w.b, "null"...)
			return true, nil
		}
		w.b = value.AppendNumber(w.b, v.Float())
	case value.KindString:
		w.text(v.Text())
	case value.KindArray, value.KindObject:
		return true, w.nested(v)
	case value.KindRef:
		w.b = append(w.b, "{}"...)
	default:
		w.b = append(w.b, value.ToString(v)...)
	}
	return true, nil
}

func (w *jsonWriter) nested(v value.Value) error {
	for _, p := range w.path {
		if p == v.Object() {
			return value.TypeError("Converting circular structure to JSON")
		}
	}
	w.path = append(w.path, v.Object())
	defer func() { w.path = w.path[:len(w.path)-1] }()
	if v.Kind() == value.KindArray {
		return w.array(v.Items())
	}
	return w.object(v.Object())
}

func (w *jsonWriter) array(items []value.Value) error {
	w.b = append(w.b, '[')
	for i, item := range items {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		if item.IsHole() {
			item = value.Null
		}
		ok, err := w.value(item)
		if err != nil {
			return err
		}
		if !ok {
			w.b = append(w.b, "null"...)
		}
	}
	w.b = append(w.b, ']')
	return nil
}

func (w *jsonWriter) object(o *value.Object) error {
	w.b = append(w.b, '{')
	first := true
	for _, k := range o.Keys() {
		v, _ := o.Own(k)
		before := len(w.b)
		if !first {
			w.b = append(w.b, ',')
		}
		w.text(k)
		w.b = append(w.b, ':')
		ok, err := w.value(v)
		if err != nil {
			return err
		}
		if !ok {
			w.b = w.b[:before]
			continue
		}
		first = false
	}
	w.b = append(w.b, '}')
	return nil
}

const hexDigits = "0123456789abcdef"

func (w *jsonWriter) text(s string) {
	w.b = append(w.b, '"')
	for len(s) > 0 {
		c := s[0]
		switch {
		case c == '"' || c == '\\':
			w.b = append(w.b, '\\', c)
		case c == '\b':
			w.b = append(w.b, `\b`...)
		case c == '\f':
			w.b = append(w.b, `\f`...)
		case c == '\n':
			w.b = append(w.b, `\n`...)
		case c == '\r':
			w.b = append(w.b, `\r`...)
		case c == '\t':
			w.b = append(w.b, `\t`...)
		case c < 0x20:
			w.b = append(w.b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		case c < utf8.RuneSelf:
			w.b = append(w.b, c)
		default:
			n := w.rune(s)
			s = s[n:]
			continue
		}
		s = s[1:]
	}
	w.b = append(w.b, '"')
}

// rune writes a character beyond ASCII: a lone surrogate by its number.
func (w *jsonWriter) rune(s string) int {
	if r, n := utf8.DecodeRuneInString(s); r != utf8.RuneError || n > 1 {
		w.b = append(w.b, s[:n]...)
		return n
	}
	if units := value.AppendUnits(nil, s[:min(3, len(s))]); len(units) == 1 && len(s) >= 3 {
		u := units[0]
		w.b = append(w.b, '\\', 'u', hexDigits[u>>12], hexDigits[u>>8&15], hexDigits[u>>4&15], hexDigits[u&15])
		return 3
	}
	w.b = utf8.AppendRune(w.b, utf8.RuneError)
	return 1
}
