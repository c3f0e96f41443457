// Package vu holds the unit of load: what the engine and its executors see of a
// virtual user, whichever tier runs it.
//
// vu/executor and vu/engine call it; js/internal/script and vu/native implement
// it. It knows nothing of JavaScript, HTTP or metrics.
package vu

import (
	"context"
	"errors"
	"time"
)

// ID names a unit. Both members count from 1.
type ID struct {
	// InInstance is the number of the unit on this machine, in order of initialisation.
	InInstance uint64
	// InTest is its number over all machines of the test; it equals InInstance
	// when the test runs whole on one machine.
	InTest uint64
}

// Factory makes units.
//
// NewUnit runs the script's init code for one virtual user. It is safe for
// concurrent use. An error ends the test; it carries its own exit code.
type Factory interface {
	NewUnit(ctx context.Context, id ID) (Unit, error)
}

// Unit is one virtual user. All methods but Interrupt-by-context are called by
// one goroutine at a time.
type Unit interface {
	// Activate binds the unit to a scenario until the next call. ctx is the
	// context of this activation: once it ends, a running Iterate must return
	// soon with ErrInterrupted. Module state of the unit survives activations.
	Activate(ctx context.Context, s *Scenario) error

	// Iterate runs one iteration of the active scenario's function and returns
	// when all asynchronous work of it has ended.
	//
	// nil means complete: exceptions of the script are logged by the unit and
	// the iteration still counts. ErrInterrupted means cut by the activation's
	// context: it does not count. An *Abort stops the test. The unit itself
	// records iterations, iteration_duration and data counters.
	Iterate(it Iteration) error

	// Close releases connections and all else the unit holds. The unit is not
	// used afterwards.
	Close() error
}

// Locator may be implemented by a Unit. Where tells what the unit is doing right
// now, a position in the script for example; it is asked of a unit that does not
// return from an interrupted iteration, and safe for concurrent use.
type Locator interface {
	Where() string
}

// Lifecycle may be implemented by a Unit that has work of its own to do once: Begin
// after the test's setup and before its first activation, End after its last one
// and before the test's teardown. Both return soon after ctx ends. An error of
// either ends the test; it carries its own exit code.
type Lifecycle interface {
	Begin(ctx context.Context) error
	End(ctx context.Context) error
}

// ErrInterrupted is returned by Unit.Iterate when its activation ended before
// the iteration did.
var ErrInterrupted = errors.New("iteration interrupted")

// Iteration is what an executor tells a unit about one iteration.
type Iteration struct {
	// Planned is when the iteration was due, in nanoseconds since the run's
	// epoch. It is meaningful only if Open is true.
	Planned int64
	// Open is true in arrival-rate scenarios, where a late start is recorded.
	Open bool
	// InInstance and InTest number the scenario's iterations from 0, on this
	// machine and over all machines of the test.
	InInstance, InTest uint64
}

// Scenario is one scenario while it runs, as units and scripts see it. All
// fields are set before the first activation and not changed afterwards.
type Scenario struct {
	Name     string
	Executor string
	// Exec is the name of the exported function that iterations call.
	Exec string
	// Env is laid over the script's environment, Tags over the run's tags.
	Env, Tags map[string]string
	// Start is when the scenario began (after its startTime).
	Start time.Time
	// End is when its iterations are interrupted, gracefulStop included; zero if
	// that is not known. A pause of the test moves it, which is not shown here.
	End time.Time
	// Progress tells how much of the scenario is done, from 0 to 1. It is safe
	// for concurrent use.
	Progress func() float64
}
