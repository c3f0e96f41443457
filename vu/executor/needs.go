package executor

import (
	"slices"
	"time"

	"github.com/jsload/jsload/vu/options"
	"github.com/jsload/jsload/vu/segment"
)

// Needs are what a test needs on this machine.
type Needs struct {
	// Planned is how many VUs are made before the start: the most that the
	// scenarios plan with at any one time.
	Planned int64
	// Most is the same with all the VUs that arrival-rate scenarios may add.
	Most int64
	// Length is how long the test takes at most, from the start of the
	// scenarios, gracefulStop included. Endless means it is stopped from
	// outside; Length then says nothing of those scenarios.
	Length  time.Duration
	Endless bool
}

// beyond this many VUs NeedsOf does not look at the times: no machine has them.
const beyond = 50_000_000

// NeedsOf returns what valid scenarios need together. VUs are shared between
// scenarios that do not overlap in time.
func NeedsOf(scenarios []options.Scenario, share segment.Striper) Needs {
	var n Needs
	all := make([]need, len(scenarios))
	for i, s := range scenarios {
		all[i] = needOf(s.WithDefaults(), share)
		n.Length = max(n.Length, all[i].to)
		n.Endless = n.Endless || all[i].to >= endless
	}
	if n.Endless {
		n.Length = 0
		for _, one := range all {
			if one.to < endless {
				n.Length = max(n.Length, one.to)
			}
		}
	}
	for _, one := range all {
		n.Planned += one.planned
		n.Most += one.most
	}
	if len(all) == 1 || n.Planned > beyond {
		return n
	}
	n.Planned = together(all, func(s need) int64 { return s.planned })
	n.Most = together(all, func(s need) int64 { return s.most })
	return n
}

// need is what one scenario needs from one instant to another.
type need struct {
	from, to      time.Duration
	planned, most int64
	// ramp is set if the number changes in between; planned and most are then
	// its peak.
	ramp     *vuRamp
	rampDown time.Duration
	share    segment.Striper
}

// needOf takes a scenario with defaults.
func needOf(s options.Scenario, share segment.Striper) need {
	length, forever := s.RegularDuration()
	n := need{from: s.StartTime.V.Std(), share: share}
	n.to = n.from + length + s.GracefulStop.V.Std()
	if forever {
		n.to = endless
	}
	switch s.Executor {
	case options.RampingVUs:
		ramp := rampOf(s)
		n.ramp, n.rampDown = &ramp, s.GracefulRampDown.V.Std()
		n.planned = share.Scale(ramp.Max())
	case options.ConstantArrivalRate, options.RampingArrivalRate:
		n.planned = share.Scale(s.PreAllocatedVUs.V)
		n.most = share.Scale(max(s.MaxVUs.V, s.PreAllocatedVUs.V))
		return n
	case options.ExternallyControlled:
		n.planned = share.Scale(max(s.VUs.V, s.MaxVUs.V))
	default:
		n.planned = share.Scale(s.VUs.V)
	}
	n.most = n.planned
	return n
}

// change is how much more one scenario needs from an instant on.
type change struct {
	at   time.Duration
	more int64
}

// together returns the most that scenarios need at one time.
func together(all []need, of func(need) int64) int64 {
	var changes []change
	for _, n := range all {
		if n.ramp != nil {
			changes = n.rampChanges(changes)
			continue
		}
		changes = append(changes, change{n.from, of(n)}, change{n.to, -of(n)})
	}
	// Those who give back do so before others take.
	slices.SortFunc(changes, func(a, b change) int {
		if a.at != b.at {
			return int(min(max(a.at-b.at, -1), 1))
		}
		return int(min(max(a.more-b.more, -1), 1))
	})
	var now, most int64
	for _, c := range changes {
		now += c.more
		most = max(most, now)
	}
	return most
}

// rampChanges appends the changes of a ramp. A VU that was told to stop is still
// needed for gracefulRampDown, unless the scenario ends before. As the highest
// stop first, the VUs needed are always those below some number, held.
func (n need) rampChanges(changes []change) []change {
	type stopping struct {
		until time.Duration
		vu    int64
	}
	var queue []stopping // by time, and so by falling number
	var wanted, held int64
	hold := func(at time.Duration, count int64) {
		if at = min(n.from+at, n.to); count != held {
			changes = append(changes, change{at, count - held})
			held = count
		}
	}
	for step := range n.ramp.Steps(n.share) {
		for len(queue) > 0 && queue[0].until <= step.At {
			hold(queue[0].until, queue[0].vu)
			queue = queue[1:]
		}
		for len(queue) > 0 && queue[len(queue)-1].vu < step.VUs {
			queue = queue[:len(queue)-1] // wanted again before it was given back
		}
		for vu := wanted - 1; vu >= step.VUs; vu-- {
			queue = append(queue, stopping{step.At + n.rampDown, vu})
		}
		wanted = step.VUs
		hold(step.At, max(held, wanted))
	}
	for _, s := range queue {
		hold(s.until, s.vu)
	}
	if held > 0 {
		changes = append(changes, change{n.to, -held})
	}
	return changes
}
