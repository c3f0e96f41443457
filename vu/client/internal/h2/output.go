// Hot path: see conn.go.

package h2

import (
	"bytes"
	"slices"
	"sync"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"github.com/jsload/jsload/vu/client/internal/wire"
)

// maxBatch is how much of the bodies is queued at a time.
const maxBatch = 64 << 10

// maxResting is the largest buffer that an idle connection keeps.
const maxResting = 4 << 10

// output is the writing half of a connection, with its mutex held. It collects
// the frames that the Framer writes.
type output struct {
	out    []byte // frames to be sent
	taken  uint64 // bytes of frames sent or being sent
	urgent bool   // out has what the server should know even if nothing follows
	ending []*stream
	// writing is true while someone writes flight; only they may write.
	writing      bool
	flight       []byte
	flightEnding []*stream
	flushes      sync.WaitGroup

	encoder *hpack.Encoder
	encoded bytes.Buffer
	lower   map[string]string // header names
	lastHead
}

// Write queues.
func (o *output) Write(p []byte) (int, error) {
	o.out = append(o.out, p...)
	return len(p), nil
}

func (o *output) init(c *Conn) {
	o.encoder = hpack.NewEncoder(&o.encoded)
	o.out = append(o.out, http2.ClientPreface...)
	c.framer.WriteSettings(
		http2.Setting{ID: http2.SettingEnablePush, Val: 0},
		http2.Setting{ID: http2.SettingInitialWindowSize, Val: streamWindow},
		http2.Setting{ID: http2.SettingMaxHeaderListSize, Val: maxHead},
	)
	c.framer.WriteWindowUpdate(0, connWindow-65535)
}

// rest frees what an idle connection does not need.
func (o *output) rest() {
	if cap(o.out) > maxResting && len(o.out) == 0 {
		o.out = nil
	}
	if cap(o.flight) > maxResting && !o.writing {
		o.flight = nil
	}
	if o.encoded.Cap() > maxResting {
		o.encoded = bytes.Buffer{}
	}
}

// admit opens streams from the queue as far as the server allows. ready is the
// instant of readiness of a stream that did not have to wait; zero reads the clock.
func (c *Conn) admit(ready int64) {
	for len(c.queue) > 0 && len(c.streams) < c.peer.maxStreams && !c.spent() {
		s := c.queue[0]
		if s.ready = ready; ready == 0 {
			s.ready = c.shared.Now()
		}
		if err := c.open(s); err != nil {
			s.ready = 0
			c.finish(s, err)
			continue
		}
		c.queue = slices.Delete(c.queue, 0, 1)
		c.streams = append(c.streams, s)
		c.used = true
	}
	if len(c.queue) > 0 && c.spent() {
		for _, s := range slices.Clone(c.queue) {
			s.outcome = Unusable
			c.finish(s, errSpent)
		}
	}
}

// open queues the head of a stream's request.
func (c *Conn) open(s *stream) error {
	block, err := c.encode(s.req)
	if err != nil {
		return err
	}
	s.id, s.sendWindow, s.recvWindow = c.nextID, c.peer.window, streamWindow
	s.start = c.taken + uint64(len(c.out))
	c.nextID += 2
	end := len(s.body) == 0
	first := block[:min(len(block), c.peer.maxFrame)]
	rest := block[len(first):]
	before := len(c.out)
	c.framer.WriteHeaders(http2.HeadersFrameParam{StreamID: s.id, BlockFragment: first, EndStream: end, EndHeaders: len(rest) == 0})
	for len(rest) > 0 {
		n := min(len(rest), c.peer.maxFrame)
		c.framer.WriteContinuation(s.id, n == len(rest), rest[:n])
		rest = rest[n:]
	}
	s.sentFrames += int64(len(c.out) - before)
	if end {
		c.ending = append(c.ending, s)
	}
	return nil
}

// flown reports whether anything of the stream has left.
func (c *Conn) flown(s *stream) bool { return s.id != 0 && c.taken > s.start }

