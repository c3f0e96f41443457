package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/metrics/output"
	"github.com/jsload/jsload/metrics/threshold"
	"github.com/jsload/jsload/vu"
	"github.com/jsload/jsload/vu/executor"
	"github.com/jsload/jsload/vu/options"
	"github.com/jsload/jsload/vu/record"
)

const ms = time.Millisecond

// bench is one test of the engine with fake units in fake time.
type bench struct {
	t      *testing.T
	config Config
	log    buffer
	cc     *metrics.Metric

	// iterate is what each iteration does, make what making a unit does.
	iterate func(u *unit) error
	make    func() error

	mu     sync.Mutex
	events []string
	closed int
}

func newBench(t *testing.T, scenarios ...options.Scenario) *bench {
	b := &bench{t: t}
	b.iterate = func(u *unit) error { return u.sleep(100 * ms) }
	registry := metrics.NewRegistry()
	store := metrics.NewStore(metrics.Config{Registry: registry, Epoch: metrics.NewEpoch(time.Now())})
	b.cc, _ = registry.New("cc", metrics.Counter, metrics.Default)
	tags := metrics.ParseSystemTags([]string{"scenario", "group"})
	b.config = Config{
		Options: options.Options{Scenarios: options.Some(scenarios)},
		Factory: b, Store: store, Live: NewLive(), Coarse: true,
		Recorder: record.New(record.Config{Store: store, SystemTags: tags, RunTags: map[string]string{"run": "r"}}),
		Log:      slog.New(slog.NewTextHandler(&b.log, nil)),
	}
	return b
}

func (b *bench) event(format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.events = append(b.events, fmt.Sprintf(format, args...))
}

// hook returns a setup or teardown that takes d.
func (b *bench) hook(name string, d time.Duration, result error) func(context.Context) error {
	return func(ctx context.Context) error {
		b.event("%s", name)
		select {
		case <-time.After(d):
			return result
		case <-ctx.Done():
			return vu.ErrInterrupted
		}
	}
}

func (b *bench) threshold(source string, abort bool, delay time.Duration) {
	set, err := threshold.NewSet(map[string][]threshold.Definition{"cc": {{Source: source, AbortOnFail: abort, DelayAbortEval: delay}}}, false)
	if err == nil {
		err = set.Bind(b.config.Store.Registry(), b.config.Store)
	}
	if err != nil {
		b.t.Fatal(err)
	}
	b.config.Thresholds = set
}

func (b *bench) NewUnit(ctx context.Context, id vu.ID) (vu.Unit, error) {
	if b.make != nil {
		if err := b.make(); err != nil {
			return nil, err
		}
	}
	return &unit{bench: b, id: id, record: b.config.Recorder.VU(id.InTest)}, nil
}

type unit struct {
	*bench
	id     vu.ID
	ctx    context.Context
	record *record.VU
	now    vu.Iteration // that runs
}

func (u *unit) Activate(ctx context.Context, s *vu.Scenario) error {
	u.ctx = ctx
	u.record.SetScenario(u.config.Recorder.Scenario(s.Name, s.Tags))
	return nil
}

func (u *unit) Iterate(it vu.Iteration) error {
	u.now = it
	begin := u.config.Recorder.Now()
	err := u.iterate(u)
	if !errors.Is(err, vu.ErrInterrupted) {
		u.record.EndIteration(begin, u.config.Recorder.Now())
	}
	return err
}

func (u *unit) Close() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.closed++
	return nil
}

func (u *unit) sleep(d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-u.ctx.Done():
		return vu.ErrInterrupted
	}
}

// run runs the test and checks its end.
func (b *bench) run(code int) Result {
	b.t.Helper()
	return b.runIn(b.t.Context(), code)
}

func (b *bench) runIn(ctx context.Context, code int) Result {
	b.t.Helper()
	r := Run(ctx, b.config)
	if r.Code != code {
		b.t.Errorf("exit code %d (%v), want %d", r.Code, r.Err, code)
	}
	if code != vu.ExitMarkedFailed && (r.Err == nil) != (code == 0) {
		b.t.Errorf("code %d with error %v", code, r.Err)
	}
	if made := b.config.Live.VUsInitialized(); int64(b.closed) != made {
		b.t.Errorf("%d of %d units closed", b.closed, made)
	}
	return r
}

