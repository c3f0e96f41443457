// Hot path: a step allocates nothing and takes no lock but that of the context.

package executor

import (
	"time"

	"github.com/jsload/jsload/vu"
)

// loop returns the event loop that is to run a VU's iterations, or nil.
func (a *activation) loop() vu.Loop {
	if u, ok := a.Unit.(vu.Looped); ok {
		return u.Loop()
	}
	return nil
}

// rest is what keeps an iteration from being shorter than the scenario allows, for a
// VU on a loop.
type rest struct {
	began, until int64
}

// after notes the end of an iteration.
func (r *rest) after(least time.Duration) {
	if least > 0 {
		r.until = r.began + int64(least)
	}
}

// seat is a member of a crew whose VU is on an event loop: crew.loop, one step at a
// time.
type seat struct {
	*crew
	*member
	active *activation
	loop   vu.Loop
	rest   rest
	fresh  bool // may go on after another activation
	parked bool // the test is paused
	spent  bool // the last iteration was the end of the activation
}

var _ vu.Steps = (*seat)(nil)

// Next is called by the loop.
func (s *seat) Next(now int64) (it vu.Iteration, at int64, more bool) {
	switch {
	case s.active.ctx.Err() != nil:
		s.fresh = true
		return it, 0, false
	case s.spent:
		return it, 0, false
	case s.rest.until > now:
		return it, s.rest.until, true
	case !s.member.wanted.Load():
		s.fresh = true
		return it, 0, false
	case s.Timeline.Paused():
		s.parked = true
		return it, 0, false
	case s.Timeline.at(now)-s.StartTime >= s.end:
		return it, 0, false
	}
	if it, more = s.next(s.member); more {
		s.rest.began = now
	}
	return it, 0, more
}

// Ended is called by the loop.
func (s *seat) Ended(err error) {
	s.spent = !s.count(s.active, err)
	s.rest.after(s.MinIteration)
}

// Left is called by the loop, which does not wait for what a pause or giving back takes.
func (s *seat) Left() {
	go func() {
		defer s.wg.Done()
		defer s.guard()
		s.ashore()
	}()
}

// ashore goes on after the loop: when the pause is over with the same activation, or
// else as drive does.
func (s *seat) ashore() {
	if s.parked {
		s.parked = false
		_ = s.Timeline.Wait(s.active.ctx, 0)
		s.wg.Add(1)
		s.loop.Run(s.active.Unit, s)
		return
	}
	s.release(s.active)
	if s.again(s.member, s.fresh) {
		s.drive(s.member)
	}
}
