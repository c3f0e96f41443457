package options

import (
	"encoding/json"
	"time"
)

// Names of executors.
const (
	SharedIterations     = "shared-iterations"
	PerVUIterations      = "per-vu-iterations"
	ConstantVUs          = "constant-vus"
	RampingVUs           = "ramping-vus"
	ConstantArrivalRate  = "constant-arrival-rate"
	RampingArrivalRate   = "ramping-arrival-rate"
	ExternallyControlled = "externally-controlled"
)

// Executors returns the names of all executors.
func Executors() []string {
	return []string{
		SharedIterations, PerVUIterations, ConstantVUs, RampingVUs,
		ConstantArrivalRate, RampingArrivalRate, ExternallyControlled,
	}
}

// DefaultScenario is the name of the scenario that the shortcuts stand for, and
// of the function that a scenario calls unless it says otherwise.
const DefaultScenario = "default"

// Scenario is one scenario as the user wrote it: what is unset prints as null.
// WithDefaults fills it in for those who run it.
type Scenario struct {
	Name     string
	Executor string

	StartTime    Null[Duration]          // default 0
	GracefulStop Null[Duration]          // default 30 s; externally-controlled 0
	Env          Null[map[string]string] // laid over the script's environment
	Exec         Null[string]            // default "default"
	Tags         Null[map[string]string] // laid over the run's tags
	// Options are the scenario's own options as JSON, nil if unset; Browser is
	// options.browser.type, empty if unset.
	Options json.RawMessage
	Browser string

	// Users and iterations. Defaults: 1, 1, 10 minutes. Duration 0 of
	// externally-controlled means until it is stopped.
	VUs         Null[int64]
	Iterations  Null[int64]
	Duration    Null[Duration]
	MaxDuration Null[Duration]

	// Ramps of users. Defaults: 1, none, 30 s.
	StartVUs         Null[int64]
	Stages           Null[[]Stage]
	GracefulRampDown Null[Duration]

	// Arrival rates, in iterations per TimeUnit. Defaults: 0, 0, 1 s; MaxVUs is
	// PreAllocatedVUs, or VUs if externally controlled.
	Rate            Null[int64]
	StartRate       Null[int64]
	TimeUnit        Null[Duration]
	PreAllocatedVUs Null[int64]
	MaxVUs          Null[int64]
}

// Stage is one stage of a ramp: Target users, or iterations per TimeUnit, are
// reached after Duration.
type Stage struct {
	Duration Duration
	Target   int64
}

// MarshalJSON gives the stage as the script writes it.
func (s Stage) MarshalJSON() ([]byte, error) {
	return encode(struct {
		Duration Duration `json:"duration"`
		Target   int64    `json:"target"`
	}{s.Duration, s.Target})
}

// WithDefaults returns the scenario with every field that its executor reads
// set.
func (s Scenario) WithDefaults() Scenario {
	graceful := 30 * time.Second
	if s.Executor == ExternallyControlled {
		graceful = 0
	}
	fill(&s.StartTime, 0)
	fill(&s.GracefulStop, Duration(graceful))
	fill(&s.Exec, DefaultScenario)
	switch s.Executor {
	case SharedIterations, PerVUIterations:
		fill(&s.VUs, 1)
		fill(&s.Iterations, 1)
		fill(&s.MaxDuration, Duration(10*time.Minute))
	case ConstantVUs:
		fill(&s.VUs, 1)
	case RampingVUs:
		fill(&s.StartVUs, 1)
		fill(&s.GracefulRampDown, Duration(30*time.Second))
	case ConstantArrivalRate, RampingArrivalRate:
		fill(&s.StartRate, 0)
		fill(&s.TimeUnit, Duration(time.Second))
		fill(&s.MaxVUs, s.PreAllocatedVUs.V)
	case ExternallyControlled:
		fill(&s.VUs, 1)
		fill(&s.MaxVUs, s.VUs.V)
		fill(&s.Duration, 0)
	}
	return s
}

// fill sets an unset option.
func fill[T any](n *Null[T], v T) {
	if !n.Set {
		*n = Some(v)
	}
}

// RegularDuration returns how long the scenario starts iterations, counted from
// its start time, without its graceful stop. For externally-controlled without
// a duration it is 0 and endless is true.
func (s Scenario) RegularDuration() (d time.Duration, endless bool) {
	s = s.WithDefaults()
	switch s.Executor {
	case SharedIterations, PerVUIterations:
		return s.MaxDuration.V.Std(), false
	case RampingVUs, RampingArrivalRate:
		for _, stage := range s.Stages.V {
			d = addDurations(d, stage.Duration.Std())
		}
		return d, false
	case ExternallyControlled:
		return s.Duration.V.Std(), s.Duration.V == 0
	default:
		return s.Duration.V.Std(), false
	}
}

// addDurations adds without overflow.
func addDurations(a, b time.Duration) time.Duration {
	if sum := a + b; sum >= a || b < 0 {
		return sum
	}
	return 1<<63 - 1
}
