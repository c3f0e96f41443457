package engine

import (
	"runtime/metrics"
	"testing"
	"testing/synctest"
	"time"

	results "github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/vu/options"
)

func TestWhatLimitsATest(t *testing.T) {
	tests := []struct {
		g    Generator
		want Limit
	}{
		{Generator{}, LimitNone},
		{Generator{CPU: 0.5, Wire: 0.79, GC: 0.1, Lag: ms}, LimitNone},
		{Generator{CPU: 0.95, Dropped: 5, Wire: 1}, LimitGenerator},
		{Generator{Exhausted: 1, SocketErrors: 1, Wire: 1}, LimitGenerator},
		{Generator{SocketErrors: 100}, LimitNone},
		{Generator{Lag: 20 * ms}, LimitGenerator},
		{Generator{GC: 0.3}, LimitGenerator},
		{Generator{CPU: 0.5, Dropped: 5, Wire: 0.9}, LimitSchedule},
		{Generator{CPU: 0.5, Wire: 0.9}, LimitServer},
	}
	for _, tt := range tests {
		if got, reason := tt.g.limit(); got != tt.want || reason == "" {
			t.Errorf("%+v: %s (%s), want %s", tt.g, got, reason, tt.want)
		}
	}
}

func TestQuantileOfLatencies(t *testing.T) {
	buckets := []float64{0, 0.001, 0.01, 0.1, inf()}
	before := &metrics.Float64Histogram{Counts: []uint64{5, 5, 5, 5}, Buckets: buckets}
	for _, tt := range []struct {
		counts []uint64
		want   time.Duration
	}{
		{[]uint64{5, 5, 5, 5}, 0},
		{[]uint64{105, 5, 5, 5}, ms},
		{[]uint64{104, 6, 5, 5}, ms},
		{[]uint64{103, 5, 7, 5}, 100 * ms},
		{[]uint64{5, 5, 5, 6}, 100 * ms}, // the last bucket has no upper bound
	} {
		now := &metrics.Float64Histogram{Counts: tt.counts, Buckets: buckets}
		if got := quantile(now, before, 0.99); got != tt.want {
			t.Errorf("%v: %v, want %v", tt.counts, got, tt.want)
		}
	}
}

func inf() float64 { var zero float64; return 1 / zero }

func TestMeterSeesTheProcessWork(t *testing.T) {
	from := readMeter()
	for end := time.Now().Add(30 * ms); time.Now().Before(end); {
	}
	g := readMeter().since(from)
	if processCPU() > 0 && (g.CPU <= 0 || g.CPU > 1) || g.GC < 0 || g.GC > 1 || g.Lag < 0 {
		t.Errorf("%+v", g)
	}
}

func TestGeneratorOfARun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, options.Scenario{Name: "s", Executor: options.ConstantArrivalRate, Rate: num(20), Duration: dur(time.Second), PreAllocatedVUs: num(1)})
		b.iterate = func(u *unit) error {
			u.record.StartIteration(0, int64(3*ms))
			u.record.Add(b.builtin().HTTPReqDuration, 90)
			return u.sleep(95 * ms)
		}
		r := b.run(0)
		if g := r.Generator; g.Dropped != 10 || !g.Open || g.CPUs < 1 || g.StartDelay.Round(ms) != 3*ms || g.Wire < 0.94 || g.Wire > 0.96 {
			t.Errorf("%+v", g)
		}
	})
}

func TestSocketErrorsAreCounted(t *testing.T) {
	var g Generator
	g.countSockets([]*results.Failure{
		{Status: 500, Code: 1500, Count: 1}, {Code: 1050, Text: "request timeout", Count: 2},
		{Code: 1212, Text: "dial: connection refused", Count: 4}, {Code: 1220, Count: 8}, {Code: 1301, Count: 16},
		{Code: 1213, Text: "dial: too many open files", Count: 32}, {Code: 1213, Text: "dial: cannot assign requested address", Count: 64},
	})
	if g.SocketErrors != 108 || g.Exhausted != 96 {
		t.Errorf("%+v", g)
	}
}
