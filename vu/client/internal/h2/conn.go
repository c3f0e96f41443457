// Hot path: a steady exchange reads the clock twice, makes three system calls and
// allocates next to nothing.

// Package h2 speaks HTTP/2 over connections that one virtual user owns.
//
// There is no goroutine per connection or stream. Of the exchanges that run on a
// connection one leads: its goroutine reads, for all of them, until its own answer
// is complete, and then hands the reading over. A lone exchange leads from start
// to end, so that it costs no more scheduling than one of HTTP/1.1. What is to be
// sent waits in one queue and leaves inside the leader's wait, or at once from
// whoever queued it while another leads.
//
// vu/client calls it and decides about further tries. It knows no redirects or
// cookies. Frames are read and written by golang.org/x/net/http2's Framer, headers
// by its hpack; all else is here.
package h2

import (
	"bytes"
	"io"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/net/http2"

	"github.com/jsload/jsload/vu/client/internal/wire"
	"github.com/jsload/jsload/vu/client/proto"
)

// Outcome is what became of an exchange.
type Outcome uint8

const (
	// Done means that the response tells: answered or failed.
	Done Outcome = iota
	// Unusable means that the connection takes no more exchanges and that nothing
	// of this one was sent.
	Unusable
	// Refused means that the server did not begin with the stream and that it may
	// be asked again, on this connection.
	Refused
	// Unprocessed means that the server went away before it began with the stream.
	Unprocessed
	// Rejected means that the server called the stream a violation of the protocol
	// before it answered; another connection may fare better.
	Rejected
)

// Conn is one HTTP/2 connection. All its methods may be called by several
// goroutines at once.
type Conn struct {
	shared  *wire.Shared
	wire    *wire.Conn
	secure  *wire.Secure // nil without TLS
	records *records     // between secure and wire
	watch   wire.Watch
	pushing func() // push, made once
	stop    *atomic.Bool

	ip             string
	port           int
	version, suite string
	ocsp           []byte

	mu      sync.Mutex
	leader  *stream
	streams []*stream // open, in the order of their numbers
	queue   []*stream // waiting for the server to allow one more
	spare   []*stream
	nextID  uint32
	used    bool  // a stream was opened
	served  bool  // a stream was answered
	timed   bool  // the socket has a deadline
	retired bool  // no new streams
	err     error // why the connection is over; nil while it is not
	closed  bool
	// accounted are the bytes on the wire that exchanges have been told of.
	sentAccounted, receivedAccounted int64

	input
	output
	peer peer
}

// NewConn makes a connection over nc and, unless it is nil, the TLS on it. stop is
// read at the start of each exchange: once true, exchanges end with proto.ErrInterrupted.
func NewConn(nc *wire.Conn, secure *wire.Secure, shared *wire.Shared, stop *atomic.Bool) *Conn {
	c := &Conn{shared: shared, wire: nc, secure: secure, stop: stop, nextID: 1, peer: newPeer()}
	c.ip, c.port = nc.Peer()
	c.pushing = c.push
	if secure != nil {
		c.records = &records{wire: nc, push: c.pushing}
		secure.Carry(c.records)
		c.version, c.suite, c.ocsp = secure.Version, secure.Suite, secure.OCSP
	}
	c.watch.ReadsOnly = true
	shared.Watch(&c.watch, nc)
	c.input.init(c)
	c.output.init(c)
	return c
}

// Interrupt ends the running exchanges, if any.
func (c *Conn) Interrupt() { c.watch.Interrupt() }

// Spent reports whether the connection takes no more exchanges.
func (c *Conn) Spent() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.spent()
}

func (c *Conn) spent() bool { return c.err != nil || c.retired || c.nextID >= 1<<31 }

// Busy reports whether exchanges are running.
func (c *Conn) Busy() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.streams)+len(c.queue) > 0
}

// Close closes the connection, politely if it is idle, and waits for what still
// writes to it.
func (c *Conn) Close() {
	c.mu.Lock()
	polite := c.err == nil && len(c.streams) == 0 && !c.writing
	if polite {
		c.framer.WriteGoAway(0, http2.ErrCodeNo, nil)
		c.pushLocked()
	}
	polite = polite && !c.writing && c.secure != nil
	c.end(io.ErrClosedPipe)
	closed := c.closed
	c.closed = true
	c.mu.Unlock()
	if !closed {
		if c.shared.Unwatch(&c.watch); polite {
			c.secure.Carry(c.wire)
			c.secure.Close()
		}
		c.wire.Close()
	}
	c.flushes.Wait()
}

