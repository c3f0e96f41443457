package executor

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jsload/jsload/vu/segment"
)

// randomShare returns the whole or one part of a random sequence.
func randomShare(r *rand.Rand) segment.Striper {
	n := r.Int64N(4)
	if n == 0 {
		return segment.Striper{}
	}
	bounds := make([]string, n+1)
	for i := range bounds {
		bounds[i] = fmt.Sprintf("%d/%d", i, n)
	}
	i := r.Int64N(n)
	return must(segment.Locate(must(segment.Parse(bounds[i]+":"+bounds[i+1])), must(segment.ParseSequence(strings.Join(bounds, ",")))))
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func randomStages(r *rand.Rand, maxTarget int64, unit time.Duration) []stage {
	stages := make([]stage, 1+r.IntN(6))
	for i := range stages {
		stages[i].target = r.Int64N(maxTarget + 1)
		if r.IntN(4) > 0 {
			stages[i].duration = time.Duration(r.Int64N(int64(unit)*5) + 1)
		}
		if r.IntN(4) == 0 && i > 0 {
			stages[i].target = stages[i-1].target
		}
		if r.IntN(5) == 0 {
			stages[i].target = 0
		}
	}
	return stages
}

func TestConstantArrivalsFollowTheClosedFormula(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		rate := 1 + r.Int64N(1+r.Int64N(1_000_000))
		unit := time.Duration(1 + r.Int64N(int64(time.Hour)))
		end := time.Duration(r.Int64N(int64(100 * time.Hour)))
		s := newConstantArrivals(rate, unit, end, false)
		// The count is floor(end*rate/unit)+1.
		n := new(big.Int).Mul(big.NewInt(int64(end)), big.NewInt(rate))
		count := n.Quo(n, big.NewInt(int64(unit))).Int64() + 1
		for _, i := range []int64{0, 1, r.Int64N(count), count - 1} {
			want := new(big.Int).Mul(big.NewInt(i), big.NewInt(int64(unit)))
			want.Quo(want, big.NewInt(rate))
			at, ok := s.At(i)
			if want.Cmp(big.NewInt(int64(end))) > 0 {
				if ok {
					t.Fatalf("rate %d/%v until %v: arrival %d at %v is after the end", rate, unit, end, i, at)
				}
				continue
			}
			if !ok || int64(at) != want.Int64() {
				t.Fatalf("rate %d/%v until %v: arrival %d at %d, %t; want %d", rate, unit, end, i, at, ok, want)
			}
		}
		if at, ok := s.At(count); ok && at < end {
			t.Fatalf("rate %d/%v until %v: arrival %d at %v though %d were promised", rate, unit, end, count, at, count)
		}
	}
}

func TestConstantArrivalsCounts(t *testing.T) {
	tests := []struct {
		rate      int64
		unit, end time.Duration
		want      int64
	}{
		{100, time.Minute, time.Minute, 101},
		{1, time.Second, 10 * time.Second, 11},
		{1, 10 * time.Second, time.Minute, 7},
		{340, time.Second, time.Second, 341},
		{30, time.Second, 30 * time.Second, 901},
		{2, time.Second, 2 * time.Second, 5},
		{10, time.Second, 1450 * time.Millisecond, 15},
		{2000, time.Second, 20 * time.Second, 40001},
	}
	for _, tt := range tests {
		if got := count(newConstantArrivals(tt.rate, tt.unit, tt.end, false)); got != tt.want {
			t.Errorf("%d per %v for %v: %d arrivals, want %d", tt.rate, tt.unit, tt.end, got, tt.want)
		}
	}
	far := newConstantArrivals(1, time.Hour, time.Hour, false)
	if _, ok := far.At(1 << 62); ok {
		t.Error("an arrival beyond 64 bits exists")
	}
	if _, ok := far.At(-1); ok {
		t.Error("a negative arrival exists")
	}
}

