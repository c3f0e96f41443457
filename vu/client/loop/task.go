package loop

import (
	"context"

	"github.com/jsload/jsload/vu/client"
)

// Runner is what a task runs: a virtual user that keeps its place between waits.
type Runner interface {
	// Resume goes on until the user must wait again or has nothing left to do. It is
	// called on the loop's goroutine and must not block; about 100 microseconds are
	// much, since they are the latency of others.
	//
	// done is the response of a request that is over: once for each Do that returned
	// false. It is nil after Start, Wake, Sleep, Yield and Go.
	Resume(t *Task, done *client.Response)
}

// Task is a virtual user on a loop. Start, Wake, Activate and Close may be called from
// any goroutine; all other methods only by the Runner while it is resumed.
//
// A task costs the loop about 300 bytes with its connection, and borrows more while
// a request is in flight.
type Task struct {
	loop   *Loop
	runner Runner
	client *client.Client

	timer   timer
	behind  *Task   // in the loop's queue
	conns   *conn   // the latest used first
	flights *flight // linked by beside
	// dialAfter keeps a user whose exchange has failed from dialing again in the same
	// tick, or a server that refuses would be hammered within one turn.
	dialAfter int64

	activation  uint32 // the one that runs
	queued      bool
	interrupted bool

	// Of the goroutines that activate and close:
	turn   uint32
	unbind func() bool
}

// NewTask makes a task whose requests are those of c. Close ends it. The client's
// epoch must be the loop's.
func (l *Loop) NewTask(r Runner, c *client.Client) *Task {
	t := &Task{loop: l, runner: r, client: c, unbind: func() bool { return true }}
	t.timer.task, t.timer.slot = t, notArmed
	return t
}

// Start has the task resumed. Wake is the same for a task that waits for something
// that is not the loop's: it may run concurrently with the task, and several calls
// may become one.
func (t *Task) Start() { t.loop.post(message{kind: resumed, task: t}) }

// Wake has the task resumed; see Start.
func (t *Task) Wake() { t.Start() }

// Activate binds the task and its client to ctx: once that ends, requests in flight
// end with proto.ErrInterrupted, and so does every later one until the next
// Activate; a sleep ends, and Interrupted reports true. The task must not be running.
func (t *Task) Activate(ctx context.Context) {
	t.unbind()
	t.client.Activate(ctx)
	t.turn++
	turn := t.turn
	t.loop.post(message{kind: active, task: t, turn: turn})
	t.unbind = context.AfterFunc(ctx, func() { t.loop.post(message{kind: cut, task: t, turn: turn}) })
}

// Close closes the task's connections and waits for that. The client is the caller's
// to close. The task must not be running.
func (t *Task) Close() {
	t.unbind()
	done := make(chan struct{})
	if t.loop.post(message{kind: gone, task: t, done: done}) {
		<-done
	}
}

// Loop returns the loop of the task.
func (t *Task) Loop() *Loop { return t.loop }

// Now returns when the loop last awoke, in nanoseconds since the epoch. It costs nothing;
// Loop.Now is the instant itself.
func (t *Task) Now() int64 { return t.loop.now }

// Interrupted reports whether the activation has ended.
func (t *Task) Interrupted() bool { return t.interrupted }

// Do begins a request. It returns true if it is over at once, because it could not
// even be sent; else the task is resumed when it is. Several may run at a time. req and
// resp belong to the loop until then.
func (t *Task) Do(req *client.Request, resp *client.Response) bool {
	l := t.loop
	f := l.takeFlight()
	f.task, f.whole, f.resp = t, resp, &resp.Response
	f.call = t.client.Begin(req, resp)
	t.board(f)
	if len(req.Compression) > 0 && len(req.Body) > slowBytes {
		l.hand(f, preparing)
		return false
	}
	f.req = f.call.Request()
	if f.req != nil && !l.fly(f) {
		return false
	}
	t.leave(f)
	l.giveFlight(f)
	return true
}

// Sleep has the task resumed at an instant, in nanoseconds since the epoch, at most a
// tick of 65 microseconds late, or at once when the activation ends. A second Sleep
// replaces the first.
func (t *Task) Sleep(until int64) {
	if t.interrupted {
		t.enqueue()
		return
	}
	t.loop.wheel.arm(&t.timer, until)
}

// Yield has the task resumed after all others that can go on.
func (t *Task) Yield() { t.enqueue() }

// Go calls f on another goroutine and has the task resumed when it has returned. f
// should end soon after the activation.
func (t *Task) Go(f func()) { t.loop.workers.start(job{do: f, task: t}) }

// EndIteration does what client.Client.EndIteration does, for the connections of
// the loop too. No request may be in flight.
func (t *Task) EndIteration() {
	t.client.EndIteration()
	if t.client.Driver().Config().NoVUConnectionReuse {
		t.closeConns(true)
	}
}

// Open returns how many connections to servers the task has on the loop, idle ones
// included.
func (t *Task) Open() (n int) {
	for c := t.conns; c != nil; c = c.next {
		if c.state == open {
			n++
		}
	}
	return n
}

func (t *Task) enqueue() {
	if !t.queued {
		t.queued = true
		t.loop.ready.push(t)
	}
}

// resume lets a task go on.
func (l *Loop) resume(t *Task) {
	t.queued = false
	t.runner.Resume(t, nil)
}

// cut ends what the task is waiting for.
func (t *Task) cut() {
	t.interrupted = true
	if t.timer.armed() {
		t.loop.wheel.disarm(&t.timer)
		t.enqueue()
	}
	for f := t.flights; f != nil; {
		if c := f.conn; c != nil && c.state != resolving {
			t.loop.interrupt(c)
			f = t.flights // those before may be gone
			continue
		}
		f = f.beside
	}
}

// board and leave keep the list of the task's flights.
func (t *Task) board(f *flight) {
	f.beside = t.flights
	t.flights = f
}

func (t *Task) leave(f *flight) {
	for at := &t.flights; *at != nil; at = &(*at).beside {
		if *at == f {
			*at, f.beside = f.beside, nil
			return
		}
	}
}

// closeConns closes the task's connections; of those only the idle ones if told so.
func (t *Task) closeConns(idle bool) {
	for c := t.conns; c != nil; {
		next := c.next
		if !idle || c.flight == nil {
			t.loop.close(c)
		}
		c = next
	}
	if !idle {
		t.loop.wheel.disarm(&t.timer)
	}
}
