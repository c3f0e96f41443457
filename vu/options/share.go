package options

import "github.com/jsload/jsload/vu/segment"

// Share is what one instance does of a scenario.
type Share struct {
	// Scenario has its defaults set, and VUs, PreAllocatedVUs, MaxVUs and the
	// shared Iterations scaled to this instance. Stages and rates are those of
	// the whole scenario.
	Scenario Scenario
	// VUs numbers the scenario's users: of user j here it gives the number in
	// the whole test.
	VUs segment.Striper
	// Iterations numbers its iterations. They are dealt out as the users are,
	// not by the length of the segment; it is Empty where no user is.
	Iterations segment.Striper
}

// Share returns an instance's share of the scenario.
func (s Scenario) Share(whole segment.Striper) Share {
	s = s.WithDefaults()
	share := Share{VUs: whole, Iterations: whole.Split(s.users())}
	if s.Executor == SharedIterations {
		s.Iterations.V = share.Iterations.Scale(s.Iterations.V)
	}
	for _, n := range []*Null[int64]{&s.VUs, &s.PreAllocatedVUs, &s.MaxVUs} {
		n.V = whole.Scale(n.V)
	}
	share.Scenario = s
	return share
}

// users returns the most users that a scenario with defaults has at once.
func (s *Scenario) users() int64 {
	switch s.Executor {
	case RampingVUs:
		highest := s.StartVUs.V
		for _, stage := range s.Stages.V {
			highest = max(highest, stage.Target)
		}
		return highest
	case ConstantArrivalRate, RampingArrivalRate, ExternallyControlled:
		return s.MaxVUs.V
	default:
		return s.VUs.V
	}
}

// MaxVUs returns the most users the share has at once.
func (s Share) MaxVUs() int64 {
	if s.Scenario.Executor == RampingVUs {
		return s.VUs.Scale(s.Scenario.users())
	}
	return s.Scenario.users()
}

// Planned returns how many of them are made before the test.
func (s Share) Planned() int64 {
	switch s.Scenario.Executor {
	case ConstantArrivalRate, RampingArrivalRate:
		return s.Scenario.PreAllocatedVUs.V
	default:
		return s.MaxVUs()
	}
}

// Empty reports whether this instance does nothing of the scenario.
func (s Share) Empty() bool { return s.MaxVUs() == 0 }