// series returns what the run measured of a metric.
func (b *bench) series(r Result, m *metrics.Metric) metrics.Series {
	if s := r.Snapshot.Find(m, ""); s != nil {
		return *s
	}
	return metrics.Series{}
}

func (b *bench) builtin() *metrics.Builtin { return b.config.Recorder.Builtin() }

type buffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

func dur(d time.Duration) options.Null[options.Duration] { return options.Some(options.Duration(d)) }

func num(n int64) options.Null[int64] { return options.Some(n) }

// constant returns a constant-vus scenario.
func constant(vus int64, d time.Duration) options.Scenario {
	return options.Scenario{Name: "s", Executor: options.ConstantVUs, VUs: num(vus), Duration: dur(d)}
}

func TestRunFromStartToEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, constant(3, 4*time.Second))
		b.make = func() error { time.Sleep(700 * ms); b.event("unit"); return nil }
		b.config.Setup = b.hook("setup", 500*ms, nil)
		b.config.Teardown = b.hook("teardown", 250*ms, nil)
		r := b.run(0)
		if want := []string{"unit", "unit", "unit", "setup", "teardown"}; !slices.Equal(b.events, want) {
			t.Errorf("events %v, want %v", b.events, want)
		}
		if r.Duration != 4750*ms {
			t.Errorf("duration %v, want 4.75 s", r.Duration)
		}
		if s := b.series(r, b.builtin().Iterations); s.Sum != 120 {
			t.Errorf("%v iterations, want 120", s.Sum)
		}
		// Units take 1.4 s on two processors, more on one; samples are taken each
		// second of the whole run.
		if s := b.series(r, b.builtin().VUsMax); s.Samples < 6 || s.Max != 3 || s.Min > 2 {
			t.Errorf("vus_max %+v", s)
		}
		if s := b.series(r, b.builtin().VUs); s.Min != 0 || s.Max != 3 {
			t.Errorf("vus %+v", s)
		}
		live := b.config.Live
		if live.Status() != StatusEnded || live.Running() || live.Elapsed() != r.Duration || live.IterationsCompleted() != 120 || live.VUsActive() != 0 {
			t.Errorf("live: status %d, elapsed %v", live.Status(), live.Elapsed())
		}
		if len(r.Scenarios) != 1 || r.Scenarios[0].State != executor.Done || b.log.String() != "" {
			t.Errorf("scenarios %+v, log %s", r.Scenarios, b.log.String())
		}
	})
}

// A run under one second has no samples of its numbers of VUs.
func TestShortRunHasNoGauges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, options.Scenario{Name: "s", Executor: options.PerVUIterations})
		r := b.run(0)
		if s := b.series(r, b.builtin().VUs); s.Samples != 0 {
			t.Errorf("vus has %d samples", s.Samples)
		}
	})
}

func TestErrorOfInitEndsTheTest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, constant(3, time.Second))
		b.make = func() error { return &vu.Abort{Code: vu.ExitScript, Message: "no"} }
		b.config.Setup = b.hook("setup", 0, nil)
		b.config.Teardown = b.hook("teardown", 0, nil)
		if r := b.run(vu.ExitScript); r.Snapshot != nil || len(b.events) > 0 {
			t.Errorf("events %v, snapshot %v", b.events, r.Snapshot)
		}
	})
}

func TestSetupAndTeardownEndings(t *testing.T) {
	script := &vu.Abort{Code: vu.ExitScript, Message: "thrown"}
	tests := []struct {
		name            string
		setup, teardown time.Duration
		fails, tears    error
		code            int
		events          []string
		message         string
	}{
		{"setup throws", 0, 0, script, nil, vu.ExitScript, []string{"setup"}, "thrown"},
		{"setup takes too long", time.Hour, 0, nil, nil, vu.ExitSetupTimeout, []string{"setup"}, "setup() execution timed out after 10s"},
		{"teardown throws", 0, 0, nil, script, vu.ExitScript, []string{"setup", "teardown"}, "thrown"},
		{"teardown takes too long", 0, time.Hour, nil, nil, vu.ExitTeardownTimeout, []string{"setup", "teardown"}, "teardown() execution timed out after 1m0s"},
		{"other error", 0, 0, errors.New("odd"), nil, vu.ExitOther, []string{"setup"}, "odd"},
	}
	for _, tt := range tests {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t, constant(1, time.Second))
			b.config.Options.SetupTimeout = dur(10 * time.Second)
			b.config.Setup = b.hook("setup", tt.setup, tt.fails)
			b.config.Teardown = b.hook("teardown", tt.teardown, tt.tears)
			r := b.run(tt.code)
			if !slices.Equal(b.events, tt.events) || r.Err.Error() != tt.message || r.Snapshot == nil {
				t.Errorf("%s: events %v, error %q", tt.name, b.events, r.Err)
			}
		})
	}
}

