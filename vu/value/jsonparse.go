package value

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// ErrJSONDepth says that a text is nested deeper than MaxJSONDepth.
var ErrJSONDepth = fmt.Errorf("JSON is nested deeper than %d levels", MaxJSONDepth)

// errJSON is enough for the reader: JSONSyntax words what is wrong.
var errJSON = errors.New("invalid JSON")

// JSONParse is JSON.parse(text). Members keep the order of the text; strings may
// share its memory. What is no JSON is a SyntaxError.
func JSONParse(text string) (Value, error) {
	text = WellFormed(text)
	v, err := ReadJSON(text, builder{})
	if err != nil {
		return Undefined, SyntaxError(JSONSyntax(text))
	}
	return v, nil
}

// JSONBuilder makes values of what ReadJSON reads.
type JSONBuilder[V any] interface {
	Null() V
	Bool(b bool) V
	// Int is of an integer of up to 15 digits.
	Int(n int64) V
	Float(f float64) V
	// Text is of a string in WTF-8.
	Text(s string) V
	// Array owns items.
	Array(items []V) V
	Object() V
	// Member sets a member of an object, again if the name repeats.
	Member(object V, name string, v V) error
}

// ReadJSON reads a JSON text. An error tells no details: see JSONSyntax.
func ReadJSON[V any, B JSONBuilder[V]](text string, b B) (V, error) {
	p := jsonReader[V, B]{s: text, b: b}
	v, err := p.value()
	if err == nil {
		if p.space(); p.i != len(p.s) {
			err = errJSON
		}
	}
	return v, err
}

// builder makes a Value.
type builder struct{}

func (builder) Null() Value               { return Null }
func (builder) Bool(b bool) Value         { return Bool(b) }
func (builder) Int(n int64) Value         { return Number(float64(n)) }
func (builder) Float(f float64) Value     { return Number(f) }
func (builder) Text(s string) Value       { return Str(s) }
func (builder) Array(items []Value) Value { return Array(items...) }
func (builder) Object() Value             { return Of(NewObject(0)) }

func (builder) Member(object Value, name string, v Value) error {
	object.obj.Define(name, v)
	return nil
}

type jsonReader[V any, B JSONBuilder[V]] struct {
	s     string
	b     B
	i     int
	depth int
}

func (p *jsonReader[V, B]) space() {
	for p.i < len(p.s) {
		switch p.s[p.i] {
		case ' ', '\n', '\r', '\t':
			p.i++
		default:
			return
		}
	}
}

// take moves over one expected byte, if it is there.
func (p *jsonReader[V, B]) take(c byte) bool {
	p.space()
	if p.i < len(p.s) && p.s[p.i] == c {
		p.i++
		return true
	}
	return false
}

func (p *jsonReader[V, B]) value() (v V, err error) {
	p.space()
	if p.i >= len(p.s) {
		return v, errJSON
	}
	switch p.s[p.i] {
	case '{', '[':
		if p.depth++; p.depth > MaxJSONDepth {
			return v, ErrJSONDepth
		}
		if p.s[p.i] == '{' {
			v, err = p.object()
		} else {
			v, err = p.array()
		}
		p.depth--
		return v, err
	case '"':
		s, err := p.text()
		return p.b.Text(s), err
	case 't':
		return p.b.Bool(true), p.word("true")
	case 'f':
		return p.b.Bool(false), p.word("false")
	case 'n':
		return p.b.Null(), p.word("null")
	}
	return p.number()
}

func (p *jsonReader[V, B]) word(w string) error {
	if !strings.HasPrefix(p.s[p.i:], w) {
		return errJSON
	}
	p.i += len(w)
	return nil
}

func (p *jsonReader[V, B]) object() (V, error) {
	o := p.b.Object()
	p.i++
	if p.take('}') {
		return o, nil
	}
	for {
		if err := p.member(o); err != nil {
			return o, err
		}
		if p.take('}') {
			return o, nil
		}
		if !p.take(',') {
			return o, errJSON
		}
	}
}

func (p *jsonReader[V, B]) member(o V) error {
	p.space()
	if p.i >= len(p.s) || p.s[p.i] != '"' {
		return errJSON
	}
	name, err := p.text()
	if err != nil {
		return err
	}
	if !p.take(':') {
		return errJSON
	}
	v, err := p.value()
	if err != nil {
		return err
	}
	return p.b.Member(o, name, v)
}

