// Hot path: adding a value allocates only while the exact values grow or a
// histogram meets a new page.

package metrics

import (
	"math"
	"slices"

	"github.com/jsload/jsload/metrics/internal/hist"
)

// ExactValues is how many values of a trend are kept as they are. When there are
// more, all go into a histogram whose quantiles are within 0.1 %; the count, sum,
// least and greatest value stay exact.
const ExactValues = 1024

// nanoTrend is the state of a trend of whole nanoseconds: the built-in times.
type nanoTrend struct {
	count, sum, min, max int64
	// exact only grows, so views share it; nil once hist is there.
	exact []int64
	hist  *hist.Histogram
}

func (t *nanoTrend) add(ns int64) {
	if t.count == 0 {
		t.min, t.max = ns, ns
	}
	t.count++
	t.sum += ns
	t.min, t.max = min(t.min, ns), max(t.max, ns)
	if t.hist != nil {
		t.hist.Record(ns)
		return
	}
	if t.exact = append(t.exact, ns); len(t.exact) > ExactValues {
		t.spill()
	}
}

// addAll adds the values of a chunk. Most phases of requests on kept connections
// are zero, so zeros are counted first and recorded at once.
func (t *nanoTrend) addAll(values []int64) {
	if t.hist == nil {
		for _, ns := range values {
			t.add(ns)
		}
		return
	}
	sum, least, most, zeros := t.sum, t.min, t.max, int64(0)
	for _, ns := range values {
		if ns == 0 {
			zeros++
			continue
		}
		sum += ns
		least, most = min(least, ns), max(most, ns)
		t.hist.Record(ns)
	}
	if zeros > 0 {
		least, most = min(least, 0), max(most, 0)
		t.hist.RecordN(0, zeros)
	}
	t.sum, t.min, t.max = sum, least, most
	t.count += int64(len(values))
}

func (t *nanoTrend) spill() {
	t.hist = new(hist.Histogram)
	for _, ns := range t.exact {
		t.hist.Record(ns)
	}
	t.exact = nil
}

// merge adds what o holds.
func (t *nanoTrend) merge(o *nanoTrend) {
	if o.hist == nil {
		for _, ns := range o.exact {
			t.add(ns)
		}
		return
	}
	if t.hist == nil {
		t.spill()
	}
	if t.count == 0 {
		t.min, t.max = o.min, o.max
	}
	t.count += o.count
	t.sum += o.sum
	t.min, t.max = min(t.min, o.min), max(t.max, o.max)
	t.hist.Merge(o.hist)
}

func (t *nanoTrend) view() *Distribution {
	d := &Distribution{count: t.count, min: millis(t.min), max: millis(t.max), sum: millis(t.sum)}
	if t.hist != nil {
		d.nanos = t.hist.Snapshot()
	} else {
		d.exactNanos = t.exact[:len(t.exact):len(t.exact)]
	}
	return d
}

// floatTrend is the state of a trend of any numbers: custom metrics.
type floatTrend struct {
	count         int64
	sum, min, max float64
	exact         []float64
	hist          *hist.Float
}

// add counts one value. Infinities, of sums too, become the greatest finite
// number: neither JSON nor arithmetic downstream can carry them.
func (t *floatTrend) add(v float64) {
	v = finite(v)
	if t.count == 0 {
		t.min, t.max = v, v
	}
	t.count++
	t.sum = finite(t.sum + v)
	t.min, t.max = min(t.min, v), max(t.max, v)
	if t.hist != nil {
		t.hist.Record(v)
		return
	}
	if t.exact = append(t.exact, v); len(t.exact) > ExactValues {
		t.spill()
	}
}

func (t *floatTrend) spill() {
	t.hist = new(hist.Float)
	for _, v := range t.exact {
		t.hist.Record(v)
	}
	t.exact = nil
}

func (t *floatTrend) view() *Distribution {
	d := &Distribution{count: t.count, min: t.min, max: t.max, sum: t.sum}
	if t.hist != nil {
		d.floats = t.hist.Snapshot()
	} else {
		d.exactFloats = slices.Clip(t.exact)
	}
	return d
}

func finite(v float64) float64 { return min(max(v, -math.MaxFloat64), math.MaxFloat64) }

// millis converts nanoseconds to milliseconds.
func millis(ns int64) float64 { return float64(ns) / 1e6 }

// nanos converts milliseconds to nanoseconds, which exist up to 146 years.
func nanos(ms float64) int64 {
	return int64(math.Round(min(max(ms*1e6, -hist.MaxValue), hist.MaxValue)))
}
