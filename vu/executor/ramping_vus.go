package executor

import (
	"context"
	"fmt"
	"iter"
	"math/bits"
	"time"

	"github.com/jsload/jsload/vu/segment"
)

// Step is one change of the number of VUs that a scenario wants on this machine.
type Step struct {
	At  time.Duration // offset from the scenario's start
	VUs int64         // wanted from then on
}

// vuRamp is the schedule of ramping-vus over all machines of the test: within a
// stage the count moves one at a time, the k-th of n changes at k/n of the
// stage's duration.
type vuRamp struct {
	start  int64
	stages []stage
}

// Steps yields the changes of this machine's share in the order of time. The
// first step is at 0; of several at one instant only the last is yielded.
func (r vuRamp) Steps(s segment.Striper) iter.Seq[Step] {
	return func(yield func(Step) bool) {
		pending := Step{At: 0, VUs: s.Scale(r.start)}
		for step := range r.all(s) {
			if step.At > pending.At && !yield(pending) {
				return
			}
			pending = step
		}
		yield(pending)
	}
}

// all yields every change, also those at one instant.
func (r vuRamp) all(s segment.Striper) iter.Seq[Step] {
	return func(yield func(Step) bool) {
		from, at := r.start, time.Duration(0)
		for _, st := range r.stages {
			if !stageSteps(s, at, from, st, yield) {
				return
			}
			from, at = st.target, at+st.duration
		}
	}
}

// stageSteps yields the changes of one stage. This machine's VU i is VU
// s.At(i) of the test: it comes when the count over all machines rises above
// that index and goes when the count falls to it.
func stageSteps(s segment.Striper, at time.Duration, from int64, st stage, yield func(Step) bool) bool {
	to := st.target
	if to > from {
		for i := s.Scale(from); i < s.Scale(to); i++ {
			k := s.At(i) + 1 - from
			if !yield(Step{At: at + fraction(st.duration, k, to-from), VUs: i + 1}) {
				return false
			}
		}
		return true
	}
	for i := s.Scale(from) - 1; i >= s.Scale(to); i-- {
		k := from - s.At(i)
		if !yield(Step{At: at + fraction(st.duration, k, from-to), VUs: i}) {
			return false
		}
	}
	return true
}

// End returns when the last stage ends.
func (r vuRamp) End() time.Duration {
	var end time.Duration
	for _, s := range r.stages {
		end += s.duration
	}
	return end
}

// Max returns the highest count over all machines.
func (r vuRamp) Max() int64 {
	n := r.start
	for _, s := range r.stages {
		n = max(n, s.target)
	}
	return n
}

// fraction returns d*k/n cut to whole nanoseconds, with 0 <= k <= n and n > 0.
func fraction(d time.Duration, k, n int64) time.Duration {
	hi, lo := bits.Mul64(uint64(d), uint64(k))
	q, _ := bits.Div64(hi, lo, uint64(n))
	return time.Duration(q)
}

// rampingVUs lets VUs loop whose number follows a ramp.
type rampingVUs struct {
	crew
	ramp     vuRamp
	rampDown time.Duration
	stops    []stop
}

// stop is when a member that was told to stop is interrupted.
type stop struct {
	at     time.Duration
	member int64
	number int
}

func newRampingVUs(c Config, ramp vuRamp, rampDown time.Duration) *rampingVUs {
	x := &rampingVUs{ramp: ramp, rampDown: rampDown}
	x.crew = newCrew(c, ramp.End(), nil)
	return x
}

func (x *rampingVUs) Run(ctx context.Context) {
	x.live(ctx, x.fraction, func() {
		for step := range x.ramp.Steps(x.Share) {
			if x.waitUntil(step.At) != nil {
				return
			}
			x.follow(step)
		}
		if x.waitUntil(x.end) == nil {
			go x.interruptRest()
		}
	})
}

// waitUntil waits for an offset and meanwhile interrupts the members that do
// not stop in time.
func (x *rampingVUs) waitUntil(at time.Duration) error {
	for len(x.stops) > 0 && x.stops[0].at <= at {
		s := x.stops[0]
		if err := x.Timeline.Wait(x.hard, x.StartTime+s.at); err != nil {
			return err
		}
		x.cut(s.member, s.number)
		x.stops = x.stops[1:]
	}
	return x.Timeline.Wait(x.hard, x.StartTime+at)
}

// follow changes the number of VUs. None starts at the very end.
func (x *rampingVUs) follow(step Step) {
	before := x.looping()
	if step.At >= x.end && step.VUs > before {
		return
	}
	x.set(step.VUs)
	for i := before - 1; i >= step.VUs; i-- {
		x.stops = append(x.stops, stop{at: step.At + x.rampDown, member: i, number: x.stop(i)})
	}
}

// interruptRest goes on after the regular end, until gracefulStop is over.
func (x *rampingVUs) interruptRest() {
	if len(x.stops) > 0 {
		_ = x.waitUntil(x.stops[len(x.stops)-1].at)
	}
}

func (x *rampingVUs) Progress() Progress {
	most := x.Share.Scale(x.ramp.Max())
	width := len(fmt.Sprint(most))
	return x.progress(x.fraction(), fmt.Sprintf("%0*d/%d VUs", width, x.looping(), most), "")
}
