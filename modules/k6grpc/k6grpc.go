// Package k6grpc is the module k6/net/grpc: clients of gRPC services that are
// described by proto files, by sets of descriptors or by the server, their
// calls, and streams on the event loop of the virtual user.
//
// The protocol is google.golang.org/grpc's, over connections of the user's
// dialer; what methods there are is internal/schema's business, the form of
// messages internal/message's.
package k6grpc

import (
	"context"
	"io"
	"sync"

	"github.com/dop251/goja"
	"google.golang.org/grpc/grpclog"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/conv"
)

type module struct {
	// faithful repeats what the reference tool does with calls that their own
	// timeout ended, and with errors whose details it cannot read.
	faithful bool
	// deprecated is the warning that the first import gives; empty means none.
	deprecated string
	warn       sync.Once
}

// New returns the module as scripts of the reference tool know it.
func New() modules.Module {
	silence()
	return &module{faithful: true}
}

// NewOwn returns the module under our own name: every call is measured, and every
// error has its message.
func NewOwn() modules.Module {
	silence()
	return &module{}
}

// NewExperimental returns the module under its old name, which warns once.
func NewExperimental() modules.Module {
	silence()
	return &module{faithful: true, deprecated: "k6/experimental/grpc is deprecated: import k6/net/grpc, which is the same"}
}

// silence keeps the library from writing to the process's standard error, as it
// does about frames it does not know: what goes wrong is in the errors it returns.
// It must come before any other use of the library.
var silence = sync.OnceFunc(func() {
	grpclog.SetLoggerV2(grpclog.NewLoggerV2(io.Discard, io.Discard, io.Discard))
})

// Names lists the named exports.
func (*module) Names() []string {
	names := []string{"Client", "Stream"}
	for _, c := range constants {
		names = append(names, c.name)
	}
	return names
}

// Instantiate binds the module to a virtual user.
func (m *module) Instantiate(h *modules.Host) modules.Instance {
	if m.deprecated != "" {
		m.warn.Do(func() { h.Run.Log.Warn(m.deprecated) })
	}
	return &instance{module: m, host: h, rt: h.Runtime}
}

// instance is the module in one virtual user.
type instance struct {
	*module
	host *modules.Host
	rt   *goja.Runtime

	clients, streams *conv.Class
	statuses         map[statusCode]goja.Value
	// open are the clients with a connection; nil until the first.
	open map[*client]struct{}
	// async is what the running iteration left to other goroutines, nil if nothing.
	async *async
	// timeouts counts the calls that their own timeouts ended, nil until the first.
	timeouts *metrics.Metric
}

// Export makes an export.
func (i *instance) Export(name string) goja.Value {
	switch name {
	case "Client":
		return i.clientClass().Constructor
	case "Stream":
		return i.streamClass().Constructor
	}
	for _, c := range constants {
		if c.name == name {
			return i.constant(c.value)
		}
	}
	return nil
}

// constant makes the script's form of a status: an object that compares equal to
// its number and to others of its kind, and whose text is its name.
func (i *instance) constant(value any) goja.Value {
	if code, ok := value.(statusCode); ok {
		return i.status(code)
	}
	return i.rt.ToValue(value)
}

// status returns the one object that stands for a code in this runtime.
func (i *instance) status(code statusCode) goja.Value {
	v, ok := i.statuses[code]
	if !ok {
		if i.statuses == nil {
			i.statuses = make(map[statusCode]goja.Value, 4)
		}
		v = i.rt.ToValue(code)
		i.statuses[code] = v
	}
	return v
}

// keep has the connection of a client closed with the virtual user.
func (i *instance) keep(c *client) {
	if i.open == nil {
		i.open = make(map[*client]struct{})
		i.host.AtClose(i.closeAll)
	}
	i.open[c] = struct{}{}
}

func (i *instance) closeAll() {
	for c := range i.open {
		c.disconnect()
	}
	i.open = nil
}

// async is the work of one iteration that other goroutines do. It ends with the
// iteration.
type async struct {
	ctx    context.Context
	cancel context.CancelFunc
	work   sync.WaitGroup
	// streams are those that have not ended.
	streams map[*stream]struct{}
}

// over tells whether the iteration is being stopped.
func (a *async) over() bool { return a.ctx.Err() != nil }

// background returns where the running iteration's work on other goroutines
// belongs.
func (i *instance) background() *async {
	if i.async == nil {
		ctx, cancel := context.WithCancel(i.host.Context())
		i.async = &async{ctx: ctx, cancel: cancel, streams: make(map[*stream]struct{})}
		i.host.Loop.AtEnd(i.endAsync)
	}
	return i.async
}

// endAsync ends what is still running when the iteration is over because the
// script failed or is to stop, and waits for it.
func (i *instance) endAsync() {
	a := i.async
	i.async = nil
	a.cancel()
	a.work.Wait()
	for s := range a.streams {
		s.cut()
	}
}