// Do performs one exchange. resp.Timings must hold the start and, if reaching the
// server took time, Blocked. Unless the outcome is Done, the exchange may be tried
// again; resp.Err is set in any case that is no success.
func (c *Conn) Do(req *proto.Request, resp *proto.Response) Outcome {
	resetResponse(resp)
	c.mu.Lock()
	defer c.mu.Unlock()
	x := &resp.Exchange
	x.RemoteIP, x.RemotePort, x.TLSVersion, x.TLSCipher, x.Reused = c.ip, c.port, c.version, c.suite, c.used
	resp.OCSP = c.ocsp
	if c.spent() {
		resp.Err = proto.Classify(errSpent)
		return Unusable
	}
	s := c.take(req, resp)
	c.admit(x.Timings.Start + x.Timings.Blocked)
	for !s.done {
		if c.leader == nil {
			c.leader = s
			c.lead(s)
			c.leader = nil
			continue
		}
		c.pushLocked()
		c.mu.Unlock()
		<-s.wake
		c.mu.Lock()
	}
	outcome := s.outcome
	c.leave(s)
	return outcome
}

func resetResponse(resp *proto.Response) {
	resp.Header, resp.Body, resp.BodyLen = resp.Header[:0], resp.Body[:0], 0
	resp.Close, resp.Stale, resp.SetsCookie, resp.Encoded = false, false, false, false
	x := &resp.Exchange
	x.Status, x.StatusText, x.Proto, x.Err, x.Sent, x.Received = 0, "", "", nil, 0, 0
}

// take makes the stream of an exchange and puts it into the queue.
func (c *Conn) take(req *proto.Request, resp *proto.Response) *stream {
	var s *stream
	if last := len(c.spare) - 1; last >= 0 {
		s = c.spare[last]
		c.spare = c.spare[:last]
	} else {
		s = &stream{wake: make(chan struct{}, 1)}
	}
	s.begin(req, resp)
	idle := len(c.streams)+len(c.queue) == 0
	c.queue = append(c.queue, s)
	s.alone = idle
	if !idle {
		for other := range c.running() {
			other.alone = false
		}
	}
	c.arm(s, idle)
	return s
}

// arm sees to it that the exchange ends with its deadline.
func (c *Conn) arm(s *stream, idle bool) {
	deadline := s.req.Deadline
	if idle {
		c.watch.Arm(deadline)
	} else {
		c.watch.Hasten(deadline)
	}
	if s.req.Timeout < int64(wire.CloseWatch) {
		c.setTimer()
	} else {
		c.shared.Attend(s.req.Timeout)
	}
	if c.stop.Load() {
		c.watch.Interrupt()
	}
}

// setTimer gives the socket the deadline of those exchanges that are to be watched
// closely, or takes it away.
func (c *Conn) setTimer() {
	var at int64
	for s := range c.running() {
		if s.req.Timeout < int64(wire.CloseWatch) && (at == 0 || s.req.Deadline < at) {
			at = s.req.Deadline
		}
	}
	if at > 0 {
		c.wire.SetReadDeadline(c.shared.Epoch().Add(time.Duration(at)))
	} else if c.timed {
		c.wire.SetReadDeadline(time.Time{})
	}
	c.timed = at > 0
}

// running yields the exchanges that are not over. They may end meanwhile.
func (c *Conn) running() func(yield func(*stream) bool) {
	return func(yield func(*stream) bool) {
		for _, list := range [2][]*stream{c.streams, c.queue} {
			for i := len(list) - 1; i >= 0; i-- {
				if !yield(list[i]) {
					return
				}
			}
		}
	}
}

// lead reads for all streams until the given one is done.
func (c *Conn) lead(s *stream) {
	for !s.done {
		in := c.free()
		c.mu.Unlock()
		var n int
		var err error
		if c.secure != nil {
			n, err = c.secure.Read(in)
		} else {
			n, err = c.wire.Duplex(in, c.pushing)
		}
		now := c.shared.Now()
		c.mu.Lock()
		c.now = now
		if n > 0 {
			c.took(n)
		}
		if err != nil && c.err == nil {
			c.readFailed(err)
		}
		c.admit(0)
		if c.urgent || len(c.out) > maxResting {
			c.pushLocked() // reading may go on for long without a wait
		}
	}
}

