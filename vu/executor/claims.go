// Hot path: a step allocates nothing but what the schedule does.

package executor

import (
	"time"

	"github.com/jsload/jsload/vu"
)

// claimant is a VU of an open-loop scenario that waits for its arrivals by itself. The
// arrivals are claimed in the order in which VUs become free, so the VU that has been
// free for longest gets the next one, as when they are handed out. An arrival that is
// due before anybody has claimed it is missed.
type claimant struct {
	*arrivals
	active  *activation
	loop    vu.Loop // nil: a goroutine
	has     bool
	due     time.Duration
	it      vu.Iteration
	rest    rest
	parked  bool
	dropped bool // the last iteration was the end of the activation
}

var _ vu.Steps = (*claimant)(nil)

// board puts an active VU on its loop. It claims its first arrival here and now, since
// by the time the loop asks that may be in the past.
func (a *arrivals) board(act *activation, l vu.Loop) {
	c := &claimant{arrivals: a, active: act, loop: l}
	c.claim(a.Timeline.now())
	a.wg.Add(1)
	c.embark()
}

func (c *claimant) embark() {
	if c.loop != nil {
		c.loop.Run(c.active.Unit, c)
		return
	}
	go c.walk()
}

// walk is a loop for a VU that has none.
func (c *claimant) walk() {
	defer c.Left()
	defer c.guard()
	for {
		now := c.Timeline.now()
		it, at, more := c.Next(now)
		switch {
		case !more:
			return
		case at > now:
			pause(c.active.ctx, time.Duration(at-now))
		default:
			c.Ended(c.active.Unit.Iterate(it))
		}
	}
}

// Next is called by the loop.
func (c *claimant) Next(now int64) (it vu.Iteration, at int64, more bool) {
	switch {
	case c.dropped || c.active.ctx.Err() != nil:
		return it, 0, false
	case c.rest.until > now:
		return it, c.rest.until, true
	case !c.has && !c.claim(now):
		at = c.Timeline.Instant(c.StartTime + c.end)
		return it, at, at > now
	case c.Timeline.Paused():
		c.parked = true
		return it, 0, false
	}
	if at = c.Timeline.Instant(c.StartTime + c.due); at > now {
		return it, at, true // asked again then: a pause may have moved it
	}
	c.has, c.rest.began = false, now
	c.it.Planned = at
	c.busy.Add(1)
	return c.it, 0, true
}

// Ended is called by the loop.
func (c *claimant) Ended(err error) {
	c.busy.Add(-1)
	c.dropped = !c.count(c.active, err)
	c.rest.after(c.MinIteration)
}

// Left is called by the loop, which does not wait for what a pause or giving back takes.
func (c *claimant) Left() {
	go func() {
		defer c.guard()
		if c.parked {
			c.parked = false
			_ = c.Timeline.Wait(c.active.ctx, 0)
			c.embark()
			return
		}
		defer c.wg.Done()
		c.release(c.active)
	}()
}

// claim takes the next arrival that is not past. It returns false if there is none.
func (c *claimant) claim(now int64) bool {
	a := c.arrivals
	a.mu.Lock()
	defer a.mu.Unlock()
	for !a.stopped {
		due, ok := a.nextDue()
		if !ok {
			return false
		}
		a.arrival++
		if a.watching && due < a.Timeline.at(now)-a.StartTime {
			a.miss()
			continue
		}
		c.due, c.has = due, true
		c.it = vu.Iteration{Open: true, InInstance: uint64(a.started), InTest: uint64(a.numbers.At(a.started))}
		a.started++
		return true
	}
	return false
}

// nextDue returns when the next arrival is due that nobody has; mu is held.
func (a *arrivals) nextDue() (time.Duration, bool) {
	if a.numbers.Empty() {
		return 0, false
	}
	return a.schedule.At(a.numbers.At(a.arrival))
}

// watch misses the arrivals that fall due without a claim, and returns at the regular
// end or when the scenario is cut. It wakes only for those that no VU was free for.
func (a *arrivals) watch() {
	pacer := NewPacer(a.Timeline, a.Coarse)
	defer pacer.Close()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.watching = true
	for {
		next := a.arrival
		due, ok := a.nextDue()
		if !ok {
			due = a.end
		}
		a.mu.Unlock()
		err := pacer.Wait(a.hard, a.StartTime+due)
		a.mu.Lock()
		if err != nil || !ok && next == a.arrival {
			return
		}
		if ok && next == a.arrival {
			a.arrival++
			a.miss()
		}
	}
}
