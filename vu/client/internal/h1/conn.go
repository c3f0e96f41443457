// Hot path: an exchange on an open connection allocates nothing, reads the clock
// twice and makes two system calls.

package h1

import (
	"errors"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/jsload/jsload/vu/client/internal/wire"
	"github.com/jsload/jsload/vu/client/proto"
)

// restful is how long a connection may be idle before it is looked at, at the
// price of a system call, prior to being used again.
const restful = int64(time.Millisecond)

// Conn is one HTTP/1.1 connection. Its methods are called by one goroutine at a
// time, except Interrupt.
type Conn struct {
	shared *wire.Shared
	wire   *wire.Conn
	secure *wire.Secure // nil without TLS
	// shuttle is between secure and wire.
	shuttle *shuttle
	watch   wire.Watch
	reader  Reader
	// stop is set once the owner wants no more exchanges.
	stop *atomic.Bool

	ip                 string
	port               int
	version, suite     string
	ocsp               []byte
	sent, received     int64 // accounted to exchanges
	used, timed, dirty bool
	idleSince          int64
}

// NewConn makes a connection over nc and, unless it is nil, the TLS on it. stop is
// read at the start of each exchange: once true, exchanges end with proto.ErrInterrupted.
func NewConn(nc *wire.Conn, secure *wire.Secure, shared *wire.Shared, stop *atomic.Bool) *Conn {
	c := &Conn{shared: shared, wire: nc, secure: secure, stop: stop}
	c.ip, c.port = nc.Peer()
	if secure != nil {
		c.shuttle = &shuttle{Conn: nc, epoch: shared.Epoch()}
		secure.Carry(c.shuttle)
		nc.Secure = true
		c.version, c.suite, c.ocsp = secure.Version, secure.Suite, secure.OCSP
	}
	shared.Watch(&c.watch, nc)
	return c
}

// Interrupt ends the running exchange, if any. It may be called from any goroutine.
func (c *Conn) Interrupt() { c.watch.Interrupt() }

// Close closes the connection, politely if it is idle.
func (c *Conn) Close() {
	c.shared.Unwatch(&c.watch)
	if c.secure != nil && c.used && !c.dirty {
		c.secure.Carry(c.wire)
		c.secure.Close()
		return
	}
	c.wire.Close()
}

// Do performs one exchange. resp.Timings must hold the start and the phases up to
// the connection being ready. After an error, or if resp.Close is set, the caller
// closes the connection.
func (c *Conn) Do(req *proto.Request, resp *proto.Response) *proto.Error {
	x := &resp.Exchange
	x.RemoteIP, x.RemotePort, x.TLSVersion, x.TLSCipher, x.Reused = c.ip, c.port, c.version, c.suite, c.used
	resp.OCSP = c.ocsp
	b := c.shared.Borrow()
	c.reader.Reset(req.Method, resp, req.Discard)
	ready := x.Timings.Start + x.Timings.Blocked
	c.begin(req, ready)
	m := moments{ready: ready}
	err := c.exchange(req, b, &m)
	err = c.end(req, resp, &m, err)
	c.shared.Return(b)
	if err != nil {
		return c.fail(req, resp, err)
	}
	return nil
}

// moments are the instants of an exchange that were reached; zero if not.
type moments struct{ ready, sent, first, last int64 }

// begin arms the deadline.
func (c *Conn) begin(req *proto.Request, ready int64) {
	c.watch.Arm(req.Deadline)
	if req.Timeout < int64(wire.CloseWatch) {
		c.wire.SetDeadline(time.Now().Add(time.Duration(req.Deadline - ready)))
		c.timed = true
	} else {
		c.shared.Attend(req.Timeout)
	}
	if c.stop.Load() {
		c.watch.Interrupt()
	}
}

