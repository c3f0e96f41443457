package executor

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jsload/jsload/vu"
	"github.com/jsload/jsload/vu/options"
	"github.com/jsload/jsload/vu/segment"
)

// randomScenario returns a scenario of any executor. Its gracefulStop outlasts
// the iterations of the test below.
func randomScenario(r *rand.Rand, name string) options.Scenario {
	s := options.Scenario{Executor: options.Executors()[r.IntN(7)], VUs: num(1 + r.Int64N(6)), Iterations: num(6 + r.Int64N(30)),
		MaxDuration: dur(time.Hour), Duration: dur(time.Duration(1+r.IntN(2000)) * ms), GracefulStop: dur(time.Second)}
	switch s.Executor {
	case options.ConstantArrivalRate, options.RampingArrivalRate:
		s = randomArrivals(r)
		s.GracefulStop = dur(time.Second)
		s.PreAllocatedVUs = num(60) // iterations take 10 ms at up to 3,000 per second
	case options.RampingVUs:
		s.StartVUs, s.GracefulRampDown = num(r.Int64N(5)), dur(time.Duration(r.IntN(100))*ms)
		s.Stages = options.Some([]options.Stage{
			{Duration: options.Duration(time.Duration(r.IntN(1000)) * ms), Target: r.Int64N(8)},
			{Duration: options.Duration(time.Duration(r.IntN(1000)) * ms), Target: r.Int64N(8)}})
	}
	s.Name, s.StartTime = name, dur(time.Duration(r.IntN(4000))*ms)
	return s
}

// promised returns how many iterations a scenario must start, or -1 if that
// depends on how long they take.
func promised(s options.Scenario) int {
	switch s.Executor {
	case options.SharedIterations:
		return int(s.Iterations.V)
	case options.PerVUIterations:
		return int(s.VUs.V * s.Iterations.V)
	case options.ConstantArrivalRate, options.RampingArrivalRate:
		return int(count(arrivalsOf(s.WithDefaults())))
	case options.ConstantVUs, options.ExternallyControlled:
		rounds := (s.Duration.V.Std() + 10*ms - 1) / (10 * ms)
		return int(s.VUs.V) * int(rounds)
	}
	return -1
}

// Random scenarios that share a pool start what they promise, when they promise
// it, with the planned VUs and no other.
func TestRandomScenariosTogether(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for range 60 {
		scenarios := make([]options.Scenario, 1+r.IntN(5))
		for i := range scenarios {
			scenarios[i] = randomScenario(r, fmt.Sprint(i))
		}
		eachDriver(t, func(t *testing.T, b *bench) {
			b.iterate = sleep(10 * ms)
			last := b.run(scenarios...)
			needs := options.RequirementsOf(scenarios, segment.Striper{})
			if b.pool.Initialised() != needs.PlannedVUs {
				t.Errorf("%d VUs made, %d planned", b.pool.Initialised(), needs.PlannedVUs)
			}
			if b.droppedTotal() != 0 || b.timeline.Now() > needs.TotalDuration {
				t.Errorf("%d dropped, ended at %v of %v", b.droppedTotal(), b.timeline.Now(), needs.TotalDuration)
			}
			for i, s := range scenarios {
				checkStarts(t, b, s, last[i])
			}
		})
		if t.Failed() {
			t.Fatalf("%+v", scenarios)
		}
	}
}

func checkStarts(t *testing.T, b *bench, s options.Scenario, last Progress) {
	var at []time.Duration
	for _, st := range b.starts {
		if st.scenario == s.Name {
			at = append(at, st.at-s.StartTime.V.Std())
		}
	}
	if want := promised(s); want >= 0 && len(at) != want {
		t.Errorf("%s %s starts %d iterations, want %d", s.Executor, s.Name, len(at), want)
	}
	if last.Complete+last.Interrupted != int64(len(at)) {
		t.Errorf("%s %s: %d starts, progress %+v", s.Executor, s.Name, len(at), last)
	}
	length, _ := s.RegularDuration()
	if n := len(at); n > 0 && (at[0] < 0 || at[n-1] > length) {
		t.Errorf("%s %s starts from %v to %v", s.Executor, s.Name, at[0], at[n-1])
	}
	if s.TimeUnit.Set {
		schedule := arrivalsOf(s.WithDefaults())
		for i := range at {
			if due, _ := schedule.At(int64(i)); at[i] != due {
				t.Errorf("%s: arrival %d at %v, due at %v", s.Name, i, at[i], due)
			}
		}
	}
}

