// Package engine runs one test on one machine: it makes the units, runs setup,
// the scenarios and teardown, judges the thresholds and says how it ended.
//
// cmd calls Run with what js.Load made; js and the REST API look at the run, and
// steer it, through Live. The engine calls vu/executor, metrics/output and
// vu/record. It knows nothing of scripts, files or the terminal.
package engine

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/metrics/output"
	"github.com/jsload/jsload/metrics/threshold"
	"github.com/jsload/jsload/vu"
	"github.com/jsload/jsload/vu/executor"
	"github.com/jsload/jsload/vu/options"
	"github.com/jsload/jsload/vu/record"
	"github.com/jsload/jsload/vu/segment"
)

// Config is one test. Factory, Store, Recorder and Log are required; the zero
// value of every other field means what its comment says.
type Config struct {
	// Options are merged and valid; Scenarios says all of the load.
	Options options.Options
	// SetupAside keeps setup and teardown out of the numbers: rates then refer to
	// the time of the scenarios alone. The recorder is told the same.
	SetupAside bool
	// Share is this machine's part of the test, as Merge located it; the zero
	// value is all of it.
	Share   segment.Striper
	Factory vu.Factory

	// Setup and Teardown are the script's functions; nil if it has none. They
	// return when ctx ends. An error carries its own exit code.
	Setup, Teardown func(ctx context.Context) error

	// UnitSetup and UnitTeardown say that units are vu.Lifecycle and their Begin or
	// End has something to do. The options that leave setup and teardown out leave
	// these out too, and give them their time.
	UnitSetup, UnitTeardown bool

	Store    *metrics.Store
	Recorder *record.Recorder
	// Thresholds are bound to the store; nil if there is nothing to judge.
	Thresholds *threshold.Set
	// Sinks get the results while the test runs.
	Sinks []output.Sink
	// Progress is called every ProgressPeriod from start to end; nil for never.
	Progress       output.Hook
	ProgressPeriod time.Duration

	// Force ends what the end of Run's ctx leaves alone: teardown. Its cause is
	// the reason. Nil means that nothing does.
	Force context.Context

	// Live is where others see the run and steer it; nil if nobody does. It
	// serves one run.
	Live *Live
	Log  *slog.Logger
	// Needs are what units take; a test whose units this machine cannot hold is
	// refused.
	Needs Needs
	// Coarse makes arrivals use package time alone, as fake time demands.
	Coarse bool
}

// Result is how a test ended.
type Result struct {
	// Err is why the test did not end well, or nil. The first reason stays: a
	// threshold that is crossed does not hide an abort.
	Err error
	// Code is the exit code of the process.
	Code int
	// Snapshot holds the results and Verdicts the thresholds judged on them.
	// Both are nil if the test ended before its units were ready.
	Snapshot *metrics.Snapshot
	Verdicts threshold.Verdicts
	// Duration is the length of the test from before setup to after teardown, or
	// that of the scenarios with SetupAside. Rates refer to it.
	Duration time.Duration
	// Scenarios are as they ended, in the order of the options.
	Scenarios []executor.Progress
	// Generator says how this machine fared; nil if the scenarios did not run.
	Generator *Generator
}

// test is one run.
type test struct {
	Config
	live      *Live
	scenarios []options.Scenario
	needs     options.Requirements
	parts     []partRule
	timeline  *executor.Timeline
	pool      *executor.Pool
	executors []executor.Executor
	generator *Generator
	cancel    context.CancelCauseFunc
}

