package value

// Methods of strings. Positions are numbers as scripts give them: without their
// fraction, NaN is 0, and where an end may be missing it is positive infinity.

import (
	"math"
	"strings"
	"unicode/utf16"
)

// maxText bounds what repeat and padding make, in bytes.
const maxText = 1 << 28

var errTextLength = RangeError("Invalid string length")

// clamp is a position between 0 and n.
func clamp(f float64, n int) int {
	f = toInteger(f)
	switch {
	case f <= 0:
		return 0
	case f >= float64(n):
		return n
	}
	return int(f)
}

// clampFromEnd is clamp where a negative position counts from the end.
func clampFromEnd(f float64, n int) int {
	if f < 0 {
		f = toInteger(f) + float64(n)
	}
	return clamp(f, n)
}

// CharAt is s.charAt(i): one unit, or nothing.
func CharAt(s string, i float64) string {
	n, i := Length(s), toInteger(i)
	if i < 0 || i >= float64(n) {
		return ""
	}
	return units(s, int(i), int(i)+1, n == len(s))
}

// StringAt is s.at(i), which counts from the end if i is negative.
func StringAt(s string, i float64) Value {
	if i = toInteger(i); i < 0 {
		i += float64(Length(s))
	}
	if c := CharAt(s, i); c != "" {
		return Str(c)
	}
	return Undefined
}

// StringIndex is s[i]: undefined where charAt gives nothing.
func StringIndex(s string, i int) Value {
	if c := CharAt(s, float64(i)); c != "" {
		return Str(c)
	}
	return Undefined
}

// CharCodeAt is s.charCodeAt(i), NaN outside of s.
func CharCodeAt(s string, i float64) float64 {
	if i = toInteger(i); i < 0 || i >= float64(len(s)) {
		return math.NaN()
	}
	u, ok := unit(s, int(i))
	if !ok {
		return math.NaN()
	}
	return float64(u)
}

// CodePointAt is s.codePointAt(i), undefined outside of s.
func CodePointAt(s string, i float64) Value {
	if i = toInteger(i); i < 0 || i >= float64(len(s)) {
		return Undefined
	}
	at, half := offset(s, int(i))
	if at >= len(s) {
		return Undefined
	}
	r, _ := decode(s[at:])
	if half {
		_, r = utf16.EncodeRune(r)
	}
	return Number(float64(r))
}

// FromCharCode is String.fromCharCode(codes...).
func FromCharCode(codes ...float64) string {
	b := make([]byte, 0, len(codes))
	for _, c := range codes {
		b = appendUnit(b, uint16(toInt32(c)))
	}
	return string(b)
}

// FromCodePoint is String.fromCodePoint(codes...).
func FromCodePoint(codes ...float64) (string, error) {
	b := make([]byte, 0, len(codes))
	for _, c := range codes {
		if c != math.Trunc(c) || c < 0 || c > 0x10FFFF {
			return "", RangeError("Invalid code point " + FormatNumber(c))
		}
		if c < 0x10000 {
			b = appendUnit(b, uint16(c))
			continue
		}
		b = append(b, string(rune(c))...)
	}
	return string(b), nil
}

// Slice is s.slice(start, end).
func Slice(s string, start, end float64) string {
	n := Length(s)
	i, j := clampFromEnd(start, n), clampFromEnd(end, n)
	return units(s, i, max(i, j), n == len(s))
}

// Substring is s.substring(start, end).
func Substring(s string, start, end float64) string {
	n := Length(s)
	i, j := clamp(start, n), clamp(end, n)
	return units(s, min(i, j), max(i, j), n == len(s))
}

// Substr is s.substr(start, length).
func Substr(s string, start, length float64) string {
	n := Length(s)
	i := clampFromEnd(start, n)
	return units(s, i, i+clamp(length, n-i), n == len(s))
}

// IndexOf is s.indexOf(part, from).
func IndexOf(s, part string, from float64) int {
	n := Length(s)
	return indexFrom(s, part, clamp(from, n), n == len(s))
}

// indexFrom is the first unit at or after i where part stands, -1 if none.
func indexFrom(s, part string, i int, ascii bool) int {
	if ascii {
		if at := strings.Index(s[i:], part); at >= 0 {
			return i + at
		}
		return -1
	}
	if onlyWhole(part) {
		at, half := offset(s, i)
		if half {
			_, n := decode(s[at:])
			at, i = at+n, i+1
			if part == "" {
				return i - 1
			}
		}
		found := strings.Index(s[at:], part)
		if found < 0 {
			return -1
		}
		return i + Length(s[at:at+found])
	}
	return indexUnits(AppendUnits(nil, s), AppendUnits(nil, part), i)
}

// onlyWhole tells that a text neither begins nor ends inside of a character, so
// that looking for bytes finds what looking for units does.
func onlyWhole(s string) bool {
	return !isSurrogate(s) && (len(s) < 3 || !isSurrogate(s[len(s)-3:]))
}

func indexUnits(s, part []uint16, i int) int {
	for ; i+len(part) <= len(s); i++ {
		if equalUnits(s[i:i+len(part)], part) {
			return i
		}
	}
	return -1
}