// readFailed handles what ended a read: a deadline, which may be that of one
// exchange only, or the connection's end.
func (c *Conn) readFailed(err error) {
	if !os.IsTimeout(err) {
		c.broken(err)
		return
	}
	if c.watch.Disarm() == wire.Interrupted || c.stop.Load() {
		c.end(proto.ErrInterrupted)
		return
	}
	var next int64
	for s := range c.running() {
		if s.req.Deadline > c.now {
			if next == 0 || s.req.Deadline < next {
				next = s.req.Deadline
			}
			continue
		}
		if c.writing && s.sent == 0 && s.id != 0 {
			// The server does not even read: a frame is stuck in the middle.
			c.end(os.ErrDeadlineExceeded)
			return
		}
		c.abandon(s, os.ErrDeadlineExceeded, http2.ErrCodeCancel)
	}
	c.timed = true
	c.setTimer()
	if next > 0 {
		c.watch.Arm(next)
	}
	if c.stop.Load() {
		c.watch.Interrupt()
	}
}

// broken ends the connection because of what reading said.
func (c *Conn) broken(err error) {
	switch {
	case c.away:
		err = goAwayError(c.awayCode)
	case err == io.EOF && c.have > c.at:
		err = io.ErrUnexpectedEOF
	}
	c.end(err)
}

// end fails all exchanges and gives the connection up. The caller of Do closes it.
func (c *Conn) end(err error) {
	if c.err != nil {
		return
	}
	c.err = err
	if c.writing {
		c.wire.SetWriteDeadline(time.Unix(1, 0))
	}
	reusable := c.used && c.served
	for s := range c.running() {
		if !c.flown(s) && reusable && err != proto.ErrInterrupted && !os.IsTimeout(err) {
			s.outcome = Unusable
		}
		c.finish(s, err)
	}
}

// abandon fails one exchange and tells the server so.
func (c *Conn) abandon(s *stream, err error, code http2.ErrCode) {
	if s.id != 0 {
		c.framer.WriteRSTStream(s.id, code)
		c.urgent = true
	}
	c.finish(s, err)
}

// finish ends an exchange; err is nil if it was answered.
func (c *Conn) finish(s *stream, err error) {
	if s.done {
		return
	}
	s.done = true
	if i := slices.Index(c.streams, s); i >= 0 {
		c.streams = slices.Delete(c.streams, i, i+1)
	} else if i := slices.Index(c.queue, s); i >= 0 {
		c.queue = slices.Delete(c.queue, i, i+1)
	}
	if err == nil {
		c.served = true
		if len(s.body) > 0 { // answered before the request was sent whole
			c.framer.WriteRSTStream(s.id, http2.ErrCodeNo)
			c.urgent = true
		}
	}
	c.account(s)
	s.settle(c.shared, c.now, err)
	c.forgetSending(s)
	if s != c.leader {
		s.wakeUp()
	}
}

// account tells the exchange its bytes: all on the wire if it was alone, else its
// frames.
func (c *Conn) account(s *stream) {
	sent, received := c.wire.Sent(), c.wire.Received()
	x := &s.resp.Exchange
	if s.alone {
		x.Sent, x.Received = sent-c.sentAccounted, received-c.receivedAccounted
	} else {
		x.Sent, x.Received = s.sentFrames, s.receivedFrames
	}
	c.sentAccounted, c.receivedAccounted = sent, received
}

// leave ends the stay of an exchange in Do and hands the reading over.
func (c *Conn) leave(s *stream) {
	if s.req.Close {
		c.retired = true
	}
	c.release(s)
	if c.leader != nil {
		return
	}
	switch {
	case len(c.streams) > 0:
		c.streams[0].wakeUp()
	case len(c.queue) > 0:
		c.queue[0].wakeUp()
	default:
		c.rest()
	}
}

// release keeps the stream for another exchange.
func (c *Conn) release(s *stream) {
	s.req, s.resp, s.body = nil, nil, nil
	if len(c.spare) < 16 {
		c.spare = append(c.spare, s)
	}
}

// rest is what remains to be done when the last exchange is over.
func (c *Conn) rest() {
	if c.watch.Disarm(); c.timed {
		c.wire.SetReadDeadline(time.Time{})
		c.timed = false
	}
	if c.urgent && c.err == nil {
		c.pushLocked()
	}
	if c.writing { // nobody reads now, so the server may never do
		c.retired = true
	}
	c.input.rest()
	c.output.rest()
	if c.spent() && !c.closed {
		c.wire.Close()
	}
}

// frames is a reader over the whole frames of the input.
type frames struct{ bytes.Reader }
