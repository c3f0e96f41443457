package hist

import (
	"math"
	"slices"
)

// window is how many powers of two one histogram of a Float covers: all but the
// octaves in which a histogram is coarser than its three digits.
const window = 40

// The windows that the exponents of float64 fall into.
const (
	minWindow = -27
	maxWindow = 25
)

// Float counts numbers of any sign and size with the same precision: a histogram
// per sign and range of 40 powers of two, of which nearly every series needs one.
// The zero value is empty and ready. Not safe for concurrent use.
type Float struct {
	count int64
	zeros int64
	parts []part
}

// part counts the values of one sign whose binary exponent lies in one window.
type part struct {
	negative bool
	window   int
	hist     *Histogram
}

// Count returns how many values were recorded.
func (f *Float) Count() int64 { return f.count }

// Record counts one value. Infinities count as the greatest finite number of
// their sign; NaN is not counted.
func (f *Float) Record(v float64) {
	if math.IsNaN(v) {
		return
	}
	f.count++
	if v == 0 {
		f.zeros++
		return
	}
	abs := min(math.Abs(v), math.MaxFloat64)
	frac, exp := math.Frexp(abs)
	w := floorDiv(exp, window)
	f.part(v < 0, w).Record(int64(math.Ldexp(frac, exp-w*window+halfBits+2)))
}

// value turns the middle of a bucket of whole numbers back into a number. What was
// recorded was cut to whole, so the middle of what fell there is half a unit on.
func (p *part) value(scaled float64) float64 {
	v := math.Ldexp(scaled+0.5, p.window*window-halfBits-2)
	if p.negative {
		return -v
	}
	return v
}

// part returns the histogram of a sign and window, made if it is new. Parts are
// kept in ascending order of their values.
func (f *Float) part(negative bool, w int) *Histogram {
	for i := range f.parts {
		if f.parts[i].negative == negative && f.parts[i].window == w {
			return f.parts[i].hist
		}
	}
	added := part{negative, w, new(Histogram)}
	at, _ := slices.BinarySearchFunc(f.parts, added, comparePart)
	f.parts = slices.Insert(slices.Clone(f.parts), at, added)
	return added.hist
}

func comparePart(a, b part) int { return a.order() - b.order() }

// order sorts negative parts before positive ones, large negatives first.
func (p *part) order() int {
	const more = 1 << 10
	if p.negative {
		return -more - p.window
	}
	return more + p.window
}

// Snapshot returns the histogram as it is now.
func (f *Float) Snapshot() *Float {
	s := &Float{count: f.count, zeros: f.zeros, parts: slices.Clone(f.parts)}
	for i := range s.parts {
		s.parts[i].hist = s.parts[i].hist.Snapshot()
	}
	return s
}

// Merge adds what o counted.
func (f *Float) Merge(o *Float) {
	f.count += o.count
	f.zeros += o.zeros
	for _, p := range o.parts {
		f.part(p.negative, p.window).Merge(p.hist)
	}
}

// ValueAt returns the value of the given rank, counted from 0 in ascending order.
// A rank outside the histogram is moved to its end; an empty one gives 0.
func (f *Float) ValueAt(rank int64) float64 {
	rank = min(max(rank, 0), f.count-1)
	zerosPassed := false
	for i := range f.parts {
		p := &f.parts[i]
		if !p.negative && !zerosPassed {
			if rank < f.zeros {
				return 0
			}
			rank -= f.zeros
			zerosPassed = true
		}
		n := p.hist.Count()
		switch {
		case rank >= n:
			rank -= n
		case p.negative:
			return p.value(p.hist.ValueAt(n - 1 - rank))
		default:
			return p.value(p.hist.ValueAt(rank))
		}
	}
	return 0
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
