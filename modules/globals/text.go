package globals

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/dop251/goja"
	"golang.org/x/text/encoding/charmap"

	"github.com/jsload/jsload/modules/conv"
)

// textEncoder is the Go side of a TextEncoder.
type textEncoder struct {
	conv.Own
	rt *goja.Runtime
}

func (e *textEncoder) Get(name string) goja.Value {
	if name == "encoding" {
		return e.rt.ToValue("utf-8")
	}
	return e.Own.Get(name)
}

func (e *textEncoder) Has(name string) bool { return name == "encoding" || e.Own.Has(name) }

func (i *instance) textEncoder() goja.Value {
	return conv.NewClass(i.rt, conv.ClassSpec{
		Name: "TextEncoder",
		New:  func(goja.ConstructorCall) goja.DynamicObject { return &textEncoder{rt: i.rt} },
		Method: func(name string) func(goja.FunctionCall) goja.Value {
			switch name {
			case "encode":
				return i.encode
			case "encodeInto":
				return i.encodeInto
			}
			return nil
		},
	}).Constructor
}

func (i *instance) encode(c goja.FunctionCall) goja.Value {
	var b []byte
	if v := c.Argument(0); !goja.IsUndefined(v) {
		b = []byte(v.ToString().String())
	}
	return i.uint8Array(b)
}

// uint8Array makes a Uint8Array that owns b.
func (i *instance) uint8Array(b []byte) goja.Value {
	o, err := i.rt.New(i.rt.GlobalObject().Get("Uint8Array"), i.rt.ToValue(i.rt.NewArrayBuffer(b)))
	if err != nil {
		conv.Throw(i.rt, err)
	}
	return o
}

// encodeInto writes as many whole characters as there is room for.
func (i *instance) encodeInto(c goja.FunctionCall) goja.Value {
	text := c.Argument(0).ToString().String()
	to, ok := conv.Bytes(c.Argument(1))
	if !ok {
		panic(i.rt.NewTypeError("encodeInto needs a Uint8Array"))
	}
	read, written := 0, 0
	for _, r := range text {
		n := utf8.RuneLen(r)
		if written+n > len(to) {
			break
		}
		written += utf8.EncodeRune(to[written:], r)
		read += utf16.RuneLen(r)
	}
	o := i.rt.NewObject()
	_ = o.Set("read", read)
	_ = o.Set("written", written)
	return o
}

// textDecoder is the Go side of a TextDecoder.
type textDecoder struct {
	conv.Own
	rt               *goja.Runtime
	encoding         string
	chars            *charmap.Charmap // of a single-byte encoding
	fatal, ignoreBOM bool

	pending []byte // an unfinished character of a stream
	begun   bool   // the stream is past where a BOM may be
}

func (d *textDecoder) Get(name string) goja.Value {
	switch name {
	case "encoding":
		return d.rt.ToValue(d.encoding)
	case "fatal":
		return d.rt.ToValue(d.fatal)
	case "ignoreBOM":
		return d.rt.ToValue(d.ignoreBOM)
	}
	return d.Own.Get(name)
}

func (d *textDecoder) Has(name string) bool { return d.Get(name) != nil }

func (i *instance) textDecoder() goja.Value {
	return conv.NewClass(i.rt, conv.ClassSpec{
		Name: "TextDecoder",
		New:  i.newTextDecoder,
		Method: func(name string) func(goja.FunctionCall) goja.Value {
			if name == "decode" {
				return i.decode
			}
			return nil
		},
	}).Constructor
}

func (i *instance) newTextDecoder(c goja.ConstructorCall) goja.DynamicObject {
	label := "utf-8"
	if v := c.Argument(0); !goja.IsUndefined(v) {
		label = v.ToString().String()
	}
	d := &textDecoder{rt: i.rt}
	var ok bool
	if d.encoding, d.chars, ok = encodingOf(label); !ok {
		panic(conv.NewError(i.rt, "RangeError", "the encoding label '"+label+"' is not supported"))
	}
	if o, isObject := c.Argument(1).(*goja.Object); isObject {
		d.fatal = flag(o, "fatal")
		d.ignoreBOM = flag(o, "ignoreBOM")
	}
	return d
}

func flag(o *goja.Object, name string) bool {
	v := o.Get(name)
	return v != nil && v.ToBoolean()
}