// Thousands of VUs come and go three times without one lost or doubled.
func TestManyVUsUpAndDown(t *testing.T) {
	const most, cycle = 8_000, 30 * time.Second
	var stages []options.Stage
	for range 3 {
		stages = append(stages, options.Stage{Duration: options.Duration(cycle / 2), Target: most}, options.Stage{Duration: options.Duration(cycle / 2)})
	}
	eachDriver(t, func(t *testing.T, b *bench) {
		b.iterate = sleep(5 * time.Second)
		x := b.prepare(options.Scenario{Executor: options.RampingVUs, StartVUs: num(0), Stages: options.Some(stages)})
		peaks := make(chan []int64)
		go func() {
			var active []int64
			for i := range 3 {
				at := time.Duration(i)*cycle + cycle/2
				_ = b.timeline.Wait(t.Context(), at)
				synctest.Wait()
				active = append(active, x[0].Progress().Active)
				_ = b.timeline.Wait(t.Context(), at+cycle/2-ms)
				active = append(active, x[0].(*rampingVUs).looping())
			}
			peaks <- active
		}()
		last := make(chan []Progress, 1)
		go func() { last <- b.finish(x) }()
		if got := <-peaks; !slices.Equal(got, []int64{most, 1, most, 1, most, 1}) {
			t.Errorf("VUs at the peaks and just before the ends: %v", got)
		}
		if p := (<-last)[0]; p.Interrupted != 0 || p.Complete != int64(len(b.starts)) || b.pool.Initialised() != most {
			t.Errorf("%d units, %+v", b.pool.Initialised(), p)
		}
	})
}

// The loop of a VU allocates nothing per iteration.
func TestIterationsAllocateNothing(t *testing.T) {
	b := newBench(t)
	x := b.prepare(options.Scenario{Executor: options.ConstantVUs, Duration: dur(time.Hour)})[0].(*constantVUs)
	b.timeline.Resume()
	x.begin(b.ctx, x.fraction)
	v, _ := b.pool.Take(b.ctx)
	v.Unit = quiet{v.Unit}
	a := x.activate(v)
	m := &member{}
	n := testing.AllocsPerRun(1000, func() {
		it, _ := x.next(m)
		x.iterate(a, it)
	})
	if n > 0 {
		t.Errorf("%v allocations per iteration", n)
	}
	x.release(a)
	x.cancel(errOver)
}

// quiet is a unit whose iterations do nothing.
type quiet struct{ vu.Unit }

func (quiet) Iterate(vu.Iteration) error { return nil }

// The steps of a VU on an event loop allocate nothing either.
func TestStepsAllocateNothing(t *testing.T) {
	b := newBench(t)
	all := b.prepare(options.Scenario{Executor: options.ConstantVUs, Duration: dur(time.Hour)},
		options.Scenario{Executor: options.ConstantArrivalRate, Rate: num(1_000_000), Duration: dur(time.Hour), PreAllocatedVUs: num(1)})
	b.timeline.Resume()
	closed, open := all[0].(*constantVUs), all[1].(*arrivals)
	closed.begin(b.ctx, closed.fraction)
	open.begin(b.ctx, open.passed)
	v, _ := b.pool.Take(b.ctx)
	a := closed.activate(v)
	m := &member{}
	m.wanted.Store(true)
	for name, s := range map[string]vu.Steps{
		"closed": &seat{crew: &closed.crew, member: m, active: a},
		"open":   &claimant{arrivals: open, active: a},
	} {
		n := testing.AllocsPerRun(1000, func() {
			_, at, more := s.Next(b.timeline.now())
			if !more {
				t.Fatal("no iteration")
			}
			if at == 0 {
				s.Ended(nil)
			}
		})
		if n > 0 {
			t.Errorf("%s: %v allocations per iteration", name, n)
		}
	}
	closed.release(a)
	closed.cancel(errOver)
	open.cancel(errOver)
}
