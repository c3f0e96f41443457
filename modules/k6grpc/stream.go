package k6grpc

import (
	"context"
	"errors"

	"github.com/dop251/goja"
	"google.golang.org/grpc/status"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/modules/conv"
	"github.com/jsload/jsload/modules/k6grpc/internal/message"
	"github.com/jsload/jsload/modules/k6grpc/internal/schema"
)

// stream is a Stream of a script. It belongs to the goroutine of the virtual
// user; the pump is what works beside it.
type stream struct {
	conv.Own
	client *client
	method *schema.Method
	params *callParams
	object *goja.Object
	codec  message.Codec
	pump   *pump
	cancel context.CancelFunc
	home   *async

	base  metrics.TagSet
	tags  metrics.TagSet
	start int64

	listeners []listener
	// shut is true once nothing more can be written.
	shut bool
}

// listener is a function that the script gave to on.
type listener struct {
	event string
	call  goja.Callable
}

func (i *instance) streamClass() *conv.Class {
	if i.streams == nil {
		i.streams = conv.NewClass(i.rt, conv.ClassSpec{
			Name:   "Stream",
			New:    func(call goja.ConstructorCall) goja.DynamicObject { return i.newStream(call) },
			Method: i.streamMethod,
		})
	}
	return i.streams
}

func (i *instance) streamMethod(name string) func(goja.FunctionCall) goja.Value {
	var f func(*stream, goja.FunctionCall) goja.Value
	switch name {
	case "on":
		f = (*stream).on
	case "write":
		f = (*stream).write
	case "end":
		f = (*stream).end
	default:
		return nil
	}
	return func(call goja.FunctionCall) goja.Value {
		s := conv.MustSelf[*stream](i.rt, call.This, "Stream")
		s.object, _ = call.This.(*goja.Object)
		return f(s, call)
	}
}

var errNoClient = errors.New("the first argument of Stream must be a Client")

// newStream is new Stream(client, method, params): it opens the stream.
func (i *instance) newStream(call goja.ConstructorCall) *stream {
	i.host.NotInInit("opening gRPC streams")
	c, ok := conv.Self[*client](call.Argument(0))
	if !ok {
		conv.Throw(i.rt, errNoClient)
	}
	m, err := c.method(call.Argument(1))
	if err != nil {
		conv.Throw(i.rt, err)
	}
	p, err := i.parseParams(call.Argument(2))
	if err != nil {
		conv.Throw(i.rt, err)
	}
	s := &stream{client: c, method: m, params: p, codec: message.Codec{Runtime: i.rt, Types: m.Set}}
	s.open()
	return s
}

func (s *stream) open() {
	c := s.client
	s.base = c.host.VU.Record.Tags()
	s.tags = c.tags(s.method, s.base, s.params.tags)
	s.home = c.background()
	s.home.streams[s] = struct{}{}
	ctx, cancel := s.params.context(s.home.ctx)
	s.cancel = cancel
	s.pump = newPump(c.conn, s.method, c.host.Run.Epoch)
	s.start = c.host.Run.Epoch.Now()
	s.count(s.start, c.host.Run.Builtin.GRPCStreams)
	s.home.work.Go(func() { s.pump.run(ctx) })
	s.await()
}

// await keeps the loop going until the next event.
func (s *stream) await() {
	done := s.client.host.Loop.Register()
	s.pump.arm(func() { done(s.step) })
}

// step handles one event.
func (s *stream) step() error {
	e := s.pump.take()
	s.countSent()
	if e.ended {
		return s.ended(e)
	}
	s.await()
	s.count(e.at, s.client.host.Run.Builtin.GRPCStreamsMsgsReceived)
	return s.emitData(e)
}

func (s *stream) emitData(e event) error {
	if !s.listens("data") {
		return nil
	}
	rt := s.codec.Runtime
	v := goja.Null()
	if !s.params.discard {
		var err error
		if v, err = s.codec.Encode(e.message); err != nil {
			return err
		}
	}
	meta := rt.NewObject()
	_ = meta.Set("ts", s.client.host.Run.Epoch.Time(e.at).UnixMilli())
	return s.emit("data", v, meta)
}

// ended is the end of the stream: error if it failed, then status and end.
func (s *stream) ended(e event) error {
	if s.home.over() {
		return nil
	}
	s.leave()
	c := s.client
	st := status.Convert(e.err)
	tags := c.statusTags(s.method, s.base, s.params.tags, st.Code())
	c.host.VU.Record.Sample(e.at, c.host.Run.Builtin.GRPCReqDuration, float64(e.at-s.start)/1e6, tags)
	outcome := failureOf(&s.codec, st, c.status(statusCode(st.Code())))
	if e.err != nil {
		if err := s.emit("error", outcome); err != nil {
			return err
		}
	}
	if err := s.emit("status", outcome); err != nil {
		return err
	}
	return s.emit("end")
}

// leave lets go of what the stream held.
func (s *stream) leave() {
	s.shut = true
	s.cancel()
	delete(s.home.streams, s)
}

// cut is the end of a stream whose iteration was stopped: what it sent counts.
func (s *stream) cut() {
	s.countSent()
	s.leave()
}

func (s *stream) count(at int64, m *metrics.Metric) {
	s.client.host.VU.Record.Sample(at, m, 1, s.tags)
}

func (s *stream) countSent() {
	for _, at := range s.pump.takeSent() {
		s.count(at, s.client.host.Run.Builtin.GRPCStreamsMsgsSent)
	}
}

// on is Stream.on(event, listener). Unknown events are taken and never happen.
func (s *stream) on(call goja.FunctionCall) goja.Value {
	f, ok := goja.AssertFunction(call.Argument(1))
	if !ok {
		conv.Throwf(s.codec.Runtime, "the second argument of on must be a function")
	}
	s.listeners = append(s.listeners, listener{event: call.Argument(0).String(), call: f})
	return goja.Undefined()
}

func (s *stream) listens(event string) bool {
	for _, l := range s.listeners {
		if l.event == event {
			return true
		}
	}
	return false
}

func (s *stream) emit(event string, args ...goja.Value) error {
	this := goja.Undefined()
	if s.object != nil {
		this = s.object
	}
	for _, l := range s.listeners {
		if l.event != event {
			continue
		}
		if _, err := l.call(this, args...); err != nil {
			return err
		}
	}
	return nil
}

// write is Stream.write(message). The message is sent in the background; after
// the end it is ignored, with a warning.
func (s *stream) write(call goja.FunctionCall) goja.Value {
	rt := s.codec.Runtime
	if s.shut {
		s.client.host.Run.Log.Warn("a message was written to a gRPC stream that takes no more", "method", s.method.Path)
		return goja.Undefined()
	}
	if conv.IsNullish(call.Argument(0)) {
		conv.Throw(rt, errNullRequest)
	}
	m, err := s.codec.Decode(call.Argument(0), s.method.Input)
	if err != nil {
		conv.Throw(rt, err)
	}
	s.pump.send(m)
	// The one message of a method that takes one is its end as well.
	s.shut = !s.method.ClientStream
	return goja.Undefined()
}

// end is Stream.end(): the server is told that no more messages follow, and may
// go on sending.
func (s *stream) end(goja.FunctionCall) goja.Value {
	if s.shut && s.method.ClientStream {
		return goja.Undefined()
	}
	s.shut = true
	s.pump.finish()
	return goja.Undefined()
}