// encodingOf finds the encoding of a label of the Encoding Standard: the UTFs
// and the usual single-byte ones.
func encodingOf(label string) (name string, chars *charmap.Charmap, ok bool) {
	switch label = strings.ToLower(strings.Trim(label, "\t\n\f\r ")); label {
	case "utf-8", "utf8", "unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "x-unicode20utf8":
		return "utf-8", nil, true
	case "utf-16le", "utf-16", "ucs-2", "unicode", "iso-10646-ucs-2", "csunicode", "unicodefeff":
		return "utf-16le", nil, true
	case "utf-16be", "unicodefffe":
		return "utf-16be", nil, true
	case "windows-1252", "iso-8859-1", "iso8859-1", "latin1", "l1", "ascii", "us-ascii", "cp1252", "x-cp1252", "cp819", "iso_8859-1", "ansi_x3.4-1968":
		return "windows-1252", charmap.Windows1252, true
	case "iso-8859-2", "latin2", "l2", "iso8859-2":
		return "iso-8859-2", charmap.ISO8859_2, true
	case "iso-8859-5", "cyrillic", "iso8859-5":
		return "iso-8859-5", charmap.ISO8859_5, true
	case "iso-8859-7", "greek", "iso8859-7":
		return "iso-8859-7", charmap.ISO8859_7, true
	case "iso-8859-15", "latin-9", "l9", "iso8859-15":
		return "iso-8859-15", charmap.ISO8859_15, true
	case "windows-1250", "cp1250", "x-cp1250":
		return "windows-1250", charmap.Windows1250, true
	case "windows-1251", "cp1251", "x-cp1251":
		return "windows-1251", charmap.Windows1251, true
	case "windows-1253", "cp1253":
		return "windows-1253", charmap.Windows1253, true
	case "windows-1254", "cp1254", "iso-8859-9", "latin5":
		return "windows-1254", charmap.Windows1254, true
	case "koi8-r", "koi8", "koi":
		return "koi8-r", charmap.KOI8R, true
	}
	return "", nil, false
}

func (i *instance) decode(c goja.FunctionCall) goja.Value {
	d := conv.MustSelf[*textDecoder](i.rt, c.This, "TextDecoder")
	var in []byte
	if v := c.Argument(0); !goja.IsUndefined(v) {
		b, ok := conv.Bytes(v)
		if !ok {
			panic(i.rt.NewTypeError("decode needs an ArrayBuffer or a view of one"))
		}
		in = b
	}
	stream := false
	if o, ok := c.Argument(1).(*goja.Object); ok {
		stream = flag(o, "stream")
	}
	if len(d.pending) > 0 {
		in = append(d.pending, in...)
		d.pending = nil
	}
	text, rest, bad := d.runes(in, stream)
	if bad && d.fatal {
		d.begun = false
		panic(i.rt.NewTypeError("the encoded data was not valid for encoding %s", d.encoding))
	}
	if !d.begun && !d.ignoreBOM && len(text) > 0 && d.chars == nil {
		text = strings.TrimPrefix(text, "\uFEFF")
	}
	d.begun = stream && (d.begun || len(in) > len(rest))
	d.pending = append([]byte(nil), rest...)
	return i.rt.ToValue(text)
}

// runes decodes in; rest is what may be completed by more input.
func (d *textDecoder) runes(in []byte, stream bool) (text string, rest []byte, bad bool) {
	switch {
	case d.chars != nil:
		var b strings.Builder
		for _, c := range in {
			r := d.chars.DecodeByte(c)
			bad = bad || r == utf8.RuneError
			b.WriteRune(r)
		}
		return b.String(), nil, bad
	case d.encoding == "utf-8":
		return decodeUTF8(in, stream)
	}
	return decodeUTF16(in, d.encoding == "utf-16be", stream)
}

// decodeUTF8 puts one replacement character for each maximal part of a sequence
// that cannot be completed, as the Encoding Standard does.
func decodeUTF8(in []byte, stream bool) (text string, rest []byte, bad bool) {
	if utf8.Valid(in) {
		return string(in), nil, false
	}
	var b strings.Builder
	for len(in) > 0 {
		r, n := utf8.DecodeRune(in)
		if r != utf8.RuneError || n > 1 {
			b.Write(in[:n])
			in = in[n:]
			continue
		}
		n = partial(in)
		if n == len(in) && stream && !utf8.FullRune(in) {
			return b.String(), in, bad
		}
		b.WriteRune(utf8.RuneError)
		bad = true
		in = in[n:]
	}
	return b.String(), nil, bad
}

// partial is the length of the longest beginning of a valid sequence that in
// starts with, at least 1.
func partial(in []byte) int {
	n := 1
	for n < len(in) && n < 4 && !utf8.FullRune(in[:n]) && in[n]&0xC0 == 0x80 {
		if utf8.FullRune(in[:n+1]) { // complete, and yet no character: in[n] does not belong to it
			break
		}
		n++
	}
	return n
}

func decodeUTF16(in []byte, bigEndian, stream bool) (text string, rest []byte, bad bool) {
	units := make([]uint16, len(in)/2)
	for n := range units {
		lo, hi := in[2*n], in[2*n+1]
		if bigEndian {
			lo, hi = hi, lo
		}
		units[n] = uint16(hi)<<8 | uint16(lo)
	}
	keep := len(in) % 2
	if n := len(units); stream && n > 0 && units[n-1]&0xFC00 == 0xD800 {
		units = units[:n-1]
		keep += 2
	}
	runes := utf16.Decode(units)
	for n, at := 0, 0; n < len(runes); n++ {
		bad = bad || runes[n] == utf8.RuneError && units[at] != utf8.RuneError
		at += utf16.RuneLen(runes[n])
	}
	if keep > 0 && !stream {
		return string(runes) + "\uFFFD", nil, true
	}
	return string(runes), in[len(in)-keep:], bad
}
