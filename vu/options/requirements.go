package options

import (
	"cmp"
	"iter"
	"math/bits"
	"slices"
	"time"

	"github.com/jsload/jsload/vu/segment"
)

// Requirements are what a test needs of an instance.
type Requirements struct {
	// PlannedVUs are made before the start: the most over time of what all
	// scenarios need at once, since scenarios that do not overlap share users.
	PlannedVUs int64
	// MaxVUs is the most there can be, with those that arrival rates add.
	MaxVUs int64
	// TotalDuration is the longest the scenarios can take, graceful stops
	// included. It says nothing if Endless is true.
	TotalDuration time.Duration
	Endless       bool
}

// Requirements returns what the merged test needs.
func (m *Merged) Requirements() Requirements {
	return RequirementsOf(m.Options.Scenarios.V, m.Share)
}

// RequirementsOf returns what scenarios that have been checked need of one
// instance.
func RequirementsOf(scenarios []Scenario, whole segment.Striper) Requirements {
	var r Requirements
	var spans []span
	for _, s := range scenarios {
		share := s.Share(whole)
		span := share.span()
		if !share.Empty() {
			spans = append(spans, span)
		}
		r.Endless = r.Endless || span.endless
		r.TotalDuration = max(r.TotalDuration, span.end)
	}
	r.PlannedVUs, r.MaxVUs = highest(spans)
	return r
}

// span is the time a scenario takes, graceful stop included.
type span struct {
	share      Share
	start, end time.Duration
	endless    bool
}

func (s Share) span() span {
	regular, endless := s.Scenario.RegularDuration()
	start := s.Scenario.StartTime.V.Std()
	end := addDurations(addDurations(start, regular), s.Scenario.GracefulStop.V.Std())
	return span{s, start, end, endless}
}

// change is the change of a need at an instant.
type change struct {
	at           time.Duration
	planned, max int64
}

// highest adds up the needs of all spans over time and returns the peaks.
func highest(spans []span) (planned, most int64) {
	var changes []change
	for _, s := range spans {
		changes = slices.AppendSeq(changes, s.changes())
	}
	slices.SortStableFunc(changes, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	var nowPlanned, nowMost int64
	for i, c := range changes {
		nowPlanned += c.planned
		nowMost += c.max
		// Changes at one instant count together: what one scenario frees there
		// another may take.
		if i+1 == len(changes) || changes[i+1].at > c.at {
			planned, most = max(planned, nowPlanned), max(most, nowMost)
		}
	}
	return planned, most
}

// maxRampChanges bounds the work of planning one ramp. A ramp of more users is
// planned as if it held its peak all the time.
const maxRampChanges = 1_000_000

// changes yields how a scenario's need changes over time.
func (s span) changes() iter.Seq[change] {
	if s.share.Scenario.Executor == RampingVUs && s.rampChanges() <= maxRampChanges {
		return s.ramp
	}
	return func(yield func(change) bool) {
		planned, most := s.share.Planned(), s.share.MaxVUs()
		_ = yield(change{s.start, planned, most}) && (s.endless || yield(change{s.end, -planned, -most}))
	}
}

// rampChanges counts the changes of a ramp.
func (s span) rampChanges() (n int64) {
	at := s.share.VUs.Scale(s.share.Scenario.StartVUs.V)
	for _, stage := range s.share.Scenario.Stages.V {
		to := s.share.VUs.Scale(stage.Target)
		n += max(to-at, at-to)
		at = to
	}
	return n
}

// ramp yields the changes of a ramp. A user that is told to stop stays needed
// for gracefulRampDown, but not after the scenario's end; if the ramp rises
// again before that, the one that was stopped last is used again.
func (s span) ramp(yield func(change) bool) {
	var leaving []time.Duration // when users that were told to stop are free
	var count, needed int64
	emit := func(at time.Duration, n int64) bool {
		needed += n
		return yield(change{at, n, n})
	}
	free := func(until time.Duration) bool {
		for len(leaving) > 0 && leaving[0] <= until {
			if !emit(leaving[0], -1) {
				return false
			}
			leaving = leaving[1:]
		}
		return true
	}
	for at, to := range s.rampCounts() {
		if !free(at) {
			return
		}
		for ; count > to; count-- {
			leaving = append(leaving, addDurations(at, s.share.Scenario.GracefulRampDown.V.Std()))
		}
		again := max(0, min(to-count, int64(len(leaving))))
		leaving = leaving[:int64(len(leaving))-again]
		// A user that comes as the scenario ends counts the instant before.
		if fresh := to - count - again; fresh > 0 && !emit(max(s.start, min(at, s.end-1)), fresh) {
			return
		}
		count = to
	}
	if free(s.end) && needed > 0 {
		yield(change{s.end, -needed, -needed})
	}
}

// rampCounts yields this instance's count as it changes; of several changes at
// one instant the last.
func (s span) rampCounts() iter.Seq2[time.Duration, int64] {
	return func(yield func(time.Duration, int64) bool) {
		at, count := s.start, s.share.VUs.Scale(s.share.Scenario.StartVUs.V)
		for next, up := range s.rampSteps() {
			if next > at && !yield(at, count) {
				return
			}
			at = next
			if up {
				count++
			} else {
				count--
			}
		}
		yield(at, count)
	}
}

// rampSteps yields when this instance's count moves by one, and whether up. In
// a stage the count of the whole test moves one at a time, the k-th of n at k/n
// of its duration.
func (s span) rampSteps() iter.Seq2[time.Duration, bool] {
	return func(yield func(time.Duration, bool) bool) {
		own, from, begin := s.share.VUs, s.share.Scenario.StartVUs.V, s.start
		for _, stage := range s.share.Scenario.Stages.V {
			to, length := stage.Target, stage.Duration.Std()
			for i := own.Scale(from); i < own.Scale(to); i++ {
				if !yield(addDurations(begin, part(length, own.At(i)+1-from, to-from)), true) {
					return
				}
			}
			for i := own.Scale(from) - 1; i >= own.Scale(to); i-- {
				if !yield(addDurations(begin, part(length, from-own.At(i), from-to)), false) {
					return
				}
			}
			from, begin = to, addDurations(begin, length)
		}
	}
}

// part returns d*k/n for 0 <= k <= n, cut to whole nanoseconds.
func part(d time.Duration, k, n int64) time.Duration {
	high, low := bits.Mul64(uint64(d), uint64(k))
	quotient, _ := bits.Div64(high, low, uint64(n))
	return time.Duration(quotient)
}

// InspectJSON gives the merged options with the requirements, as inspect
// --execution-requirements prints them.
func (m *Merged) InspectJSON() ([]byte, error) {
	r := m.Requirements()
	o := m.Options.members(showInspect)
	o.add("totalDuration", Null[Duration]{V: Duration(r.TotalDuration), Set: !r.Endless})
	o.add("maxVUs", r.MaxVUs)
	return o.MarshalJSON()
}
