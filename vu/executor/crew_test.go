package executor

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jsload/jsload/vu"
	"github.com/jsload/jsload/vu/options"
	"github.com/jsload/jsload/vu/segment"
)

const ms = time.Millisecond

func TestConstantVUsLoopUntilTheEnd(t *testing.T) {
	eachDriver(t, func(t *testing.T, b *bench) {
		b.iterate = sleep(300 * ms)
		last := b.run(options.Scenario{Name: "s", Executor: options.ConstantVUs, VUs: num(4), Duration: dur(time.Second), StartTime: dur(2 * time.Second)})
		// 0, 300, 600, 900 ms; none at or after 1 s, the last runs on to 1.2 s.
		want := []time.Duration{}
		for i := range 16 {
			want = append(want, 2*time.Second+time.Duration(i/4)*300*ms)
		}
		if !slices.Equal(b.instants(), want) {
			t.Errorf("started at %v", b.instants())
		}
		if last[0].Complete != 16 || last[0].State != Done || last[0].VUs != "4 VUs" || b.timeline.Now() != 3200*ms {
			t.Errorf("ended at %v as %+v", b.timeline.Now(), last[0])
		}
		b.checkNumbers()
	})
}

// No iteration starts at the very end or after it.
func TestConstantVUsStartNothingAtTheEnd(t *testing.T) {
	eachDriver(t, func(t *testing.T, b *bench) {
		b.iterate = sleep(250 * ms)
		b.run(options.Scenario{Name: "s", Executor: options.ConstantVUs, Duration: dur(time.Second)})
		if len(b.starts) != 4 {
			t.Errorf("%d iterations, want 4", len(b.starts))
		}
	})
}

func TestGracefulStopInterrupts(t *testing.T) {
	eachDriver(t, func(t *testing.T, b *bench) {
		b.iterate = sleep(4 * time.Second)
		last := b.run(options.Scenario{Name: "s", Executor: options.ConstantVUs, VUs: num(3), Duration: dur(time.Second), GracefulStop: dur(500 * ms)})
		if last[0].Interrupted != 3 || last[0].Complete != 0 || last[0].State != Interrupted || b.timeline.Now() != 1500*ms {
			t.Errorf("ended at %v as %+v", b.timeline.Now(), last[0])
		}
	})
}

// A wait for minIterationDuration does not outlive the scenario.
func TestGracefulStopEndsTheWaitOfAnIteration(t *testing.T) {
	eachDriver(t, func(t *testing.T, b *bench) {
		b.minimum = time.Minute
		last := b.run(options.Scenario{Name: "s", Executor: options.ConstantVUs, VUs: num(3), Duration: dur(time.Second), GracefulStop: dur(0)})
		if last[0].Complete != 3 || last[0].Interrupted != 0 || b.timeline.Now() != time.Second {
			t.Errorf("ended at %v as %+v", b.timeline.Now(), last[0])
		}
	})
}

func TestSharedIterations(t *testing.T) {
	eachDriver(t, func(t *testing.T, b *bench) {
		b.iterate = func(u *fakeUnit, _ vu.Iteration) error { return u.sleep(time.Duration(u.id.InInstance) * 10 * ms) }
		last := b.run(options.Scenario{Name: "s", Executor: options.SharedIterations, VUs: num(4), Iterations: num(40)})
		if len(b.starts) != 40 || len(b.dropped) != 0 || last[0].Detail != "40/40 shared iters" || last[0].Fraction != 1 {
			t.Errorf("%d iterations, %d dropped, %+v", len(b.starts), len(b.dropped), last[0])
		}
		b.checkNumbers()
	})
}

func TestSharedIterationsDropTheRest(t *testing.T) {
	eachDriver(t, func(t *testing.T, b *bench) {
		b.iterate = sleep(300 * ms)
		last := b.run(options.Scenario{Name: "s", Executor: options.SharedIterations, Iterations: num(100), MaxDuration: dur(time.Second)})
		if len(b.starts) != 4 || len(b.dropped) != 1 || b.droppedTotal() != 96 {
			t.Errorf("%d iterations, dropped %v", len(b.starts), b.dropped)
		}
		if last[0].State != Done || last[0].Fraction != 0.04 {
			t.Errorf("%+v", last[0])
		}
	})
}

