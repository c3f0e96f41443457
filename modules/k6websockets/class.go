package k6websockets

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules/conv"
	"github.com/jsload/jsload/modules/internal/wsession"
	"github.com/jsload/jsload/vu/client/ws"
)

// state is WebSocket.readyState.
type state int

const (
	connecting state = iota
	open
	closing
	closed
)

var (
	stateNames = [...]string{connecting: "CONNECTING", open: "OPEN", closing: "CLOSING", closed: "CLOSED"}
	eventNames = [...]string{"open", "message", "error", "close", "ping", "pong"}
)

const (
	asBlob   = "blob"
	asBuffer = "arraybuffer"
)

// sockets makes the class WebSocket.
func (i *instance) sockets() *goja.Object {
	if i.socketClass != nil {
		return i.socketClass
	}
	i.socketClass = i.class("WebSocket", i.newSocket, []method{
		{"send", ofSocket((*socket).send)},
		{"ping", ofSocket((*socket).ping)},
		{"close", ofSocket((*socket).close)},
		{"addEventListener", ofSocket((*socket).addEventListener)},
	})
	for n, name := range stateNames {
		_ = i.socketClass.DefineDataProperty(name, i.rt.ToValue(n), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_TRUE)
	}
	return i.socketClass
}

// ofSocket makes a method of a function.
func ofSocket(f func(*socket, goja.FunctionCall) goja.Value) func(*goja.Runtime, goja.FunctionCall) goja.Value {
	return func(rt *goja.Runtime, c goja.FunctionCall) goja.Value {
		if o, ok := c.This.(*goja.Object); ok {
			if s, ok := o.Export().(*socket); ok {
				return f(s, c)
			}
		}
		panic(rt.NewTypeError("the receiver is no WebSocket"))
	}
}

// Get returns a property.
func (s *socket) Get(name string) goja.Value {
	if v, ok := s.own[name]; ok {
		return v
	}
	if event, ok := handlerOf(name); ok {
		return s.handler(event)
	}
	switch name {
	case "url":
		return s.rt.ToValue(s.url)
	case "readyState":
		return s.rt.ToValue(int(s.state))
	case "protocol":
		return s.rt.ToValue(s.protocol)
	case "extensions":
		return s.rt.ToValue(s.extensions)
	case "bufferedAmount":
		return s.rt.ToValue(s.buffered())
	case "binaryType":
		return s.rt.ToValue(s.binary)
	}
	if n := slices.Index(stateNames[:], name); n >= 0 {
		return s.rt.ToValue(n)
	}
	return nil
}

// handlerOf splits the name of a property such as onopen.
func handlerOf(name string) (event string, ok bool) {
	event, ok = strings.CutPrefix(name, "on")
	return event, ok && slices.Contains(eventNames[:], event)
}

// Set assigns to a property, or keeps what the script likes to remember with a
// socket. Other properties of the standard class are read-only.
func (s *socket) Set(name string, v goja.Value) bool {
	event, isHandler := handlerOf(name)
	_, known := s.own[name]
	switch {
	case isHandler:
		s.setHandler(event, v)
	case name == "binaryType":
		s.setBinaryType(v.String())
	case !known && s.Get(name) != nil:
		return false
	default:
		if s.own == nil {
			s.own = make(map[string]goja.Value)
		}
		s.own[name] = v
	}
	return true
}

// Has reports whether there is a property of that name.
func (s *socket) Has(name string) bool { return s.Get(name) != nil }

// Delete removes what the script added.
func (s *socket) Delete(name string) bool {
	delete(s.own, name)
	return true
}

// Keys lists what the script added.
func (s *socket) Keys() []string { return slices.Sorted(maps.Keys(s.own)) }

// newSocket is new WebSocket(url, protocols, params): it begins to connect.
func (i *instance) newSocket(c goja.ConstructorCall) *goja.Object {
	i.host.NotInInit("using WebSockets")
	url := c.Argument(0).String()
	u, err := ws.ParseURL(url)
	if err != nil {
		conv.Throw(i.rt, err)
	}
	params, err := wsession.Parse(i.host, c.Argument(2))
	if err != nil {
		conv.Throw(i.rt, err)
	}
	s := &socket{
		instance: i, url: url, params: params, binary: asBlob,
		origin: u.Scheme + "://" + u.Host,
	}
	s.self = i.object(s, c.This.Prototype())
	s.connect(i.protocols(c.Argument(1)))
	return s.self
}

// protocols reads one subprotocol or an array of them.
func (i *instance) protocols(v goja.Value) []string {
	if conv.IsNullish(v) {
		return nil
	}
	o, ok := v.(*goja.Object)
	if !ok || o.ClassName() != "Array" {
		return []string{v.String()}
	}
	var list []string
	for n := range int(o.Get("length").ToInteger()) {
		list = append(list, o.Get(strconv.Itoa(n)).String())
	}
	return list
}

