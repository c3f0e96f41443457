package h1

import (
	"time"

	"github.com/jsload/jsload/vu/client/internal/wire"
)

// shuttle sits between crypto/tls and the wire after the handshake. Writes are
// collected and go out inside the wait of the next read, as one write, so that TLS
// costs no more scheduling than plain TCP.
type shuttle struct {
	*wire.Conn
	out   []byte
	probe bool // for the next round trip
	epoch time.Time
	sent  int64 // when the last round trip's request was written
}

// Write collects.
func (s *shuttle) Write(p []byte) (int, error) {
	s.out = append(s.out, p...)
	return len(p), nil
}

// Read sends what was collected and waits for the answer.
func (s *shuttle) Read(p []byte) (int, error) {
	if len(s.out) == 0 || s.Writing() {
		return s.ReadMore(p)
	}
	out := s.out
	n, sent, err := s.RoundTrip(out, p, s.probe, s.epoch)
	s.sent, s.probe = sent, false
	s.out = out[:0]
	if s.Writing() || cap(out) > 64<<10 {
		s.out = nil // still being written, or too large to hold
	}
	return n, err
}
