package proto

import (
	"bytes"
	"iter"
	"net/textproto"
)

// Field is one header field of a request, as it goes on the wire.
type Field struct{ Name, Value string }

// Header is the header of a response as bytes: "Name: value" lines, each ended
// by CRLF, folded lines already joined. Fields are found when they are asked
// for; most are never asked for. The zero Header is empty.
//
// It is valid as long as the Response it belongs to is not used again.
type Header []byte

// All yields the fields in wire order, names in canonical form. Names and values
// are new strings.
func (h Header) All() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for rest := []byte(h); len(rest) > 0; {
			var name, value []byte
			name, value, rest = cutField(rest)
			if len(name) > 0 && !yield(textproto.CanonicalMIMEHeaderKey(string(name)), string(value)) {
				return
			}
		}
	}
}

// Find returns the value of the first field of that name, whatever its case, as
// bytes of h, and whether there is one.
func (h Header) Find(name string) ([]byte, bool) {
	for rest := []byte(h); len(rest) > 0; {
		var n, value []byte
		n, value, rest = cutField(rest)
		if equalFold(n, name) {
			return value, true
		}
	}
	return nil, false
}

// First is Find as a string; empty if there is no such field.
func (h Header) First(name string) string {
	v, _ := h.Find(name)
	return string(v)
}

// Values returns the values of all fields of that name.
func (h Header) Values(name string) []string {
	var vs []string
	for rest := []byte(h); len(rest) > 0; {
		var n, value []byte
		n, value, rest = cutField(rest)
		if equalFold(n, name) {
			vs = append(vs, string(value))
		}
	}
	return vs
}

// cutField splits off the first line of a header.
func cutField(h []byte) (name, value, rest []byte) {
	line := h
	if i := bytes.IndexByte(h, '\n'); i >= 0 {
		line, rest = h[:i], h[i+1:]
	}
	i := bytes.IndexByte(line, ':')
	if i < 0 {
		return nil, nil, rest
	}
	return line[:i], trim(line[i+1:]), rest
}

// trim removes spaces, tabs and the CR of the line's end.
func trim(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\t') {
		b = b[1:]
	}
	for len(b) > 0 {
		if c := b[len(b)-1]; c != ' ' && c != '\t' && c != '\r' {
			break
		}
		b = b[:len(b)-1]
	}
	return b
}

// equalFold compares a field name with ASCII folding and without allocating.
func equalFold(b []byte, s string) bool {
	if len(b) != len(s) {
		return false
	}
	for i, c := range b {
		if lower(c) != lower(s[i]) {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