func (p *jsonReader[V, B]) array() (v V, err error) {
	p.i++
	var items []V
	if p.take(']') {
		return p.b.Array(items), nil
	}
	for {
		item, err := p.value()
		if err != nil {
			return v, err
		}
		items = append(items, item)
		if p.take(']') {
			return p.b.Array(items), nil
		}
		if !p.take(',') {
			return v, errJSON
		}
	}
}

func (p *jsonReader[V, B]) number() (v V, err error) {
	n, integer := scanNumber(p.s[p.i:])
	if n == 0 {
		return v, errJSON
	}
	text := p.s[p.i : p.i+n]
	p.i += n
	if integer && n < 16 && text != "-0" {
		n, _ := strconv.ParseInt(text, 10, 64)
		return p.b.Int(n), nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil && !math.IsInf(f, 0) { // 1e999 is Infinity in JavaScript
		return v, errJSON
	}
	return p.b.Float(f), nil
}

// text reads a string whose opening quote is next.
func (p *jsonReader[V, B]) text() (string, error) {
	p.i++
	for start := p.i; p.i < len(p.s); p.i++ {
		switch c := p.s[p.i]; {
		case c == '"':
			s := p.s[start:p.i]
			p.i++
			return Clean(s), nil
		case c == '\\':
			return p.escaped([]byte(Clean(p.s[start:p.i])))
		case c < ' ':
			return "", errJSON
		}
	}
	return "", errJSON
}

// escaped reads on from the first backslash of a string that begins with b.
func (p *jsonReader[V, B]) escaped(b []byte) (string, error) {
	for p.i < len(p.s) {
		rest := p.s[p.i:]
		switch c := rest[0]; {
		case c == '"':
			p.i++
			return string(b), nil
		case c < ' ':
			return "", errJSON
		case c != '\\':
			n := strings.IndexAny(rest, "\"\\\x00\x01\x02\x03\x04\x05\x06\x07\x08\t\n\x0b\x0c\r\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f")
			if n < 0 {
				return "", errJSON
			}
			b = append(b, Clean(rest[:n])...)
			p.i += n
			continue
		}
		u, n := unescape(rest)
		if n == 0 {
			return "", errJSON
		}
		b = appendUnit(b, u)
		p.i += n
	}
	return "", errJSON
}

// unescape reads the escape that s begins with; n is 0 if it is none.
func unescape(s string) (u uint16, n int) {
	if len(s) < 2 {
		return 0, 0
	}
	switch c := s[1]; c {
	case '"', '\\', '/':
		return uint16(c), 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		if len(s) < 6 {
			return 0, 0
		}
		code, err := strconv.ParseUint(s[2:6], 16, 16)
		if err != nil {
			return 0, 0
		}
		return uint16(code), 6
	}
	return 0, 0
}

// JSONSyntax is the text of the SyntaxError that JSON.parse throws for a text that
// is no JSON, in the words of the script tier: those of a reader of tokens.
func JSONSyntax(text string) string {
	if tooDeep(text) {
		return ErrJSONDepth.Error()
	}
	d := json.NewDecoder(strings.NewReader(text))
	switch err := skipTokens(d); {
	case errors.Is(err, io.EOF):
		return fmt.Sprintf("Unexpected end of JSON input (%v)", err)
	case err != nil:
		return err.Error()
	}
	tok, _ := d.Token()
	return fmt.Sprintf("Unexpected token at the end: %v", tok)
}

// tooDeep tells whether a text that may be no JSON is nested too deep.
func tooDeep(text string) bool {
	depth, inString := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inString:
			switch c {
			case '\\':
				i++
			case '"':
				inString = false
			}
		case c == '"':
			inString = true
		case c == '[' || c == '{':
			if depth++; depth > MaxJSONDepth {
				return true
			}
		case c == ']' || c == '}':
			depth--
		}
	}
	return false
}

// skipTokens reads one value, token by token.
func skipTokens(d *json.Decoder) error {
	for depth := 0; ; {
		tok, err := d.Token()
		if err != nil {
			return err
		}
		switch tok {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth <= 0 {
			return nil
		}
	}
}
