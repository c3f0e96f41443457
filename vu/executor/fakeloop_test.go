package executor

import (
	"runtime/debug"
	"testing"
	"time"

	"github.com/jsload/jsload/vu"
)

// fakeLoop is an event loop in fake time. As a real one does, it calls the executor's
// steps on one goroutine; the iterations of fake units block, and so have goroutines of
// their own.
type fakeLoop struct {
	t      *testing.T
	now    func() int64
	events chan func()
	over   chan struct{}
}

// newFakeLoop starts a loop that ends with the test.
func newFakeLoop(t *testing.T, timeline *Timeline) *fakeLoop {
	l := &fakeLoop{t: t, now: timeline.now, events: make(chan func()), over: make(chan struct{})}
	go func() {
		for {
			select {
			case f := <-l.events:
				f()
			case <-l.over:
				return
			}
		}
	}()
	t.Cleanup(func() { close(l.over) })
	return l
}

func (l *fakeLoop) post(f func()) {
	select {
	case l.events <- f:
	case <-l.over:
	}
}

// place is a unit on the loop.
type place struct {
	*fakeLoop
	unit  *fakeUnit
	steps vu.Steps
	left  bool
}

func (l *fakeLoop) Run(u vu.Unit, s vu.Steps) {
	p := &place{fakeLoop: l, unit: u.(*fakeUnit), steps: s}
	l.post(p.step)
}

// step does what the executor says.
func (p *place) step() {
	if p.left {
		p.t.Error("a unit goes on that has left")
	}
	now := p.now()
	switch it, at, more := p.steps.Next(now); {
	case !more:
		p.left = true
		p.steps.Left()
	case at > now:
		ctx := p.unit.ctx
		go func() {
			pause(ctx, time.Duration(at-now))
			p.post(p.step)
		}()
	default:
		go func() {
			err := p.iterate(it)
			p.post(func() {
				p.steps.Ended(err)
				p.step()
			})
		}()
	}
}

// iterate turns a panic into an error.
func (p *place) iterate(it vu.Iteration) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = &vu.Fault{Value: fault, Stack: debug.Stack()}
			p.unit.inUse.Store(false)
		}
	}()
	return p.unit.Iterate(it)
}
