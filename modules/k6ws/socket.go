package k6ws

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules/conv"
	"github.com/jsload/jsload/modules/internal/wsession"
	"github.com/jsload/jsload/vu/client/ws"
)

const (
	// goingAway is the code that close sends if the script gives none.
	goingAway = 1001
	// closeWait is how long connect waits, after the script closed the socket,
	// for the server to close its side.
	closeWait = time.Second
	// sendAhead is how many bytes may wait to be written before send waits.
	sendAhead = 1 << 20
)

// socket is a session with its event loop. Everything happens on the goroutine
// of the virtual user.
type socket struct {
	*instance
	ctx     context.Context
	conn    *ws.Conn
	meter   *wsession.Session
	wake    chan struct{}
	on      map[string][]goja.Callable
	timers  []*timer
	pending []ws.Event     // taken from the connection, not handled yet
	due     []func() error // events of the socket's own making
	closed  bool           // the close event is due or was there
	ended   bool           // the connection is over
	fired   bool           // a timer was the latest thing that ran
}

// timer is one setTimeout or setInterval of a socket.
type timer struct {
	fn    goja.Callable
	at    time.Time
	every time.Duration // zero: once
}

func newSocket(i *instance, conn *ws.Conn, meter *wsession.Session) *socket {
	return &socket{instance: i, conn: conn, meter: meter, wake: make(chan struct{}, 1), on: map[string][]goja.Callable{}}
}

// object is the socket as the script sees it.
func (s *socket) object() *goja.Object {
	o := s.rt.NewObject()
	for name, f := range map[string]func(goja.FunctionCall) goja.Value{
		"on": s.listen, "send": s.send, "sendBinary": s.sendBinary, "ping": s.ping, "close": s.close,
		"setTimeout":  func(c goja.FunctionCall) goja.Value { return s.schedule(c, "setTimeout", false) },
		"setInterval": func(c goja.FunctionCall) goja.Value { return s.schedule(c, "setInterval", true) },
	} {
		_ = o.Set(name, f)
	}
	return o
}

// run is the whole session. An exception of the script ends it.
func (s *socket) run(ctx context.Context, setup goja.Callable) error {
	s.ctx = ctx
	defer s.finish()
	if _, err := setup(goja.Undefined(), s.object()); err != nil {
		return err
	}
	if err := s.emit("open"); err != nil {
		return err
	}
	for !s.ended || len(s.due) > 0 {
		if err := s.turn(); err != nil {
			return err
		}
	}
	return nil
}

// finish leaves nothing running.
func (s *socket) finish() {
	s.conn.Interrupt()
	s.conn.Wait()
	s.meter.End()
}

// turn handles one event, or waits for one.
func (s *socket) turn() error {
	if len(s.due) > 0 {
		f := s.due[0]
		s.due = s.due[1:]
		return f()
	}
	next := s.next()
	overdue := next != nil && time.Until(next.at) <= 0
	if !overdue || s.fired {
		// Of timers and messages neither may keep the other waiting.
		s.fired = false
		if e, ok := s.take(); ok {
			return s.handle(e)
		}
	}
	switch {
	case overdue:
		s.fired = true
		return s.fire(next)
	case next == nil:
		return s.wait(nil)
	}
	due := time.NewTimer(time.Until(next.at))
	defer due.Stop()
	return s.wait(due.C)
}

func (s *socket) take() (ws.Event, bool) {
	if len(s.pending) > 0 {
		e := s.pending[0]
		s.pending = s.pending[1:]
		return e, true
	}
	return s.conn.Take()
}

// wait returns when there may be something to do.
func (s *socket) wait(due <-chan time.Time) error {
	s.conn.Arm(s.rouse)
	select {
	case <-s.ctx.Done():
		return context.Cause(s.ctx)
	case <-s.wake:
	case <-due:
	}
	return nil
}

func (s *socket) rouse() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// next is the timer that is due first.
func (s *socket) next() *timer {
	var first *timer
	for _, t := range s.timers {
		if first == nil || t.at.Before(first.at) {
			first = t
		}
	}
	return first
}

func (s *socket) fire(t *timer) error {
	if t.every > 0 {
		if t.at = t.at.Add(t.every); t.at.Before(time.Now()) {
			t.at = time.Now()
		}
	} else {
		for i, other := range s.timers {
			if other == t {
				s.timers = append(s.timers[:i], s.timers[i+1:]...)
				break
			}
		}
	}
	_, err := t.fn(goja.Undefined())
	return err
}

func (s *socket) handle(e ws.Event) error {
	switch e.Kind {
	case ws.End:
		return s.end(e.End)
	case ws.Pong:
		s.meter.Pong(e.Data)
	case ws.Text, ws.Binary:
		s.meter.Received()
	}
	if s.closed {
		return nil
	}
	switch e.Kind {
	case ws.Text:
		return s.emit("message", s.rt.ToValue(string(e.Data)))
	case ws.Binary:
		return s.emit("binaryMessage", s.rt.ToValue(s.rt.NewArrayBuffer(e.Data)))
	case ws.Ping:
		return s.emit("ping")
	default:
		return s.emit("pong")
	}
}

