// Hot path: allocates nothing but for bodies that do not fit the socket's buffer.

// Package wire is what the protocols of the client have in common: a connection
// whose bytes are counted and which writes inside the wait for an answer, TLS on
// it, and the goroutine of a run that ends overdue exchanges.
//
// vu/client makes connections with it; the protocol packages beside it drive them.
// It knows no protocol and imports nothing of ours.
package wire

import (
	"errors"
	"net"
	"sync/atomic"
	"syscall"
	"time"
)

// Counters are the wire bytes of one virtual user, over all its connections. The
// zero Counters is ready; it may be read at any time.
type Counters struct{ sent, received atomic.Int64 }

// Sent returns the bytes written so far.
func (c *Counters) Sent() int64 { return c.sent.Load() }

// Received returns the bytes read so far.
func (c *Counters) Received() int64 { return c.received.Load() }

// Add counts bytes that went over a connection which is not a Conn.
func (c *Counters) Add(sent, received int64) {
	c.sent.Add(sent)
	c.received.Add(received)
}

// Counted returns nc with its bytes counted in c.
func Counted(nc net.Conn, c *Counters) *Conn { return newConn(nc, c) }

// Nested returns nc, which goes over a connection that is counted already.
func Nested(nc net.Conn) *Conn { return newConn(nc, new(Counters)) }

// ErrStale says that an idle connection turned out to be dead before anything
// was written to it.
var ErrStale = errors.New("idle connection was closed by the server")

// maxDirect is the most that is written in one piece before the answer is waited
// for. What exceeds it is written by a goroutine, so that an early answer is seen.
const maxDirect = 64 << 10

// Conn is a connection whose bytes are counted and which can write a request
// inside the wait for its answer. One goroutine uses it at a time.
type Conn struct {
	net.Conn
	counters       *Counters
	sent, received atomic.Int64

	raw   syscall.RawConn // nil where only Read and Write are to be had
	ready func(fd uintptr) bool
	push  func(fd uintptr) bool
	try   attempt // of TryWrite
	op    operation
	peek  [1]byte

	// Secure is set below TLS, where bytes may wait that are no answer.
	Secure bool
	// Served is set once the connection has carried an exchange.
	Served bool

	// writing is set while a goroutine writes the rest of a large request.
	writing chan struct{}
	late    lateWrite
}

// operation is what the readiness callback works on.
type operation struct {
	out   []byte // to be written first
	more  bool   // out is not all of the request
	in    []byte // where to read to
	early bool   // something was there before the write: read without waiting
	wrote int    // of out
	n     int    // read
	err   error
	sent  int64 // when out had been written, by clock
	state opState
	clock time.Time // epoch
	flush func()    // of Duplex
}

type opState uint8

const (
	toProbe opState = iota
	toWrite
	toRead
	toFlush
)

// lateWrite is what the goroutine that writes the rest leaves behind.
type lateWrite struct {
	n   int
	err error
	at  int64
}

// Portable makes the connection work as where the socket cannot be had. It is called
// before the first use.
func (w *Conn) Portable() { w.raw = nil }

// Direct reports whether the socket can be had: whether an exchange is one wait.
func (w *Conn) Direct() bool { return w.raw != nil }

// Sent returns the bytes written so far.
func (w *Conn) Sent() int64 { return w.sent.Load() }

// Received returns the bytes read so far.
func (w *Conn) Received() int64 { return w.received.Load() }

// Writing reports whether the rest of a large request is being written; FinishWrite ends that.
func (w *Conn) Writing() bool { return w.writing != nil }

func newConn(nc net.Conn, c *Counters) *Conn {
	if w, ok := nc.(*Conn); ok {
		return w
	}
	w := &Conn{Conn: nc, counters: c}
	w.raw = rawConn(nc)
	w.ready = w.onReady
	w.push = w.onPush
	return w
}

// Read counts and reads; it serves handshakes and protocols above HTTP.
func (w *Conn) Read(p []byte) (int, error) {
	n, err := w.Conn.Read(p)
	w.countReceived(n)
	return n, err
}

// Write counts and writes.
func (w *Conn) Write(p []byte) (int, error) {
	n, err := w.Conn.Write(p)
	w.countSent(n)
	return n, err
}

