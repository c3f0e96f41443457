// Hot path: allocates nothing.

package h1

import (
	"bytes"
	"errors"
)

const (
	// maxChunkLine bounds the line that starts a chunk, its extension included.
	maxChunkLine = 4096
	// maxTrailer bounds the fields after the last chunk.
	maxTrailer = 64 << 10
	// maxExcess bounds what a sender may spend on framing beyond 16 bytes per
	// chunk and twice the data.
	maxExcess = 16 << 10
)

type chunkState uint8

const (
	atSize chunkState = iota
	inData
	atDataCR
	atDataLF
	inTrailer
)

// chunks decodes a chunked body. It is as strict as net/http: lines end in CRLF
// and sizes are bare hexadecimal numbers.
type chunks struct {
	state  chunkState
	left   uint64 // bytes of the current chunk to come
	excess int64
	extra  int // bytes of the trailer
}

var errChunk = errors.New("malformed chunked encoding")

func (c *chunks) feed(r *Reader, p []byte) (int, error) {
	switch c.state {
	case inData:
		n := len(p)
		if uint64(n) > c.left {
			n = int(c.left)
		}
		r.store(p[:n])
		if c.left -= uint64(n); c.left == 0 {
			c.state = atDataCR
		}
		return n, nil
	case atDataCR:
		c.state = atDataLF
		return 1, expectByte(p[0], '\r')
	case atDataLF:
		c.state = atSize
		return 1, expectByte(p[0], '\n')
	case inTrailer:
		return c.trailerLine(r, p)
	}
	return c.sizeLine(r, p)
}

func expectByte(got, want byte) error {
	if got != want {
		return errChunk
	}
	return nil
}

func (c *chunks) sizeLine(r *Reader, p []byte) (int, error) {
	i := bytes.IndexByte(p, '\n')
	if i < 0 {
		r.tail = append(r.tail, p...)
		if len(r.tail) > maxChunkLine {
			return len(p), errors.New("header line too long")
		}
		return len(p), nil
	}
	line := p[:i+1]
	if len(r.tail) > 0 {
		r.tail = append(r.tail, line...)
		line, r.tail = r.tail, r.tail[:0]
	}
	return i + 1, c.begin(line)
}

// begin reads a size line with its end.
func (c *chunks) begin(line []byte) error {
	switch cr := bytes.IndexByte(line, '\r'); {
	case cr < 0:
		return errors.New("chunked line ends with bare LF")
	case cr != len(line)-2:
		return errors.New("invalid CR in chunked line")
	case cr >= maxChunkLine:
		return errors.New("header line too long")
	}
	line = line[:len(line)-2]
	c.excess += int64(len(line)) + 2
	size, _, _ := bytes.Cut(bytes.TrimRight(line, " \t"), []byte{';'})
	n, err := hex(size)
	if err != nil {
		return err
	}
	if c.excess = max(0, c.excess-16-2*int64(min(n, 1<<40))); c.excess > maxExcess {
		return errors.New("chunked encoding contains too much non-data")
	}
	c.left, c.state = n, inData
	if n == 0 {
		c.state = inTrailer
	}
	return nil
}

func hex(b []byte) (n uint64, err error) {
	if len(b) == 0 {
		return 0, errors.New("empty hex number for chunk length")
	}
	if len(b) > 16 {
		return 0, errors.New("http chunk length too large")
	}
	for _, c := range b {
		switch {
		case isDigit(c):
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, errors.New("invalid byte in chunk length")
		}
		n = n<<4 | uint64(c)
	}
	return n, nil
}

// trailerLine checks and drops the fields after the last chunk.
func (c *chunks) trailerLine(r *Reader, p []byte) (int, error) {
	line, n, ok := r.line(p)
	if c.extra += n; c.extra > maxTrailer {
		return n, errors.New("http: suspiciously long trailer after chunked body")
	}
	switch {
	case !ok:
		return n, nil
	case len(line) == 0:
		r.state = finished
		return n, nil
	}
	line = trim(line)
	if i := bytes.IndexByte(line, ':'); i < 0 || !validName(line[:i]) || !validValue(line[i+1:]) {
		return n, garbled("malformed trailer line: %q", line)
	}
	return n, nil
}
