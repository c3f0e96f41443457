package engine

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jsload/jsload/vu"
	"github.com/jsload/jsload/vu/options"
)

func TestStatusesInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, constant(1, time.Second))
		live := b.config.Live
		status := func(want Status, running bool) {
			t.Helper()
			if live.Status() != want || live.Running() != running {
				t.Errorf("status %d, running %t; want %d, %t", live.Status(), live.Running(), want, running)
			}
		}
		status(StatusCreated, false)
		if live.VUsInitialized() != 0 || live.VUsActive() != 0 || live.Elapsed() != 0 || live.Scenarios() != nil {
			t.Error("there are numbers before the run")
		}
		b.make = func() error { time.Sleep(100 * ms); return nil }
		b.config.Setup, b.config.Teardown = b.hook("setup", time.Second, nil), b.hook("teardown", time.Second, nil)
		done := make(chan struct{})
		go func() { b.run(0); close(done) }()
		for _, s := range []struct {
			after   time.Duration
			want    Status
			running bool
		}{{50 * ms, StatusInitVUs, false}, {time.Second, StatusSetup, true}, {time.Second, StatusRunning, true}, {time.Second, StatusTeardown, true}} {
			time.Sleep(s.after)
			status(s.want, s.running)
		}
		<-done
		status(StatusEnded, false)
	})
}

func TestStartPaused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, constant(2, time.Second))
		b.config.Options.Paused = options.Some(true)
		b.config.Setup = b.hook("setup", 0, nil)
		live := b.config.Live
		go func() {
			time.Sleep(time.Minute)
			if live.Status() != StatusPausedBeforeRun || !live.Paused() || live.Running() || len(b.events) > 0 || live.VUsInitialized() != 2 {
				t.Errorf("status %d, events %v", live.Status(), b.events)
			}
			live.Resume()
			live.Resume()
		}()
		began := time.Now()
		if r := b.run(0); r.Duration != time.Second || time.Since(began) != 61*time.Second || live.Paused() {
			t.Errorf("duration %v, in all %v", r.Duration, time.Since(began))
		}
	})
}

func TestStopWhilePausedBeforeTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, constant(2, time.Second))
		b.config.Options.Paused = options.Some(true)
		b.config.Setup, b.config.Teardown = b.hook("setup", 0, nil), b.hook("teardown", 0, nil)
		time.AfterFunc(time.Minute, b.config.Live.Stop)
		b.run(vu.ExitStoppedByAPI)
		if len(b.events) > 0 || !b.config.Live.Stopped() {
			t.Errorf("events %v", b.events)
		}
	})
}

func TestPauseAndResumeInTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, constant(2, 2*time.Second))
		live := b.config.Live
		go func() {
			time.Sleep(time.Second + 50*ms)
			live.Pause()
			time.Sleep(10 * time.Second)
			if n := live.IterationsCompleted(); n != 22 || live.VUsActive() != 2 || live.Status() != StatusRunning {
				t.Errorf("%d iterations in the pause", n)
			}
			live.Resume()
		}()
		if r := b.run(0); r.Duration != 12*time.Second+50*ms {
			t.Errorf("duration %v", r.Duration)
		}
	})
}

// A pause in setup holds the scenarios.
func TestPauseInSetup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, constant(1, time.Second))
		b.config.Setup = b.hook("setup", time.Second, nil)
		time.AfterFunc(500*ms, b.config.Live.Pause)
		time.AfterFunc(5*time.Second, b.config.Live.Resume)
		if r := b.run(0); r.Duration != 6*time.Second {
			t.Errorf("duration %v, want 6 s", r.Duration)
		}
	})
}

func TestStopFromOutside(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, constant(2, time.Hour))
		b.config.Teardown = b.hook("teardown", 0, nil)
		time.AfterFunc(1234*ms, b.config.Live.Stop)
		r := b.run(vu.ExitStoppedByAPI)
		if r.Duration != 1234*ms || r.Snapshot == nil || len(b.events) != 1 {
			t.Errorf("duration %v, events %v", r.Duration, b.events)
		}
	})
}

func TestScale(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t,
			options.Scenario{Name: "i", Executor: options.PerVUIterations},
			options.Scenario{Name: "e", Executor: options.ExternallyControlled, VUs: num(1), MaxVUs: num(3), Duration: dur(3 * time.Second)})
		live := b.config.Live
		three, nine, minus := int64(3), int64(9), int64(-1)
		go func() {
			time.Sleep(1500 * ms)
			if n, limit, ok := live.VUs(); n != 1 || limit != 3 || !ok {
				t.Errorf("%d of %d VUs, %t", n, limit, ok)
			}
			if err := live.Scale(&nine, nil); err == nil {
				t.Error("more VUs than the limit are accepted")
			}
			if err := live.Scale(&minus, nil); err == nil {
				t.Error("fewer than no VUs are accepted")
			}
			if err := live.Scale(&three, nil); err != nil {
				t.Error(err)
			}
			time.Sleep(time.Second)
			if live.VUsActive() != 3 {
				t.Errorf("%d VUs at work, want 3", live.VUsActive())
			}
			if err := live.Scale(nil, &nine); err != nil {
				t.Error(err)
			}
			if n, limit, _ := live.VUs(); n != 3 || limit != 9 {
				t.Errorf("%d of %d VUs", n, limit)
			}
		}()
		b.run(0)
		if err := live.Scale(&three, nil); !errors.Is(err, errNoScaler) {
			t.Errorf("scaling after the end gives %v", err)
		}
		if _, _, ok := live.VUs(); ok {
			t.Error("there are VUs to scale after the end")
		}
	})
}

// Live is safe to use before and without a run.
func TestLiveWithoutARun(t *testing.T) {
	live := NewLive()
	live.Pause()
	live.Resume()
	live.Abort(&vu.Abort{})
	live.Stop()
	if !live.Stopped() || live.Status() != StatusCreated {
		t.Errorf("status %d", live.Status())
	}
}
