package summary

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// jsonWriter builds JSON whose members keep the order in which they are added.
// The zero value writes everything on one line; with an indent, each member
// gets a line of its own.
type jsonWriter struct {
	b      []byte
	indent string
	depth  int
	// empty is true right after an opening bracket.
	empty bool
}

func (w *jsonWriter) open(bracket byte) {
	w.b = append(w.b, bracket)
	w.depth++
	w.empty = true
}

func (w *jsonWriter) close(bracket byte) {
	w.depth--
	if !w.empty {
		w.newline()
	}
	w.empty = false
	w.b = append(w.b, bracket)
}

func (w *jsonWriter) newline() {
	if w.indent != "" {
		w.b = append(w.b, '\n')
		w.b = append(w.b, strings.Repeat(w.indent, w.depth)...)
	}
}

// item begins an element of an array.
func (w *jsonWriter) item() {
	if !w.empty {
		w.b = append(w.b, ',')
	}
	w.empty = false
	w.newline()
}

// key begins a member of an object.
func (w *jsonWriter) key(name string) {
	w.item()
	w.string(name)
	w.b = append(w.b, ':')
	if w.indent != "" {
		w.b = append(w.b, ' ')
	}
}

// object writes an object whose members f adds.
func (w *jsonWriter) object(f func()) {
	w.open('{')
	f()
	w.close('}')
}

// array writes an array whose elements f adds.
func (w *jsonWriter) array(f func()) {
	w.open('[')
	f()
	w.close(']')
}

func (w *jsonWriter) string(s string) { w.b = appendJSONString(w.b, s) }

// number writes null for what JSON cannot express.
func (w *jsonWriter) number(v float64) { w.b = appendJSONNumber(w.b, v) }

func (w *jsonWriter) bool(v bool) { w.b = strconv.AppendBool(w.b, v) }

// raw writes a JSON value made elsewhere.
func (w *jsonWriter) raw(value json.RawMessage) {
	if w.indent == "" {
		w.b = append(w.b, value...)
		return
	}
	var b bytes.Buffer
	if err := json.Indent(&b, value, strings.Repeat(w.indent, w.depth), w.indent); err != nil {
		w.b = append(w.b, "null"...)
		return
	}
	w.b = append(w.b, b.Bytes()...)
}

func (w *jsonWriter) stringMember(name, value string)     { w.key(name); w.string(value) }
func (w *jsonWriter) numberMember(name string, v float64) { w.key(name); w.number(v) }
func (w *jsonWriter) boolMember(name string, v bool)      { w.key(name); w.bool(v) }
func (w *jsonWriter) objectMember(name string, f func())  { w.key(name); w.object(f) }
func (w *jsonWriter) arrayMember(name string, f func())   { w.key(name); w.array(f) }

// appendJSONNumber writes a number as JavaScript does.
func appendJSONNumber(b []byte, v float64) []byte {
	abs := math.Abs(v)
	switch {
	case math.IsNaN(v), math.IsInf(v, 0):
		return append(b, "null"...)
	case abs != 0 && (abs < 1e-6 || abs >= 1e21):
		return strconv.AppendFloat(b, v, 'e', -1, 64)
	}
	return strconv.AppendFloat(b, v, 'f', -1, 64)
}

// appendJSONString quotes a string. It escapes no more than JSON asks for, so
// that "<" in threshold expressions stays readable.
func appendJSONString(b []byte, s string) []byte {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil { // strings always encode
		return append(b, `""`...)
	}
	return append(b, bytes.TrimSuffix(buf.Bytes(), []byte("\n"))...)
}
