package executor

import (
	"math"
	"math/big"
	"math/bits"
	"time"
)

// stage is a stretch of a ramp: it moves linearly to target within duration. A
// stage of no duration is a jump.
type stage struct {
	duration time.Duration
	target   int64
}

// rampingArrivals is the schedule of ramping-arrival-rate: arrival i is due
// where the integral of the rate reaches i+1. Every instant is the exact root of
// the stage's quadratic, cut to whole nanoseconds.
type rampingArrivals struct {
	unit   time.Duration
	twice  big.Int // 2*unit
	end    time.Duration
	stages []rateStage
	// current is the stage of the latest answer; earlier stages are looked at
	// again only if an earlier arrival is asked for.
	current int
	// Scratch: none is both source and target of a multiplication, which would
	// allocate.
	k, r, x, y, z big.Int
}

// rateStage is one stage with its place in time and in the integral. Integrals
// are in arrivals times twice the unit in nanoseconds, which makes them whole.
type rateStage struct {
	start, duration time.Duration
	from, to        int64
	before, after   big.Int
	slope, rise, d  big.Int // to-from, 2*from*duration and duration
}

// newRampingArrivals makes the schedule of rates per unit.
func newRampingArrivals(startRate int64, unit time.Duration, stages []stage) *rampingArrivals {
	r := &rampingArrivals{unit: unit}
	r.twice.SetInt64(2 * int64(unit))
	from := startRate
	sum := new(big.Int)
	for _, s := range stages {
		if s.duration > 0 {
			rs := rateStage{start: r.end, duration: s.duration, from: from, to: s.target}
			rs.before.Set(sum)
			area := big.NewInt(from + s.target)
			sum.Add(sum, area.Mul(area, big.NewInt(int64(s.duration))))
			rs.after.Set(sum)
			rs.slope.SetInt64(s.target - from)
			rs.d.SetInt64(int64(s.duration))
			rs.rise.Mul(big.NewInt(2*from), &rs.d)
			r.stages = append(r.stages, rs)
		}
		from = s.target
		r.end += s.duration
	}
	return r
}

func (r *rampingArrivals) At(i int64) (time.Duration, bool) {
	if i < 0 {
		return 0, false
	}
	r.k.Mul(r.x.SetInt64(i+1), &r.twice)
	if r.current > 0 && r.k.Cmp(&r.stages[r.current].before) <= 0 {
		r.current = 0
	}
	for r.current < len(r.stages) && r.k.Cmp(&r.stages[r.current].after) > 0 {
		r.current++
	}
	if r.current == len(r.stages) {
		r.current = 0
		return 0, false
	}
	s := &r.stages[r.current]
	return s.start + r.solve(s), true
}

// solve returns the offset within s at which its integral is r.k. With d the
// duration, a and b the rates and R the part of the integral that belongs to
// this stage, that is the root of (b-a)t^2 + 2adt = dR. Floating point gives it
// to within a few nanoseconds, whole numbers then find the exact one.
func (r *rampingArrivals) solve(s *rateStage) time.Duration {
	r.r.Mul(r.x.Sub(&r.k, &s.before), &s.d)
	dR := approximate(&r.r)
	ad, slope := float64(s.from)*float64(s.duration), float64(s.to-s.from)
	guess := dR / (ad + math.Sqrt(max(ad*ad+slope*dR, 0)))
	t := int64(min(max(guess, 0), float64(s.duration)))
	return time.Duration(r.search(s, t, int64(s.duration)))
}

// approximate returns a whole number that is not negative as floating point.
func approximate(x *big.Int) (f float64) {
	words := x.Bits()
	for i := len(words) - 1; i >= 0; i-- {
		f = math.Ldexp(f, bits.UintSize) + float64(words[i])
	}
	return f
}

// search returns the last t up to end whose integral has not passed the wanted
// one, starting from a guess. The integral only grows.
func (r *rampingArrivals) search(s *rateStage, guess, end int64) int64 {
	low, high := guess, guess
	if r.passed(s, guess) <= 0 {
		for step := int64(1); ; step *= 2 {
			if high = low + step; high > end {
				high = end + 1
				break
			}
			if r.passed(s, high) > 0 {
				break
			}
			low = high
		}
	} else {
		for step := int64(1); ; step *= 2 {
			if low = max(high-step, 0); low == 0 || r.passed(s, low) <= 0 {
				break
			}
			high = low
		}
	}
	for high-low > 1 {
		if middle := low + (high-low)/2; r.passed(s, middle) <= 0 {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// passed compares the integral at t with the wanted one: below 0 not reached, 0
// reached exactly, above 0 passed.
func (r *rampingArrivals) passed(s *rateStage, t int64) int {
	r.x.SetInt64(t)
	r.y.Mul(&s.slope, &r.x)
	r.z.Add(&r.y, &s.rise)
	r.y.Mul(&r.z, &r.x)
	return r.y.Cmp(&r.r)
}

func (r *rampingArrivals) Rate(at time.Duration) float64 {
	for i := range r.stages {
		s := &r.stages[i]
		if at < s.start+s.duration {
			done := float64(at-s.start) / float64(s.duration)
			rate := float64(s.from) + float64(s.to-s.from)*max(done, 0)
			return rate / r.unit.Seconds()
		}
	}
	if n := len(r.stages); n > 0 {
		return float64(r.stages[n-1].to) / r.unit.Seconds()
	}
	return 0
}

func (r *rampingArrivals) End() time.Duration { return r.end }