func count(a Arrivals) (n int64) {
	for {
		if _, ok := a.At(n); !ok {
			return n
		}
		n++
	}
}

// integral returns the arrivals that a ramp promises up to t, exactly, times
// twice the unit: per stage (2a + (b-a)t/d)t.
func integral(start int64, stages []stage, t time.Duration) *big.Rat {
	sum, from := new(big.Rat), start
	for _, s := range stages {
		part := min(t, s.duration)
		if part > 0 {
			mean := big.NewRat((s.target-from)*1, int64(s.duration))
			mean.Mul(mean, big.NewRat(int64(part), 1))
			mean.Add(mean, big.NewRat(2*from, 1))
			sum.Add(sum, mean.Mul(mean, big.NewRat(int64(part), 1)))
		}
		t -= part
		from = s.target
	}
	return sum
}

func TestRampingArrivalsFollowTheIntegral(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		unit := time.Duration(1 + r.Int64N(int64(time.Minute)))
		start := r.Int64N(50)
		stages := randomStages(r, 60, unit)
		s := newRampingArrivals(start, unit, stages)
		promised := integral(start, stages, s.End())
		promised.Quo(promised, big.NewRat(2*int64(unit), 1))
		want := new(big.Int).Quo(promised.Num(), promised.Denom()).Int64()
		if got := count(s); got != want {
			t.Fatalf("%d, %v per %v: %d arrivals, want %d", start, stages, unit, got, want)
		}
		last := time.Duration(-1)
		for i := range want {
			at, _ := s.At(i)
			if at < last || at > s.End() {
				t.Fatalf("%d, %v: arrival %d at %v after %v", start, stages, i, at, last)
			}
			last = at
			k := big.NewRat(2*int64(unit), 1)
			k.Mul(k, big.NewRat(i+1, 1))
			// The whole nanosecond below the first instant that reaches k.
			if before := integral(start, stages, at); before.Cmp(k) > 0 {
				t.Fatalf("%d, %v: arrival %d at %d is late", start, stages, i, at)
			}
			if after := integral(start, stages, at+1); at < s.End() && after.Cmp(k) < 0 {
				t.Fatalf("%d, %v: arrival %d at %d is early", start, stages, i, at)
			}
			if at > 0 && integral(start, stages, at-1).Cmp(k) == 0 {
				t.Fatalf("%d, %v: arrival %d at %d, though reached before", start, stages, i, at)
			}
		}
	}
}

func TestRampingArrivalsKnownInstants(t *testing.T) {
	// 1 to 10 per second over 2 s: the integral t + 2.25t^2 reaches 1 at 0.4805 s.
	s := newRampingArrivals(1, time.Second, []stage{{2 * time.Second, 10}})
	if at, ok := s.At(0); !ok || at.Truncate(time.Millisecond) != 480*time.Millisecond {
		t.Errorf("first arrival at %v, %t; want 0.48 s", at, ok)
	}
	// A constant stage is evenly spread; order of asking does not matter.
	s = newRampingArrivals(5, time.Second, []stage{{time.Second, 5}, {0, 20}, {time.Second, 20}})
	for _, i := range []int64{4, 0, 24, 5, 3} {
		want := time.Duration(i+1) * 200 * time.Millisecond
		if i > 4 {
			want = time.Second + time.Duration(i-4)*50*time.Millisecond
		}
		if at, ok := s.At(i); !ok || at != want {
			t.Errorf("arrival %d at %v, %t; want %v", i, at, ok, want)
		}
	}
	if _, ok := s.At(25); ok {
		t.Error("arrival 25 exists")
	}
	if _, ok := s.At(-1); ok {
		t.Error("arrival -1 exists")
	}
	if n := count(newRampingArrivals(0, time.Second, []stage{{time.Second, 0}})); n != 0 {
		t.Errorf("a rate of 0 gives %d arrivals", n)
	}
}

