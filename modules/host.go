package modules

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/modules/loop"
	"github.com/jsload/jsload/vu"
	"github.com/jsload/jsload/vu/client"
	"github.com/jsload/jsload/vu/options"
	"github.com/jsload/jsload/vu/record"
	"github.com/jsload/jsload/vu/secret"
)

// Stage is the phase of a script that a runtime is in.
type Stage uint8

// The stages of a script.
const (
	StageInit     Stage = iota // module code, before any exported function
	StageSetup                 // setup()
	StageVU                    // an iteration
	StageTeardown              // teardown()
	StageSummary               // handleSummary()
)

// Host is a virtual user as its modules see it. It belongs to one runtime; all
// fields are used on the runtime's goroutine only.
type Host struct {
	Runtime *goja.Runtime
	Loop    *loop.Loop
	// Run is shared by all runtimes of the test.
	Run *Run
	// Stage tells what may be done. During StageInit, VU is nil.
	Stage Stage
	// VU is the state of the virtual user, nil in the init stage.
	VU *VU
	// Number is __VU: 0 in setup, teardown and while options are read.
	Number uint64
	// Rand is the virtual user's source of randomness.
	Rand *Random
	// Files gives the files that the script module which is calling right now
	// can name, during StageInit; nil where there are none.
	Files func() Files

	closers []func()
}

// Files reads what a script names in its init code.
type Files struct {
	// Base is the address of the script module that names are relative to. The
	// same name under the same base is the same file in all virtual users.
	Base string
	// Open returns the content of a file, which must not be changed. It is safe
	// for concurrent use.
	Open func(name string) ([]byte, error)
}

// AtClose has f called when the runtime is not used any more, for what a module
// holds beyond iterations. f must not run JavaScript.
func (h *Host) AtClose(f func()) { h.closers = append(h.closers, f) }

// Close calls what AtClose was given, the latest first.
func (h *Host) Close() {
	for len(h.closers) > 0 {
		f := h.closers[len(h.closers)-1]
		h.closers = h.closers[:len(h.closers)-1]
		f()
	}
}

// Run is what all runtimes of one test share. It is complete before the first
// virtual user is made and not changed afterwards, but for what is safe for
// concurrent use by its own documentation.
type Run struct {
	Log     *slog.Logger
	Epoch   metrics.Epoch
	Metrics *metrics.Registry
	Builtin *metrics.Builtin
	// Recorder makes the writers of samples; nil while options are read.
	Recorder *record.Recorder
	// Options are the merged options; nil while options are read.
	Options *options.Options
	// Seed is where every random source of the run begins. SeedFixed is true if
	// the user gave it: then secrets repeat as well.
	Seed      uint64
	SeedFixed bool
	// Secrets are the sources of secrets that the user named; nil for none.
	Secrets *secret.Store
	// Shared holds what virtual users share by name (SharedArray).
	Shared Shared
	// Throttle waits until another request may start under the rps option; nil
	// without a limit.
	Throttle func(context.Context) error
	// Stats reads the live counters of the run; nil outside a run.
	Stats func() Stats
	// Abort stops the test; MarkFailed lets it run on but end with a failure.
	Abort      func(*vu.Abort)
	MarkFailed func(message string)
}

// Stats are the live counters of a run on this machine.
type Stats struct {
	Elapsed                time.Duration
	Complete, Interrupted  uint64
	VUsActive, VUsPrepared int
}

// VU is the state of a virtual user while one of its functions runs.
type VU struct {
	// Context ends when the running function is to stop.
	Context context.Context
	ID      vu.ID
	Client  *client.Client
	Record  *record.VU
	// Scenario is nil in setup, teardown and handleSummary.
	Scenario *vu.Scenario
	// Iteration is what the executor said of the running iteration.
	Iteration vu.Iteration
	// IterationInScenario counts this virtual user's iterations of the scenario
	// from 0, IterationInInstance those of all scenarios.
	IterationInScenario, IterationInInstance uint64
}

// NotInInit raises the error for what only works after the init stage.
func (h *Host) NotInInit(what string) {
	if h.VU == nil {
		panic(h.Runtime.NewGoError(fmt.Errorf("%s in the init context is not supported", what)))
	}
}

// OnlyInInit raises the error for what only works in the init stage.
func (h *Host) OnlyInInit(what string) {
	if h.Stage != StageInit {
		panic(h.Runtime.NewGoError(fmt.Errorf("%s is only available in the init stage", what)))
	}
}

// Context is the context of the running function; in the init stage, one that
// never ends.
func (h *Host) Context() context.Context {
	if h.VU == nil || h.VU.Context == nil {
		return context.Background()
	}
	return h.VU.Context
}

// Shared is a set of values that are made once and read by every virtual user.
// The zero value is empty. It is safe for concurrent use.
type Shared struct {
	mu sync.Mutex
	m  map[string]*sharedEntry
}

type sharedEntry struct {
	once sync.Once
	v    any
	err  error
}

// Load returns the value of a name, made by the first caller. Others wait. A
// failure is given to those who waited and then forgotten: the next caller tries
// again.
func (s *Shared) Load(name string, make1 func() (any, error)) (any, error) {
	s.mu.Lock()
	if s.m == nil {
		s.m = make(map[string]*sharedEntry)
	}
	e := s.m[name]
	if e == nil {
		e = &sharedEntry{}
		s.m[name] = e
	}
	s.mu.Unlock()
	e.once.Do(func() {
		if e.v, e.err = make1(); e.err != nil {
			s.forget(name, e)
		}
	})
	return e.v, e.err
}

func (s *Shared) forget(name string, e *sharedEntry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.m[name] == e {
		delete(s.m, name)
	}
}
