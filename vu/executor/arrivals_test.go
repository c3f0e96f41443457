package executor

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jsload/jsload/vu"
	"github.com/jsload/jsload/vu/options"
	"github.com/jsload/jsload/vu/segment"
)

// randomArrivals returns a scenario of few thousand arrivals at most.
func randomArrivals(r *rand.Rand) options.Scenario {
	unit := time.Duration(1+r.IntN(5000)) * time.Millisecond
	s := options.Scenario{Name: "s", TimeUnit: dur(unit), PreAllocatedVUs: num(1 + r.Int64N(20)), StartTime: dur(time.Duration(r.IntN(3000)) * time.Millisecond)}
	if r.IntN(2) == 0 {
		s.Executor = options.ConstantArrivalRate
		s.Rate = num(1 + r.Int64N(100))
		s.Duration = dur(time.Duration(1 + r.Int64N(int64(unit)*10)))
		return s
	}
	s.Executor = options.RampingArrivalRate
	s.StartRate = num(r.Int64N(60))
	var stages []options.Stage
	for _, st := range randomStages(r, 60, unit) {
		stages = append(stages, options.Stage{Duration: options.Duration(st.duration), Target: st.target})
	}
	s.Stages = options.Some(stages)
	return s
}

// The starts of every arrival-rate scenario equal its schedule to the
// nanosecond, on every part of a test.
func TestArrivalsStartWhenTheScheduleSays(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 150 {
		s, share := randomArrivals(r), randomShare(r)
		eachDriver(t, func(t *testing.T, b *bench) {
			b.share = share
			last := b.run(s)
			want := []time.Duration{}
			schedule, numbers := arrivalsOf(s.WithDefaults()), share.Split(s.PreAllocatedVUs.V)
			for i := int64(0); !numbers.Empty(); i++ {
				at, ok := schedule.At(numbers.At(i))
				if !ok {
					break
				}
				want = append(want, s.StartTime.V.Std()+at)
			}
			if !slices.Equal(b.instants(), want) {
				t.Fatalf("%+v: started at\n%v, want\n%v", s, b.instants(), want)
			}
			for i, st := range b.starts {
				if !st.it.Open || st.it.Planned != int64(want[i]) || st.it.InTest != uint64(numbers.At(int64(i))) {
					t.Fatalf("iteration %d is %+v, planned %d", i, st.it, want[i])
				}
			}
			b.checkNumbers()
			if b.droppedTotal() != 0 || last[0].State != Done || last[0].Complete != int64(len(want)) {
				t.Errorf("dropped %d, progress %+v", b.droppedTotal(), last[0])
			}
		})
	}
}

// Together the parts of a test start each of its arrivals once.
func TestArrivalsOfAllPartsAreTheWhole(t *testing.T) {
	whole, seen := 0, map[uint64]int{}
	s := options.Scenario{Name: "s", Executor: options.ConstantArrivalRate, Rate: num(10), Duration: dur(1450 * time.Millisecond), PreAllocatedVUs: num(3)}
	sequence := must(segment.ParseSequence("0,1/5,3/5,1"))
	for _, part := range []string{"0:1/5", "1/5:3/5", "3/5:1"} {
		eachDriver(t, func(t *testing.T, b *bench) {
			b.share = must(segment.Locate(must(segment.Parse(part)), sequence))
			b.run(s)
			if len(b.starts) != 5 {
				t.Errorf("part %s starts %d iterations, want 5", part, len(b.starts))
			}
			for _, st := range b.starts {
				whole++
				seen[st.it.InTest]++
			}
		})
	}
	if whole != 2*15 || len(seen) != 15 { // by two drivers
		t.Errorf("%d iterations with %d numbers, want 15 each time", whole, len(seen))
	}
}

func TestArrivalsThatFindNoVUAreDroppedAtOnce(t *testing.T) {
	eachDriver(t, func(t *testing.T, b *bench) {
		b.iterate = sleep(480 * time.Millisecond)
		b.run(options.Scenario{Name: "s", Executor: options.ConstantArrivalRate, Rate: num(20), Duration: dur(1990 * time.Millisecond), PreAllocatedVUs: num(3)})
		// Every 500 ms three of ten arrivals find a VU.
		if len(b.starts) != 12 || len(b.dropped) != 28 {
			t.Errorf("%d started and %d dropped, want 12 and 28", len(b.starts), len(b.dropped))
		}
		for i, d := range b.dropped {
			if d.n != 1 || d.at%(50*time.Millisecond) != 0 {
				t.Errorf("drop %d is %+v", i, d)
			}
		}
		if n := strings.Count(b.log.String(), "Insufficient VUs, reached 3 active VUs and cannot initialize more"); n != 1 {
			t.Errorf("%d warnings, want 1: %s", n, b.log.String())
		}
		b.checkNumbers()
	})
}

