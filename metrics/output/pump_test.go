package output

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jsload/jsload/metrics"
)

// fake is a sink that remembers what it got.
type fake struct {
	needs              Needs
	startErr, writeErr error
	stopErr            error

	calls     []string
	samples   int
	snapshots []time.Duration
	writes    []time.Time
}

func (f *fake) Start(Run) (Needs, error) {
	f.calls = append(f.calls, "start")
	return f.needs, f.startErr
}

func (f *fake) Write(b Batch) error {
	call := "write"
	if b.Final {
		call = "final"
	}
	f.calls = append(f.calls, call)
	f.writes = append(f.writes, time.Now())
	if f.writeErr != nil {
		return f.writeErr
	}
	f.samples += len(b.Samples)
	if b.Snapshot != nil {
		f.snapshots = append(f.snapshots, time.Duration(b.Snapshot.At))
	}
	return nil
}

func (f *fake) Stop() error {
	f.calls = append(f.calls, "stop")
	return f.stopErr
}

// rig is a pump with a store to write to.
type rig struct {
	*Pump
	store *metrics.Store
	log   *strings.Builder
}

func newRig(cfg Config, sinks ...*fake) rig {
	registry := metrics.NewRegistry()
	var log strings.Builder
	cfg.Store = metrics.NewStore(metrics.Config{Registry: registry, Epoch: metrics.NewEpoch(time.Now()), Shards: 1})
	cfg.Logger = slog.New(slog.NewTextHandler(&log, nil))
	for i, f := range sinks {
		cfg.Sinks = append(cfg.Sinks, Sink{Name: fmt.Sprintf("fake=%d", i), Output: f})
	}
	return rig{NewPump(cfg), cfg.Store, &log}
}

// record writes n samples.
func (r rig) record(n int) {
	m := r.store.Registry().Builtin().Iterations
	for range n {
		r.store.Shard(0).Sample(r.store.Epoch().Now(), m, 1, metrics.TagSet{}, metrics.TagSet{})
	}
}

func TestPumpFeedsSinks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		raw := &fake{needs: Needs{Samples: true}}
		slow := &fake{needs: Needs{Samples: true, Every: time.Second}}
		live := &fake{needs: Needs{Snapshots: true, Every: 500 * time.Millisecond}}
		idle := &fake{}
		r := newRig(Config{}, raw, slow, live, idle)
		if err := r.Start(); err != nil {
			t.Fatal(err)
		}
		for range 20 {
			r.record(10)
			time.Sleep(100 * time.Millisecond)
		}
		synctest.Wait()
		r.record(7)
		last := r.Flush()
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		if raw.samples != 207 || slow.samples != 207 {
			t.Errorf("%d and %d samples", raw.samples, slow.samples)
		}
		if live.samples != 0 || idle.samples != 0 || len(raw.snapshots) != 0 {
			t.Error("a sink got what it did not ask for")
		}
		half := 500 * time.Millisecond
		if want := []time.Duration{half, 2 * half, 3 * half, 4 * half, 4 * half}; !slices.Equal(live.snapshots, want) {
			t.Errorf("snapshots at %v", live.snapshots)
		}
		for _, f := range []*fake{raw, slow, live, idle} {
			if n := len(f.calls); f.calls[0] != "start" || f.calls[n-2] != "final" || f.calls[n-1] != "stop" {
				t.Errorf("calls %v", f.calls)
			}
		}
		if want := []string{"start", "final", "stop"}; !slices.Equal(idle.calls, want) {
			t.Errorf("the idle sink was called: %v", idle.calls)
		}
		if s := last.Find(r.store.Registry().Builtin().Iterations, ""); s == nil || s.Sum != 207 {
			t.Errorf("the last snapshot has %+v", s)
		}
	})
}

func TestPumpHooks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var judged, shown []time.Duration
		r := newRig(Config{
			Judge:          func(_ *metrics.Snapshot, at time.Duration) { judged = append(judged, at) },
			Progress:       func(_ *metrics.Snapshot, at time.Duration) { shown = append(shown, at) },
			ProgressPeriod: time.Second,
		})
		if err := r.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5*time.Second + 1)
		r.Flush()
		_ = r.Close()
		if want := []time.Duration{2 * time.Second, 4 * time.Second}; !slices.Equal(judged, want) {
			t.Errorf("judged at %v", judged)
		}
		if len(shown) != 5 || shown[4] != 5*time.Second {
			t.Errorf("progress at %v", shown)
		}
	})
}

// TestPumpSlowHook: ticks missed because of a slow hook are left out.
func TestPumpSlowHook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var at []time.Duration
		r := newRig(Config{
			Progress: func(_ *metrics.Snapshot, now time.Duration) {
				at = append(at, now)
				time.Sleep(2500 * time.Millisecond)
			},
			ProgressPeriod: time.Second,
		})
		_ = r.Start()
		time.Sleep(9 * time.Second)
		r.Flush()
		_ = r.Close()
		if want := []time.Duration{1 * time.Second, 3500 * time.Millisecond, 6 * time.Second, 8500 * time.Millisecond}; !slices.Equal(at, want) {
			t.Errorf("called at %v", at)
		}
	})
}

// TestPumpManySamples: a tap that fills up is emptied before the next tick, and
// no writer waits for ever.
func TestPumpManySamples(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{needs: Needs{Samples: true, Every: time.Hour}}
		r := newRig(Config{}, f)
		if err := r.Start(); err != nil {
			t.Fatal(err)
		}
		const n = metrics.DefaultTapLimit * 3 / 2
		r.record(n)
		r.Flush()
		_ = r.Close()
		if f.samples != n {
			t.Errorf("%d of %d samples", f.samples, n)
		}
	})
}

func TestPumpFailingSink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bad := &fake{needs: Needs{Samples: true}, writeErr: errors.New("write o.json: no space left"), stopErr: errors.New("again")}
		good := &fake{needs: Needs{Samples: true}}
		r := newRig(Config{}, bad, good)
		if err := r.Start(); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			r.record(5)
			time.Sleep(DefaultPeriod)
		}
		synctest.Wait()
		r.Flush()
		err := r.Close()
		if want := "output fake=0 is incomplete: up to 15 of 15 samples were not written"; err == nil || err.Error() != want {
			t.Errorf("closing: %v", err)
		}
		if n := strings.Count(r.log.String(), "no space left"); n != 1 || !strings.Contains(r.log.String(), "fake=0") {
			t.Errorf("logged %d times:\n%s", n, r.log)
		}
		if good.samples != 15 || !slices.Equal(bad.calls, []string{"start", "write", "stop"}) {
			t.Errorf("%d samples arrived elsewhere; calls %v", good.samples, bad.calls)
		}
	})
}

func TestPumpStartFails(t *testing.T) {
	first, second, third := &fake{}, &fake{startErr: errors.New("no such folder")}, &fake{}
	r := newRig(Config{}, first, second, third)
	err := r.Start()
	if err == nil || !strings.Contains(err.Error(), "output fake=1: no such folder") {
		t.Errorf("got %v", err)
	}
	if !slices.Equal(first.calls, []string{"start", "stop"}) || len(third.calls) != 0 || len(second.calls) != 1 {
		t.Errorf("calls %v, %v, %v", first.calls, second.calls, third.calls)
	}
}

func TestPumpStopError(t *testing.T) {
	r := newRig(Config{}, &fake{stopErr: errors.New("late")})
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	r.Flush()
	if err := r.Close(); err == nil || err.Error() != "output fake=0 is incomplete, some of 0 samples were not written: late" {
		t.Errorf("got %v", err)
	}
}
