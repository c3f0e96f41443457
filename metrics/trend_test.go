package metrics

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// reference is what a trend should say, from all values.
type reference []float64

func (r reference) quantile(p float64) float64 {
	s := slices.Sorted(slices.Values(r))
	place := p * float64(len(s)-1)
	low := int(math.Floor(place))
	if low+1 >= len(s) {
		return s[low]
	}
	return s[low] + (s[low+1]-s[low])*(place-float64(low))
}

func (r reference) sum() (sum float64) {
	for _, v := range r {
		sum += v
	}
	return sum
}

var quantiles = []float64{0, 0.001, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1}

// judge compares a distribution with the reference, quantiles within tolerance of
// the greater of the two values they lie between.
func judge(t *testing.T, d *Distribution, r reference, tolerance float64) {
	t.Helper()
	if d.Count() != int64(len(r)) || d.Min() != slices.Min(r) || d.Max() != slices.Max(r) {
		t.Fatalf("count %d, min %v, max %v; want %d, %v, %v", d.Count(), d.Min(), d.Max(), len(r), slices.Min(r), slices.Max(r))
	}
	if math.Abs(d.Sum()-r.sum()) > 1e-9*math.Abs(r.sum())+1e-9 {
		t.Fatalf("sum %v, want %v", d.Sum(), r.sum())
	}
	for _, p := range quantiles {
		got, want := d.Quantile(p), r.quantile(p)
		if math.Abs(got-want) > tolerance*math.Abs(want)+1e-12*math.Abs(want) {
			t.Fatalf("quantile %v of %d values: %v, want %v", p, len(r), got, want)
		}
	}
}

func TestTrendIsExactUpToItsLimit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 3, 10, 100, ExactValues} {
		var tr floatTrend
		var ref reference
		for range n {
			v := r.NormFloat64() * 100
			tr.add(v)
			ref = append(ref, v)
		}
		judge(t, tr.view(), ref, 0)
	}
}

func TestTrendBeyondItsLimitIsWithinOneThousandth(t *testing.T) {
	for name, draw := range map[string]func(r *rand.Rand) float64{
		"latencies":   func(r *rand.Rand) float64 { return math.Exp(r.NormFloat64()) * 12 },
		"sub-unit":    func(r *rand.Rand) float64 { return r.Float64() * 1e-6 },
		"negative":    func(r *rand.Rand) float64 { return -1 - r.ExpFloat64()*50 },
		"huge":        func(r *rand.Rand) float64 { return r.Float64() * 1e290 },
		"one value":   func(r *rand.Rand) float64 { return 42 },
		"small whole": func(r *rand.Rand) float64 { return float64(1 + r.IntN(5)) },
	} {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, 4))
			var tr floatTrend
			var ref reference
			for range 20_000 {
				v := draw(r)
				tr.add(v)
				ref = append(ref, v)
			}
			if tr.hist == nil || tr.exact != nil {
				t.Fatal("the values did not spill")
			}
			judge(t, tr.view(), ref, 0.001)
		})
	}
}

func TestTimesBeyondTheLimit(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var tr nanoTrend
	var ref reference
	for range 50_000 {
		ns := int64(math.Exp(r.NormFloat64()*2) * 50_000)
		tr.add(ns)
		ref = append(ref, float64(ns)/1e6)
	}
	judge(t, tr.view(), ref, 0.001)
}

func TestMergedTimesEqualAllInOne(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, sizes := range [][]int{{10, 20}, {2000, 5}, {5, 2000}, {2000, 3000}, {0, 7}, {1000, 1000}, {0, 3000}} {
		var merged nanoTrend
		var ref reference
		for _, n := range sizes {
			var part nanoTrend
			for range n {
				ns := r.Int64N(1e9)
				part.add(ns)
				ref = append(ref, float64(ns)/1e6)
			}
			merged.merge(&part)
		}
		judge(t, merged.view(), ref, 0.001)
	}
}

func TestInfinitiesBecomeFinite(t *testing.T) {
	var tr floatTrend
	tr.add(math.Inf(1))
	tr.add(math.Inf(1))
	tr.add(math.Inf(-1))
	d := tr.view()
	for _, v := range []float64{d.Min(), d.Max(), d.Sum(), d.Avg(), d.Med()} {
		if math.IsInf(v, 0) || math.IsNaN(v) {
			t.Errorf("%v", v)
		}
	}
}

func TestEmptyDistribution(t *testing.T) {
	d := new(nanoTrend).view()
	if d.Count() != 0 || d.Avg() != 0 || d.Med() != 0 || d.Quantile(0.9) != 0 {
		t.Error("an empty distribution has values")
	}
}

func TestViewsDoNotChange(t *testing.T) {
	var tr nanoTrend
	for i := range int64(3 * ExactValues) {
		tr.add(i * 1e6)
		if i%500 != 1 {
			continue
		}
		before := tr.view()
		n, med := before.Count(), before.Med()
		for range 400 {
			tr.add(0)
		}
		if before.Count() != n || before.Med() != med {
			t.Fatalf("a view of %d values changed", n)
		}
		if again := before.Quantile(0.5); again != med {
			t.Fatalf("median %v, then %v", med, again)
		}
	}
}

func FuzzTrend(f *testing.F) {
	f.Add(uint64(1), uint16(10), false)
	f.Add(uint64(2), uint16(2000), true)
	f.Fuzz(func(t *testing.T, seed uint64, n uint16, anyBits bool) {
		r := rand.New(rand.NewPCG(seed, 1))
		var tr floatTrend
		var all []float64
		for range int(n) + 1 {
			v := r.NormFloat64() * math.Pow(10, float64(r.IntN(20)-10))
			if anyBits {
				v = math.Float64frombits(r.Uint64())
			}
			if v != v {
				continue
			}
			tr.add(v)
			all = append(all, v)
		}
		d := tr.view()
		last := math.Inf(-1)
		for _, p := range quantiles {
			q := d.Quantile(p)
			if q < last || len(all) > 0 && (q < d.Min() || q > d.Max()) {
				t.Fatalf("quantile %v is %v after %v, between %v and %v", p, q, last, d.Min(), d.Max())
			}
			last = q
		}
	})
}
