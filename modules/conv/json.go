package conv

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/dop251/goja"
)

// MaxJSONDepth is how deep JSON may be nested. Deeper text is refused before
// any recursive reader sees it: a reader's stack overflow ends the process.
const MaxJSONDepth = 10_000

// ErrJSONDepth says that a text is nested deeper than MaxJSONDepth.
var ErrJSONDepth = fmt.Errorf("JSON is nested deeper than %d levels", MaxJSONDepth)

// errSyntax is enough for callers: they take the exact wording from the reader
// whose messages scripts know (see JSONParse and SyntaxText).
var errSyntax = errors.New("invalid JSON")

// ParseJSON makes JavaScript values of a JSON text. Members keep the order of
// the text. It is several times cheaper than the interpreter's own JSON.parse.
func ParseJSON(rt *goja.Runtime, text string) (goja.Value, error) {
	p := jsonParser{rt: rt, s: text}
	v, err := p.value()
	if err != nil {
		return nil, err
	}
	p.space()
	if p.i != len(p.s) {
		return nil, errSyntax
	}
	return v, nil
}

type jsonParser struct {
	rt    *goja.Runtime
	s     string
	i     int
	depth int
}

func (p *jsonParser) space() {
	for p.i < len(p.s) {
		switch p.s[p.i] {
		case ' ', '\n', '\r', '\t':
			p.i++
		default:
			return
		}
	}
}

func (p *jsonParser) value() (goja.Value, error) {
	p.space()
	if p.i >= len(p.s) {
		return nil, errSyntax
	}
	switch c := p.s[p.i]; c {
	case '{':
		return p.nested(p.object)
	case '[':
		return p.nested(p.array)
	case '"':
		v, _, err := p.str()
		return v, err
	case 't':
		return p.word("true", p.rt.ToValue(true))
	case 'f':
		return p.word("false", p.rt.ToValue(false))
	case 'n':
		return p.word("null", goja.Null())
	default:
		return p.number()
	}
}

func (p *jsonParser) nested(read func() (goja.Value, error)) (goja.Value, error) {
	if p.depth++; p.depth > MaxJSONDepth {
		return nil, ErrJSONDepth
	}
	v, err := read()
	p.depth--
	return v, err
}

func (p *jsonParser) word(w string, v goja.Value) (goja.Value, error) {
	if !strings.HasPrefix(p.s[p.i:], w) {
		return nil, errSyntax
	}
	p.i += len(w)
	return v, nil
}

func (p *jsonParser) object() (goja.Value, error) {
	o := p.rt.NewObject()
	p.i++
	p.space()
	if p.i < len(p.s) && p.s[p.i] == '}' {
		p.i++
		return o, nil
	}
	for {
		if err := p.member(o); err != nil {
			return nil, err
		}
		end, err := p.separator('}')
		if err != nil {
			return nil, err
		}
		if end {
			return o, nil
		}
	}
}