func TestNoSetupNoTeardown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, constant(1, time.Second))
		b.config.Options.NoSetup, b.config.Options.NoTeardown = options.Some(true), options.Some(true)
		b.config.Setup, b.config.Teardown = b.hook("setup", 0, nil), b.hook("teardown", 0, nil)
		b.run(0)
		if len(b.events) > 0 {
			t.Errorf("events %v", b.events)
		}
	})
}

// A hook that ignores its context is left behind, one that panics is a fault.
func TestHooksThatMisbehave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, constant(1, time.Second))
		release := make(chan struct{})
		b.config.Teardown = func(context.Context) error { <-release; return nil }
		b.run(vu.ExitTeardownTimeout)
		if !strings.Contains(b.log.String(), "teardown() did not stop") {
			t.Errorf("log %s", b.log.String())
		}
		close(release)
		b = newBench(t, constant(1, time.Second))
		b.config.Setup = func(context.Context) error { panic("oh") }
		b.run(vu.ExitPanic)
	})
}

func TestSignalInEachPhase(t *testing.T) {
	tests := []struct {
		at       time.Duration
		events   []string
		snapshot bool
	}{
		{500 * ms, nil, false},                            // units are being made
		{1500 * ms, []string{"setup"}, true},              // setup
		{3500 * ms, []string{"setup", "teardown"}, true},  // scenarios
		{12100 * ms, []string{"setup", "teardown"}, true}, // teardown goes on
	}
	for _, tt := range tests {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t, constant(1, 10*time.Second))
			b.make = func() error { time.Sleep(time.Second); return nil }
			b.config.Setup, b.config.Teardown = b.hook("setup", time.Second, nil), b.hook("teardown", time.Second, nil)
			b.iterate = func(u *unit) error { return u.sleep(time.Hour) }
			b.config.Options.Scenarios.V[0].GracefulStop = dur(0)
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			time.AfterFunc(tt.at, func() { cancel(&vu.Abort{Code: vu.ExitSignal, Message: "signal: interrupt"}) })
			began := time.Now()
			r := b.runIn(ctx, vu.ExitSignal)
			if !slices.Equal(b.events, tt.events) || (r.Snapshot != nil) != tt.snapshot {
				t.Errorf("at %v: events %v, snapshot %t", tt.at, b.events, r.Snapshot != nil)
			}
			if tt.at == 3500*ms && time.Since(began) != 4500*ms {
				t.Errorf("ended after %v, want 4.5 s", time.Since(began))
			}
		})
	}
}

func TestAbortFromAnIteration(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, constant(4, time.Hour), options.Scenario{Name: "later", Executor: options.PerVUIterations, StartTime: dur(time.Minute)})
		b.threshold("count<0", false, 0)
		b.config.Teardown = b.hook("teardown", time.Second, errors.New("teardown failed too"))
		b.iterate = func(u *unit) error {
			if u.id.InInstance == 2 {
				time.Sleep(time.Second)
				return &vu.Abort{Code: vu.ExitAborted, Message: "test aborted: enough"}
			}
			return u.sleep(time.Hour)
		}
		r := b.run(vu.ExitAborted)
		if r.Err.Error() != "test aborted: enough" || r.Duration != 2*time.Second || b.config.Live.Status() != StatusInterrupted {
			t.Errorf("error %q after %v, status %d", r.Err, r.Duration, b.config.Live.Status())
		}
		if log := b.log.String(); !strings.Contains(log, "teardown failed too") || !strings.Contains(log, "have been crossed") {
			t.Errorf("log %s", log)
		}
		if s := b.series(r, b.builtin().Iterations); s.Sum != 1 {
			t.Errorf("%v iterations", s.Sum)
		}
	})
}

