package k6grpc

import (
	"context"
	"errors"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/dop251/goja"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/encoding/gzip"
	health "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/modules/conv"
	"github.com/jsload/jsload/modules/k6grpc/internal/message"
	"github.com/jsload/jsload/modules/k6grpc/internal/schema"
)

// Servers may compress their answers: importing the package is what enables it.
const _ = gzip.Name

// call is one unary call: what the script asked for and what came back. Between
// begin and end it belongs to the goroutine that does it.
type call struct {
	client *client
	conn   *grpc.ClientConn
	method *schema.Method
	path   string
	params *callParams
	base   metrics.TagSet

	in, out           proto.Message
	headers, trailers metadata.MD
	start, end        int64 // since the run's epoch
	err               error
	// late is true if the call's own timeout ended it.
	late bool
}

var errNullRequest = errors.New("the request must be an object: it cannot be null or undefined")

// newCall reads the arguments of invoke.
func (c *client) newCall(args goja.FunctionCall) (*call, error) {
	m, err := c.method(args.Argument(0))
	if err != nil {
		return nil, err
	}
	if conv.IsNullish(args.Argument(1)) {
		return nil, errNullRequest
	}
	p, err := c.parseParams(args.Argument(2))
	if err != nil {
		return nil, err
	}
	codec := message.Codec{Runtime: c.rt, Types: m.Set}
	in, err := codec.Decode(args.Argument(1), m.Input)
	if err != nil {
		return nil, err
	}
	k := &call{client: c, conn: c.conn, method: m, path: m.Path, params: p, in: in, base: c.host.VU.Record.Tags()}
	k.bound()
	if p.discard {
		k.out = new(emptypb.Empty)
	} else {
		k.out = dynamicpb.NewMessage(m.Output)
	}
	return k, nil
}

// bound gives the call a timeout if the script did not.
func (k *call) bound() {
	if !k.params.bounded {
		k.params.timeout, k.params.bounded = defaultTimeout, true
	}
}

// do makes the call.
func (k *call) do(ctx context.Context) {
	ctx, cancel := k.params.context(ctx)
	defer cancel()
	epoch := k.client.host.Run.Epoch
	k.start = epoch.Now()
	k.err = k.conn.Invoke(ctx, k.path, k.in, k.out, grpc.Header(&k.headers), grpc.Trailer(&k.trailers))
	k.end = epoch.Now()
	k.late = status.Code(k.err) == codes.DeadlineExceeded && time.Duration(k.end-k.start) > k.params.timeout-deadlineSlack
}

// deadlineSlack is how much earlier than here a deadline may pass on the server,
// which knows it too and may be the first to say so.
const deadlineSlack = 20 * time.Millisecond

// cut tells whether the call failed because the iteration is being stopped, whose
// context is ctx.
func (k *call) cut(ctx context.Context) bool { return k.err != nil && ctx.Err() != nil }

// record makes the samples of the call.
func (k *call) record() {
	c := k.client
	if k.late && c.faithful {
		c.countTimeout(k.end, c.tags(k.method, k.base, k.params.tags))
		return
	}
	tags := c.statusTags(k.method, k.base, k.params.tags, status.Code(k.err))
	c.host.VU.Record.Sample(k.end, c.host.Run.Builtin.GRPCReqDuration, float64(k.end-k.start)/1e6, tags)
}

// invoke is Client.invoke(method, request, params).
func (c *client) invoke(args goja.FunctionCall) goja.Value {
	c.host.NotInInit("invoking gRPC methods")
	k, err := c.newCall(args)
	if err != nil {
		conv.Throw(c.rt, err)
	}
	ctx := c.host.Context()
	k.do(ctx)
	if k.cut(ctx) {
		return goja.Undefined() // the interpreter is being stopped
	}
	k.record()
	v, err := k.response()
	if err != nil {
		conv.Throw(c.rt, err)
	}
	return v
}

// asyncInvoke makes the call on another goroutine and gives a promise.
func (c *client) asyncInvoke(args goja.FunctionCall) goja.Value {
	c.host.NotInInit("invoking gRPC methods")
	promise, resolve, reject := c.rt.NewPromise()
	k, err := c.newCall(args)
	if err != nil {
		_ = reject(c.rt.NewGoError(err))
		return c.rt.ToValue(promise)
	}
	bg := c.background()
	done := c.host.Loop.Register()
	bg.work.Go(func() {
		k.do(bg.ctx)
		done(func() error {
			if k.cut(bg.ctx) {
				return nil
			}
			k.record()
			v, err := k.response()
			if err != nil {
				return reject(c.rt.NewGoError(err))
			}
			return resolve(v)
		})
	})
	return c.rt.ToValue(promise)
}