// Run runs a test to its end. When ctx ends, iterations are interrupted at once,
// teardown still runs, and the cause of ctx is the reason; a *vu.Abort as cause
// gives the exit code. Run returns when all it started has ended, but for VUs
// that had to be abandoned, which are logged.
func Run(ctx context.Context, c Config) Result {
	t := &test{Config: c, live: c.Live}
	if t.live == nil {
		t.live = NewLive()
	}
	pump := output.NewPump(t.pumpConfig())
	if err := t.prepare(); err != nil {
		return failed(err)
	}
	if err := pump.Start(); err != nil {
		return failed(err)
	}
	var r Result
	r.Err = t.run(ctx)
	if t.live.begun() {
		r.Duration = t.measured()
		r.Snapshot = pump.Flush()
		r.Verdicts = t.Thresholds.EvaluateFinal(r.Snapshot, r.Duration)
		t.live.judged.Store(&r.Verdicts)
		if r.Generator = t.generator; r.Generator != nil {
			r.Generator.judge(r.Snapshot, t.Recorder.Builtin())
		}
	} else {
		pump.Flush()
	}
	incomplete := pump.Close()
	t.conclude(&r)
	t.account(&r, incomplete)
	return r
}

func failed(err error) Result { return Result{Err: err, Code: ExitCode(err)} }

// ExitCode returns the exit code that an error carries: 0 for nil, 255 for one
// that carries none.
func ExitCode(err error) int {
	if err == nil {
		return 0
	}
	var coded interface{ ExitCode() int }
	if errors.As(err, &coded) {
		return coded.ExitCode()
	}
	return vu.ExitOther
}

// conclude finds the verdict of the whole test.
func (t *test) conclude(r *Result) {
	for _, x := range t.executors {
		r.Scenarios = append(r.Scenarios, x.Progress())
	}
	message := r.Verdicts.Message()
	t.live.tainted.Store(message != "")
	switch {
	case message != "" && r.Err == nil:
		r.Err = &vu.Abort{Code: vu.ExitThresholds, Message: message}
	case message != "":
		t.Log.Error(message)
	}
	r.Code = ExitCode(r.Err)
	if r.Err == nil && t.live.failed.Load() {
		r.Code = vu.ExitMarkedFailed
	}
	t.live.end(r.Err)
}

// account makes outputs that are incomplete the reason for a bad end if there is
// no other; every reason else is more specific.
func (t *test) account(r *Result, incomplete error) {
	switch {
	case incomplete == nil:
	case r.Code == 0:
		r.Err, r.Code = incomplete, vu.ExitOther
	default:
		t.Log.Error(incomplete.Error())
	}
}

// prepare checks and derives what needs no unit.
func (t *test) prepare() error {
	t.scenarios = t.Options.Scenarios.V
	t.needs = options.RequirementsOf(t.scenarios, t.Share)
	t.timeline = executor.NewTimeline(t.Recorder.Now)
	t.pool = executor.NewPool(t.Factory, t.Share)
	var err error
	if t.parts, err = t.findParts(); err != nil {
		return err
	}
	return t.checkMachine(t.needs.PlannedVUs)
}

// run is the test from the first unit to the end of teardown.
func (t *test) run(parent context.Context) error {
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	t.cancel = cancel
	t.live.attach(t)
	var gauges sync.WaitGroup
	over := make(chan struct{})
	gauges.Go(func() { t.gauge(over) })
	defer gauges.Wait()
	defer close(over)
	defer t.pool.Close()
	defer t.live.stopClock()

	if err := t.initialise(ctx); err != nil {
		return err
	}
	t.live.start()
	if err := t.setup(ctx); err != nil {
		return err
	}
	if err := t.beginUnits(ctx); err != nil {
		cancel(err) // setup has run, so teardown is due
	} else {
		t.live.set(StatusRunning)
		t.live.beginScenarios()
		t.runScenarios(ctx)
		t.live.endScenarios()
	}
	return t.wrapUp(ctx, parent)
}

// wrapUp runs what follows the scenarios and returns why the test did not end well.
// The reason for a stop comes before what went wrong after it.
func (t *test) wrapUp(ctx, parent context.Context) error {
	end := errors.Join(t.endUnits(parent), t.teardown(parent))
	reason := context.Cause(ctx)
	if reason == nil {
		return end
	}
	if end != nil && !errors.Is(end, reason) && !t.forced() {
		t.Log.Error(end.Error())
	}
	return reason
}

