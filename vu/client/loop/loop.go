// Package loop drives many virtual users on one goroutine: an event loop of one
// core that resumes tasks, completes their plain HTTP/1.1 exchanges and keeps their
// timers. vu/native makes one loop per core and a task per virtual user, bound to its
// loop for life.
//
// A task is resumed when what it asked for has come about, and returns as soon as it
// must wait again. It asks for a request (Task.Do), for sleep (Sleep), for a place
// behind the others (Yield) or for slow work on another goroutine (Go). Requests take
// the steps of client.Call; an exchange of plain HTTP/1.1 straight to the server is
// made here, by raw system calls around the core of internal/h1, with the same
// timings, errors and counts as client.Do. Everything else (TLS, HTTP/2, proxies)
// goes to a worker goroutine and the client's own connections, and comes back by the
// loop's mailbox, as do names that DNS must be asked for.
//
// A tier puts a unit on a loop like this: its unit is the Runner of a task and a
// vu.Loop at once. Run keeps the executor's vu.Steps and calls Task.Start; Resume goes on
// from the unit's place in its plan, and where that is "free" it asks Steps.Next, then
// sleeps (Task.Sleep) until the instant it is told, or begins the iteration, or says
// Steps.Left. Activate passes its context to Task.Activate, and an iteration that finds
// Task.Interrupted ends with vu.ErrInterrupted. TestExecutorsOnLoops of vu/engine has the
// smallest such tier.
//
// The package records no metrics and knows no executors. Elsewhere than on Linux New
// returns ErrUnavailable; client.Do does the same work there.
package loop

import (
	"errors"
	"sync/atomic"
	"time"
)

// ErrUnavailable is the error of New on systems without an event loop.
var ErrUnavailable = errors.New("event loops are not available on this system")

// Loop is an event loop. Its methods may be called from any goroutine.
type Loop struct {
	epoch   time.Time
	poll    *poller
	wheel   wheel
	mailbox mailbox
	workers workers
	done    chan struct{}
	lag     atomic.Int64
	coarse  atomic.Bool

	// What follows belongs to the loop's goroutine.
	now    int64 // when the last wait ended
	rested int64 // when the last turn ended
	ready  queue // of tasks that are to be resumed
	// again are connections with more to do than fits a turn; later is its other half.
	again, later []handle
	conns        []*conn // by index
	spare        *conn   // linked by next
	idle         *flight // spare ones, linked by next
	peers        map[string]*peer
	out          []byte // the request being written
	in           [64 << 10]byte
	over         bool
}

// handle names a connection that may be gone by the time it is looked at.
type handle struct{ index, gen uint32 }

// New starts a loop whose clock counts from epoch. Close ends it.
func New(epoch time.Time) (*Loop, error) {
	poll, err := newPoller()
	if err != nil {
		return nil, err
	}
	l := &Loop{epoch: epoch, poll: poll, done: make(chan struct{}), peers: map[string]*peer{}}
	l.workers.run = l.work
	l.now = l.clock()
	l.wheel.now = l.now >> tickBits
	go l.run()
	return l, nil
}

// Close closes all connections and ends the loop, and returns when its goroutines have
// ended. Tasks are not resumed again. What workers are doing is waited for: interrupt
// the clients first. It must not be called by a task.
func (l *Loop) Close() {
	done := make(chan struct{})
	if l.post(message{kind: quit, done: done}) {
		<-done
	}
	<-l.done
}

// Lag returns the longest time since the last call of Lag that an event waited while
// the loop was busy with others: how much of a measured latency may be the loop's own.
func (l *Loop) Lag() time.Duration { return time.Duration(l.lag.Swap(0)) }

// Coarse reports whether the kernel makes the loop wait in whole milliseconds, as it
// does before Linux 5.11.
func (l *Loop) Coarse() bool { return l.coarse.Load() }

// Now returns the nanoseconds since the epoch.
func (l *Loop) Now() int64 { return l.clock() }

func (l *Loop) clock() int64 { return int64(time.Since(l.epoch)) }

