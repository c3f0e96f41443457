package executor

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jsload/jsload/vu"
	"github.com/jsload/jsload/vu/segment"
)

// Config is what every executor is given. All fields are needed unless their
// comment says otherwise.
type Config struct {
	// Scenario is what units see. The executor sets Start and Progress.
	Scenario vu.Scenario
	// StartTime is the offset from the start of the scenarios, GracefulStop how
	// long iterations may go on after the regular end.
	StartTime, GracefulStop time.Duration
	// Share is this machine's part of the test.
	Share segment.Striper

	Timeline *Timeline
	Pool     *Pool
	Log      *slog.Logger
	// Dropped records iterations that were promised and not started.
	Dropped func(n int64)
	// Abort stops the whole test; it ends the context of Run before it returns.
	Abort func(*vu.Abort)
	// MinIteration is how long an iteration takes at least.
	MinIteration time.Duration
	// Coarse makes arrivals use package time alone, as fake time demands.
	Coarse bool
}

// Grace is how long a VU may take to return from an interrupted iteration
// before it is abandoned.
const Grace = 5 * time.Second

// errOver is the cause of the contexts of a scenario that is over.
var errOver = errors.New("the scenario is over")

// run is one scenario while it runs: what all executors have in common.
type run struct {
	Config
	end  time.Duration // regular length of the scenario
	open bool          // iterations arrive from outside
	// hard ends when iterations are interrupted: gracefulStop after the regular
	// end, or at an abort.
	hard    context.Context
	cancel  context.CancelCauseFunc
	wg      sync.WaitGroup // goroutines that hold a VU
	started chan struct{}  // closed when startTime has come
	closed  chan struct{}  // closed when the scenario is over

	complete, interrupted, numbered atomic.Int64
	missed                          atomic.Int64 // arrivals without a free VU
	held, busy                      atomic.Int64 // VUs
	cut                             atomic.Bool  // the end was not the regular one
	stoppedAt                       atomic.Int64 // offset of the scenario's end, -1 before

	mu   sync.Mutex
	lent map[*VU]struct{}
}

func newRun(c Config, end time.Duration) *run {
	r := &run{Config: c, end: end, lent: map[*VU]struct{}{},
		started: make(chan struct{}), closed: make(chan struct{})}
	r.stoppedAt.Store(-1)
	return r
}

// since returns the offset from the scenario's own start.
func (r *run) since() time.Duration { return r.Timeline.Now() - r.StartTime }

// elapsed is since, but stands still when the scenario is over.
func (r *run) elapsed() time.Duration {
	if at := r.stoppedAt.Load(); at >= 0 {
		return time.Duration(at)
	}
	return r.since()
}

// over reports whether the regular length has passed.
func (r *run) over() bool { return r.since() >= r.end }

// passed returns how much of the regular length has passed, from 0 to 1; 0 if
// there is no end.
func (r *run) passed() float64 {
	if r.end >= endless {
		return 0
	}
	if r.end <= 0 {
		return 1
	}
	return min(max(r.elapsed().Seconds()/r.end.Seconds(), 0), 1)
}

// ended returns how many iterations have ended, in whichever way.
func (r *run) ended() int64 { return r.complete.Load() + r.interrupted.Load() }

// share returns how many of total iterations have ended, from 0 to 1.
func (r *run) share(total int64) float64 {
	if total <= 0 {
		return 1
	}
	return min(float64(r.ended())/float64(total), 1)
}

// drop records what is missing of total iterations because the time was over. It
// is called after finish.
func (r *run) drop(total int64) {
	if left := total - r.ended(); left > 0 && r.over() {
		r.Dropped(left)
	}
}

// number counts an iteration of a scenario without a fixed number of them.
func (r *run) number() vu.Iteration {
	i := r.numbered.Add(1) - 1
	return vu.Iteration{InInstance: uint64(i), InTest: uint64(r.Share.At(i))}
}

// scale is s.Scale for a share that may be empty.
func scale(s segment.Striper, n int64) int64 {
	if s.Empty() {
		return 0
	}
	return s.Scale(n)
}

// begin waits for the scenario's start and sets up the contexts. It returns
// false if the test ends before.
func (r *run) begin(ctx context.Context, progress func() float64) bool {
	r.hard, r.cancel = context.WithCancelCause(ctx)
	if r.Timeline.Wait(ctx, r.StartTime) != nil {
		return false
	}
	late := time.Duration(r.Timeline.now() - r.Timeline.Instant(r.StartTime))
	r.Scenario.Start = time.Now().Add(-late)
	r.Scenario.Progress = progress
	if r.end < endless {
		r.Scenario.End = r.Scenario.Start.Add(r.end + r.GracefulStop)
		go r.deadline()
	}
	close(r.started)
	return true
}

// endless is the length of a scenario that only control ends.
const endless = time.Duration(1) << 62

// deadline interrupts all iterations when gracefulStop is over.
func (r *run) deadline() {
	if r.Timeline.Wait(r.hard, r.StartTime+r.end+r.GracefulStop) == nil {
		if r.held.Load() > 0 {
			r.cut.Store(true)
		}
		r.cancel(errOver)
	}
}