// Ten iterations of four VUs over thirds are 5, 3 and 2; all numbers occur once.
func TestSharedIterationsFollowTheVUs(t *testing.T) {
	sequence := must(segment.ParseSequence("0,1/3,2/3,1"))
	seen := map[uint64]int{}
	var counts []int
	for _, part := range []string{"0:1/3", "1/3:2/3", "2/3:1"} {
		eachDriver(t, func(t *testing.T, b *bench) {
			b.share = must(segment.Locate(must(segment.Parse(part)), sequence))
			b.iterate = sleep(ms)
			b.run(options.Scenario{Name: "s", Executor: options.SharedIterations, VUs: num(4), Iterations: num(10)})
			counts = append(counts, len(b.starts))
			for _, s := range b.starts {
				seen[s.it.InTest]++
			}
		})
	}
	if !slices.Equal(counts, []int{5, 5, 3, 3, 2, 2}) || len(seen) != 10 {
		t.Errorf("counts %v, %d numbers", counts, len(seen))
	}
}

// A part that gets no VU has nothing to do and ends at once.
func TestAPartWithoutVUs(t *testing.T) {
	for _, s := range []options.Scenario{
		{Executor: options.SharedIterations, VUs: num(1), Iterations: num(4)},
		{Executor: options.PerVUIterations},
		{Executor: options.ConstantVUs, Duration: dur(time.Second)},
		{Executor: options.ConstantArrivalRate, Rate: num(5), Duration: dur(time.Second), PreAllocatedVUs: num(1)},
	} {
		eachDriver(t, func(t *testing.T, b *bench) {
			b.share = must(segment.Locate(must(segment.Parse("1/2:1")), must(segment.ParseSequence("0,1/2,1"))))
			last := b.run(s)
			if len(b.starts) != 0 || len(b.dropped) != 0 || last[0].State != Done || b.pool.Initialised() != 0 {
				t.Errorf("%s: %d iterations, %v dropped, %+v", s.Executor, len(b.starts), b.dropped, last[0])
			}
		})
	}
}

func TestPerVUIterations(t *testing.T) {
	eachDriver(t, func(t *testing.T, b *bench) {
		b.share = must(segment.Locate(must(segment.Parse("1/3:2/3")), must(segment.ParseSequence("0,1/3,2/3,1"))))
		b.iterate = sleep(50 * ms)
		last := b.run(options.Scenario{Name: "s", Executor: options.PerVUIterations, VUs: num(7), Iterations: num(2)})
		perVU := map[uint64]int{}
		for _, s := range b.starts {
			perVU[s.vu]++
		}
		if len(perVU) != 2 || perVU[1] != 2 || perVU[2] != 2 {
			t.Errorf("iterations per VU %v", perVU)
		}
		for i, want := range []uint64{2, 5} {
			if got := b.units[i].id.InTest; got != want {
				t.Errorf("VU %d is %d in the test, want %d", i+1, got, want)
			}
		}
		if last[0].Detail != "4/4 iters, 2 per VU" || b.timeline.Now() != 100*ms {
			t.Errorf("ended at %v as %+v", b.timeline.Now(), last[0])
		}
		b.checkNumbers()
	})
}

func TestPerVUIterationsDropTheRest(t *testing.T) {
	eachDriver(t, func(t *testing.T, b *bench) {
		b.iterate = func(u *fakeUnit, _ vu.Iteration) error { return u.sleep(time.Duration(u.id.InInstance) * 300 * ms) }
		b.run(options.Scenario{Name: "s", Executor: options.PerVUIterations, VUs: num(2), Iterations: num(3), MaxDuration: dur(time.Second), GracefulStop: dur(0)})
		// VU 1 finishes its three at 0.9 s, VU 2 starts two and is cut in the second.
		if len(b.starts) != 5 || b.droppedTotal() != 1 {
			t.Errorf("%d iterations, dropped %v", len(b.starts), b.dropped)
		}
	})
}

