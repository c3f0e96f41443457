// Package script is the script tier: a virtual user that runs its iterations in
// a goja runtime of its own, and the phases around them (setup, teardown,
// handleSummary).
//
// js makes it from a loaded test; vu/engine drives it through the interfaces of
// package vu.
package script

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/js/internal/runtime"
	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/loop"
	"github.com/jsload/jsload/vu"
	"github.com/jsload/jsload/vu/client"
)

// Factory makes the virtual users of a script.
type Factory struct {
	Program *runtime.Program
	Run     *modules.Run
	// NewClient makes the HTTP client of a virtual user; number is __VU, 0 for
	// setup and teardown.
	NewClient func(number uint64) *client.Client
	// Data is what setup returned.
	Data *Data
	// Journal tells what iterations did wrong.
	Journal *vu.Journal
}

// NewUnit starts a runtime and runs the init code in it.
func (f *Factory) NewUnit(ctx context.Context, id vu.ID) (vu.Unit, error) {
	rt, err := f.Program.Start(ctx, f.Run, id.InInstance)
	if err != nil {
		return nil, err
	}
	u := &Unit{factory: f, rt: rt}
	u.state = modules.VU{
		ID:     id,
		Client: f.NewClient(id.InInstance),
		Record: f.Run.Recorder.VU(id.InTest),
	}
	rt.Host.Stage, rt.Host.VU = modules.StageVU, &u.state
	return u, nil
}

// Unit is one virtual user.
type Unit struct {
	factory *Factory
	rt      *runtime.Runtime
	state   modules.VU

	fn   goja.Callable
	undo func() // ends the current activation's hold on the interpreter
	// begun tells that vuSetup has run, and must again in a new runtime.
	begun bool
	seen  int // version of the setup data that data was made of
	args  [1]goja.Value

	sent, received int64 // bytes recorded so far
}

// Activate binds the unit to a scenario.
func (u *Unit) Activate(ctx context.Context, s *vu.Scenario) error {
	u.release()
	u.state.Context, u.state.Scenario = ctx, s
	u.state.IterationInScenario = 0
	u.state.Record.SetScenario(u.factory.Run.Recorder.Scenario(s.Name, s.Tags))
	u.state.Client.Activate(ctx)
	return u.bind(ctx, s)
}

func (u *Unit) release() {
	if u.undo != nil {
		u.undo()
		u.undo = nil
	}
}

// Iterate runs one iteration.
func (u *Unit) Iterate(it vu.Iteration) error {
	if u.state.Context.Err() != nil {
		return vu.ErrInterrupted
	}
	if u.rt.Broken() {
		if err := u.rebuild(); err != nil {
			return err
		}
	}
	if err := u.loadData(); err != nil {
		return err
	}
	u.state.Iteration = it
	u.rt.SetIteration(u.state.IterationInInstance)
	epoch := u.factory.Run.Epoch
	start := epoch.Now()
	late := int64(-1)
	if it.Open {
		late = max(0, start-it.Planned)
	}
	record := u.state.Record
	record.StartIteration(int64(u.state.IterationInInstance), late)
	_, err := u.rt.RunActive(u.state.Context, u.call)
	end := epoch.Now()
	u.state.IterationInScenario++
	u.state.IterationInInstance++
	err = u.judge(err)
	u.state.Client.EndIteration()
	u.recordData()
	if _, aborted := errors.AsType[*vu.Abort](err); err == nil || aborted {
		// The iteration that asks for the abort counts as complete.
		record.EndIteration(start, end)
	}
	return err
}

// rebuild gives the unit a new runtime, in the same scenario and with the same
// connections. What the script kept in its modules is lost.
func (u *Unit) rebuild() error {
	u.factory.Run.Log.Warn("a VU was started anew after its script broke the interpreter: what it kept in module variables is lost",
		slog.Uint64("vu", u.state.ID.InTest))
	rt, err := u.factory.Program.Start(u.state.Context, u.factory.Run, u.state.ID.InInstance)
	if err != nil {
		return err
	}
	u.release()
	u.rt.Host.Close()
	u.rt, u.seen = rt, 0
	rt.Host.Stage, rt.Host.VU = modules.StageVU, &u.state
	if u.begun {
		if err := u.Begin(u.state.Context); err != nil {
			return err
		}
		u.state.Record.SetScenario(u.factory.Run.Recorder.Scenario(u.state.Scenario.Name, u.state.Scenario.Tags))
	}
	return u.bind(u.state.Context, u.state.Scenario)
}

// bind takes the scenario's function from the runtime.
func (u *Unit) bind(ctx context.Context, s *vu.Scenario) error {
	fn, ok := goja.AssertFunction(u.rt.Exported(s.Exec))
	if !ok {
		return fmt.Errorf("scenario %s: function %q not found in the script's exports", s.Name, s.Exec)
	}
	u.fn = fn
	u.rt.Env.Activate(s.Env)
	u.undo = u.rt.StopWith(ctx)
	return nil
}

// recordData records the bytes that went over the wire since it last did.
func (u *Unit) recordData() {
	d := u.state.Client.Dialer()
	sent, received := d.Sent(), d.Received()
	u.state.Record.Data(sent-u.sent, received-u.received)
	u.sent, u.received = sent, received
}

// call calls the scenario's function with the setup data.
func (u *Unit) call() (goja.Value, error) { return u.fn(goja.Undefined(), u.args[:]...) }

// judge logs what the script did wrong and decides what the engine is told.
func (u *Unit) judge(err error) error {
	if err == nil || errors.Is(err, loop.ErrPending) {
		if u.state.Context.Err() != nil {
			return vu.ErrInterrupted // the script ran on behind an interrupted wait
		}
		return nil
	}
	journal := u.factory.Journal
	// An interruption may have an abort as its cause, that of another unit or of
	// a signal: this iteration did not ask for it.
	if in, ok := errors.AsType[*runtime.Interrupted](err); ok {
		journal.Interrupted(u.state.Context, u.state.ID, u.state.Scenario, in.Where)
		return vu.ErrInterrupted
	}
	if a, ok := errors.AsType[*vu.Abort](err); ok {
		return a
	}
	if u.state.Context.Err() != nil {
		return vu.ErrInterrupted
	}
	if _, ok := errors.AsType[*runtime.RejectionError](err); ok {
		journal.Rejected(err.Error(), u.state.Scenario)
		return nil
	}
	journal.Threw(err.Error(), u.state.Scenario)
	return nil
}

// loadData gives the unit its own copy of setup's data. The copy is made once,
// so that what an iteration changes in it stays for the next.
func (u *Unit) loadData() error {
	version, value, err := u.factory.Data.value(u.rt.VM, u.seen)
	if err != nil {
		return err
	}
	if version != u.seen {
		u.seen = version
		u.args[0] = value
	}
	return nil
}

// Close releases what the modules hold and the connections.
func (u *Unit) Close() error {
	u.release()
	u.end()
	return nil
}
