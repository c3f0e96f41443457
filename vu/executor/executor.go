// Package executor decides when iterations start and on how many units: one
// file for each executor name.
//
// Each executor is a schedule, a pure function from the scenario's options to
// instants and counts, and a small runner that follows it. Instants are offsets
// from the scenario's start, computed from the iteration's number alone, so that
// nothing drifts.
//
// vu/engine calls it, once per scenario; it calls vu.Unit. It knows nothing of
// scripts, metrics or the process.
package executor

import (
	"context"
	"fmt"

	"github.com/jsload/jsload/vu"
	"github.com/jsload/jsload/vu/options"
)

// Executor runs one scenario.
type Executor interface {
	// Run waits for the scenario's start time, runs its iterations and returns
	// when every VU it held has been given back or abandoned. When ctx ends,
	// all iterations are interrupted at once. It is called once.
	Run(ctx context.Context)
	// Progress tells how far the scenario is. It is safe for concurrent use.
	Progress() Progress
	// Counts is the part of Progress that is cheap. It is safe for concurrent use.
	Counts() Counts
}

// Scaler is an executor whose VUs can be changed while it runs. Both methods
// are safe for concurrent use.
type Scaler interface {
	// VUs returns how many VUs are to loop and how many there may be, on this
	// machine.
	VUs() (n, limit int64)
	// Scale changes both; a negative limit leaves it as it is. It fails if the
	// scenario does not run.
	Scale(n, limit int64) error
}

// New returns the executor of a valid scenario. It sets c.Scenario, StartTime
// and GracefulStop from it.
func New(c Config, s options.Scenario) (Executor, error) {
	s = s.WithDefaults()
	c.Scenario = vu.Scenario{Name: s.Name, Executor: s.Executor, Exec: s.Exec.V, Env: s.Env.V, Tags: s.Tags.V}
	c.StartTime, c.GracefulStop = s.StartTime.V.Std(), s.GracefulStop.V.Std()
	switch s.Executor {
	case options.SharedIterations:
		return newSharedIterations(c, s.VUs.V, s.Iterations.V, s.MaxDuration.V.Std()), nil
	case options.PerVUIterations:
		return newPerVUIterations(c, s.VUs.V, s.Iterations.V, s.MaxDuration.V.Std()), nil
	case options.ConstantVUs:
		return newConstantVUs(c, s.VUs.V, s.Duration.V.Std()), nil
	case options.RampingVUs:
		return newRampingVUs(c, rampOf(s), s.GracefulRampDown.V.Std()), nil
	case options.ConstantArrivalRate, options.RampingArrivalRate:
		return newArrivals(c, arrivalsOf(s), s.PreAllocatedVUs.V, s.MaxVUs.V), nil
	case options.ExternallyControlled:
		return newExternallyControlled(c, s.VUs.V, s.MaxVUs.V, s.Duration.V.Std()), nil
	}
	return nil, fmt.Errorf("unknown executor type '%s'", s.Executor)
}

// rampOf returns the schedule of a ramping-vus scenario with defaults.
func rampOf(s options.Scenario) vuRamp {
	return vuRamp{start: s.StartVUs.V, stages: stagesOf(s)}
}

// arrivalsOf returns the schedule of an arrival-rate scenario with defaults.
func arrivalsOf(s options.Scenario) Arrivals {
	if s.Executor == options.RampingArrivalRate {
		return newRampingArrivals(s.StartRate.V, s.TimeUnit.V.Std(), stagesOf(s))
	}
	// Without gracefulStop an arrival at the very end would only be interrupted.
	return newConstantArrivals(s.Rate.V, s.TimeUnit.V.Std(), s.Duration.V.Std(), s.GracefulStop.V == 0)
}

func stagesOf(s options.Scenario) []stage {
	stages := make([]stage, len(s.Stages.V))
	for i, st := range s.Stages.V {
		stages[i] = stage{duration: st.Duration.Std(), target: st.Target}
	}
	return stages
}
