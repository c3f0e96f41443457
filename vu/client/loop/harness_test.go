package loop

import (
	"testing"
	"time"

	"github.com/jsload/jsload/vu/client"
	"github.com/jsload/jsload/vu/client/proto/transporttest"
)

// rig is a task that does what other goroutines tell it.
type rig struct {
	network *client.Network
	client  *client.Client
	loop    *Loop
	task    *Task
	orders  chan func()
	done    map[*client.Response]func()
}

// newRig starts a loop with a task, both closed with the test.
func newRig(t testing.TB, config client.Config) *rig {
	t.Helper()
	transporttest.CheckLeaks(t)
	if config.Epoch.IsZero() {
		config.Epoch = time.Now()
	}
	if config.UserAgent == "" {
		config.UserAgent = "test"
	}
	l, err := New(config.Epoch)
	if err != nil {
		t.Skip(err)
	}
	r := &rig{network: client.NewNetwork(config), loop: l, orders: make(chan func(), 1000), done: map[*client.Response]func(){}}
	r.client = r.network.Client(1)
	r.task = l.NewTask(r, r.client)
	t.Cleanup(func() {
		r.client.Interrupt()
		r.task.Close()
		l.Close()
		r.client.Close()
		r.network.Close()
	})
	return r
}

// Resume does the orders, or what is to follow a request.
func (r *rig) Resume(_ *Task, done *client.Response) {
	if done != nil {
		f := r.done[done]
		delete(r.done, done)
		f()
		return
	}
	select {
	case f := <-r.orders:
		f()
	default:
	}
	if len(r.orders) > 0 {
		r.task.Yield() // the mail first: what was sent before the order counts
	}
}

// order has f called on the loop.
func (r *rig) order(f func()) {
	r.orders <- f
	r.task.Wake()
}

// call has f called on the loop and waits for it.
func (r *rig) call(f func()) {
	over := make(chan struct{})
	r.order(func() {
		f()
		close(over)
	})
	<-over
}

// do makes a request and waits for the end of it.
func (r *rig) do(req client.Request) *client.Response {
	resp := new(client.Response)
	over := make(chan struct{})
	r.order(func() { r.begin(&req, resp, func() { close(over) }) })
	<-over
	return resp
}

// begin is Do with a continuation; it is called on the loop.
func (r *rig) begin(req *client.Request, resp *client.Response, then func()) {
	r.done[resp] = then
	if r.task.Do(req, resp) {
		delete(r.done, resp)
		then()
	}
}