// listener is a function that events of one name are given to.
type listener struct {
	event string
	value goja.Value
	call  goja.Callable
	// property is true for the one that was assigned to the on... property.
	property bool
}

func (s *socket) handler(event string) goja.Value {
	for _, l := range s.listeners {
		if l.event == event && l.property {
			return l.value
		}
	}
	return goja.Null()
}

// setHandler assigns to an on... property. Anything but a function means none.
func (s *socket) setHandler(event string, v goja.Value) {
	call, ok := goja.AssertFunction(v)
	at := slices.IndexFunc(s.listeners, func(l listener) bool { return l.event == event && l.property })
	switch {
	case ok && at >= 0:
		s.listeners[at].value, s.listeners[at].call = v, call
	case ok:
		s.listeners = append(s.listeners, listener{event, v, call, true})
	case at >= 0:
		s.listeners = slices.Delete(slices.Clone(s.listeners), at, at+1)
	}
}

func (s *socket) addEventListener(c goja.FunctionCall) goja.Value {
	event := c.Argument(0).String()
	if !slices.Contains(eventNames[:], event) {
		conv.Throw(s.rt, fmt.Errorf("WebSockets have no event %q", event))
	}
	call, ok := goja.AssertFunction(c.Argument(1))
	if !ok {
		conv.Throw(s.rt, fmt.Errorf("the listener of the event %q is not a function", event))
	}
	s.listeners = append(s.listeners, listener{event: event, value: c.Argument(1), call: call})
	return goja.Undefined()
}

func (s *socket) setBinaryType(kind string) {
	if kind != asBlob && kind != asBuffer {
		conv.Throw(s.rt, fmt.Errorf("invalid binaryType %q: use %q or %q", kind, asBlob, asBuffer))
	}
	s.binary = kind
}

// invalidState raises the error for what needs an open connection.
func (s *socket) invalidState(what string) {
	e := conv.NewError(s.rt, "Error", what+": the WebSocket is still connecting")
	_ = e.Set("name", "InvalidStateError")
	panic(e)
}

func (s *socket) send(c goja.FunctionCall) goja.Value {
	if s.state == connecting {
		s.invalidState("send")
	}
	kind, data := s.outgoing(c.Argument(0))
	if s.state != open {
		s.unsent += len(data)
		return goja.Undefined()
	}
	s.post(kind, data)
	return goja.Undefined()
}

// outgoing is what an argument of send is on the wire.
func (s *socket) outgoing(v goja.Value) (ws.Kind, []byte) {
	if b := blobOf(v); b != nil {
		return ws.Binary, b.data
	}
	if data, ok := conv.Bytes(v); ok {
		return ws.Binary, append([]byte(nil), data...)
	}
	return ws.Text, []byte(v.String())
}

func (s *socket) ping(goja.FunctionCall) goja.Value {
	if s.state == connecting {
		s.invalidState("ping")
	}
	if s.state == open {
		s.post(ws.Ping, s.meter.Ping())
	}
	return goja.Undefined()
}

// post sends what the script gave. A connection that cannot take more is given up.
func (s *socket) post(kind ws.Kind, data []byte) {
	err := s.conn.Send(kind, data)
	switch {
	case err == nil:
		s.meter.Sent()
	case errors.Is(err, ws.ErrFull):
		s.failed = err
		s.state = closing
		s.conn.Interrupt()
	default: // the end of the connection is on its way
		s.unsent += len(data)
	}
}

func (s *socket) buffered() int {
	if s.conn == nil {
		return s.unsent
	}
	return s.unsent + s.conn.Buffered()
}

const (
	normalClosure = 1000
	maxReason     = 123 // bytes
)

func (s *socket) close(c goja.FunctionCall) goja.Value {
	if s.state == closing || s.state == closed {
		return goja.Undefined()
	}
	code := normalClosure
	if v := c.Argument(0); !conv.IsNullish(v) && v.ToInteger() != 0 {
		code = int(v.ToInteger())
	}
	reason := conv.OptionalString(c.Argument(1))
	if code != normalClosure && (code < 3000 || code > 4999) {
		conv.Throw(s.rt, fmt.Errorf("invalid close code %d: scripts may send 1000 and 3000 to 4999", code))
	}
	if len(reason) > maxReason {
		conv.Throw(s.rt, fmt.Errorf("the reason of a close may have %d bytes, not %d", maxReason, len(reason)))
	}
	was := s.state
	s.state = closing
	if was == connecting {
		s.stop(errNeverOpen)
		return goja.Undefined()
	}
	if s.conn.Close(code, reason, closeWait) == nil {
		s.meter.Sent()
	}
	return goja.Undefined()
}

var errNeverOpen = fmt.Errorf("the WebSocket was closed before it was open: %w", context.Canceled)