// response is what the script gets. The message of a call that failed is the
// empty one.
func (k *call) response() (goja.Value, error) {
	rt := k.client.rt
	codec := message.Codec{Runtime: rt, Types: k.method.Set}
	content := goja.Null()
	if !k.params.discard {
		var err error
		if content, err = codec.Encode(k.out.ProtoReflect()); err != nil {
			return nil, err
		}
	}
	st := status.Convert(k.err)
	failure := goja.Null()
	if k.err != nil {
		o := failureOf(&codec, st, rt.ToValue(int64(st.Code())))
		if k.client.faithful && k.unreadable(st) {
			_ = o.Delete("message")
		}
		failure = o
	}
	o := rt.NewObject()
	_ = o.Set("status", k.client.status(statusCode(st.Code())))
	_ = o.Set("message", content)
	_ = o.Set("headers", metadataObject(rt, k.headers))
	_ = o.Set("trailers", metadataObject(rt, k.trailers))
	_ = o.Set("error", failure)
	return o, nil
}

// unreadable tells whether details of an error are of types that nothing the
// script loaded describes. The error object of the reference tool then lacks its
// message.
func (k *call) unreadable(st *status.Status) bool {
	return slices.ContainsFunc(st.Proto().GetDetails(), func(d *anypb.Any) bool {
		return !k.method.Set.Describes(d.GetTypeUrl())
	})
}

// failureOf is the error object of a status. The code is a number in answers to
// calls and a constant in events of streams.
func failureOf(codec *message.Codec, st *status.Status, code goja.Value) *goja.Object {
	packed := st.Proto().GetDetails()
	details := make([]any, 0, len(packed))
	for _, d := range packed {
		// What cannot be shown is left out: it must not hide the error itself.
		if v, err := codec.Any(d.GetTypeUrl(), d.GetValue()); err == nil {
			details = append(details, v)
		}
	}
	o := codec.Runtime.NewObject()
	_ = o.Set("code", code)
	_ = o.Set("message", st.Message())
	_ = o.Set("details", codec.Runtime.NewArray(details...))
	return o
}

// metadataObject is an object of arrays of texts.
func metadataObject(rt *goja.Runtime, md metadata.MD) goja.Value {
	o := rt.NewObject()
	for key, values := range md {
		list := make([]any, len(values))
		for n, v := range values {
			list[n] = metadataText(rt, v)
		}
		_ = o.Set(key, rt.NewArray(list...))
	}
	return o
}

// metadataText is a value as a string; of bytes that are no text, with a
// character for each.
func metadataText(rt *goja.Runtime, v string) goja.Value {
	if utf8.ValidString(v) {
		return rt.ToValue(v)
	}
	units := make([]uint16, len(v))
	for n := range len(v) {
		units[n] = uint16(v[n])
	}
	return goja.StringFromUTF16(units)
}

// healthMethod is the method of the standard health service. Its samples carry
// no names, as in the reference tool.
const healthMethod = "/grpc.health.v1.Health/Check"

// healthCheck is Client.healthCheck(service): it throws if the server does not
// know the service.
func (c *client) healthCheck(args goja.FunctionCall) goja.Value {
	c.host.NotInInit("checking the health of gRPC services")
	if c.conn == nil {
		conv.Throw(c.rt, errNotConnected)
	}
	request, answer := new(health.HealthCheckRequest), new(health.HealthCheckResponse)
	if service := args.Argument(0); !conv.IsNullish(service) {
		request.Service = service.String()
	}
	ctx := c.host.Context()
	k := &call{client: c, conn: c.conn, path: healthMethod, params: &callParams{}, in: request, out: answer}
	k.bound()
	k.do(ctx)
	if k.cut(ctx) {
		return goja.Undefined() // the interpreter is being stopped
	}
	base := c.host.VU.Record.Tags()
	c.host.VU.Record.Sample(k.end, c.host.Run.Builtin.GRPCReqDuration, float64(k.end-k.start)/1e6, c.withStatus(base, status.Code(k.err)))
	if k.err != nil {
		conv.Throw(c.rt, k.err)
	}
	o := c.rt.NewObject()
	_ = o.Set("status", c.rt.ToValue(servingStatus(answer.GetStatus())))
	return o
}