// initialise makes the planned units and the executors and waits while the test
// is to start paused.
func (t *test) initialise(ctx context.Context) error {
	t.live.set(StatusInitVUs)
	if t.Options.Paused.V {
		t.live.Pause()
	}
	if err := t.pool.Init(ctx, t.needs.PlannedVUs); err != nil {
		return err
	}
	t.live.set(StatusInitExecutors)
	for _, s := range t.scenarios {
		x, err := executor.New(t.executorConfig(s), s)
		if err != nil {
			return &vu.Abort{Code: vu.ExitConfig, Message: err.Error(), Err: err}
		}
		t.executors = append(t.executors, x)
	}
	t.live.show(t.executors)
	t.live.set(StatusInitDone)
	return t.live.waitForResume(ctx)
}

func (t *test) executorConfig(s options.Scenario) executor.Config {
	dropped := t.Recorder.Scenario(s.Name, s.Tags.V).Dropped
	return executor.Config{
		Share: t.Share, Timeline: t.timeline, Pool: t.pool, Log: t.Log,
		Dropped: dropped, Abort: t.abort, MinIteration: t.Options.MinIterationDuration.V.Std(),
		Coarse: t.Coarse,
	}
}

// abort stops the test. The first reason stays.
func (t *test) abort(a *vu.Abort) { t.cancel(a) }

// runScenarios runs all scenarios to their end.
func (t *test) runScenarios(ctx context.Context) {
	var wg sync.WaitGroup
	before := readMeter()
	for _, x := range t.executors {
		wg.Go(func() { x.Run(ctx) })
	}
	stopParts := t.driveParts(ctx)
	t.live.release()
	wg.Wait()
	stopParts()
	generator := readMeter().since(before)
	generator.Open = slices.ContainsFunc(t.scenarios, open)
	for _, x := range t.executors {
		generator.Dropped += x.Counts().Missed
	}
	t.generator = &generator
	if complete, _, _ := t.live.counts(); complete == 0 {
		t.Log.Warn("No script iterations fully finished, consider making the test duration longer")
	}
}

// open reports whether iterations of a scenario arrive from outside.
func open(s options.Scenario) bool {
	return s.Executor == options.ConstantArrivalRate || s.Executor == options.RampingArrivalRate
}

// measured is the time so far that rates refer to.
func (t *test) measured() time.Duration {
	if t.SetupAside {
		return t.live.scenarioTime()
	}
	return t.live.Elapsed()
}

// gauge records the numbers of VUs once a second, and looks at the results.
func (t *test) gauge(over <-chan struct{}) {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	var folded foldWarner
	defer t.warnFolded(&folded)
	for {
		select {
		case <-ticker.C:
			t.warnFolded(&folded)
			t.Recorder.VUs(int(t.live.VUsActive()), int(t.live.VUsInitialized()))
		case <-over:
			return
		}
	}
}

func (t *test) pumpConfig() output.Config {
	c := output.Config{
		Store: t.Store, Logger: t.Log, Sinks: t.Sinks,
		Run: output.Run{Epoch: t.Store.Epoch(), Registry: t.Store.Registry(),
			SystemTags: t.Recorder.SystemTags(), Thresholds: t.Thresholds},
		Progress: t.Progress, ProgressPeriod: t.ProgressPeriod,
	}
	if len(t.Thresholds.Subjects()) > 0 {
		c.Judge = t.judge
	}
	return c
}

// judge evaluates the thresholds while the test runs.
func (t *test) judge(s *metrics.Snapshot, _ time.Duration) {
	if !t.live.begun() {
		return
	}
	verdicts := t.Thresholds.EvaluateRunning(s, t.measured())
	t.live.judged.Store(&verdicts)
	t.live.tainted.Store(len(verdicts.Crossed()) > 0)
	if verdicts.Abort() {
		t.abort(&vu.Abort{Code: vu.ExitThresholds, Message: verdicts.AbortMessage()})
	}
}
