// Hot path: an exchange over an open connection allocates nothing, reads the clock
// twice and makes two system calls.

package loop

import (
	"errors"
	"io"
	"net"
	"net/netip"
	"os"
	"syscall"

	"github.com/jsload/jsload/vu/client"
	"github.com/jsload/jsload/vu/client/internal/h1"
	"github.com/jsload/jsload/vu/client/proto"
)

const (
	// slowBytes is the size of a body from which coding it is a worker's job.
	slowBytes = 16 << 10
	// maxPieces bounds the reads and the writes of a connection in one turn.
	maxPieces = 16
	// maxKept is the largest buffer for requests that is kept.
	maxKept = 256 << 10
)

// flight is a request on its way, borrowed while it lasts: of a call one exchange
// after another.
type flight struct {
	next   *flight // in the loop's list of spare ones
	reader h1.Reader
	trip
}

// trip is what a flight is about.
type trip struct {
	beside *flight // of the same task
	task   *Task
	call   steps
	whole  *client.Response
	req    *proto.Request
	resp   *proto.Response
	conn   *conn // nil while a worker makes the exchange

	// The instants that were reached; zero if not.
	ready, sent, first, last int64
	begun                    int64 // the dial
	// rest and body are what is still to be written; rest is a copy of its own.
	rest, body  []byte
	wrote, read int64
	writeErr    error
	stage       stage          // of the worker
	to          netip.AddrPort // that it found
	err         error
}

// steps decide what is sent next; see client.Call.
type steps interface {
	Request() *proto.Request
	Next() *proto.Request
}

// stage is what a worker does for a flight.
type stage uint8

const (
	preparing  stage = iota // the call's first step, with a body to encode
	looking                 // for the address of a name
	exchanging              // all of an exchange that is not ours to make
	stepping                // the call's next step, with a body to decode
)

// fly makes the exchange that f.req asks for and those that follow from it at once.
// It returns true when the call is over.
func (l *Loop) fly(f *flight) bool {
	for l.exchange(f) {
		if f.req = f.call.Next(); f.req == nil {
			return true
		}
	}
	return false
}

// arrived goes on after an exchange that took its time, and resumes the task after
// the last one of the call.
func (l *Loop) arrived(f *flight) {
	if f.resp.Encoded && len(f.resp.Body) > slowBytes && f.resp.Err == nil {
		l.hand(f, stepping)
		return
	}
	f.req = f.call.Next()
	l.proceed(f)
}

func (l *Loop) proceed(f *flight) {
	if f.req != nil && !l.fly(f) {
		return
	}
	l.finishCall(f)
}

// finishCall resumes the task after a call.
func (l *Loop) finishCall(f *flight) {
	t, whole := f.task, f.whole
	t.leave(f)
	l.giveFlight(f)
	t.runner.Resume(t, whole)
}

// exchange begins an exchange. It returns true if that has failed at once.
func (l *Loop) exchange(f *flight) bool {
	req, t := f.req, f.task
	f.resp.Timings = proto.Timings{Start: req.Start}
	if req.Start == 0 {
		f.resp.Timings.Start = l.clock()
	}
	f.ready, f.sent, f.first, f.last = 0, 0, 0, 0
	f.wrote, f.read, f.writeErr = 0, 0, nil
	switch {
	case req.Scheme != "http" || req.Via != nil || req.Protocol == proto.HTTP2:
		l.hand(f, exchanging)
		return false
	case t.interrupted:
		f.begun = f.resp.Timings.Start
		l.unconnected(f, proto.ErrInterrupted)
		return true
	}
	if !req.Close && !req.Fresh {
		if c := t.idle(req.Key); c != nil {
			f.ready = f.resp.Timings.Start
			return l.send(c, f)
		}
	}
	return l.dial(f)
}

// send writes a request to a connection that is ready for it. It returns true if
// the exchange is over already.
func (l *Loop) send(c *conn, f *flight) bool {
	req, x := f.req, &f.resp.Exchange
	f.conn, c.flight, c.deadline = c, f, req.Deadline
	x.RemoteIP, x.RemotePort, x.Reused = c.peer.ip, c.peer.port, c.used
	x.TLSVersion, x.TLSCipher, f.resp.OCSP = "", "", nil
	f.reader.Reset(req.Method, f.resp, req.Discard)
	if c.state == dead || c.used && !h1.Repeatable(req.Method) && ended(int(c.fd)) {
		l.finish(c, f, errStale)
		return true
	}
	out, body := h1.Compose(l.out[:0], req)
	l.out = out
	n, errno := l.poll.write(int(c.fd), out)
	f.wrote = int64(n)
	f.sent = l.clock()
	switch {
	case errno != 0 && errno != errAgain:
		l.finish(c, f, opError("write", errno))
		return true
	case n < len(out):
		f.rest = l.keep(out[n:])
	}
	if f.body = body; len(f.rest)+len(body) > 0 {
		f.sent = 0
		l.writeMore(c, f)
	}
	l.watch(c)
	return false
}

// keep makes the unwritten rest of a request outlive the loop's buffer.
func (l *Loop) keep(rest []byte) []byte {
	if cap(l.out) > maxKept {
		l.out = nil
		return rest
	}
	return append([]byte(nil), rest...)
}

