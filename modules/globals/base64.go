package globals

import (
	"encoding/base64"
	"strings"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules/conv"
)

// argument returns an argument of a function that wants at least one.
func (i *instance) argument(c goja.FunctionCall, function string) goja.Value {
	if len(c.Arguments) == 0 {
		panic(i.rt.NewTypeError("%s needs an argument", function))
	}
	return c.Arguments[0]
}

// btoa encodes a string whose characters are bytes.
func (i *instance) btoa(c goja.FunctionCall) goja.Value {
	s := stringOf(i.argument(c, "btoa"))
	b := make([]byte, s.Length())
	for n := range b {
		u := s.CharAt(n)
		if u > 0xFF {
			panic(conv.DOMException(i.rt, "InvalidCharacterError", "the string to be encoded contains characters outside of Latin1"))
		}
		b[n] = byte(u)
	}
	return i.rt.ToValue(base64.StdEncoding.EncodeToString(b))
}

// atob decodes base64 into a string whose characters are bytes. White space is
// ignored and padding may be missing.
func (i *instance) atob(c goja.FunctionCall) goja.Value {
	s := i.argument(c, "atob").String()
	s = strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\n\f\r", r) {
			return -1
		}
		return r
	}, s)
	if len(s)%4 == 0 {
		s = strings.TrimSuffix(strings.TrimSuffix(s, "="), "=")
	}
	b, err := base64.RawStdEncoding.DecodeString(s)
	if err != nil {
		panic(conv.DOMException(i.rt, "InvalidCharacterError", "the string to be decoded is not correctly encoded"))
	}
	return latin1(b)
}

// latin1 is the string with a character for each byte.
func latin1(b []byte) goja.Value {
	units := make([]uint16, len(b))
	for n, c := range b {
		units[n] = uint16(c)
	}
	return goja.StringFromUTF16(units)
}

// stringOf is String(v), with access to its UTF-16 code units.
func stringOf(v goja.Value) goja.String {
	s, _ := v.ToString().(goja.String) // never anything else
	return s
}
