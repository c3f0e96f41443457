package executor

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jsload/jsload/vu"
	"github.com/jsload/jsload/vu/options"
	"github.com/jsload/jsload/vu/segment"
)

// bench runs scenarios on fake units in fake time.
type bench struct {
	t        *testing.T
	timeline *Timeline
	pool     *Pool
	share    segment.Striper
	minimum  time.Duration
	log      lockedBuffer
	ctx      context.Context
	stop     context.CancelCauseFunc

	// iterate is what each iteration does; nil returns at once.
	iterate func(u *fakeUnit, it vu.Iteration) error
	// make is asked before a unit is made, if set.
	make func(vu.ID) error

	loops []*fakeLoop // none: a goroutine for each unit

	mu      sync.Mutex
	starts  []start
	dropped []drop
	units   []*fakeUnit
	closed  atomic.Int64
}

// start is one iteration that began.
type start struct {
	at       time.Duration // on the timeline
	vu       uint64
	it       vu.Iteration
	scenario string
}

type drop struct {
	at time.Duration
	n  int64
}

// eachDriver runs a test in fake time twice: with units that hold a goroutine each and
// with units on event loops.
func eachDriver(t *testing.T, test func(t *testing.T, b *bench)) {
	t.Helper()
	for _, looped := range []bool{false, true} {
		t.Run(map[bool]string{false: "goroutines", true: "loops"}[looped], func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t)
				if looped {
					b.loops = []*fakeLoop{newFakeLoop(t, b.timeline), newFakeLoop(t, b.timeline)}
				}
				test(t, b)
			})
		})
	}
}

func newBench(t *testing.T) *bench {
	b := &bench{t: t, timeline: NewTimeline(epoch())}
	b.ctx, b.stop = context.WithCancelCause(t.Context())
	return b
}

func (b *bench) NewUnit(_ context.Context, id vu.ID) (vu.Unit, error) {
	if b.make != nil {
		if err := b.make(id); err != nil {
			return nil, err
		}
	}
	u := &fakeUnit{bench: b, id: id}
	b.mu.Lock()
	b.units = append(b.units, u)
	b.mu.Unlock()
	return u, nil
}

// fakeUnit checks the contract of vu.Unit as it is used.
type fakeUnit struct {
	*bench
	id          vu.ID
	inUse       atomic.Bool
	ctx         context.Context
	scenario    *vu.Scenario
	activations int
}

func (u *fakeUnit) enter() {
	if !u.inUse.CompareAndSwap(false, true) {
		u.t.Errorf("VU %d is used by two goroutines", u.id.InInstance)
	}
}

func (u *fakeUnit) Activate(ctx context.Context, s *vu.Scenario) error {
	u.enter()
	defer u.inUse.Store(false)
	u.ctx, u.scenario = ctx, s
	u.activations++
	if s.Progress == nil || s.Start.IsZero() {
		u.t.Error("activated by an unfinished scenario")
	}
	return nil
}

func (u *fakeUnit) Iterate(it vu.Iteration) error {
	u.enter()
	defer u.inUse.Store(false)
	at := u.timeline.Now()
	u.mu.Lock()
	u.starts = append(u.starts, start{at, u.id.InInstance, it, u.scenario.Name})
	u.mu.Unlock()
	if u.iterate == nil {
		return nil
	}
	return u.iterate(u, it)
}

// Loop is one of the bench's loops, if it has any.
func (u *fakeUnit) Loop() vu.Loop {
	if len(u.loops) == 0 {
		return nil
	}
	return u.loops[u.id.InInstance%uint64(len(u.loops))]
}

func (u *fakeUnit) Close() error {
	u.enter()
	u.closed.Add(1)
	return nil
}

// sleep returns what an iteration does that takes d.
func sleep(d time.Duration) func(*fakeUnit, vu.Iteration) error {
	return func(u *fakeUnit, _ vu.Iteration) error { return u.sleep(d) }
}

func (u *fakeUnit) sleep(d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-u.ctx.Done():
		return vu.ErrInterrupted
	}
}

func (b *bench) config() Config {
	return Config{
		Share: b.share, Timeline: b.timeline, Pool: b.pool, Coarse: true,
		Log:          slog.New(slog.NewTextHandler(&b.log, nil)),
		MinIteration: b.minimum,
		Dropped: func(n int64) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.dropped = append(b.dropped, drop{b.timeline.Now(), n})
		},
		Abort: func(a *vu.Abort) { b.stop(a) },
	}
}

// prepare makes the units and the executors.
func (b *bench) prepare(scenarios ...options.Scenario) []Executor {
	b.t.Helper()
	b.pool = NewPool(b, b.share)
	if err := b.pool.Init(b.ctx, options.RequirementsOf(scenarios, b.share).PlannedVUs); err != nil {
		b.t.Fatal(err)
	}
	all := make([]Executor, len(scenarios))
	for i, s := range scenarios {
		all[i] = must(New(b.config(), s))
	}
	return all
}

// run runs scenarios to their end and returns their last progress.
func (b *bench) run(scenarios ...options.Scenario) []Progress {
	b.t.Helper()
	return b.finish(b.prepare(scenarios...))
}

func (b *bench) finish(all []Executor) []Progress {
	b.t.Helper()
	var wg sync.WaitGroup
	b.timeline.Resume()
	for _, x := range all {
		wg.Go(func() { x.Run(b.ctx) })
	}
	wg.Wait()
	last := make([]Progress, len(all))
	for i, x := range all {
		last[i] = x.Progress()
	}
	b.pool.Close()
	if made := b.pool.Initialised(); b.closed.Load() != made {
		b.t.Errorf("%d of %d units closed", b.closed.Load(), made)
	}
	slices.SortStableFunc(b.starts, func(x, y start) int { return int(x.at - y.at) })
	return last
}

// instants returns when iterations began.
func (b *bench) instants() []time.Duration {
	at := make([]time.Duration, len(b.starts))
	for i, s := range b.starts {
		at[i] = s.at
	}
	return at
}

func (b *bench) droppedTotal() (n int64) {
	for _, d := range b.dropped {
		n += d.n
	}
	return n
}

// cause returns why the test was stopped, or nil.
func (b *bench) cause() error { return context.Cause(b.ctx) }

func (b *bench) wantAbort(code int) {
	b.t.Helper()
	var a *vu.Abort
	if !errors.As(b.cause(), &a) || a.Code != code {
		b.t.Errorf("the test ended with %v, want an abort with code %d", b.cause(), code)
	}
}

// checkNumbers verifies that the iterations are numbered from 0 without gaps.
func (b *bench) checkNumbers() {
	b.t.Helper()
	seen := make([]bool, len(b.starts))
	for _, s := range b.starts {
		i := s.it.InInstance
		if i >= uint64(len(seen)) || seen[i] {
			b.t.Fatalf("iteration number %d of %d is out of range or doubled", i, len(seen))
		}
		seen[i] = true
	}
}

type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

func dur(d time.Duration) options.Null[options.Duration] { return options.Some(options.Duration(d)) }

func num(n int64) options.Null[int64] { return options.Some(n) }
