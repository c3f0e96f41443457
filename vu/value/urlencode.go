package value

import "strings"

// encodeSet is a set of bytes that are percent-encoded in some part of a URL.
// Bytes over 0x7E always are.
type encodeSet [4]uint64

func newEncodeSet(base encodeSet, more string) encodeSet {
	for i := range len(more) {
		base[more[i]>>6] |= 1 << (more[i] & 63)
	}
	return base
}

func (s *encodeSet) has(c byte) bool { return s[c>>6]&(1<<(c&63)) != 0 }

var (
	setC0           = &encodeSet{1<<32 - 1, 1 << 63, ^uint64(0), ^uint64(0)}
	setFragment     = sets(setC0, " \"<>`")
	setQuery        = sets(setC0, " \"#<>")
	setSpecialQuery = sets(setQuery, "'")
	setPath         = sets(setQuery, "?^`{}")
	setUserinfo     = sets(setPath, "/:;=@[\\]|")
	setForm         = sets(setUserinfo, "$%&,+!'()~")
)

func sets(base *encodeSet, more string) *encodeSet {
	s := newEncodeSet(*base, more)
	return &s
}

const upperHex = "0123456789ABCDEF"

func appendEncoded(b []byte, c byte, set *encodeSet) []byte {
	if !set.has(c) {
		return append(b, c)
	}
	return append(b, '%', upperHex[c>>4], upperHex[c&15])
}

// percentEncode encodes the bytes of s that are in a set.
func percentEncode(s string, set *encodeSet) string {
	clean := 0
	for clean < len(s) && !set.has(s[clean]) {
		clean++
	}
	if clean == len(s) {
		return s
	}
	b := append(make([]byte, 0, len(s)+16), s[:clean]...)
	for i := clean; i < len(s); i++ {
		b = appendEncoded(b, s[i], set)
	}
	return string(b)
}

func unhex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

// percentDecode decodes what is encoded properly and leaves the rest.
func percentDecode(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if hi, lo := unhex(s[i+1]), unhex(s[i+2]); hi >= 0 && lo >= 0 {
				b = append(b, byte(hi<<4|lo))
				i += 2
				continue
			}
		}
		b = append(b, s[i])
	}
	return string(b)
}

// Pair is a name with its value in a query.
type Pair struct{ Name, Value string }

// ParseForm takes a query or an application/x-www-form-urlencoded text apart.
// It never fails: what is not encoded properly is taken as it is.
func ParseForm(s string) []Pair {
	var pairs []Pair
	for part := range strings.SplitSeq(s, "&") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		pairs = append(pairs, Pair{formDecode(name), formDecode(value)})
	}
	return pairs
}

func formDecode(s string) string {
	s = percentDecode(strings.ReplaceAll(s, "+", " "))
	return strings.ToValidUTF8(s, "\uFFFD")
}

// FormatForm is the application/x-www-form-urlencoded text of pairs.
func FormatForm(pairs []Pair) string {
	b := make([]byte, 0, 16*len(pairs))
	for i, p := range pairs {
		if i > 0 {
			b = append(b, '&')
		}
		b = appendForm(b, p.Name)
		b = append(b, '=')
		b = appendForm(b, p.Value)
	}
	return string(b)
}

func appendForm(b []byte, s string) []byte {
	for i := range len(s) {
		if s[i] == ' ' {
			b = append(b, '+')
			continue
		}
		b = appendEncoded(b, s[i], setForm)
	}
	return b
}
