package executor

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jsload/jsload/vu"
)

// crew is a number of VUs that loop, each starting its next iteration as soon
// as the last has ended. The number may change while they do: the members with
// the highest numbers stop first.
type crew struct {
	*run
	// next returns the iteration that a member is to start, or false if there
	// is none left for it.
	next func(*member) (vu.Iteration, bool)
	// take lends a VU to member i.
	take func(ctx context.Context, i int64) (*VU, error)

	mu      sync.Mutex
	members []*member
	wanted  int64
	sealed  bool // no more changes: the end has come
}

// member is one place in a crew. A VU holds it while it loops.
type member struct {
	number int64
	done   int64 // iterations started, for per-vu-iterations
	wanted atomic.Bool

	// Under the crew's mutex:
	driven bool        // a goroutine drives it
	stops  int         // how often it was told to stop
	active *activation // nil between activations
}

// newCrew returns a crew whose scenario lasts for length. Without next its
// members loop until then. It takes VUs that are planned.
func newCrew(c Config, length time.Duration, next func(*member) (vu.Iteration, bool)) crew {
	r := newRun(c, length)
	if next == nil {
		next = func(*member) (vu.Iteration, bool) { return r.number(), true }
	}
	return crew{run: r, next: next, take: func(ctx context.Context, _ int64) (*VU, error) { return r.Pool.Take(ctx) }}
}

// live runs the scenario: it waits for the start, lets steer set the number of
// VUs, and returns when the last of them has been given back.
func (c *crew) live(ctx context.Context, fraction func() float64, steer func()) {
	if c.begin(ctx, fraction) {
		steer()
	}
	c.mu.Lock()
	c.sealed = true
	c.mu.Unlock()
	c.finish(ctx)
}

// fraction returns how much of the regular length has passed.
func (c *crew) fraction() float64 { return c.passed() }

// looping returns how many VUs are to loop.
func (c *crew) looping() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.wanted
}

// takeOrGrow returns a source of VUs: members below planned get planned ones,
// the others those that are made while the test runs.
func (c *crew) takeOrGrow(planned int64) func(context.Context, int64) (*VU, error) {
	return func(ctx context.Context, i int64) (*VU, error) {
		if i < planned {
			return c.Pool.Take(ctx)
		}
		v, err := c.Pool.Grow(ctx)
		if err != nil && ctx.Err() == nil {
			c.Abort(asAbort(err))
		}
		return v, err
	}
}

// errNotRunning is the answer to control before the start and after the end.
var errNotRunning = errors.New("the scenario is not running")

// scaleTo is set for callers outside the scenario.
func (c *crew) scaleTo(n int64) error {
	if n < 0 {
		return fmt.Errorf("the number of VUs (%d) can't be negative", n)
	}
	select {
	case <-c.started:
	default:
		return errNotRunning
	}
	if !c.set(n) {
		return errNotRunning
	}
	return nil
}

// set changes the number of VUs that are to loop. It returns false if the
// scenario is past its end.
func (c *crew) set(n int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sealed || c.hard.Err() != nil {
		return false
	}
	for i := c.wanted - 1; i >= n; i-- {
		m := c.members[i]
		m.wanted.Store(false)
		m.stops++
	}
	for i := c.wanted; i < n; i++ {
		if i == int64(len(c.members)) {
			c.members = append(c.members, &member{number: i})
		}
		m := c.members[i]
		m.wanted.Store(true)
		if !m.driven {
			m.driven = true
			c.wg.Go(func() { c.drive(m) })
		}
	}
	c.wanted = n
	return true
}

// cut interrupts member i if it still lives from before the stop with that
// number.
func (c *crew) cut(i int64, stop int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := c.members[i]
	if !m.wanted.Load() && m.stops == stop && m.active != nil {
		m.active.cancel(errOver)
	}
}

// stop returns the number of member i's latest stop, for cut.
func (c *crew) stop(i int64) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.members[i].stops
}

// drive gives m a VU for as long as it is wanted. A member that is wanted again
// after its activation was cut gets a fresh one.
func (c *crew) drive(m *member) {
	defer c.guard()
	for {
		more, away := c.turn(m)
		if away || !c.again(m, more) {
			return
		}
	}
}

// again decides whether a member whose activation has ended gets another.
func (c *crew) again(m *member, more bool) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	m.active = nil
	m.driven = more && m.wanted.Load() && !c.over() && c.hard.Err() == nil
	return m.driven
}

// turn is one activation. It reports whether m may have another, or that m is away on
// an event loop, which goes on where drive ends.
func (c *crew) turn(m *member) (more, away bool) {
	v, err := c.take(c.hard, m.number)
	if err != nil {
		return false, false
	}
	a := c.activate(v)
	if a == nil {
		return false, false
	}
	c.mu.Lock()
	m.active = a
	c.mu.Unlock()
	if l := a.loop(); l != nil {
		c.wg.Add(1)
		l.Run(a.Unit, &seat{crew: c, member: m, active: a, loop: l})
		return false, true
	}
	defer c.release(a)
	return c.loop(m, a), false
}

// loop runs iterations until m is not wanted or there is nothing left to do. It
// reports whether m may go on after another activation.
func (c *crew) loop(m *member, a *activation) bool {
	for m.wanted.Load() {
		if c.Timeline.Paused() && c.Timeline.Wait(a.ctx, 0) != nil {
			return true
		}
		if c.over() {
			return false
		}
		it, ok := c.next(m)
		if !ok {
			return false
		}
		if !c.iterate(a, it) {
			return a.ctx.Err() != nil
		}
	}
	return true
}