func TestArrivalsGrowToTheirLimit(t *testing.T) {
	eachDriver(t, func(t *testing.T, b *bench) {
		b.iterate = sleep(time.Hour)
		b.make = func(id vu.ID) error {
			if id.InInstance > 2 {
				time.Sleep(120 * time.Millisecond)
			}
			return nil
		}
		last := b.run(options.Scenario{Name: "s", Executor: options.ConstantArrivalRate, Rate: num(20), Duration: dur(2 * time.Second),
			PreAllocatedVUs: num(2), MaxVUs: num(6), GracefulStop: dur(time.Second)})
		// One VU at a time, each begun by a drop and ready 120 ms later.
		want := []time.Duration{0, 50, 250, 450, 650, 850}
		for i := range want {
			want[i] *= time.Millisecond
		}
		if !slices.Equal(b.instants(), want) {
			t.Errorf("started at %v, want %v", b.instants(), want)
		}
		if b.pool.Initialised() != 6 || len(b.dropped) != 35 {
			t.Errorf("%d VUs, %d dropped; want 6, 35", b.pool.Initialised(), len(b.dropped))
		}
		if last[0].Interrupted != 6 || last[0].State != Interrupted || b.timeline.Now() != 3*time.Second {
			t.Errorf("ended at %v as %+v", b.timeline.Now(), last[0])
		}
	})
}

func TestArrivalsEndEarlyInTheGracefulWindow(t *testing.T) {
	eachDriver(t, func(t *testing.T, b *bench) {
		b.iterate = sleep(1500 * time.Millisecond)
		last := b.run(options.Scenario{Name: "s", Executor: options.ConstantArrivalRate, Rate: num(1), Duration: dur(time.Second), PreAllocatedVUs: num(2), GracefulStop: dur(3 * time.Second)})
		if last[0].Complete != 2 || last[0].State != Done || b.timeline.Now() != 2500*time.Millisecond {
			t.Errorf("ended at %v as %+v", b.timeline.Now(), last[0])
		}
	})
}

// A pause shifts the rest of the schedule; nothing starts in it.
func TestArrivalsShiftByAPause(t *testing.T) {
	eachDriver(t, func(t *testing.T, b *bench) {
		x := b.prepare(options.Scenario{Name: "s", Executor: options.ConstantArrivalRate, Rate: num(10), Duration: dur(time.Second), PreAllocatedVUs: num(2)})
		go func() {
			time.Sleep(350 * time.Millisecond)
			b.timeline.Pause()
			time.Sleep(10 * time.Second)
			b.timeline.Resume()
		}()
		began := time.Now()
		b.finish(x)
		if len(b.starts) != 11 || time.Since(began) != 11*time.Second {
			t.Errorf("%d starts in %v, want 11 in 11 s", len(b.starts), time.Since(began))
		}
		for i, s := range b.starts {
			want := time.Duration(i) * 100 * time.Millisecond
			planned := int64(want)
			if i > 3 {
				planned += int64(10 * time.Second)
			}
			if s.at != want || s.it.Planned != planned {
				t.Errorf("iteration %d at %v, planned %v", i, s.at, time.Duration(s.it.Planned))
			}
		}
	})
}

func TestMinIterationDurationHoldsTheVU(t *testing.T) {
	eachDriver(t, func(t *testing.T, b *bench) {
		b.minimum = 490 * time.Millisecond
		b.run(options.Scenario{Name: "s", Executor: options.ConstantArrivalRate, Rate: num(20), Duration: dur(1900 * time.Millisecond), PreAllocatedVUs: num(4)})
		if len(b.starts) != 16 || len(b.dropped) != 23 {
			t.Errorf("%d started, %d dropped; want 16, 23", len(b.starts), len(b.dropped))
		}
	})
}

func TestErrorOfAGrowingVUStopsTheTest(t *testing.T) {
	eachDriver(t, func(t *testing.T, b *bench) {
		b.iterate = sleep(time.Hour)
		b.make = func(id vu.ID) error {
			if id.InInstance > 1 {
				return &vu.Abort{Code: vu.ExitScript, Message: "init failed"}
			}
			return nil
		}
		b.run(options.Scenario{Name: "s", Executor: options.ConstantArrivalRate, Rate: num(20), Duration: dur(time.Minute), PreAllocatedVUs: num(1), MaxVUs: num(2)})
		b.wantAbort(vu.ExitScript)
		if b.timeline.Now() != 50*time.Millisecond {
			t.Errorf("ended at %v", b.timeline.Now())
		}
	})
}
