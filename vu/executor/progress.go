package executor

import "time"

// State is what a scenario is doing.
type State int

// The states of a scenario.
const (
	Waiting     State = iota // its start time has not come
	Running                  // starts iterations
	Stopping                 // lets running iterations end
	Interrupted              // was cut
	Done                     // ended as planned
)

// Progress is how far a scenario is.
type Progress struct {
	Name  string
	State State
	// Fraction is how much is done, from 0 to 1.
	Fraction float64
	// VUs says how many there are, as "2 VUs" or "0/1 VUs".
	VUs string
	// Elapsed is the time since the scenario's start, at most Length; negative
	// before the start. Length is its regular duration; 0 means without end.
	Elapsed, Length time.Duration
	// Detail is what else there is to tell: "4/4 iters, 2 per VU". It may be empty.
	Detail string
	Counts
}

// Counts are the numbers of a scenario on this machine.
type Counts struct {
	// Complete and Interrupted count iterations.
	Complete, Interrupted int64
	// Missed counts arrivals that were due and found no VU.
	Missed int64
	// Active is the number of VUs that are at work.
	Active int64
}

// Counts returns the numbers so far.
func (r *run) Counts() Counts {
	return Counts{Complete: r.complete.Load(), Interrupted: r.interrupted.Load(), Missed: r.missed.Load(), Active: r.active()}
}

func (r *run) progress(fraction float64, vus, detail string) Progress {
	p := Progress{Name: r.Scenario.Name, State: r.state(), Fraction: fraction, VUs: vus, Detail: detail,
		Elapsed: r.elapsed(), Counts: r.Counts()}
	if r.end < endless {
		p.Length = r.end
		p.Elapsed = min(p.Elapsed, r.end)
	}
	return p
}

func (r *run) state() State {
	select {
	case <-r.closed:
		if r.cut.Load() {
			return Interrupted
		}
		return Done
	default:
	}
	select {
	case <-r.started:
	default:
		return Waiting
	}
	if r.over() || r.hard.Err() != nil {
		return Stopping
	}
	return Running
}

// active returns how many VUs are at work: in an open-loop scenario those that
// run an iteration.
func (r *run) active() int64 {
	if r.open {
		return r.busy.Load()
	}
	return r.held.Load()
}
