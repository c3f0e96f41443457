package loop

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/jsload/jsload/vu/client"
	"github.com/jsload/jsload/vu/client/clienttest"
	"github.com/jsload/jsload/vu/client/proto"
	"github.com/jsload/jsload/vu/client/proto/transporttest"
)

func TestFaults(t *testing.T) {
	clienttest.Run(t, func(t *testing.T, config client.Config) clienttest.Target {
		r := newRig(t, config)
		return clienttest.Target{
			Do:           r.do,
			EndIteration: func() { r.call(r.task.EndIteration) },
			Network:      r.network,
		}
	})
}

// exchanger is the loop as a transport.
type exchanger struct {
	*rig
	turn uint32
}

// single is a call of one exchange.
type single struct{ req *proto.Request }

func (s single) Request() *proto.Request { return s.req }
func (s single) Next() *proto.Request    { return nil }

func (e *exchanger) Do(req *proto.Request, resp *proto.Response) *proto.Error {
	over := make(chan struct{})
	e.order(func() {
		f := e.loop.takeFlight()
		f.task, f.call, f.req, f.resp, f.whole = e.task, single{req}, req, resp, new(client.Response)
		e.done[f.whole] = func() { close(over) }
		e.task.board(f)
		if e.loop.fly(f) {
			e.loop.finishCall(f)
		}
	})
	<-over
	return resp.Err
}

func (e *exchanger) Interrupt() {
	e.call(func() {})
	e.loop.post(message{kind: cut, task: e.task, turn: e.turn})
}

func (e *exchanger) renew() {
	e.turn++
	e.loop.post(message{kind: active, task: e.task, turn: e.turn})
}

func TestTransport(t *testing.T) {
	transporttest.Run(t, func(t *testing.T, h http.Handler) transporttest.Target {
		r := newRig(t, client.Config{})
		server := httptest.NewServer(h)
		t.Cleanup(server.Close)
		e := &exchanger{rig: r}
		addr := server.Listener.Addr().String()
		return transporttest.Target{
			Transport: e,
			Renew:     e.renew,
			Request:   proto.Request{Scheme: "http", Addr: addr, Host: addr, Key: "http" + addr},
			Now:       r.loop.Now,
			Proto:     "HTTP/1.1",
		}
	})
}
