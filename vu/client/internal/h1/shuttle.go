package h1

import (
	"net"
	"time"
)

// shuttle sits between crypto/tls and the wire. During the handshake it passes
// everything through. After it, writes are collected and go out inside the wait
// of the next read, as one write, so that TLS costs no more scheduling than
// plain TCP.
type shuttle struct {
	*wire
	collecting bool
	out        []byte
	probe      bool // for the next round trip
	epoch      time.Time
	sent       int64 // when the last round trip's request was written
}

// Write collects or passes through.
func (s *shuttle) Write(p []byte) (int, error) {
	if !s.collecting {
		return s.wire.Write(p)
	}
	s.out = append(s.out, p...)
	return len(p), nil
}

// Read sends what was collected and waits for the answer.
func (s *shuttle) Read(p []byte) (int, error) {
	switch {
	case !s.collecting:
		return s.wire.Read(p)
	case len(s.out) == 0 || s.writing != nil:
		return s.readMore(p)
	}
	out := s.out
	n, sent, err := s.roundTrip(out, p, s.probe, s.epoch)
	s.sent, s.probe = sent, false
	s.out = out[:0]
	if s.writing != nil || cap(out) > 64<<10 {
		s.out = nil // still being written, or too large to hold
	}
	return n, err
}

var _ net.Conn = (*shuttle)(nil)
