package target

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestBucketsAreContinuous(t *testing.T) {
	for _, ns := range []uint64{0, 1, 127, 128, 129, 255, 256, 1 << 20, 1<<20 + 1, 1<<42 - 1, 1 << 42, math.MaxInt64} {
		b := bucketOf(ns)
		if b < 0 || b >= buckets {
			t.Fatalf("%d ns fall into bucket %d", ns, b)
		}
		if ns < 1<<maxBits {
			if err := math.Abs(float64(middleOf(b)) - float64(ns)); err > 0.008*float64(ns)+0.5 {
				t.Errorf("%d ns are shown as %d", ns, middleOf(b))
			}
		}
	}
	for b := 1; b < buckets; b++ {
		if middleOf(b) <= middleOf(b-1) {
			t.Fatalf("bucket %d is not above the one before", b)
		}
		if got := bucketOf(uint64(middleOf(b))); got != b {
			t.Fatalf("the middle of bucket %d falls into %d", b, got)
		}
	}
}

func TestSpreadAgainstSorting(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	sets := []*durations{{}, {}, {}}
	var all []float64
	for i := range 10_000 {
		ns := int64(math.Exp(rng.Float64() * 20))
		sets[i%3].add(ns)
		all = append(all, float64(ns)/1e3)
	}
	slices.Sort(all)
	got := spreadOf(sets)
	for q, v := range map[float64]float64{0.5: got.P50, 0.9: got.P90, 0.99: got.P99, 0.999: got.P999} {
		want := all[int(math.Ceil(q*float64(len(all))))-1]
		if math.Abs(v-want) > 0.008*want+0.001 {
			t.Errorf("quantile %v: got %v, want %v", q, v, want)
		}
	}
	if want := all[len(all)-1]; got.Max != want {
		t.Errorf("max: got %v, want %v", got.Max, want)
	}
}

func TestSpreadOfFew(t *testing.T) {
	if got := spreadOf(nil); got != (Spread{}) {
		t.Errorf("of nothing: %+v", got)
	}
	var d durations
	d.add(-5)
	d.add(int64(3 * time.Hour))
	if got := spreadOf([]*durations{&d}); got.P50 != 0 || got.Max != 3*3600*1e6 {
		t.Errorf("of a negative and a long one: %+v", got)
	}
}
