package target

import "io"

const (
	// maxSize is the longest body of /size/{n}, in bytes.
	maxSize = 1 << 30
	// patternSize is how many bytes of the pattern lie in memory at once.
	patternSize = 64 << 10
)

// newPattern returns the bytes that bodies of /size/{n} repeat: readable lines of
// 64 bytes. Byte i of any body is byte i%patternSize of it.
func newPattern() []byte {
	const line = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-\n"
	p := make([]byte, 0, patternSize)
	for len(p) < patternSize {
		p = append(p, line...)
	}
	return p
}

// patternReader yields a body that is longer than the pattern.
type patternReader struct {
	pattern []byte
	at, n   int
}

func (r *patternReader) Read(p []byte) (int, error) {
	if r.at == r.n {
		return 0, io.EOF
	}
	part := r.pattern[r.at%len(r.pattern):]
	part = part[:min(len(part), r.n-r.at)]
	n := copy(p, part)
	r.at += n
	return n, nil
}

// decimal reads a non-negative number of digits only, at most limit.
func decimal(text []byte, limit int) (int, bool) {
	if len(text) == 0 || len(text) > 10 {
		return 0, false
	}
	n := 0
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, n <= limit
}
