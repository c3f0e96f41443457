package metrics

import (
	"math"
	"slices"
	"sync"

	"github.com/jsload/jsload/metrics/internal/hist"
)

// Distribution is an immutable view of the values of a trend: milliseconds if
// the metric contains times, else plain numbers. Safe for concurrent use.
type Distribution struct {
	count         int64
	min, max, sum float64

	// One of these holds the values. Exact ones are sorted when first asked for.
	exactNanos  []int64
	exactFloats []float64
	nanos       *hist.Histogram
	floats      *hist.Float

	sort   sync.Once
	sorted []float64
}

// Count returns the number of values.
func (d *Distribution) Count() int64 { return d.count }

// Min returns the least value, exactly; 0 if there are none.
func (d *Distribution) Min() float64 { return d.min }

// Max returns the greatest value, exactly; 0 if there are none.
func (d *Distribution) Max() float64 { return d.max }

// Sum returns the sum of the values, exactly.
func (d *Distribution) Sum() float64 { return d.sum }

// Avg returns the mean, exactly; 0 if there are no values.
func (d *Distribution) Avg() float64 {
	if d.count == 0 {
		return 0
	}
	return d.sum / float64(d.count)
}

// Med returns the median.
func (d *Distribution) Med() float64 { return d.Quantile(0.5) }

// Quantile returns the value at p from 0 to 1: linear interpolation between the
// sorted values beside the place p*(n-1). It is exact up to ExactValues values and
// within 0.1 % beyond; 0 if there are no values.
func (d *Distribution) Quantile(p float64) float64 {
	if d.count == 0 {
		return 0
	}
	place := min(max(p, 0), 1) * float64(d.count-1)
	low := int64(place)
	value, frac := d.at(low), place-math.Floor(place)
	if frac == 0 {
		return value
	}
	step := d.at(low+1) - value
	if math.IsInf(step, 0) {
		return d.at(low+1)*frac + value*(1-frac)
	}
	return value + step*frac
}

// at returns the value of a rank, counted from 0. The ends are exact; between
// them the middle of a bucket may lie outside and is moved in.
func (d *Distribution) at(rank int64) float64 {
	switch {
	case rank <= 0:
		return d.min
	case rank >= d.count-1:
		return d.max
	case d.nanos != nil:
		return d.inside(d.nanos.ValueAt(rank) / 1e6)
	case d.floats != nil:
		return d.inside(d.floats.ValueAt(rank))
	}
	d.sort.Do(d.sortExact)
	return d.sorted[rank]
}

func (d *Distribution) inside(v float64) float64 { return min(max(v, d.min), d.max) }

func (d *Distribution) sortExact() {
	d.sorted = slices.Clone(d.exactFloats)
	for _, ns := range d.exactNanos {
		d.sorted = append(d.sorted, millis(ns))
	}
	slices.Sort(d.sorted)
}

// clamped is how many values lay outside the range of the histogram.
func (d *Distribution) clamped() int64 {
	if d == nil || d.nanos == nil {
		return 0
	}
	return d.nanos.Clamped()
}