// exchange writes the request and reads until the answer is complete.
func (c *Conn) exchange(req *proto.Request, b *wire.Buffers, m *moments) error {
	n, err := c.first(req, b, m)
	in := b.In[:]
	for {
		if n > 0 {
			if m.first == 0 {
				m.first = c.shared.Now()
				m.last = m.first
			}
			if done, err := c.take(in, n); done || err != nil {
				return err
			}
		}
		if err == io.EOF {
			c.reader.resp.Close = true
			return c.reader.EOF()
		}
		if err != nil {
			return err
		}
		if in = c.reader.Room(); in == nil {
			in = b.In[:]
		}
		n, err = c.more(in)
		m.last = 0
	}
}

// take gives n bytes of in to the reader, unless in is the reader's own room. It
// reports whether the answer is complete.
func (c *Conn) take(in []byte, n int) (bool, error) {
	if c.reader.Took(in, n) {
		return c.reader.Done(), nil
	}
	used, err := c.reader.Feed(in[:n])
	if used < n {
		c.reader.resp.Close = true
	}
	return c.reader.Done(), err
}

// first writes the request and reads for the first time.
func (c *Conn) first(req *proto.Request, b *wire.Buffers, m *moments) (n int, err error) {
	out, body := Compose(b.Out[:0], req)
	b.Out = out
	probe := !c.used || m.ready-c.idleSince > restful || !Repeatable(req.Method)
	if c.secure != nil {
		return c.firstSecure(out, body, b.In[:], probe, m)
	}
	if body != nil {
		out = append(out, body...)
		b.Out = nil
	}
	n, m.sent, err = c.wire.RoundTrip(out, b.In[:], probe, c.shared.Epoch())
	return n, err
}

func (c *Conn) firstSecure(head, body, in []byte, probe bool, m *moments) (n int, err error) {
	c.shuttle.probe, c.shuttle.sent = probe, 0
	if _, err = c.secure.Write(head); err != nil {
		return 0, err
	}
	if body != nil {
		if _, err = c.secure.Write(body); err != nil {
			return 0, err
		}
	}
	n, err = c.secure.Read(in)
	m.sent = c.shuttle.sent
	return n, err
}

func (c *Conn) more(in []byte) (int, error) {
	if c.secure != nil {
		return c.secure.Read(in)
	}
	return c.wire.ReadMore(in)
}

// end disarms the deadline, settles the timings and decides which error counts.
func (c *Conn) end(req *proto.Request, resp *proto.Response, m *moments, err error) error {
	if c.wire.Writing() {
		err = c.endWrite(resp, m, err)
	}
	reason := c.watch.Disarm()
	switch {
	case reason == wire.Interrupted && err != nil:
		err = proto.ErrInterrupted
	case reason == wire.Overdue && err != nil:
		err = os.ErrDeadlineExceeded
	case reason != wire.Idle:
		resp.Close = true
	case c.timed && err == nil && !resp.Close:
		c.wire.SetDeadline(time.Time{})
		c.timed = false
	}
	if req.Close {
		resp.Close = true
	}
	if m.last == 0 {
		m.last = c.shared.Now()
	}
	resp.Timings.Settle(m.ready, m.sent, m.first, m.last)
	c.account(&resp.Exchange)
	c.used, c.wire.Served, c.idleSince = true, true, m.last
	return err
}

// endWrite ends the write of a large request whose answer came, or will not come.
func (c *Conn) endWrite(resp *proto.Response, m *moments, err error) error {
	sent, werr := c.wire.FinishWrite()
	m.sent = sent
	if werr != nil {
		resp.Close = true
		if errors.Is(err, io.EOF) && !errors.Is(werr, os.ErrDeadlineExceeded) {
			err = werr
		}
	}
	return err
}

func (c *Conn) account(x *proto.Exchange) {
	x.Sent, x.Received = c.wire.Sent()-c.sent, c.wire.Received()-c.received
	c.sent, c.received = c.sent+x.Sent, c.received+x.Received
}

// fail describes a failed exchange.
func (c *Conn) fail(req *proto.Request, resp *proto.Response, err error) *proto.Error {
	c.dirty = true
	c.reader.Fail(req, err)
	return resp.Err
}
