package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jsload/jsload/metrics/threshold"
	"github.com/jsload/jsload/vu"
	"github.com/jsload/jsload/vu/executor"
)

// Status is what a run is doing. The numbers are those of the REST API.
type Status int

// The states of a run.
const (
	StatusCreated Status = iota
	StatusInitVUs
	StatusInitExecutors
	StatusInitDone
	StatusPausedBeforeRun
	StatusStarted
	StatusSetup
	StatusRunning
	StatusTeardown
	StatusEnded
	StatusInterrupted
	StatusMarkedAsFailed
)

// Live is a run as others see and steer it: the progress display, the REST API
// and the script. It is made before the run, so that they can be given it, and
// safe for concurrent use.
type Live struct {
	status  atomic.Int32
	tainted atomic.Bool // a threshold is crossed
	failed  atomic.Bool // the script marked the test as failed
	stopped atomic.Bool // stopped from outside
	judged  atomic.Pointer[threshold.Verdicts]

	mu        sync.Mutex
	test      *test
	executors []executor.Executor
	started   time.Time
	over      bool // the test has ended, after
	length    time.Duration
	// scenarios and ended are when the scenarios began and ended; zero before.
	scenarios, ended time.Time
	paused           bool
	released         bool          // the scenarios have begun
	resumed          chan struct{} // closed and replaced at each Resume

	// hooks are calls of setup and teardown from outside, which off ends.
	hooks sync.WaitGroup
	on    context.Context
	off   context.CancelFunc
}

// NewLive returns the Live of a run to come.
func NewLive() *Live {
	l := &Live{resumed: make(chan struct{})}
	l.on, l.off = context.WithCancel(context.Background())
	return l
}

// Status returns what the run is doing.
func (l *Live) Status() Status { return Status(l.status.Load()) }

// Running reports whether the test has begun and not ended.
func (l *Live) Running() bool {
	s := l.Status()
	return s >= StatusStarted && s <= StatusTeardown
}

// Tainted reports whether a threshold is crossed at the moment.
func (l *Live) Tainted() bool { return l.tainted.Load() }

// Verdicts returns the thresholds as they were judged last; nil before the first
// time. A metric without samples has none until the end.
func (l *Live) Verdicts() threshold.Verdicts {
	if v := l.judged.Load(); v != nil {
		return *v
	}
	return nil
}

// Stopped reports whether Stop was called.
func (l *Live) Stopped() bool { return l.stopped.Load() }

// Started returns when the test began, before setup; zero if it has not.
func (l *Live) Started() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.started
}

// Elapsed returns the length of the test so far, from before setup, 0 before.
func (l *Live) Elapsed() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.started.IsZero():
		return 0
	case l.over:
		return l.length
	}
	return time.Since(l.started)
}

// IterationsCompleted returns how many iterations of all scenarios are complete.
func (l *Live) IterationsCompleted() int64 { n, _, _ := l.counts(); return n }

// IterationsInterrupted returns how many iterations were cut.
func (l *Live) IterationsInterrupted() int64 { _, n, _ := l.counts(); return n }

// VUsActive returns how many VUs are at work.
func (l *Live) VUsActive() int64 { _, _, n := l.counts(); return n }

// VUsInitialized returns how many VUs have been made.
func (l *Live) VUsInitialized() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.test == nil {
		return 0
	}
	return l.test.pool.Initialised()
}

func (l *Live) counts() (complete, interrupted, active int64) {
	for _, x := range l.all() {
		c := x.Counts()
		complete, interrupted, active = complete+c.Complete, interrupted+c.Interrupted, active+c.Active
	}
	return complete, interrupted, active
}

// Scenarios returns the progress of each scenario, in the order of the options;
// nil before the executors are ready.
func (l *Live) Scenarios() []executor.Progress {
	var list []executor.Progress
	for _, x := range l.all() {
		list = append(list, x.Progress())
	}
	return list
}

func (l *Live) all() []executor.Executor {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.executors
}

// Paused reports whether the run is paused.
func (l *Live) Paused() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.paused
}

// Pause holds the run: before the start it does not begin, later no iteration
// starts, those that run go on, and all schedules shift by the length of the
// pause.
func (l *Live) Pause() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.paused = true
	if l.released {
		l.test.timeline.Pause()
	}
}

// Resume ends a pause.
func (l *Live) Resume() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.paused {
		return
	}
	l.paused = false
	close(l.resumed)
	l.resumed = make(chan struct{})
	if l.released {
		l.test.timeline.Resume()
	}
}

// Stop ends the run as an abort does, with the exit code for a stop from outside.
func (l *Live) Stop() {
	l.stopped.Store(true)
	l.Abort(&vu.Abort{Code: vu.ExitStoppedByAPI, Message: "test run stopped through the REST API"})
}

// Abort interrupts all iterations and ends the run; teardown still runs. Of
// several reasons the first stays. It does nothing before the run.
func (l *Live) Abort(reason *vu.Abort) {
	l.mu.Lock()
	t := l.test
	l.mu.Unlock()
	if t != nil {
		t.abort(reason)
	}
}