// For random ramps, VUs that sleep in steps of 1 ms follow the schedule: at any
// instant between two changes exactly the wanted number loops.
func TestRampingVUsReachTheirTargets(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 30 {
		ramp := vuRamp{start: r.Int64N(10), stages: append(randomStages(r, 20, 200*ms), stage{duration: 20 * ms, target: 3})}
		share := randomShare(r)
		s := options.Scenario{Name: "s", Executor: options.RampingVUs, StartVUs: num(ramp.start), GracefulRampDown: dur(time.Duration(r.IntN(3)) * ms)}
		var stages []options.Stage
		for _, st := range ramp.stages {
			stages = append(stages, options.Stage{Duration: options.Duration(st.duration), Target: st.target})
		}
		s.Stages = options.Some(stages)
		eachDriver(t, func(t *testing.T, b *bench) {
			b.share = share
			b.iterate = sleep(ms)
			x := b.prepare(s)
			instants := make([]time.Duration, 40)
			for i := range instants {
				instants[i] = time.Duration(r.Int64N(int64(ramp.End())))
			}
			slices.Sort(instants)
			go func() {
				for _, at := range instants {
					if b.timeline.Wait(t.Context(), at) != nil {
						return
					}
					synctest.Wait()
					want := wantedVUs(ramp, share, at)
					if got := x[0].(*rampingVUs).looping(); got != want {
						t.Errorf("%+v: %d VUs wanted at %v, want %d", ramp, got, at, want)
					}
					// Those told to stop need up to one iteration for it.
					if got := x[0].Progress().Active; got < want {
						t.Errorf("%+v: %d VUs at work at %v, want %d at least", ramp, got, at, want)
					}
				}
			}()
			b.finish(x)
			if len(b.starts) > 0 && b.starts[len(b.starts)-1].at >= ramp.End() {
				t.Errorf("%+v: an iteration starts at %v", ramp, b.starts[len(b.starts)-1].at)
			}
			for _, u := range b.units {
				if u.ctx != nil && u.ctx.Err() == nil {
					t.Error("an activation outlives its scenario")
				}
			}
		})
	}
}

func TestGracefulRampDown(t *testing.T) {
	tests := []struct {
		rampDown, iteration time.Duration
		interrupted         int64
		end                 time.Duration
	}{
		{0, 3 * time.Second, 2, time.Second},
		{400 * ms, 3 * time.Second, 2, 1100 * ms},         // VUs stop at 0.35 and 0.7 s
		{600 * ms, 900 * ms, 0, time.Second},              // both finish
		{10 * time.Second, 3 * time.Second, 2, 1500 * ms}, // cut by gracefulStop
	}
	for _, tt := range tests {
		eachDriver(t, func(t *testing.T, b *bench) {
			b.iterate = sleep(tt.iteration)
			last := b.run(options.Scenario{Name: "s", Executor: options.RampingVUs, StartVUs: num(2), GracefulRampDown: dur(tt.rampDown), GracefulStop: dur(500 * ms),
				Stages: options.Some([]options.Stage{{Duration: options.Duration(700 * ms)}, {Duration: options.Duration(300 * ms)}})})
			if last[0].Interrupted != tt.interrupted || b.timeline.Now() != tt.end {
				t.Errorf("%+v: ended at %v as %+v", tt, b.timeline.Now(), last[0])
			}
		})
	}
}

// A VU that ramps down goes on if it is wanted again, in the same activation; one
// that was cut gets a fresh one.
func TestRampDownAndUpAgain(t *testing.T) {
	for rampDown, activations := range map[time.Duration]int{time.Second: 1, 50 * ms: 2} {
		eachDriver(t, func(t *testing.T, b *bench) {
			b.iterate = sleep(400 * ms)
			b.run(options.Scenario{Name: "s", Executor: options.RampingVUs, StartVUs: num(1), GracefulRampDown: dur(rampDown),
				Stages: options.Some([]options.Stage{
					{Duration: options.Duration(100 * ms), Target: 1}, {Duration: 0, Target: 0}, {Duration: options.Duration(200 * ms), Target: 0},
					{Duration: 0, Target: 1}, {Duration: options.Duration(600 * ms), Target: 1}})})
			if len(b.units) != 1 || b.units[0].activations != activations {
				t.Errorf("rampDown %v: %d units, %d activations, want %d", rampDown, len(b.units), b.units[0].activations, activations)
			}
			want := []time.Duration{0, 400 * ms, 800 * ms}
			if activations == 2 {
				want = []time.Duration{0, 300 * ms, 700 * ms}
			}
			if !slices.Equal(b.instants(), want) {
				t.Errorf("rampDown %v: started at %v, want %v", rampDown, b.instants(), want)
			}
		})
	}
}