func (p *jsonParser) member(o *goja.Object) error {
	p.space()
	if p.i >= len(p.s) || p.s[p.i] != '"' {
		return errSyntax
	}
	kv, key, err := p.str()
	if err != nil {
		return err
	}
	p.space()
	if p.i >= len(p.s) || p.s[p.i] != ':' {
		return errSyntax
	}
	p.i++
	v, err := p.value()
	if err != nil {
		return err
	}
	if key == "" || key == "__proto__" {
		if key == "" {
			key = kv.String()
		}
		return o.DefineDataProperty(key, v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
	}
	return o.Set(key, v)
}

// separator reads a comma (false) or the closing byte (true).
func (p *jsonParser) separator(end byte) (bool, error) {
	p.space()
	if p.i >= len(p.s) {
		return false, errSyntax
	}
	c := p.s[p.i]
	p.i++
	switch c {
	case ',':
		return false, nil
	case end:
		return true, nil
	}
	return false, errSyntax
}

func (p *jsonParser) array() (goja.Value, error) {
	p.i++
	p.space()
	if p.i < len(p.s) && p.s[p.i] == ']' {
		p.i++
		return p.rt.NewArray(), nil
	}
	var items []any
	for {
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		items = append(items, v)
		end, err := p.separator(']')
		if err != nil {
			return nil, err
		}
		if end {
			return p.rt.NewArray(items...), nil
		}
	}
}

func (p *jsonParser) number() (goja.Value, error) {
	start := p.i
	n, integer := scanNumber(p.s[p.i:])
	if n == 0 {
		return nil, errSyntax
	}
	p.i += n
	text := p.s[start:p.i]
	if integer && n < 16 && text != "-0" {
		v, err := strconv.ParseInt(text, 10, 64)
		if err == nil {
			return p.rt.ToValue(v), nil
		}
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil && math.IsInf(f, 0) {
		err = nil // 1e999 is Infinity in JavaScript
	}
	if err != nil {
		return nil, errSyntax
	}
	return p.rt.ToValue(f), nil
}

// scanNumber returns the length of the JSON number that s begins with, 0 if
// there is none, and whether it is a plain integer.
func scanNumber(s string) (n int, integer bool) {
	if n < len(s) && s[n] == '-' {
		n++
	}
	d := digits(s[n:])
	if d == 0 || (d > 1 && s[n] == '0') {
		return 0, false
	}
	n += d
	integer = true
	if n < len(s) && s[n] == '.' {
		d = digits(s[n+1:])
		if d == 0 {
			return 0, false
		}
		n += 1 + d
		integer = false
	}
	if n < len(s) && (s[n] == 'e' || s[n] == 'E') {
		m := n + 1
		if m < len(s) && (s[m] == '+' || s[m] == '-') {
			m++
		}
		d = digits(s[m:])
		if d == 0 {
			return 0, false
		}
		n = m + d
		integer = false
	}
	return n, integer
}

func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// str reads a string. text is its Go form, empty for an empty string and for
// one that Go cannot hold (a lone surrogate).
func (p *jsonParser) str() (v goja.Value, text string, err error) {
	p.i++
	start := p.i
	for p.i < len(p.s) {
		switch c := p.s[p.i]; {
		case c == '"':
			text = p.s[start:p.i]
			p.i++
			if !utf8.ValidString(text) {
				text = string([]rune(text)) // a replacement for each byte, as everywhere
			}
			return p.rt.ToValue(text), text, nil
		case c == '\\':
			return p.escaped(start)
		case c < 0x20:
			return nil, "", errSyntax
		}
		p.i++
	}
	return nil, "", errSyntax
}

// escaped reads on from the first backslash of a string that began at start.
func (p *jsonParser) escaped(start int) (goja.Value, string, error) {
	units := utf16.Encode([]rune(p.s[start:p.i]))
	for p.i < len(p.s) {
		c := p.s[p.i]
		switch {
		case c == '"':
			p.i++
			return goja.StringFromUTF16(units), wellFormed(units), nil
		case c == '\\':
			u, err := p.escape()
			if err != nil {
				return nil, "", err
			}
			units = append(units, u)
		case c < 0x20:
			return nil, "", errSyntax
		default:
			r, n := utf8.DecodeRuneInString(p.s[p.i:])
			p.i += n
			units = utf16.AppendRune(units, r)
		}
	}
	return nil, "", errSyntax
}

// wellFormed is the Go form of a string, empty if it holds a lone surrogate.
func wellFormed(units []uint16) string {
	for i := 0; i < len(units); i++ {
		if utf16.IsSurrogate(rune(units[i])) {
			if i+1 >= len(units) || utf16.DecodeRune(rune(units[i]), rune(units[i+1])) == utf8.RuneError {
				return ""
			}
			i++
		}
	}
	return string(utf16.Decode(units))
}

func (p *jsonParser) escape() (uint16, error) {
	if p.i+1 >= len(p.s) {
		return 0, errSyntax
	}
	c := p.s[p.i+1]
	p.i += 2
	switch c {
	case '"', '\\', '/':
		return uint16(c), nil
	case 'b':
		return '\b', nil
	case 'f':
		return '\f', nil
	case 'n':
		return '\n', nil
	case 'r':
		return '\r', nil
	case 't':
		return '\t', nil
	case 'u':
		if p.i+4 > len(p.s) {
			return 0, errSyntax
		}
		u, err := strconv.ParseUint(p.s[p.i:p.i+4], 16, 16)
		if err != nil {
			return 0, errSyntax
		}
		p.i += 4
		return uint16(u), nil
	}
	return 0, errSyntax
}

// CheckJSONDepth refuses a text that is nested deeper than MaxJSONDepth. It is
// one pass without recursion, and says nothing else about the text.
func CheckJSONDepth[T string | []byte](text T) error {
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
				return ErrJSONDepth
			}
		case c == ']' || c == '}':
			depth--
		}
	}
	return nil
}

// JSONParse is the script's JSON.parse on top of ParseJSON. original is the
// interpreter's own: it serves calls with a reviver and words the errors.
func JSONParse(rt *goja.Runtime, original goja.Callable) func(goja.FunctionCall) goja.Value {
	return func(c goja.FunctionCall) goja.Value {
		text := c.Argument(0).String()
		if len(c.Arguments) < 2 || goja.IsUndefined(c.Arguments[1]) {
			v, err := ParseJSON(rt, text)
			if err == nil {
				return v
			}
		}
		if err := CheckJSONDepth(text); err != nil {
			panic(NewError(rt, "SyntaxError", err.Error()))
		}
		v, err := original(goja.Undefined(), c.Arguments...)
		if err != nil {
			panic(err)
		}
		return v
	}
}