func equalUnits(a, b []uint16) bool {
	for i, u := range a {
		if u != b[i] {
			return false
		}
	}
	return true
}

// LastIndexOf is s.lastIndexOf(part, from). Where from is missing or NaN the
// search begins at the end.
func LastIndexOf(s, part string, from float64) int {
	if from != from {
		from = math.Inf(1)
	}
	n, m := Length(s), Length(part)
	if m > n {
		return -1
	}
	i := clamp(from, n-m)
	if n == len(s) {
		if m != len(part) {
			return -1
		}
		return strings.LastIndex(s[:i+m], part)
	}
	all, some := AppendUnits(nil, s), AppendUnits(nil, part)
	for ; i >= 0; i-- {
		if equalUnits(all[i:i+m], some) {
			return i
		}
	}
	return -1
}

// Includes is s.includes(part, from).
func Includes(s, part string, from float64) bool {
	if from == 0 && onlyWhole(part) {
		return strings.Contains(s, part)
	}
	return IndexOf(s, part, from) >= 0
}

// StartsWith is s.startsWith(part, from).
func StartsWith(s, part string, from float64) bool {
	if from == 0 && onlyWhole(part) {
		return strings.HasPrefix(s, part)
	}
	n, m := Length(s), Length(part)
	i := clamp(from, n)
	return i+m <= n && units(s, i, i+m, n == len(s)) == part
}

// EndsWith is s.endsWith(part, end).
func EndsWith(s, part string, end float64) bool {
	n, m := Length(s), Length(part)
	j := clamp(end, n)
	return m <= j && units(s, j-m, j, n == len(s)) == part
}

// Split is s.split(separator, limit) with a text; a negative limit means none.
func Split(s, separator string, limit int) []Value {
	if limit == 0 {
		return nil
	}
	if limit < 0 {
		limit = math.MaxInt
	}
	if separator == "" {
		return splitUnits(s, limit)
	}
	if !onlyWhole(separator) {
		parts := splitBytes(explode(s), explode(separator), limit)
		for i, p := range parts {
			parts[i] = Str(implode(p.str))
		}
		return parts
	}
	return splitBytes(s, separator, limit)
}

func splitBytes(s, separator string, limit int) []Value {
	parts := make([]Value, 0, min(limit, 1+strings.Count(s, separator)))
	for len(parts) < limit {
		i := strings.Index(s, separator)
		if i < 0 {
			return append(parts, Str(s))
		}
		parts = append(parts, Str(s[:i]))
		s = s[i+len(separator):]
	}
	return parts
}

func splitUnits(s string, limit int) []Value {
	n := min(Length(s), limit)
	parts := make([]Value, 0, n)
	if isASCII(s) {
		for i := range n {
			parts = append(parts, Str(s[i:i+1]))
		}
		return parts
	}
	for _, u := range AppendUnits(nil, s)[:n] {
		parts = append(parts, Str(string(appendUnit(nil, u))))
	}
	return parts
}

// StringItems are the characters of a string as iteration gives them.
func StringItems(s string) []Value {
	var items []Value
	for len(s) > 0 {
		_, n := decode(s)
		items = append(items, Str(s[:n]))
		s = s[n:]
	}
	return items
}

// Trim is s.trim(). As in the script tier it makes lone surrogates U+FFFD.
func Trim(s string) string { return strings.Trim(trimmable(s), whitespace) }

// TrimStart is s.trimStart(). See Trim.
func TrimStart(s string) string { return strings.TrimLeft(trimmable(s), whitespace) }

// TrimEnd is s.trimEnd(). See Trim.
func TrimEnd(s string) string { return strings.TrimRight(trimmable(s), whitespace) }

func trimmable(s string) string { return WellFormed(s) }

// Repeat is s.repeat(count).
func Repeat(s string, count float64) (string, error) {
	count = toInteger(count)
	switch {
	case count < 0 || math.IsInf(count, 1):
		return "", RangeError("Invalid count value")
	case count == 0 || s == "":
		return "", nil
	case count*float64(len(s)) > maxText:
		return "", errTextLength
	}
	if onlyWhole(s) {
		return strings.Repeat(s, int(count)), nil
	}
	var b []byte
	for range int(count) {
		b = appendJoined(b, s)
	}
	return string(b), nil
}

// PadStart is s.padStart(length, filler).
func PadStart(s string, length float64, filler string) (string, error) {
	pad, err := padding(s, length, filler)
	return Concat(pad, s), err
}

// PadEnd is s.padEnd(length, filler).
func PadEnd(s string, length float64, filler string) (string, error) {
	pad, err := padding(s, length, filler)
	return Concat(s, pad), err
}

func padding(s string, length float64, filler string) (string, error) {
	missing := toInteger(length) - float64(Length(s))
	if missing <= 0 || filler == "" {
		return "", nil
	}
	if missing > maxText {
		return "", errTextLength
	}
	n, m := int(missing), Length(filler)
	pad, err := Repeat(filler, float64(n/m))
	return Concat(pad, units(filler, 0, n%m, m == len(filler))), err
}