func TestExternallyControlled(t *testing.T) {
	eachDriver(t, func(t *testing.T, b *bench) {
		b.iterate = sleep(100 * ms)
		x := b.prepare(options.Scenario{Name: "s", Executor: options.ExternallyControlled, VUs: num(2), MaxVUs: num(4), Duration: dur(5 * time.Second)})
		control := x[0].(Scaler)
		if err := control.Scale(1, 1); !errors.Is(err, errNotRunning) {
			t.Errorf("control before the start gives %v", err)
		}
		go func() {
			at := func(d time.Duration, n, limit int64, fails bool) {
				_ = b.timeline.Wait(t.Context(), d)
				if err := control.Scale(n, limit); (err != nil) != fails {
					t.Errorf("scale to %d of %d: %v", n, limit, err)
				}
			}
			at(1050*ms, 4, 4, false)
			at(2050*ms, 5, 4, true)
			at(2051*ms, -1, 4, true)
			at(2060*ms, 6, 6, false)
			at(3050*ms, 1, 6, false)
		}()
		last := b.finish(x)
		perSecond := make([]int, 5)
		for _, s := range b.starts {
			perSecond[s.at/time.Second]++
		}
		if want := []int{20, 40, 60, 12, 10}; !closeTo(perSecond, want, 6) {
			t.Errorf("iterations per second %v, want about %v", perSecond, want)
		}
		if last[0].VUs != "1/6 VUs" || b.pool.Initialised() != 6 || b.timeline.Now() != 5*time.Second {
			t.Errorf("ended at %v as %+v with %d units", b.timeline.Now(), last[0], b.pool.Initialised())
		}
		if err := control.Scale(1, 1); !errors.Is(err, errNotRunning) {
			t.Errorf("control after the end gives %v", err)
		}
	})
}

func closeTo(got, want []int, slack int) bool {
	for i := range want {
		if max(got[i]-want[i], want[i]-got[i]) > slack {
			return false
		}
	}
	return true
}

// Without a duration the scenario runs until the test is stopped.
func TestExternallyControlledWithoutEnd(t *testing.T) {
	eachDriver(t, func(t *testing.T, b *bench) {
		b.iterate = sleep(3 * time.Hour)
		x := b.prepare(options.Scenario{Name: "s", Executor: options.ExternallyControlled, VUs: num(2)})
		go func() {
			time.Sleep(100 * time.Hour)
			if p := x[0].Progress(); p.Length != 0 || p.Fraction != 0 || p.Active != 2 {
				t.Errorf("%+v", p)
			}
			b.stop(&vu.Abort{Code: vu.ExitSignal})
		}()
		if last := b.finish(x); last[0].Interrupted != 2 || last[0].State != Interrupted {
			t.Errorf("%+v", last[0])
		}
	})
}

func TestLiveChangeOfConstantVUs(t *testing.T) {
	eachDriver(t, func(t *testing.T, b *bench) {
		b.iterate = sleep(100 * ms)
		x := b.prepare(options.Scenario{Name: "s", Executor: options.ConstantVUs, VUs: num(1), Duration: dur(2 * time.Second)})
		go func() {
			_ = b.timeline.Wait(t.Context(), 950*ms)
			if err := x[0].(Scaler).Scale(3, 3); err != nil {
				t.Error(err)
			}
		}()
		if last := b.finish(x); last[0].Complete != 10+10+2*11 || last[0].VUs != "3 VUs" {
			t.Errorf("%+v", last[0])
		}
	})
}

func TestPauseHoldsLoopingVUs(t *testing.T) {
	eachDriver(t, func(t *testing.T, b *bench) {
		b.iterate = sleep(100 * ms)
		x := b.prepare(options.Scenario{Name: "s", Executor: options.ConstantVUs, VUs: num(2), Duration: dur(time.Second)})
		go func() {
			time.Sleep(450 * ms)
			b.timeline.Pause()
			time.Sleep(time.Minute)
			b.timeline.Resume()
		}()
		began := time.Now()
		b.finish(x)
		// What ran when the pause came went on in it; five more rounds follow.
		if len(b.starts) != 22 || time.Since(began) != time.Minute+1050*ms {
			t.Errorf("%d starts in %v, want 22 in 61.05 s", len(b.starts), time.Since(began))
		}
	})
}

func TestAbortInterruptsAll(t *testing.T) {
	eachDriver(t, func(t *testing.T, b *bench) {
		b.iterate = func(u *fakeUnit, it vu.Iteration) error {
			if it.InInstance == 5 {
				time.Sleep(ms)
				return fmt.Errorf("wrapped: %w", &vu.Abort{Code: vu.ExitAborted, Message: "test aborted: enough"})
			}
			return u.sleep(time.Hour)
		}
		last := b.run(options.Scenario{Name: "a", Executor: options.ConstantVUs, VUs: num(6), Duration: dur(time.Hour)},
			options.Scenario{Name: "b", Executor: options.SharedIterations, Iterations: num(7), StartTime: dur(time.Minute)})
		b.wantAbort(vu.ExitAborted)
		if last[0].Interrupted != 5 || last[0].Complete != 1 || last[0].State != Interrupted || b.timeline.Now() != ms {
			t.Errorf("ended at %v as %+v", b.timeline.Now(), last[0])
		}
		if last[1].State != Interrupted || len(b.dropped) != 0 {
			t.Errorf("the scenario that had not begun is %+v, dropped %v", last[1], b.dropped)
		}
	})
}