// queueBodies queues frames of the bodies, one of each stream in turn, as far as
// the windows allow.
func (c *Conn) queueBodies() {
	for progress := true; progress; {
		progress = false
		for _, s := range c.streams {
			n := min(int64(len(s.body)), s.sendWindow, c.peer.connWindow, int64(c.peer.maxFrame))
			if n <= 0 || len(c.out) >= maxBatch {
				continue
			}
			progress = true
			c.framer.WriteData(s.id, n == int64(len(s.body)), s.body[:n])
			s.body = s.body[n:]
			s.sendWindow -= n
			c.peer.connWindow -= n
			s.sentFrames += frameHeader + n
			if len(s.body) == 0 {
				c.ending = append(c.ending, s)
			}
		}
	}
}

// collect moves what is queued into flight, under TLS if there is any. It reports
// whether there is something to write.
func (c *Conn) collect() bool {
	c.queueBodies()
	if len(c.out) == 0 {
		return false
	}
	c.taken += uint64(len(c.out))
	c.ending, c.flightEnding = c.flightEnding[:0], c.ending
	c.urgent = false
	if c.secure == nil {
		c.out, c.flight = c.flight[:0], c.out
		return true
	}
	c.secure.Write(c.out) // into records; it cannot wait, and fails for good only
	c.out = c.out[:0]
	c.flight = c.records.take(c.flight)
	return len(c.flight) > 0
}

// push writes what is queued unless someone else is writing, as far as it goes
// without waiting; a goroutine writes the rest.
func (c *Conn) push() {
	c.mu.Lock()
	c.pushLocked()
	c.mu.Unlock()
}

func (c *Conn) pushLocked() {
	for !c.writing && c.err == nil && c.collect() {
		n, err := c.wire.TryWrite(c.flight)
		if err == nil && n < len(c.flight) {
			rest := c.flight[n:]
			c.writing = true
			c.flushes.Go(func() { c.flush(rest) })
			return
		}
		c.wrote(err)
	}
}

// flush writes until the queue is empty.
func (c *Conn) flush(rest []byte) {
	for {
		_, err := c.wire.Write(rest)
		c.mu.Lock()
		c.wrote(err)
		if err != nil || c.err != nil || !c.collect() {
			c.writing = false
			c.mu.Unlock()
			return
		}
		rest = c.flight
		c.mu.Unlock()
	}
}

// wrote notes when requests were sent whole. An error is left to whoever reads,
// since the server may have said why before it closed.
func (c *Conn) wrote(err error) {
	if err == nil && len(c.flightEnding) > 0 {
		now := c.shared.Now()
		for _, s := range c.flightEnding {
			s.sent = now
		}
	}
	clear(c.flightEnding)
	c.flightEnding = c.flightEnding[:0]
	if err != nil {
		c.retired = true
		c.out, c.ending = c.out[:0], c.ending[:0]
	}
}

// forgetSending removes a stream from those that wait to be sent whole.
func (c *Conn) forgetSending(s *stream) {
	if s.sent != 0 {
		return
	}
	same := func(e *stream) bool { return e == s }
	c.ending = slices.DeleteFunc(c.ending, same)
	c.flightEnding = slices.DeleteFunc(c.flightEnding, same)
}

// records sits between crypto/tls and the wire. What TLS writes is collected for
// whoever writes; reading pushes it.
type records struct {
	wire *wire.Conn
	push func()

	mu  sync.Mutex
	out []byte
}

// Write collects.
func (r *records) Write(p []byte) (int, error) {
	r.mu.Lock()
	r.out = append(r.out, p...)
	r.mu.Unlock()
	return len(p), nil
}

// Read waits for records.
func (r *records) Read(p []byte) (int, error) { return r.wire.Duplex(p, r.push) }

// take returns what was collected and keeps the buffer of what was written before.
func (r *records) take(old []byte) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := r.out
	r.out = old[:0]
	return out
}
