package value

// Hot path: nothing here allocates for strings of ASCII.

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

func isASCII(s string) bool {
	for len(s) >= 8 {
		if (s[0]|s[1]|s[2]|s[3]|s[4]|s[5]|s[6]|s[7])&0x80 != 0 {
			return false
		}
		s = s[8:]
	}
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// decode reads the character at the start of s, which is not empty. A lone
// surrogate is a character; a byte that is none is U+FFFD.
func decode(s string) (r rune, n int) {
	if s[0] < utf8.RuneSelf {
		return rune(s[0]), 1
	}
	if isSurrogate(s) {
		return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3
	}
	return utf8.DecodeRuneInString(s)
}

// isSurrogate tells whether s begins with the three bytes of a surrogate.
func isSurrogate(s string) bool {
	return len(s) >= 3 && s[0] == 0xED && s[1] >= 0xA0 && s[1] <= 0xBF && s[2] >= 0x80 && s[2] <= 0xBF
}

// appendUnit appends one UTF-16 unit, and joins it with a high half before it.
func appendUnit(b []byte, u uint16) []byte {
	r := rune(u)
	if !utf16.IsSurrogate(r) {
		return utf8.AppendRune(b, r)
	}
	if n := len(b) - 3; r >= 0xDC00 && n >= 0 && b[n] == 0xED && b[n+1]&0xF0 == 0xA0 {
		high := 0xD000 | rune(b[n+1]&0x3F)<<6 | rune(b[n+2]&0x3F)
		return utf8.AppendRune(b[:n], utf16.DecodeRune(high, r))
	}
	return append(b, 0xED, byte(0x80|r>>6&0x3F), byte(0x80|r&0x3F))
}

// appendJoined appends s, and joins the halves of a character that meet.
func appendJoined(b []byte, s string) []byte {
	if n := len(b); n >= 3 && isSurrogate(s) && s[1] >= 0xB0 && b[n-3] == 0xED && b[n-2]&0xF0 == 0xA0 {
		low, _ := decode(s)
		return append(appendUnit(b, uint16(low)), s[3:]...)
	}
	return append(b, s...)
}

// Concat is a + b of two strings.
func Concat(a, b string) string {
	if n := len(a); n >= 3 && a[n-3] == 0xED && a[n-2] >= 0xA0 && isSurrogate(b) {
		return string(appendJoined([]byte(a), b))
	}
	return a + b
}

// FromUnits makes a string of UTF-16 units.
func FromUnits(units []uint16) string {
	b := make([]byte, 0, len(units))
	for _, u := range units {
		b = appendUnit(b, u)
	}
	return string(b)
}

// AppendUnits appends the UTF-16 units of s.
func AppendUnits(units []uint16, s string) []uint16 {
	for len(s) > 0 {
		r, n := decode(s)
		s = s[n:]
		if r >= 0x10000 {
			units = utf16.AppendRune(units, r)
		} else {
			units = append(units, uint16(r))
		}
	}
	return units
}

// Clean is the string of bytes from outside: each that is no UTF-8 becomes U+FFFD.
func Clean(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}

// WellFormed is s as it leaves the process: lone surrogates become U+FFFD.
func WellFormed(s string) string {
	if !hasSurrogate(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for len(s) > 0 {
		r, n := decode(s)
		if utf16.IsSurrogate(r) {
			r = utf8.RuneError
		}
		b.WriteRune(r)
		s = s[n:]
	}
	return b.String()
}

func hasSurrogate(s string) bool {
	for {
		i := strings.IndexByte(s, 0xED)
		if i < 0 {
			return false
		}
		if isSurrogate(s[i:]) {
			return true
		}
		s = s[i+1:]
	}
}

// Length is the number of UTF-16 units of s.
func Length(s string) int {
	if isASCII(s) {
		return len(s)
	}
	n := 0
	for len(s) > 0 {
		r, size := decode(s)
		n++
		if r >= 0x10000 {
			n++
		}
		s = s[size:]
	}
	return n
}

// offset is the byte at which unit i of s begins. half says that it is the second
// half of the character there. Past the end it is len(s).
func offset(s string, i int) (at int, half bool) {
	for i > 0 && at < len(s) {
		r, size := decode(s[at:])
		if r >= 0x10000 {
			if i == 1 {
				return at, true
			}
			i--
		}
		i--
		at += size
	}
	return at, false
}

// units is s from unit i to unit j; 0 <= i <= j <= Length(s).
func units(s string, i, j int, ascii bool) string {
	if ascii {
		return s[i:j]
	}
	if i == j {
		return ""
	}
	from, split := offset(s, i)
	rest := s[from:]
	if split {
		j++ // count from the character's first half
	}
	to, cut := offset(rest, j-i)
	if !split && !cut {
		return rest[:to]
	}
	var b []byte
	start := 0
	if split {
		r, n := decode(rest)
		_, low := utf16.EncodeRune(r)
		b, start = appendUnit(nil, uint16(low)), n
	}
	b = append(b, rest[start:max(start, to)]...)
	if cut && to >= start {
		r, _ := decode(rest[to:])
		high, _ := utf16.EncodeRune(r)
		b = appendUnit(b, uint16(high))
	}
	return string(b)
}

// unit is the UTF-16 unit i of s, and whether there is one.
func unit(s string, i int) (uint16, bool) {
	if i < 0 {
		return 0, false
	}
	at, half := offset(s, i)
	if at >= len(s) {
		return 0, false
	}
	r, _ := decode(s[at:])
	if r < 0x10000 {
		return uint16(r), true
	}
	high, low := utf16.EncodeRune(r)
	if half {
		return uint16(low), true
	}
	return uint16(high), true
}

// explode writes each half of a character for itself, so that bytes can be
// searched for halves. implode joins them again.
func explode(s string) string {
	b := make([]byte, 0, len(s)+len(s)/2)
	for len(s) > 0 {
		r, n := decode(s)
		if r >= 0x10000 {
			high, low := utf16.EncodeRune(r)
			b = append(b, appendUnit(nil, uint16(high))...)
			b = append(b, appendUnit(nil, uint16(low))...)
		} else {
			b = append(b, s[:n]...)
		}
		s = s[n:]
	}
	return string(b)
}

func implode(s string) string {
	b := make([]byte, 0, len(s))
	for len(s) > 0 {
		_, n := decode(s)
		b = appendJoined(b, s[:n])
		s = s[n:]
	}
	return string(b)
}