// finish waits until every VU has been given back and ends the scenario. A VU
// that holds on for longer than Grace after its interruption is abandoned.
func (r *run) finish(ctx context.Context) {
	done := make(chan struct{})
	go func() {
		r.wg.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-r.hard.Done():
		timer := time.NewTimer(Grace)
		defer timer.Stop()
		select {
		case <-done:
		case <-timer.C:
			r.abandon(ctx)
		}
	}
	if ctx.Err() != nil {
		r.cut.Store(true)
	}
	r.cancel(errOver)
	r.stoppedAt.Store(int64(max(r.since(), 0)))
	close(r.closed)
}

// abandon gives up the VUs that did not yield, by name.
func (r *run) abandon(ctx context.Context) {
	r.mu.Lock()
	stuck := make([]*VU, 0, len(r.lent))
	for v := range r.lent {
		stuck = append(stuck, v)
	}
	r.mu.Unlock()
	slices.SortFunc(stuck, func(a, b *VU) int { return int(a.ID.InInstance) - int(b.ID.InInstance) })
	for _, v := range stuck {
		attrs := []any{"vu", v.ID.InInstance, "scenario", r.Scenario.Name}
		if l, ok := v.Unit.(vu.Locator); ok {
			attrs = append(attrs, "at", l.Where())
		}
		r.Log.Error(fmt.Sprintf("a VU did not stop within %v after its iteration was interrupted and is abandoned", Grace), attrs...)
		r.Pool.Abandon(ctx, v)
	}
}

// activation is a VU bound to the scenario.
type activation struct {
	*VU
	ctx    context.Context
	cancel context.CancelCauseFunc
}

// activate binds v to the scenario. It returns nil, and gives v back, if the
// scenario is over or the unit refuses, which stops the test.
func (r *run) activate(v *VU) *activation {
	ctx, cancel := context.WithCancelCause(r.hard)
	a := &activation{VU: v, ctx: ctx, cancel: cancel}
	r.mu.Lock()
	r.lent[v] = struct{}{}
	r.mu.Unlock()
	r.held.Add(1)
	if err := v.Unit.Activate(ctx, &r.Scenario); err != nil {
		if ctx.Err() == nil {
			r.Abort(asAbort(err))
		}
		r.release(a)
		return nil
	}
	return a
}

// release ends the activation and gives the VU back.
func (r *run) release(a *activation) {
	a.cancel(errOver)
	r.mu.Lock()
	delete(r.lent, a.VU)
	r.mu.Unlock()
	r.held.Add(-1)
	r.Pool.Put(a.VU)
}

// asAbort makes any error the reason to stop the test.
func asAbort(err error) *vu.Abort {
	var abort *vu.Abort
	if errors.As(err, &abort) {
		return abort
	}
	code := vu.ExitOther
	var coded interface{ ExitCode() int }
	if errors.As(err, &coded) {
		code = coded.ExitCode()
	}
	return &vu.Abort{Code: code, Message: err.Error(), Err: err}
}

// guard turns a panic of a unit into the end of the test. It is deferred by
// every goroutine that holds one.
func (r *run) guard() {
	if fault := recover(); fault != nil {
		r.fail(&vu.Fault{Value: fault, Stack: debug.Stack()})
	}
}

// fail ends the test because of a panic.
func (r *run) fail(f *vu.Fault) {
	r.Log.Error(f.Error(), "source", "stacktrace", "stack", string(f.Stack))
	r.Abort(&vu.Abort{Code: vu.ExitPanic, Message: f.Error()})
}

// iterate runs one iteration and reports whether the activation may go on.
func (r *run) iterate(a *activation, it vu.Iteration) bool {
	var began int64
	if r.MinIteration > 0 {
		began = r.Timeline.now()
	}
	if !r.count(a, a.Unit.Iterate(it)) {
		return false
	}
	if r.MinIteration > 0 {
		pause(a.ctx, r.MinIteration-time.Duration(r.Timeline.now()-began))
	}
	return a.ctx.Err() == nil
}

// count notes how an iteration ended and reports whether the activation may go on.
func (r *run) count(a *activation, err error) bool {
	if err != nil {
		return r.absorb(a, err)
	}
	r.complete.Add(1)
	return true
}

// absorb judges the error of an iteration and reports whether the activation
// may go on.
func (r *run) absorb(a *activation, err error) bool {
	if errors.Is(err, vu.ErrInterrupted) {
		r.interrupted.Add(1)
		return false
	}
	if fault, ok := errors.AsType[*vu.Fault](err); ok {
		r.fail(fault)
		return false
	}
	r.complete.Add(1)
	var abort *vu.Abort
	if errors.As(err, &abort) {
		r.Abort(abort)
		return false
	}
	r.Log.Error(err.Error(), "executor", r.Scenario.Executor, "scenario", r.Scenario.Name)
	return true
}

// pause waits for d, if that is above 0, or for the end of ctx.
func pause(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
