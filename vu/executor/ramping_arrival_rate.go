package executor

import (
	"math/big"
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
	end    time.Duration
	stages []rateStage
	// current is the stage of the latest answer; earlier stages are looked at
	// again only if an earlier arrival is asked for.
	current int
	// scratch of solve
	k, r, t, x, y big.Int
}

// rateStage is one stage with its place in time and in the integral. Integrals
// are in arrivals times twice the unit in nanoseconds, which makes them whole.
type rateStage struct {
	start, duration time.Duration
	from, to        int64
	before, after   big.Int
}

// newRampingArrivals makes the schedule of rates per unit.
func newRampingArrivals(startRate int64, unit time.Duration, stages []stage) *rampingArrivals {
	r := &rampingArrivals{unit: unit}
	from := startRate
	sum := new(big.Int)
	for _, s := range stages {
		if s.duration > 0 {
			rs := rateStage{start: r.end, duration: s.duration, from: from, to: s.target}
			rs.before.Set(sum)
			area := big.NewInt(from + s.target)
			sum.Add(sum, area.Mul(area, big.NewInt(int64(s.duration))))
			rs.after.Set(sum)
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
	r.k.SetInt64(i + 1)
	r.k.Mul(&r.k, r.x.SetInt64(2*int64(r.unit)))
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
// this stage, that is the first root of (b-a)t^2 + 2adt = dR.
func (r *rampingArrivals) solve(s *rateStage) time.Duration {
	r.r.Sub(&r.k, &s.before)
	if s.from == s.to {
		r.t.Quo(&r.r, r.x.SetInt64(2*s.from))
		return time.Duration(r.t.Int64())
	}
	slope := s.to - s.from
	r.r.Mul(&r.r, r.x.SetInt64(int64(s.duration)))
	// The discriminant, (ad)^2 + (b-a)dR, is never below 0: R is at most the
	// integral of the whole stage.
	r.y.SetInt64(s.from)
	r.y.Mul(&r.y, r.x.SetInt64(int64(s.duration)))
	r.t.Mul(&r.y, &r.y)
	r.x.SetInt64(slope)
	r.t.Add(&r.t, r.x.Mul(&r.x, &r.r))
	r.t.Sqrt(&r.t)
	r.t.Sub(&r.t, &r.y)
	r.t.Quo(&r.t, r.x.SetInt64(slope))
	t := r.t.Int64()
	// The integer root is less than 1 off, so the quotient is at most 1 off.
	for t > 0 && r.passed(s, t) > 0 {
		t--
	}
	for t < int64(s.duration) && r.passed(s, t+1) <= 0 {
		t++
	}
	return time.Duration(t)
}

// passed compares the integral at t with the wanted one: below 0 not reached, 0
// reached exactly, above 0 passed.
func (r *rampingArrivals) passed(s *rateStage, t int64) int {
	r.t.SetInt64(s.to - s.from)
	r.t.Mul(&r.t, r.x.SetInt64(t))
	r.t.Add(&r.t, r.y.Mul(r.y.SetInt64(2*s.from), r.x.SetInt64(int64(s.duration))))
	r.t.Mul(&r.t, r.x.SetInt64(t))
	return r.t.Cmp(&r.r)
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
