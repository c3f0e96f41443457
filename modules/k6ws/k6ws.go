// Package k6ws is the module k6/ws: WebSocket sessions with callbacks, during
// which the virtual user does nothing else.
//
// The connection is vu/client/ws's, its metrics are modules/internal/wsession's.
package k6ws

import (
	"errors"
	"strings"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/conv"
	"github.com/jsload/jsload/modules/internal/wsession"
	"github.com/jsload/jsload/vu/client/ws"
)

type module struct{ shared ws.Shared }

// New returns the module.
func New() modules.Module { return &module{} }

// Names lists the named exports.
func (*module) Names() []string { return []string{"connect"} }

// Instantiate binds the module to a virtual user.
func (m *module) Instantiate(h *modules.Host) modules.Instance {
	return &instance{module: m, host: h, rt: h.Runtime}
}

type instance struct {
	*module
	host *modules.Host
	rt   *goja.Runtime
}

// Export makes an export.
func (i *instance) Export(name string) goja.Value {
	if name == "connect" {
		return i.rt.ToValue(i.connect)
	}
	return nil
}

var errNoCallback = errors.New("the last argument of ws.connect must be a function that receives the socket")

// connect is ws.connect(url, [params], callback): it returns when the session is
// over.
func (i *instance) connect(c goja.FunctionCall) goja.Value {
	i.host.NotInInit("using WebSockets")
	params, last := c.Argument(1), c.Argument(2)
	if len(c.Arguments) == 2 {
		params, last = nil, c.Argument(1)
	}
	setup, ok := goja.AssertFunction(last)
	if !ok {
		conv.Throw(i.rt, errNoCallback)
	}
	p, err := wsession.Parse(i.host, params)
	if err != nil {
		conv.Throw(i.rt, err)
	}
	return i.session(c.Argument(0).String(), &p, setup)
}

func (i *instance) session(url string, p *wsession.Params, setup goja.Callable) goja.Value {
	ctx := i.host.Context()
	session := wsession.Begin(i.host)
	conn, answer, err := i.shared.Dial(ctx, i.host.VU.Client.Dialer(), p.Request(url, nil))
	if err != nil && ctx.Err() != nil {
		return goja.Undefined() // the interpreter is being stopped
	}
	session.Connected(i.host.Run.Epoch.Now(), url, p, answer, false)
	if err != nil {
		return i.refused(url, answer, err)
	}
	s := newSocket(i, conn, session)
	if err := s.run(ctx, setup); err != nil && ctx.Err() == nil {
		conv.Throw(i.rt, err)
	}
	return i.response(url, answer, nil)
}

// refused is what connect does when there is no connection.
func (i *instance) refused(url string, answer *ws.Answer, err error) goja.Value {
	if o := i.host.Run.Options; o != nil && o.Throw.V {
		conv.Throw(i.rt, err)
	}
	wsession.LogFailure(i.host, url, err)
	return i.response("", answer, err)
}

// response is the object that connect returns.
func (i *instance) response(url string, answer *ws.Answer, err error) goja.Value {
	o, headers := i.rt.NewObject(), i.rt.NewObject()
	status, body, text := 0, "", ""
	if answer != nil {
		status, body = answer.Status, string(answer.Body)
		for name, values := range answer.Header {
			_ = headers.Set(name, strings.Join(values, ", "))
		}
	}
	if err != nil {
		text = err.Error()
	}
	_ = o.Set("url", url)
	_ = o.Set("status", status)
	_ = o.Set("headers", headers)
	_ = o.Set("body", body)
	_ = o.Set("error", text)
	return o
}