// end tells the script how the connection ended, unless it has closed it itself.
func (s *socket) end(e *ws.Ending) error {
	s.ended = true
	if s.closed {
		return nil
	}
	s.closed, s.timers = true, nil
	code := e.Code
	if code != 1000 && code != goingAway {
		if err := s.emit("error", s.errorObject(e.Err)); err != nil {
			return err
		}
	}
	if code == 0 {
		code = goingAway
	}
	return s.emit("close", s.rt.ToValue(code))
}

// errorObject is what error handlers get.
func (s *socket) errorObject(err error) goja.Value {
	o := s.rt.NewObject()
	_ = o.Set("error", func() string { return err.Error() })
	return o
}

// emit calls the handlers of an event.
func (s *socket) emit(event string, args ...goja.Value) error {
	for _, f := range s.on[event] {
		if _, err := f(goja.Undefined(), args...); err != nil {
			return err
		}
	}
	return nil
}

// listen is socket.on. Handlers of unknown events are never called.
func (s *socket) listen(c goja.FunctionCall) goja.Value {
	f, ok := goja.AssertFunction(c.Argument(1))
	if !ok {
		conv.Throw(s.rt, fmt.Errorf("the handler of the event %q is not a function", c.Argument(0)))
	}
	event := c.Argument(0).String()
	s.on[event] = append(s.on[event], f)
	return goja.Undefined()
}

func (s *socket) send(c goja.FunctionCall) goja.Value {
	if conv.IsNullish(c.Argument(0)) {
		conv.Throwf(s.rt, "socket.send needs a string")
	}
	s.post(ws.Text, []byte(c.Argument(0).String()))
	return goja.Undefined()
}

func (s *socket) sendBinary(c goja.FunctionCall) goja.Value {
	data, ok := conv.Bytes(c.Argument(0))
	if !ok {
		conv.Throwf(s.rt, "socket.sendBinary needs an ArrayBuffer or a typed array")
	}
	s.post(ws.Binary, append([]byte(nil), data...))
	return goja.Undefined()
}

// post sends a message. What goes wrong is an error event.
func (s *socket) post(kind ws.Kind, data []byte) {
	err := ws.ErrClosed
	if !s.closed {
		err = s.conn.Send(kind, data)
	}
	if err != nil {
		s.fail(err)
		return
	}
	s.meter.Sent()
	s.holdBack()
}

// fail makes an error event.
func (s *socket) fail(err error) {
	s.due = append(s.due, func() error { return s.emit("error", s.errorObject(err)) })
}

// holdBack waits while much of what was sent is not written yet. What arrives
// meanwhile is taken, or a server that answers each message could not read on.
func (s *socket) holdBack() {
	written := s.conn.Drained(sendAhead)
	for written != nil {
		s.conn.Arm(s.rouse)
		select {
		case <-written:
			return
		case <-s.ctx.Done():
			return
		case <-s.wake:
			for e, ok := s.conn.Take(); ok; e, ok = s.conn.Take() {
				s.pending = append(s.pending, e)
			}
		}
	}
}

func (s *socket) ping(goja.FunctionCall) goja.Value {
	err := ws.ErrClosed
	if !s.closed {
		err = s.conn.Send(ws.Ping, s.meter.Ping())
	}
	if err != nil {
		s.fail(err)
	}
	return goja.Undefined()
}

var errCloseCode = errors.New("the code of a WebSocket close is a number from 1000 to 4999")

func (s *socket) close(c goja.FunctionCall) goja.Value {
	code := goingAway
	if v := c.Argument(0); !conv.IsNullish(v) {
		code = int(v.ToInteger())
	}
	if code < 1000 || code > 4999 {
		conv.Throw(s.rt, errCloseCode)
	}
	if s.closed {
		return goja.Undefined()
	}
	s.closed, s.timers = true, nil
	_ = s.conn.Close(code, "", closeWait) // if it is closed already, all is well
	s.due = append(s.due, func() error { return s.emit("close", s.rt.ToValue(code)) })
	return goja.Undefined()
}

func (s *socket) schedule(c goja.FunctionCall, name string, every bool) goja.Value {
	fn, ok := goja.AssertFunction(c.Argument(0))
	if !ok {
		conv.Throw(s.rt, fmt.Errorf("the callback of socket.%s is not a function", name))
	}
	ms := c.Argument(1).ToFloat()
	if !(ms > 0) {
		conv.Throw(s.rt, fmt.Errorf("socket.%s needs a delay in milliseconds above 0, not %s", name, c.Argument(1)))
	}
	const farDelay = 1e12 // about 30 years
	d := time.Duration(min(ms, farDelay) * float64(time.Millisecond))
	t := &timer{fn: fn, at: time.Now().Add(d)}
	if every {
		t.every = d
	}
	if !s.closed {
		s.timers = append(s.timers, t)
	}
	return goja.Undefined()
}
