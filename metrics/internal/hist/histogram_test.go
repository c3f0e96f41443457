package hist

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	hdr "github.com/HdrHistogram/hdrhistogram-go"
)

// spread draws values over all octaves.
func spread(r *rand.Rand) int64 { return r.Int64() >> (1 + r.IntN(62)) }

func TestBucketsAreThoseOfTheLibrary(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, v := range []int64{0, 1, 2047, 2048, 2049, 4095, 4096, MaxValue, MaxValue - 1} {
		sameBucket(t, v)
	}
	for range 2000 {
		sameBucket(t, spread(r))
	}
}

func sameBucket(t *testing.T, v int64) {
	t.Helper()
	lib := hdr.New(wireLowest, MaxValue, wireDigits)
	if err := lib.RecordValue(v); err != nil {
		t.Fatal(err)
	}
	low, high := bounds(index(v))
	if got, want := high, lib.Max(); got != want {
		t.Errorf("%d: greatest of bucket is %d, want %d", v, got, want)
	}
	if v < low || v > high {
		t.Errorf("%d lies outside its bucket %d to %d", v, low, high)
	}
}

func TestValueAtIsWithinHalfAThousandth(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var h Histogram
	var all []int64
	for range 20_000 {
		v := spread(r)
		all = append(all, v)
		h.Record(v)
	}
	slices.Sort(all)
	for i, want := range all {
		if i%97 != 0 {
			continue
		}
		got := h.ValueAt(int64(i))
		if math.Abs(got-float64(want)) > float64(want)*0.0005 {
			t.Fatalf("rank %d: got %v, want %d", i, got, want)
		}
	}
	check(t, &h)
}

// check verifies what holds for every histogram.
func check(t *testing.T, h *Histogram) {
	t.Helper()
	var total, last int64 = 0, -1
	for b := range h.Buckets() {
		if b.Count <= 0 || b.Low <= last || b.High < b.Low {
			t.Fatalf("bucket %+v after %d", b, last)
		}
		total, last = total+b.Count, b.High
	}
	if total != h.Count() {
		t.Fatalf("the buckets hold %d values, Count says %d", total, h.Count())
	}
}

func TestMergeEqualsAllInOne(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var parts [4]Histogram
	var whole Histogram
	for i := range 5000 {
		v := spread(r)
		parts[i%len(parts)].Record(v)
		whole.Record(v)
	}
	var merged Histogram
	for i := range parts {
		merged.Merge(&parts[i])
	}
	equal(t, &merged, &whole)
}

func equal(t *testing.T, a, b *Histogram) {
	t.Helper()
	if !slices.Equal(slices.Collect(a.Buckets()), slices.Collect(b.Buckets())) || a.Count() != b.Count() {
		t.Fatalf("histograms of %d and %d values differ", a.Count(), b.Count())
	}
}

func TestSnapshotDoesNotChange(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var h, reference Histogram
	for range 40 {
		for range 30 {
			v := spread(r)
			h.Record(v)
			reference.Record(v)
		}
		s := h.Snapshot()
		h.Record(spread(r))
		equal(t, s, &reference)
		// A snapshot may be written to as well, without the original noticing.
		s.Record(1)
		h = *reference.Snapshot()
	}
}

func TestOutOfRangeIsClampedAndCounted(t *testing.T) {
	var h Histogram
	h.Record(-5)
	h.Record(math.MaxInt64)
	h.Record(7)
	if h.Count() != 3 || h.Clamped() != 2 {
		t.Fatalf("count %d, clamped %d", h.Count(), h.Clamped())
	}
	if got := h.ValueAt(0); got != 0 {
		t.Errorf("least is %v", got)
	}
	if got := h.ValueAt(2); math.Abs(got/MaxValue-1) > 0.001 {
		t.Errorf("greatest is %v", got)
	}
}

func TestRecordAllocatesNothingOnceWarm(t *testing.T) {
	var h Histogram
	h.Record(123_456)
	if n := testing.AllocsPerRun(100, func() { h.Record(123_456) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestFloatAgainstSortedValues(t *testing.T) {
	for name, draw := range map[string]func(r *rand.Rand) float64{
		"every bit pattern": func(r *rand.Rand) float64 { return math.Float64frombits(r.Uint64()) },
		"around zero":       func(r *rand.Rand) float64 { return math.Round(r.NormFloat64()*8) / 4 },
		"sub-unit":          func(r *rand.Rand) float64 { return r.Float64() / 1000 },
		"denormal":          func(r *rand.Rand) float64 { return r.Float64() * 1e-310 },
	} {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(9, 10))
			var f Float
			var all []float64
			for len(all) < 5000 {
				v := draw(r)
				f.Record(v)
				if !math.IsNaN(v) {
					all = append(all, v)
				}
			}
			slices.Sort(all)
			for i, want := range all {
				got := f.ValueAt(int64(i))
				if math.Abs(got-want) > math.Abs(want)*0.0006 {
					t.Fatalf("rank %d: got %v, want %v", i, got, want)
				}
			}
		})
	}
}

func TestFloatMergeAndSnapshot(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	var a, b, whole Float
	for i := range 4000 {
		v := r.NormFloat64() * math.Pow(10, float64(r.IntN(30)-15))
		whole.Record(v)
		if i%2 == 0 {
			a.Record(v)
		} else {
			b.Record(v)
		}
	}
	s := a.Snapshot()
	a.Merge(&b)
	if s.Count() != 2000 || a.Count() != 4000 {
		t.Fatalf("counts %d and %d", s.Count(), a.Count())
	}
	for rank := range a.Count() {
		if a.ValueAt(rank) != whole.ValueAt(rank) {
			t.Fatalf("rank %d: %v, want %v", rank, a.ValueAt(rank), whole.ValueAt(rank))
		}
	}
}

func BenchmarkRecord(b *testing.B) {
	var h Histogram
	for i := range int64(b.N) {
		h.Record(100_000 + i&0xffff)
	}
}