// post sends the loop a message; it reports false if the loop has ended.
func (l *Loop) post(m message) bool {
	wake, ok := l.mailbox.put(m)
	if wake {
		l.poll.wake()
	}
	return ok
}

// run is the loop's goroutine.
func (l *Loop) run() {
	for !l.over {
		l.turnOnce()
	}
	l.end()
}

// turnOnce waits for something to happen and deals with all that has.
func (l *Loop) turnOnce() {
	n := l.poll.wait(l.patience())
	l.now = l.clock()
	for i := range n {
		l.happened(l.poll.event(i))
	}
	l.wheel.turn(l.now)
	for t := l.wheel.take(); t != nil; t = l.wheel.take() {
		l.fire(t)
	}
	l.continueConns()
	for range l.ready.length {
		l.resume(l.ready.pop())
	}
	l.busy()
}

// busy notes for how long the turn kept others waiting.
func (l *Loop) busy() {
	l.rested = l.clock()
	if spent := l.rested - l.now; spent > l.lag.Load() {
		l.lag.Store(spent)
	}
	if l.poll.coarse {
		l.coarse.Store(true)
	}
}

// patience is how long to wait at most; negative is for ever.
func (l *Loop) patience() time.Duration {
	if l.ready.length > 0 || len(l.again) > 0 {
		return 0
	}
	at, ok := l.wheel.next()
	if !ok {
		return -1
	}
	return time.Duration(max(at-l.rested, 0))
}

func (l *Loop) happened(e event) {
	if e.index == wakeIndex {
		l.poll.awake()
		l.readMail()
		return
	}
	if c := l.find(handle{e.index, e.gen}); c != nil {
		l.onEvent(c, e.what)
	}
}

// find returns the connection that a handle names, or nil: the slot may have been
// given to another.
func (l *Loop) find(h handle) *conn {
	if h.index < uint32(len(l.conns)) && l.conns[h.index].gen == h.gen {
		return l.conns[h.index]
	}
	return nil
}

func (l *Loop) fire(t *timer) {
	if t.conn != nil {
		l.expire(t.conn)
		return
	}
	l.resume(t.task)
}

// continueConns goes on with connections that had more to do than fits a turn.
func (l *Loop) continueConns() {
	handles := l.again
	l.again = l.later[:0]
	l.later = handles
	for _, h := range handles {
		if c := l.find(h); c != nil && c.state == open && c.flight != nil {
			l.onEvent(c, evRead|evWrite)
		}
	}
}

func (l *Loop) readMail() {
	for _, m := range l.mailbox.take() {
		t := m.task
		switch m.kind {
		case resumed, worked:
			t.enqueue()
		case active:
			t.activation, t.interrupted = m.turn, false
		case cut:
			if t.activation == m.turn {
				t.cut()
			}
		case came:
			l.land(m.flight)
		case gone:
			t.closeConns(false)
			close(m.done)
		case quit:
			l.over = true
			close(m.done)
		}
	}
}

// end releases everything. Nobody is resumed any more.
func (l *Loop) end() {
	for _, m := range l.mailbox.close() {
		if m.done != nil {
			close(m.done)
		}
	}
	for _, c := range l.conns {
		if c.fd >= 0 {
			closeFD(int(c.fd))
		}
	}
	l.workers.close()
	l.poll.close()
	close(l.done)
}

// queue holds tasks in the order of their coming, linked by Task.behind.
type queue struct {
	first, last *Task
	length      int
}

func (q *queue) push(t *Task) {
	if q.last != nil {
		q.last.behind = t
	} else {
		q.first = t
	}
	q.last = t
	q.length++
}

func (q *queue) pop() *Task {
	t := q.first
	if q.first = t.behind; q.first == nil {
		q.last = nil
	}
	t.behind = nil
	q.length--
	return t
}

// takeFlight lends a flight, keeping the buffers of its reader.
func (l *Loop) takeFlight() *flight {
	f := l.idle
	if f == nil {
		return new(flight)
	}
	l.idle, f.next = f.next, nil
	return f
}

func (l *Loop) giveFlight(f *flight) {
	f.trip = trip{}
	l.idle, f.next = f, l.idle
}
