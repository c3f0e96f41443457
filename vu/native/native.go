// Package native runs plans without a JavaScript engine. A plan is compiled once, into
// a row of operations and closures for the values; a virtual user is a machine with a
// place in that row and its slots, so that it can stop at every wait and go on later.
//
// js makes a Factory for a test whose functions have plans; the engine sees its units
// as those of any tier. A unit drives its machine on its own goroutine (the wait
// driver). The package calls vu/client, vu/outcome and vu/record as the script modules
// do, and knows nothing of JavaScript syntax.
package native

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/vu"
	"github.com/jsload/jsload/vu/client"
	"github.com/jsload/jsload/vu/plan"
	"github.com/jsload/jsload/vu/record"
	"github.com/jsload/jsload/vu/value"
)

// Random is the source of Math.random of one virtual user.
type Random interface{ Float64() float64 }

// Config is what a Factory is made from. All members are required unless they say
// otherwise.
type Config struct {
	// Plan must be valid.
	Plan *plan.Plan
	// Env is what the script sees as __ENV, below the scenario's own variables.
	Env map[string]string
	// NewClient makes the HTTP client of a virtual user and NewRandom its source of
	// randomness; number is __VU.
	NewClient func(number uint64) *client.Client
	NewRandom func(number uint64) Random
	Recorder  *record.Recorder
	Epoch     metrics.Epoch
	// Log gets the script's console; Journal what iterations did wrong.
	Log     *slog.Logger
	Journal *vu.Journal
	// Discard drops the bodies of answers and Throw makes exceptions of failures, unless
	// a request says otherwise; Limited tells that the options set a limit of redirects.
	Discard, Throw, Limited bool
}

// Factory makes the virtual users of a plan.
type Factory struct {
	cfg      Config
	programs map[string]*program
	env      map[string]value.Value
}

// NewFactory compiles the plan.
func NewFactory(cfg Config) (*Factory, error) {
	if err := cfg.Plan.Validate(); err != nil {
		return nil, err
	}
	f := &Factory{cfg: cfg, programs: map[string]*program{}, env: map[string]value.Value{}}
	for _, fn := range cfg.Plan.Functions {
		f.programs[fn.Name] = compile(cfg.Plan, fn, settings{discard: cfg.Discard, throw: cfg.Throw})
	}
	for name, text := range cfg.Env {
		f.env[name] = value.Str(value.Clean(text))
	}
	return f, nil
}

// NewUnit makes a virtual user.
func (f *Factory) NewUnit(_ context.Context, id vu.ID) (vu.Unit, error) {
	m := &machine{
		factory: f, id: id,
		client: f.cfg.NewClient(id.InInstance),
		random: f.cfg.NewRandom(id.InInstance),
		record: f.cfg.Recorder.VU(id.InTest),
		module: make([]value.Value, len(f.cfg.Plan.Module)),
	}
	for i, s := range f.cfg.Plan.Module {
		m.module[i] = s.Init.Value
	}
	m.endIteration = m.client.EndIteration
	return &Unit{machine: m}, nil
}

// program finds the function that a scenario calls.
func (f *Factory) program(s *vu.Scenario) (*program, error) {
	if p := f.programs[s.Exec]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("scenario %s: function %q is not in the plan", s.Name, s.Exec)
}