// writeMore writes what fits of the rest of a request. An error counts only if no
// answer comes.
func (l *Loop) writeMore(c *conn, f *flight) {
	for range maxPieces {
		p := &f.rest
		if len(*p) == 0 {
			p = &f.body
		}
		if len(*p) == 0 {
			f.rest, f.body = nil, nil
			f.sent = l.clock()
			return
		}
		n, errno := l.poll.write(int(c.fd), (*p)[:min(len(*p), 256<<10)])
		if errno == errAgain {
			return
		}
		if errno != 0 {
			f.writeErr = opError("write", errno)
			f.rest, f.body = nil, nil
			return
		}
		f.wrote += int64(n)
		*p = (*p)[n:]
	}
	l.again = append(l.again, c.handle())
}

// receive reads what has come of an answer. After a hang-up it reads to the end, for
// which there will be no other edge.
func (l *Loop) receive(c *conn, f *flight) {
	for range maxPieces {
		in := f.reader.Room()
		if in == nil {
			in = l.in[:]
		}
		n, errno := l.poll.read(int(c.fd), in)
		f.last = 0
		switch {
		case errno == errAgain:
			return
		case errno != 0:
			l.conclude(c, f, opError("read", errno))
			return
		case n == 0:
			f.resp.Close = true
			l.conclude(c, f, f.reader.EOF())
			return
		}
		f.read += int64(n)
		if f.first == 0 {
			f.first = l.clock()
			f.last = f.first // if this is all: it saves a look at the clock
		}
		if done, err := f.take(in, n); done || err != nil {
			l.conclude(c, f, err)
			return
		}
		if n < len(in) && !c.hup {
			f.last = 0
			return // drained: whatever comes next is a new edge
		}
	}
	l.again = append(l.again, c.handle())
}

// take gives n bytes of in to the reader, unless in is the reader's own room. It
// reports whether the answer is complete.
func (f *flight) take(in []byte, n int) (bool, error) {
	if f.reader.Took(in, n) {
		return f.reader.Done(), nil
	}
	used, err := f.reader.Feed(in[:n])
	if used < n {
		f.resp.Close = true
	}
	return f.reader.Done(), err
}

// conclude ends the exchange on a connection and lets the call go on.
func (l *Loop) conclude(c *conn, f *flight, err error) {
	l.finish(c, f, err)
	l.arrived(f)
}

// finish settles an exchange that had a connection and keeps that or closes it: before
// the next step, which would otherwise write to a connection that ends.
func (l *Loop) finish(c *conn, f *flight, err error) {
	resp, req := f.resp, f.req
	if len(f.rest)+len(f.body) > 0 || f.writeErr != nil {
		resp.Close = true
		f.rest, f.body = nil, nil
		if f.writeErr != nil && errors.Is(err, io.EOF) {
			err = f.writeErr
		}
	}
	if f.last == 0 {
		f.last = l.clock()
	}
	resp.Timings.Settle(f.ready, f.sent, f.first, f.last)
	resp.Sent, resp.Received = f.wrote, f.read
	f.task.client.Driver().Count(f.wrote, f.read)
	c.used = true
	if err != nil {
		f.reader.Fail(req, err)
		if !resp.Stale {
			f.task.delay(f.last)
		}
	}
	f.conn, c.flight = nil, nil
	resp.Close = resp.Close || req.Close
	switch {
	case resp.Close || !f.task.keeps(c):
		l.close(c)
	case c.hup:
		l.bury(c)
	}
}

// unconnected settles an exchange that got no connection.
func (l *Loop) unconnected(f *flight, err error) {
	resp := f.resp
	resp.Header, resp.Body, resp.BodyLen = resp.Header[:0], nil, 0
	resp.Close, resp.Stale, resp.SetsCookie, resp.OCSP = true, false, false, nil
	now := l.clock()
	t := &resp.Timings
	t.Connecting, t.Blocked, t.End = now-f.begun, now-t.Start, now
	resp.Err = proto.Classify(err)
	f.task.delay(now)
}

// interrupt ends the exchange on a connection.
func (l *Loop) interrupt(c *conn) { l.abort(c, proto.ErrInterrupted) }

// abort ends the exchange on a connection, or the dial for it, with an error.
func (l *Loop) abort(c *conn, err error) {
	f := c.flight
	if c.state == open {
		l.conclude(c, f, err)
		return
	}
	l.failDial(c, err)
	l.arrived(f)
}

// hand gives a stage of a flight to a worker.
func (l *Loop) hand(f *flight, s stage) {
	f.stage = s
	l.workers.start(job{flight: f})
}

// work is what workers do.
func (l *Loop) work(j job) {
	f := j.flight
	if f == nil {
		j.do()
		l.post(message{kind: worked, task: j.task})
		return
	}
	switch f.stage {
	case preparing:
		f.req = f.call.Request()
	case stepping:
		f.req = f.call.Next()
	case looking:
		f.to, f.err = f.task.client.Driver().Resolve(f.req)
	case exchanging:
		f.task.client.Driver().Transport().Do(f.req, f.resp)
	}
	l.post(message{kind: came, flight: f})
}

// land goes on with a flight where its worker ended.
func (l *Loop) land(f *flight) {
	switch f.stage {
	case preparing, stepping:
		l.proceed(f)
	case exchanging:
		l.arrived(f)
	case looking:
		if l.resolved(f) {
			l.arrived(f)
		}
	}
}

// opError dresses an errno as package net does.
func opError(op string, errno syscall.Errno) error {
	return &net.OpError{Op: op, Net: "tcp", Err: os.NewSyscallError(op, errno)}
}