func TestPanicOfAUnitStopsTheTest(t *testing.T) {
	for _, s := range []options.Scenario{
		{Name: "s", Executor: options.SharedIterations, Iterations: num(3)},
		{Name: "s", Executor: options.ConstantArrivalRate, Rate: num(1), Duration: dur(time.Minute), PreAllocatedVUs: num(1)},
	} {
		eachDriver(t, func(t *testing.T, b *bench) {
			b.iterate = func(u *fakeUnit, _ vu.Iteration) error { panic("a fault") }
			b.run(s)
			b.wantAbort(vu.ExitPanic)
			if log := b.log.String(); !strings.Contains(log, "panic: a fault") || !strings.Contains(log, "fake_test.go") {
				t.Errorf("log: %s", b.log.String())
			}
		})
	}
}

func TestOtherErrorsAreLoggedAndCount(t *testing.T) {
	eachDriver(t, func(t *testing.T, b *bench) {
		b.iterate = func(*fakeUnit, vu.Iteration) error { return errors.New("odd") }
		last := b.run(options.Scenario{Name: "s", Executor: options.SharedIterations, Iterations: num(3)})
		if last[0].Complete != 3 || strings.Count(b.log.String(), "msg=odd") != 3 {
			t.Errorf("%+v, log %s", last[0], b.log.String())
		}
	})
}

// A VU that does not return is abandoned and named, and a scenario that comes
// later gets another in its place.
func TestAVUThatDoesNotYieldIsAbandoned(t *testing.T) {
	eachDriver(t, func(t *testing.T, b *bench) {
		release := make(chan struct{})
		b.iterate = func(u *fakeUnit, _ vu.Iteration) error {
			if u.id.InInstance == 2 && u.scenario.Name == "a" {
				<-release
			}
			return u.sleep(time.Second)
		}
		scenarios := []options.Scenario{
			{Name: "a", Executor: options.ConstantVUs, VUs: num(2), Duration: dur(time.Second), GracefulStop: dur(time.Second)},
			{Name: "b", Executor: options.PerVUIterations, VUs: num(2), StartTime: dur(10 * time.Second)},
		}
		x := b.prepare(scenarios...)
		b.timeline.Resume()
		x[0].Run(b.ctx)
		if b.timeline.Now() != 2*time.Second+Grace {
			t.Errorf("ended at %v", b.timeline.Now())
		}
		if log := b.log.String(); !strings.Contains(log, "abandoned") || !strings.Contains(log, "vu=2 scenario=a at=\"line 7\"") {
			t.Errorf("log: %s", log)
		}
		x[1].Run(b.ctx)
		if x[1].Progress().Complete != 2 || b.pool.Initialised() != 3 {
			t.Errorf("%+v with %d units", x[1].Progress(), b.pool.Initialised())
		}
		b.pool.Close()
		if b.closed.Load() != 2 {
			t.Errorf("%d units closed, want 2", b.closed.Load())
		}
		close(release)
		synctest.Wait()
		if b.closed.Load() != 3 {
			t.Error("the abandoned unit is not closed when it returns")
		}
	})
}

func (u *fakeUnit) Where() string { return "line 7" }

// Scenarios that follow each other use the same VUs.
func TestScenariosShareVUs(t *testing.T) {
	eachDriver(t, func(t *testing.T, b *bench) {
		b.iterate = sleep(100 * ms)
		b.run(options.Scenario{Name: "a", Executor: options.ConstantVUs, VUs: num(3), Duration: dur(time.Second), GracefulStop: dur(0)},
			options.Scenario{Name: "b", Executor: options.PerVUIterations, VUs: num(2), StartTime: dur(time.Second)})
		if b.pool.Initialised() != 3 {
			t.Errorf("%d units, want 3", b.pool.Initialised())
		}
	})
}

func TestUnknownExecutor(t *testing.T) {
	if _, err := New(Config{}, options.Scenario{Executor: "warp-drive"}); err == nil || err.Error() != "unknown executor type 'warp-drive'" {
		t.Errorf("error is %v", err)
	}
}