func (w *Conn) countSent(n int) {
	if n > 0 {
		w.sent.Add(int64(n))
		w.counters.sent.Add(int64(n))
	}
}

func (w *Conn) countReceived(n int) {
	if n > 0 {
		w.received.Add(int64(n))
		w.counters.received.Add(int64(n))
	}
}

// RoundTrip writes out and then reads once. It returns when out was written, as
// nanoseconds since epoch; zero if that did not happen yet. An ErrStale means
// that nothing was written.
func (w *Conn) RoundTrip(out, in []byte, probe bool, epoch time.Time) (n int, sent int64, err error) {
	w.op = operation{
		out:   out[:min(len(out), maxDirect)],
		more:  len(out) > maxDirect,
		in:    in,
		state: toWrite,
		clock: epoch,
	}
	if probe {
		w.op.state = toProbe
	}
	op := &w.op
	if w.raw == nil {
		w.blockingWrite()
	} else if err := w.wait(); err != nil {
		w.countSent(op.wrote)
		return 0, op.sent, err
	}
	w.countSent(op.wrote)
	if op.err == nil && op.wrote < len(out) {
		w.writeRest(out[op.wrote:], epoch)
		n, err = w.ReadMore(in)
		return n, 0, err
	}
	if op.err != nil || w.raw != nil {
		w.countReceived(op.n)
		return op.n, op.sent, op.err
	}
	n, err = w.Read(in)
	return n, op.sent, err
}

// blockingWrite is the write where the runtime's poller cannot be used directly.
func (w *Conn) blockingWrite() {
	op := &w.op
	op.wrote, op.err = w.Conn.Write(op.out)
	op.sent = int64(time.Since(op.clock))
}

// ReadMore reads what comes next of an answer.
func (w *Conn) ReadMore(in []byte) (int, error) {
	if w.raw == nil {
		return w.Read(in)
	}
	w.op = operation{in: in, state: toRead}
	if err := w.wait(); err != nil {
		return 0, err
	}
	w.countReceived(w.op.n)
	return w.op.n, w.op.err
}

// attempt is a write that does not wait.
type attempt struct {
	out []byte
	n   int
	err error
}

// Duplex reads, for protocols that send while they wait. If nothing is there to be
// read, flush is called before waiting; it may use TryWrite.
func (w *Conn) Duplex(in []byte, flush func()) (int, error) {
	if w.raw == nil {
		flush()
		return w.Read(in)
	}
	w.op = operation{in: in, state: toFlush, flush: flush}
	if err := w.wait(); err != nil {
		return 0, err
	}
	w.countReceived(w.op.n)
	return w.op.n, w.op.err
}

// TryWrite writes what fits the socket's buffer without waiting and returns how
// much that was; nothing where the socket cannot be had. It may run beside Duplex,
// but not beside another write.
func (w *Conn) TryWrite(p []byte) (int, error) {
	if w.raw == nil {
		return 0, nil
	}
	w.try = attempt{out: p}
	if err := w.raw.Write(w.push); err != nil {
		return 0, err
	}
	w.try.out = nil
	w.countSent(w.try.n)
	return w.try.n, w.try.err
}

// wait runs the operation. An error of its own is the deadline's.
func (w *Conn) wait() error {
	err := w.raw.Read(w.ready)
	w.op.in, w.op.flush = nil, nil
	return err
}

// writeRest starts to write the rest of a request; FinishWrite must follow.
func (w *Conn) writeRest(rest []byte, epoch time.Time) {
	done := make(chan struct{})
	w.writing = done
	go func() {
		defer close(done)
		n, err := w.Conn.Write(rest)
		w.late = lateWrite{n: n, err: err, at: int64(time.Since(epoch))}
	}()
}

// FinishWrite ends a write still running and reports whether the whole request
// went out and when. It must be called before the buffer of the request is used again.
func (w *Conn) FinishWrite() (sent int64, err error) {
	if w.writing == nil {
		return 0, nil
	}
	select {
	case <-w.writing:
	default:
		w.Conn.SetWriteDeadline(time.Unix(1, 0))
		<-w.writing
		if w.late.err == nil {
			w.Conn.SetWriteDeadline(time.Time{}) // it had just ended by itself
		}
	}
	w.writing = nil
	w.countSent(w.late.n)
	return w.late.at, w.late.err
}