// Fail marks the test as failed. It runs on, and ends with the exit code for it
// unless another reason gives one.
func (l *Live) Fail() { l.failed.Store(true) }

// errNoScaler is the answer to a change of VUs that has no meaning.
var errNoScaler = errors.New("no running scenario has a number of VUs that can be changed; constant-vus and externally-controlled have")

// VUs returns the VUs that Scale changes: how many loop and how many there may
// be. It returns false if no scenario allows it.
func (l *Live) VUs() (n, limit int64, ok bool) {
	s := l.scaler()
	if s == nil {
		return 0, 0, false
	}
	n, limit = s.VUs()
	return n, limit, true
}

// VUsMax returns how many VUs there may be: those that have been made, unless Scale
// has another limit.
func (l *Live) VUsMax() int64 {
	made := l.VUsInitialized()
	_, limit, ok := l.VUs()
	if !ok || len(l.all()) > 1 && limit < made { // those of other scenarios count too
		return made
	}
	return limit
}

// Scale changes how many VUs of the first running scenario that allows it loop,
// and how many there may be; nil leaves a number as it is.
func (l *Live) Scale(n, limit *int64) error {
	s := l.scaler()
	if s == nil {
		return errNoScaler
	}
	wanted, _ := s.VUs()
	if n != nil {
		wanted = *n
	}
	most := int64(-1) // as it is
	if limit != nil {
		if most = *limit; wanted > most {
			return fmt.Errorf("the number of VUs (%d) can't be more than the limit that was asked for (%d)", wanted, most)
		}
	}
	if err := l.test.checkMachine(wanted); err != nil {
		return err
	}
	if err := s.Scale(wanted, most); err != nil {
		return fmt.Errorf("changing the number of VUs: %w", err)
	}
	return nil
}

// errNotOn is the answer to calls of setup and teardown outside of a run.
var errNotOn = errors.New("the test is not running")

// RunSetup calls the script's setup once more, whatever the run is doing. It does
// nothing if the script has none, and must not be called side by side.
func (l *Live) RunSetup(ctx context.Context) error {
	return l.hook(ctx, (*test).callSetup)
}

// RunTeardown calls the script's teardown, with the rules of RunSetup.
func (l *Live) RunTeardown(ctx context.Context) error {
	return l.hook(ctx, (*test).callTeardown)
}

func (l *Live) hook(ctx context.Context, call func(*test, context.Context) error) error {
	l.mu.Lock()
	t, over := l.test, l.over
	if t == nil || over {
		l.mu.Unlock()
		return errNotOn
	}
	l.hooks.Add(1)
	l.mu.Unlock()
	defer l.hooks.Done()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(l.on, func() { cancel(errNotOn) })()
	return call(t, ctx)
}

// scaler returns the first running scenario whose VUs can be changed.
func (l *Live) scaler() executor.Scaler {
	for _, x := range l.all() {
		if s, ok := x.(executor.Scaler); ok && x.Progress().State == executor.Running {
			return s
		}
	}
	return nil
}

// The rest is the engine's side.

func (l *Live) set(s Status) { l.status.Store(int32(s)) }

func (l *Live) attach(t *test) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.test = t
}

func (l *Live) show(all []executor.Executor) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.executors = all
}

// waitForResume returns at once unless the run is paused.
func (l *Live) waitForResume(ctx context.Context) error {
	for {
		l.mu.Lock()
		paused, resumed := l.paused, l.resumed
		l.mu.Unlock()
		if !paused {
			return context.Cause(ctx)
		}
		l.set(StatusPausedBeforeRun)
		select {
		case <-resumed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// start begins the test.
func (l *Live) start() {
	l.mu.Lock()
	l.started = time.Now()
	l.mu.Unlock()
	l.set(StatusStarted)
}

func (l *Live) beginScenarios() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.scenarios = time.Now()
}

func (l *Live) endScenarios() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = time.Now()
}

// scenarioTime returns how long the scenarios have run.
func (l *Live) scenarioTime() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.scenarios.IsZero():
		return 0
	case l.ended.IsZero():
		return time.Since(l.scenarios)
	}
	return l.ended.Sub(l.scenarios)
}

// stopClock ends the test's time, once calls from outside have returned.
func (l *Live) stopClock() {
	l.mu.Lock()
	l.over = true
	if !l.started.IsZero() {
		l.length = time.Since(l.started)
	}
	l.mu.Unlock()
	l.off()
	l.hooks.Wait()
}

// begun reports whether the test has begun.
func (l *Live) begun() bool { return !l.Started().IsZero() }

// release lets the scenarios begin, unless the run is paused.
func (l *Live) release() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.released = true
	if !l.paused {
		l.test.timeline.Resume()
	}
}

// end says how the run ended.
func (l *Live) end(err error) {
	switch {
	case l.failed.Load():
		l.set(StatusMarkedAsFailed)
	case err != nil:
		l.set(StatusInterrupted)
	default:
		l.set(StatusEnded)
	}
}