func TestRates(t *testing.T) {
	s := newRampingArrivals(60, time.Minute, []stage{{10 * time.Second, 180}, {0, 30}, {time.Second, 30}})
	for at, want := range map[time.Duration]float64{0: 1, 5 * time.Second: 2, 10 * time.Second: 0.5, time.Hour: 0.5} {
		if got := s.Rate(at); got != want {
			t.Errorf("rate at %v is %v, want %v", at, got, want)
		}
	}
	if got := newRampingArrivals(7, time.Second, nil).Rate(0); got != 0 {
		t.Errorf("rate without stages is %v", got)
	}
	if got := newConstantArrivals(30, time.Minute, time.Hour, false).Rate(time.Second); got != 0.5 {
		t.Errorf("constant rate is %v, want 0.5", got)
	}
}

// wantedVUs counts by definition the VUs that a ramp wants at an instant.
func wantedVUs(ramp vuRamp, s segment.Striper, t time.Duration) int64 {
	count, from, start := ramp.start, ramp.start, time.Duration(0)
	for _, st := range ramp.stages {
		d := max(st.target-from, from-st.target)
		for k := int64(1); k <= d; k++ {
			at := new(big.Int).Mul(big.NewInt(int64(st.duration)), big.NewInt(k))
			if start+time.Duration(at.Quo(at, big.NewInt(d)).Int64()) > t {
				break
			}
			if st.target > from {
				count++
			} else {
				count--
			}
		}
		from, start = st.target, start+st.duration
	}
	mine := int64(0)
	for i := range count {
		if s.Owns(i) {
			mine++
		}
	}
	return mine
}

func TestVURampFollowsTheLine(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		ramp := vuRamp{start: r.Int64N(20), stages: randomStages(r, 40, time.Second)}
		share := randomShare(r)
		steps := slices.Collect(ramp.Steps(share))
		for i, step := range steps {
			if want := wantedVUs(ramp, share, step.At); step.VUs != want {
				t.Fatalf("%+v share %+v: %d VUs from %v on, want %d", ramp, share, step.VUs, step.At, want)
			}
			if i+1 < len(steps) {
				next := steps[i+1].At
				if next <= step.At {
					t.Fatalf("%+v: steps at %v and %v", ramp, step.At, next)
				}
				if want := wantedVUs(ramp, share, next-1); step.VUs != want {
					t.Fatalf("%+v share %+v: %d VUs until %v, want %d", ramp, share, step.VUs, next, want)
				}
			}
			if step.VUs > share.Scale(ramp.Max()) {
				t.Fatalf("%+v: %d VUs, over the maximum", ramp, step.VUs)
			}
		}
		last := ramp.start
		if n := len(ramp.stages); n > 0 {
			last = ramp.stages[n-1].target
		}
		if got := steps[len(steps)-1].VUs; got != share.Scale(last) {
			t.Fatalf("%+v ends at %d VUs, want %d", ramp, got, share.Scale(last))
		}
	}
}

func TestVURampJumps(t *testing.T) {
	ramp := vuRamp{start: 4, stages: []stage{{0, 0}, {time.Second, 0}, {0, 5}, {time.Second, 5}, {0, 1}}}
	want := []Step{{0, 0}, {time.Second, 5}, {2 * time.Second, 1}}
	if got := slices.Collect(ramp.Steps(segment.Striper{})); !slices.Equal(got, want) {
		t.Errorf("steps are %v, want %v", got, want)
	}
	for range ramp.Steps(segment.Striper{}) {
		break // an early end of the loop is allowed
	}
}

func TestSchedulesAllocateNothing(t *testing.T) {
	for _, s := range []Arrivals{
		newConstantArrivals(340, time.Second, time.Hour, false),
		newRampingArrivals(1, time.Second, []stage{{time.Hour, 5000}, {time.Hour, 0}}),
	} {
		i := int64(0)
		if n := testing.AllocsPerRun(1000, func() { s.At(i); i++ }); n > 0 {
			t.Errorf("%T: %v allocations per arrival", s, n)
		}
	}
}
