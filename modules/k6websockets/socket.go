package k6websockets

import (
	"context"
	"sync"
	"time"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules/internal/wsession"
	"github.com/jsload/jsload/vu/client/ws"
)

// closeWait is how long a server may take to answer a close frame.
const closeWait = 10 * time.Second

// socket is one WebSocket of a script. All of it belongs to the goroutine of the
// virtual user, but for dialing.
type socket struct {
	*instance
	self   *goja.Object
	own    map[string]goja.Value // properties that the script added
	url    string
	origin string
	params wsession.Params

	state      state
	protocol   string
	extensions string
	binary     string
	listeners  []listener
	unsent     int   // bytes that send was given when it was too late
	failed     error // why the socket was given up from this side

	meter *wsession.Session
	stop  context.CancelCauseFunc // ends the dialing
	dial  sync.WaitGroup
	conn  *ws.Conn // nil before it is open
	// dialed is what the dialing goroutine leaves behind.
	dialed dialed
}

type dialed struct {
	conn   *ws.Conn
	answer *ws.Answer
	err    error
	at     int64
}

// connect dials on another goroutine. The loop goes on until the socket is closed.
func (s *socket) connect(protocols []string) {
	s.enlist()
	s.meter = wsession.Begin(s.host)
	ctx, stop := context.WithCancelCause(s.host.Context())
	s.stop = stop
	dialer, epoch := s.host.VU.Client.Dialer(), s.host.Run.Epoch
	request := s.params.Request(s.url, protocols)
	done := s.host.Loop.Register()
	s.dial.Go(func() {
		d := &s.dialed
		d.conn, d.answer, d.err = s.shared.Dial(ctx, dialer, request)
		d.at = epoch.Now()
		done(s.connected)
	})
}

// enlist has the socket ended with the iteration.
func (s *socket) enlist() {
	if s.open == nil {
		s.open = make(map[*socket]struct{})
		s.host.Loop.AtEnd(s.endAll)
	}
	s.open[s] = struct{}{}
}

// endAll ends the sockets that are still open when an iteration is over because
// the script failed or is to stop. First all are told, then all are waited for.
func (i *instance) endAll() {
	for s := range i.open {
		s.stop(context.Canceled)
		s.dial.Wait()
		if s.dialed.conn != nil {
			s.dialed.conn.Interrupt()
		}
	}
	for s := range i.open {
		if s.dialed.conn != nil {
			s.dialed.conn.Wait()
		}
		if s.conn != nil {
			s.meter.End()
		}
		s.state = closed
	}
	i.open = nil
}

// connected is the loop's side of the end of dialing.
func (s *socket) connected() error {
	s.dial.Wait()
	d := &s.dialed
	s.meter.Connected(d.at, s.url, &s.params, d.answer, true)
	if d.conn != nil && s.state == closing { // closed in the last moment
		d.conn.Interrupt()
		d.conn.Wait()
		d.err = errNeverOpen
	}
	if d.err != nil {
		return s.notConnected(d.err)
	}
	s.stop(nil)
	s.conn, s.state = d.conn, open
	s.protocol = d.conn.Protocol()
	s.extensions = d.answer.Header.Get("Sec-Websocket-Extensions")
	s.dialed.answer = nil
	s.await()
	return s.emit("open", nil)
}

func (s *socket) notConnected(err error) error {
	s.stop(nil)
	s.leave()
	wsession.LogFailure(s.host, s.url, err)
	if err := s.emitError(err); err != nil {
		return err
	}
	return s.emitClose(0, "")
}

// leave is the end of the socket.
func (s *socket) leave() {
	s.state = closed
	delete(s.open, s)
}

// await keeps the loop going until the next event.
func (s *socket) await() {
	done := s.host.Loop.Register()
	s.conn.Arm(func() { done(s.step) })
}

// step handles one event.
func (s *socket) step() error {
	e, ok := s.conn.Take()
	if !ok {
		s.await()
		return nil
	}
	if e.Kind == ws.End {
		return s.end(e.End)
	}
	s.await()
	switch e.Kind {
	case ws.Pong:
		s.meter.Pong(e.Data)
	case ws.Text, ws.Binary:
		s.meter.Received()
	}
	if s.state != open {
		return nil
	}
	switch e.Kind {
	case ws.Ping:
		return s.emit("ping", nil)
	case ws.Pong:
		return s.emit("pong", nil)
	}
	return s.emit("message", func(o *goja.Object) {
		_ = o.Set("data", s.incoming(e))
		_ = o.Set("origin", s.origin)
	})
}

// incoming is a message as the script sees it.
func (s *socket) incoming(e ws.Event) goja.Value {
	switch {
	case e.Kind == ws.Text:
		return s.rt.ToValue(string(e.Data))
	case s.binary == asBuffer:
		return s.rt.ToValue(s.rt.NewArrayBuffer(e.Data))
	}
	return s.blob(e.Data, "")
}

// end handles the end of the connection: what the server did not do on purpose is
// an error, unless it broke the protocol, which shows in the missing code.
func (s *socket) end(e *ws.Ending) error {
	s.unsent += s.conn.Buffered()
	s.conn.Wait()
	s.leave()
	s.meter.End()
	if s.failed != nil {
		if err := s.emitError(s.failed); err != nil {
			return err
		}
		return s.emitClose(ws.CodeAbnormal, s.failed.Error())
	}
	switch e.Code {
	case 0, normalClosure, 1001:
	default:
		if err := s.emitError(e.Err); err != nil {
			return err
		}
	}
	return s.emitClose(e.Code, e.Reason)
}

func (s *socket) emitError(cause error) error {
	return s.emit("error", func(o *goja.Object) { _ = o.Set("error", cause.Error()) })
}

// emitClose sends the close event; the code is undefined if there is none.
func (s *socket) emitClose(code int, reason string) error {
	return s.emit("close", func(o *goja.Object) {
		value := goja.Undefined()
		if code != 0 {
			value = s.rt.ToValue(code)
		}
		_ = o.Set("code", value)
		_ = o.Set("reason", reason)
	})
}

// emit calls the listeners of an event with an object that fill completes. Which
// they are is settled when the event happens.
func (s *socket) emit(event string, fill func(*goja.Object)) error {
	var object *goja.Object
	for _, l := range s.listeners {
		if l.event != event {
			continue
		}
		if object == nil {
			object = s.event(event)
			if fill != nil {
				fill(object)
			}
		}
		if _, err := l.call(s.self, object); err != nil {
			return err
		}
	}
	return nil
}

func (s *socket) event(name string) *goja.Object {
	o := s.rt.NewObject()
	_ = o.Set("type", name)
	_ = o.Set("target", s.self)
	_ = o.Set("timestamp", time.Now().UnixMilli())
	return o
}
