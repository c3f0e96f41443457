// Package loop is the event loop of one virtual user: callbacks that other
// goroutines deliver, timers, and the promise rejections nobody handled.
//
// js/internal/script runs it; modules that finish work on another goroutine
// (asyncRequest, websockets, gRPC) register with it. It does not know modules.
package loop

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/dop251/goja"
)

// Loop runs JavaScript of one runtime on one goroutine at a time.
//
// Except for Post and the functions that Register returns, all methods are called
// on the goroutine that runs the script.
type Loop struct {
	rt *goja.Runtime

	mu      sync.Mutex
	queue   []func() error
	pending int // registered callbacks not delivered yet
	run     int // counts resets: callbacks of an earlier run are dropped
	wake    chan struct{}

	timers     timerHeap
	timerID    int
	timerByID  map[int]*timer
	rejections []*goja.Promise
	onStopped  func(kind string, id int)
	ends       []func() // of the current run
}

// New returns the loop of rt. onStopped is told of each timer that an
// interruption cancelled ("setTimeout" or "setInterval" and its id).
func New(rt *goja.Runtime, onStopped func(kind string, id int)) *Loop {
	l := &Loop{rt: rt, wake: make(chan struct{}, 1), onStopped: onStopped}
	rt.SetPromiseRejectionTracker(l.trackRejection)
	return l
}

// Register announces work that another goroutine does. The loop does not end
// before the returned function was called, once, from any goroutine; its
// argument then runs on the loop. An error of it ends the run of the loop.
func (l *Loop) Register() func(func() error) {
	l.mu.Lock()
	l.pending++
	run := l.run
	l.mu.Unlock()
	var once sync.Once
	return func(f func() error) {
		once.Do(func() {
			l.mu.Lock()
			defer l.mu.Unlock()
			if l.run != run {
				return
			}
			l.pending--
			l.queue = append(l.queue, f)
			select {
			case l.wake <- struct{}{}:
			default:
			}
		})
	}
}

// Post queues f, from any goroutine, without making the loop wait for it: if
// nothing else is left to run, f waits until the loop runs again. Reset drops it.
func (l *Loop) Post(f func() error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.queue = append(l.queue, f)
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// Rejection is the error of a promise whose rejection nobody handled.
type Rejection struct {
	// Value is what the promise was rejected with.
	Value goja.Value
}

// Error gives the text that is logged.
func (r *Rejection) Error() string {
	return "Uncaught (in promise) " + RejectionText(r.Value)
}

// RejectionText is the text of a rejected value: with its stack if it has one.
func RejectionText(v goja.Value) string {
	if v == nil {
		return "undefined"
	}
	if o, ok := v.(*goja.Object); ok {
		if stack := o.Get("stack"); stack != nil && !goja.IsUndefined(stack) && !goja.IsNull(stack) {
			return stack.String()
		}
	}
	return v.String()
}

// Run calls start and then whatever it began, until nothing is left or an
// error came up or ctx ended (then the error is ctx's cause).
func (l *Loop) Run(ctx context.Context, start func() error) error {
	defer l.end()
	err := l.step(start)
	for err == nil {
		f, wait, ok := l.next()
		if !ok {
			return nil
		}
		if f != nil {
			err = l.step(f)
			continue
		}
		err = l.sleep(ctx, wait)
	}
	l.Reset()
	return err
}

// AtEnd has f called when the current run of the loop is over, whatever ended it:
// for modules whose work another goroutine goes on with. f ends that work and
// waits for it; no JavaScript may run any more.
func (l *Loop) AtEnd(f func()) { l.ends = append(l.ends, f) }

// end calls what AtEnd was given, the latest first.
func (l *Loop) end() {
	for len(l.ends) > 0 {
		f := l.ends[len(l.ends)-1]
		l.ends = l.ends[:len(l.ends)-1]
		f()
	}
}

// step runs f and looks for rejections that f left unhandled.
func (l *Loop) step(f func() error) error {
	err := f()
	rejected := l.rejections
	l.rejections = nil
	if err == nil && len(rejected) > 0 {
		return &Rejection{Value: rejected[0].Result()}
	}
	return err
}

// next returns what to run now, or how long to wait for it (negative: until
// woken). ok is false when nothing is left to do.
func (l *Loop) next() (f func() error, wait time.Duration, ok bool) {
	l.mu.Lock()
	if len(l.queue) > 0 {
		f = l.queue[0]
		l.queue[0] = nil
		l.queue = l.queue[1:]
		l.mu.Unlock()
		return f, 0, true
	}
	pending := l.pending
	l.mu.Unlock()
	if len(l.timers) > 0 {
		if d := time.Until(l.timers[0].due); d > 0 {
			return nil, d, true
		}
		return l.fire, 0, true
	}
	return nil, -1, pending > 0
}

func (l *Loop) sleep(ctx context.Context, d time.Duration) error {
	var due <-chan time.Time
	if d >= 0 {
		t := time.NewTimer(d)
		defer t.Stop()
		due = t.C
	}
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-l.wake:
	case <-due:
	}
	return nil
}

// Reset drops timers and callbacks after an interruption, those that other
// goroutines have yet to deliver included.
func (l *Loop) Reset() {
	l.mu.Lock()
	l.queue = nil
	l.pending = 0
	l.run++
	l.mu.Unlock()
	for len(l.timers) > 0 {
		t := l.timers.pop()
		delete(l.timerByID, t.id)
		if l.onStopped != nil {
			l.onStopped(t.kind(), t.id)
		}
	}
	l.rejections = nil
}

func (l *Loop) trackRejection(p *goja.Promise, op goja.PromiseRejectionOperation) {
	if op == goja.PromiseRejectionReject {
		l.rejections = append(l.rejections, p)
		return
	}
	for i, q := range l.rejections {
		if q == p {
			l.rejections = append(l.rejections[:i], l.rejections[i+1:]...)
			return
		}
	}
}

// Settled tells the outcome of a value that an exported function returned: a
// promise is taken apart, anything else is the result itself.
func Settled(v goja.Value) (goja.Value, error) {
	if v == nil {
		return goja.Undefined(), nil
	}
	p, ok := v.Export().(*goja.Promise)
	if !ok {
		return v, nil
	}
	switch p.State() {
	case goja.PromiseStateRejected:
		return nil, &Rejection{Value: p.Result()}
	case goja.PromiseStateFulfilled:
		return p.Result(), nil
	default:
		return nil, ErrPending
	}
}

// ErrPending says that a promise can never settle: nothing is left that could
// settle it.
var ErrPending = errors.New("the promise never settles: nothing is left to run that could resolve it")

func (t *timer) kind() string {
	if t.every {
		return "setInterval"
	}
	return "setTimeout"
}
