package value

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// domains is how the URL Standard processes names of hosts.
var domains = idna.New(
	idna.MapForLookup(), idna.Transitional(false), idna.StrictDomainName(false), idna.CheckHyphens(false),
	idna.CheckJoiners(true), idna.BidiRule(), idna.VerifyDNSLength(false),
)

// parseHost returns the serialized host.
func parseHost(s string, isSpecial bool) (string, error) {
	if strings.HasPrefix(s, "[") {
		if !strings.HasSuffix(s, "]") {
			return "", ErrURL
		}
		return parseIPv6(s[1 : len(s)-1])
	}
	if !isSpecial {
		if strings.ContainsAny(s, "\x00\t\n\r #/:<>?@[\\]^|") {
			return "", ErrURL
		}
		return percentEncode(s, setC0), nil
	}
	domain, err := toASCII(strings.ToValidUTF8(percentDecode(s), "\uFFFD"))
	if err != nil || domain == "" || strings.ContainsFunc(domain, forbiddenInDomain) {
		return "", ErrURL
	}
	if endsInNumber(domain) {
		return parseIPv4(domain)
	}
	return domain, nil
}

func forbiddenInDomain(r rune) bool {
	return r <= ' ' || r == 0x7F || strings.ContainsRune("#/:<>?@[\\]^|%", r)
}

func toASCII(s string) (string, error) {
	plain, lower := true, true
	for i := range len(s) {
		c := s[i]
		plain = plain && c < utf8.RuneSelf
		lower = lower && (c < 'A' || c > 'Z')
	}
	if !plain {
		return domains.ToASCII(s)
	}
	if !lower {
		s = strings.ToLower(s)
	}
	if strings.HasPrefix(s, "xn--") || strings.Contains(s, ".xn--") {
		return domains.ToASCII(s)
	}
	return s, nil
}

// endsInNumber tells whether the last label is a number, which makes the host
// an IPv4 address or nothing.
func endsInNumber(s string) bool {
	s = strings.TrimSuffix(s, ".")
	last := s[strings.LastIndexByte(s, '.')+1:]
	if last == "" {
		return false
	}
	if strings.Trim(last, "0123456789") == "" {
		return true
	}
	_, ok := parseIPv4Number(last)
	return ok
}

// parseIPv4Number reads a decimal, octal (0) or hexadecimal (0x) number. What
// is too large for 64 bits is given as the largest number.
func parseIPv4Number(s string) (uint64, bool) {
	base := 10
	switch {
	case s == "":
		return 0, false
	case len(s) >= 2 && s[0] == '0' && s[1]|0x20 == 'x':
		s, base = s[2:], 16
	case len(s) >= 2 && s[0] == '0':
		s, base = s[1:], 8
	}
	if s == "" {
		return 0, true
	}
	for i := range len(s) {
		if d := unhex(s[i]); d < 0 || d >= base {
			return 0, false
		}
	}
	n, err := strconv.ParseUint(s, base, 64)
	if err != nil {
		return 1<<64 - 1, true
	}
	return n, true
}

func parseIPv4(s string) (string, error) {
	parts := strings.Split(strings.TrimSuffix(s, "."), ".")
	if len(parts) > 4 {
		return "", ErrURL
	}
	var ip uint64
	for i, part := range parts {
		n, ok := parseIPv4Number(part)
		limit := uint64(256)
		if i == len(parts)-1 {
			limit = 1 << (8 * (5 - len(parts)))
		}
		if !ok || n >= limit {
			return "", ErrURL
		}
		if i == len(parts)-1 {
			ip |= n
		} else {
			ip |= n << (8 * (3 - i))
		}
	}
	b := make([]byte, 0, 15)
	for shift := 24; shift >= 0; shift -= 8 {
		b = strconv.AppendUint(b, ip>>shift&255, 10)
		if shift > 0 {
			b = append(b, '.')
		}
	}
	return string(b), nil
}

// parseIPv6 returns the shortest form in brackets.
func parseIPv6(s string) (string, error) {
	head, tail, compressed := strings.Cut(s, "::")
	var ip [8]uint16
	n, ok := pieces(head, ip[:], !compressed)
	if !ok {
		return "", ErrURL
	}
	if !compressed {
		if n != 8 {
			return "", ErrURL
		}
		return formatIPv6(&ip), nil
	}
	var end [8]uint16
	m, ok := pieces(tail, end[:], true)
	if !ok || n+m > 7 {
		return "", ErrURL
	}
	copy(ip[8-m:], end[:m])
	return formatIPv6(&ip), nil
}

// pieces reads groups of hexadecimal digits, the last of which may be an IPv4
// address if there may be one.
func pieces(s string, to []uint16, mayBeIPv4 bool) (n int, ok bool) {
	if s == "" {
		return 0, true
	}
	parts := strings.Split(s, ":")
	for i, part := range parts {
		if n == len(to) {
			return 0, false
		}
		if mayBeIPv4 && i == len(parts)-1 && strings.IndexByte(part, '.') >= 0 {
			hi, lo, ok := embeddedIPv4(part)
			if !ok || n+2 > len(to) {
				return 0, false
			}
			to[n], to[n+1] = hi, lo
			return n + 2, true
		}
		v, err := strconv.ParseUint(part, 16, 16)
		if err != nil || len(part) > 4 || part[0] == '+' {
			return 0, false
		}
		to[n] = uint16(v)
		n++
	}
	return n, true
}

// embeddedIPv4 reads four decimal numbers without leading zeros.
func embeddedIPv4(s string) (hi, lo uint16, ok bool) {
	parts := strings.Split(s, ".")
	if len(parts) != 4 {
		return 0, 0, false
	}
	var b [4]uint16
	for i, p := range parts {
		n, err := strconv.ParseUint(p, 10, 8)
		if err != nil || len(p) > 1 && p[0] == '0' || p[0] == '+' {
			return 0, 0, false
		}
		b[i] = uint16(n)
	}
	return b[0]<<8 | b[1], b[2]<<8 | b[3], true
}

func formatIPv6(ip *[8]uint16) string {
	from, to := longestZeros(ip)
	b := []byte{'['}
	for i := 0; i < 8; i++ {
		if i == from {
			b = append(b, ':')
			if i == 0 {
				b = append(b, ':')
			}
			i = to - 1
			continue
		}
		b = strconv.AppendUint(b, uint64(ip[i]), 16)
		if i < 7 {
			b = append(b, ':')
		}
	}
	return string(append(b, ']'))
}

// longestZeros is the first longest run of two or more zeros.
func longestZeros(ip *[8]uint16) (from, to int) {
	from, to = -1, -1
	for i := 0; i < 8; i++ {
		j := i
		for j < 8 && ip[j] == 0 {
			j++
		}
		if j-i > 1 && j-i > to-from {
			from, to = i, j
		}
		i = j
	}
	return from, to
}
