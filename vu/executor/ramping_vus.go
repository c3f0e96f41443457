package executor

import (
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
	stages []Stage
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
		for _, stage := range r.stages {
			if !stageSteps(s, at, from, stage, yield) {
				return
			}
			from, at = stage.Target, at+stage.Duration
		}
	}
}

// stageSteps yields the changes of one stage. This machine's VU i is VU
// s.At(i) of the test: it comes when the count over all machines rises above
// that index and goes when the count falls to it.
func stageSteps(s segment.Striper, at time.Duration, from int64, stage Stage, yield func(Step) bool) bool {
	to := stage.Target
	if to > from {
		for i := s.Scale(from); i < s.Scale(to); i++ {
			k := s.At(i) + 1 - from
			if !yield(Step{At: at + fraction(stage.Duration, k, to-from), VUs: i + 1}) {
				return false
			}
		}
		return true
	}
	for i := s.Scale(from) - 1; i >= s.Scale(to); i-- {
		k := from - s.At(i)
		if !yield(Step{At: at + fraction(stage.Duration, k, from-to), VUs: i}) {
			return false
		}
	}
	return true
}

// End returns when the last stage ends.
func (r vuRamp) End() time.Duration {
	var end time.Duration
	for _, s := range r.stages {
		end += s.Duration
	}
	return end
}

// Max returns the highest count over all machines.
func (r vuRamp) Max() int64 {
	n := r.start
	for _, s := range r.stages {
		n = max(n, s.Target)
	}
	return n
}

// fraction returns d*k/n cut to whole nanoseconds, with 0 <= k <= n and n > 0.
func fraction(d time.Duration, k, n int64) time.Duration {
	hi, lo := bits.Mul64(uint64(d), uint64(k))
	q, _ := bits.Div64(hi, lo, uint64(n))
	return time.Duration(q)
}
