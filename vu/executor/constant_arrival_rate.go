package executor

import (
	"math/bits"
	"time"
)

// Arrivals is the schedule of an open-loop scenario over all machines of the
// test. It is not safe for concurrent use.
type Arrivals interface {
	// At returns when arrival i, counted from 0, is due: an offset from the
	// scenario's start, cut to whole nanoseconds. It returns false if the
	// scenario has no such arrival. At is cheapest when i never goes down.
	At(i int64) (time.Duration, bool)
	// Rate returns the arrivals per second asked for at an offset.
	Rate(at time.Duration) float64
	// End returns the offset of the last instant at which an arrival may be due.
	End() time.Duration
}

// constantArrivals is the schedule of constant-arrival-rate: arrival i is due
// at i*unit/rate, the first at 0, the last not after last. Each instant is
// computed from i alone, so no error adds up.
type constantArrivals struct {
	rate            int64
	unit, end, last time.Duration
}

// newConstantArrivals makes the schedule of rate arrivals per unit, rate and
// unit above 0, until end. An arrival that falls due at the very end is part of
// it, unless open is true.
func newConstantArrivals(rate int64, unit, end time.Duration, open bool) *constantArrivals {
	c := &constantArrivals{rate: rate, unit: unit, end: end, last: end}
	if open {
		c.last--
	}
	return c
}

func (c *constantArrivals) At(i int64) (time.Duration, bool) {
	if i < 0 {
		return 0, false
	}
	hi, lo := bits.Mul64(uint64(i), uint64(c.unit))
	if hi >= uint64(c.rate) {
		return 0, false // the quotient passes 64 bits: centuries away
	}
	at, _ := bits.Div64(hi, lo, uint64(c.rate))
	if c.last < 0 || at > uint64(c.last) {
		return 0, false
	}
	return time.Duration(at), true
}

func (c *constantArrivals) Rate(time.Duration) float64 {
	return float64(c.rate) / c.unit.Seconds()
}

func (c *constantArrivals) End() time.Duration { return c.end }