func TestThresholds(t *testing.T) {
	count := func(u *unit) error { u.record.Add(u.cc, 1); return u.sleep(100 * ms) }
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, constant(1, 10*time.Second))
		b.iterate = count
		b.threshold("count<50", false, 0)
		r := b.run(vu.ExitThresholds)
		if r.Err.Error() != "thresholds on metrics 'cc' have been crossed" || r.Duration != 10*time.Second || !b.config.Live.Tainted() {
			t.Errorf("error %q after %v", r.Err, r.Duration)
		}
	})
	for delay, end := range map[time.Duration]time.Duration{0: 6 * time.Second, 7 * time.Second: 8 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t, constant(1, time.Minute))
			b.iterate = count
			b.threshold("count<50", true, delay)
			b.config.Teardown = b.hook("teardown", time.Second, nil)
			r := b.run(vu.ExitThresholds)
			want := "thresholds on metrics 'cc' were crossed; at least one has abortOnFail enabled, stopping test prematurely"
			if r.Err.Error() != want || r.Duration != end+time.Second || !slices.Equal(b.events, []string{"teardown"}) {
				t.Errorf("error %q after %v, events %v", r.Err, r.Duration, b.events)
			}
		})
	}
}

// The rate of a counter is judged over the duration that the result names.
func TestThresholdOnARate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, constant(1, 10*time.Second))
		b.make = func() error { time.Sleep(time.Minute); return nil }
		b.iterate = func(u *unit) error { u.record.Add(u.cc, 1); return u.sleep(100 * ms) }
		b.threshold("rate==10", false, 0)
		b.run(0)
	})
}

func TestMarkedAsFailed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, constant(1, time.Second))
		b.iterate = func(u *unit) error { u.config.Live.Fail(); return u.sleep(100 * ms) }
		if r := b.run(vu.ExitMarkedFailed); b.config.Live.IterationsCompleted() != 10 || r.Err != nil || b.config.Live.Status() != StatusMarkedAsFailed {
			t.Errorf("%d iterations, %v", b.config.Live.IterationsCompleted(), r.Err)
		}
	})
}

func TestNothingFinished(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, constant(1, time.Second))
		b.iterate = func(u *unit) error { return u.sleep(time.Hour) }
		b.run(0)
		if !strings.Contains(b.log.String(), "No script iterations fully finished, consider making the test duration longer") || b.config.Live.IterationsInterrupted() != 1 {
			t.Errorf("log %s", b.log.String())
		}
	})
}

func TestDroppedIterationsAreRecorded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, options.Scenario{Name: "s", Executor: options.SharedIterations, Iterations: num(100), MaxDuration: dur(950 * ms)})
		r := b.run(0)
		if s := b.series(r, b.builtin().DroppedIterations); s.Sum != 90 || s.Samples != 1 {
			t.Errorf("dropped %+v", s)
		}
	})
}

func TestMinIterationDuration(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, constant(1, 950*ms))
		b.config.Options.MinIterationDuration = dur(300 * ms)
		if r := b.run(0); b.config.Live.IterationsCompleted() != 4 || r.Duration != 1200*ms {
			t.Errorf("%d iterations in %v", b.config.Live.IterationsCompleted(), r.Duration)
		}
	})
}

// sink remembers the calls it gets.
type sink struct {
	*bench
	fails error
}

func (s *sink) Start(output.Run) (output.Needs, error) {
	s.event("sink starts")
	return output.Needs{Samples: true}, s.fails
}
func (s *sink) Write(b output.Batch) error {
	if b.Final {
		s.event("sink ends")
	}
	return nil
}
func (s *sink) Stop() error { s.event("sink stops"); return nil }

func TestSinksSeeTheWholeRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, constant(1, time.Second))
		b.config.Teardown = b.hook("teardown", 0, nil)
		b.config.Sinks = []output.Sink{{Name: "x", Output: &sink{bench: b}}}
		ticks := 0
		b.config.Progress, b.config.ProgressPeriod = func(*metrics.Snapshot, time.Duration) { ticks++ }, 100*ms
		b.run(0)
		if want := []string{"sink starts", "teardown", "sink ends", "sink stops"}; !slices.Equal(b.events, want) || ticks < 9 {
			t.Errorf("events %v, %d ticks", b.events, ticks)
		}
		b = newBench(t, constant(1, time.Second))
		b.config.Sinks = []output.Sink{{Name: "x", Output: &sink{bench: b, fails: errors.New("no")}}}
		b.run(vu.ExitOther)
	})
}
