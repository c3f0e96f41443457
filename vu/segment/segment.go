// Package segment divides one test exactly over several instances: which of the
// virtual users and which of the iterations of the whole test are this
// instance's share.
//
// vu/options parses and scales with it, vu/executor numbers iterations with it.
// It calls nothing of ours, knows nothing of time or scenarios, and does not
// make instances talk to each other: each computes its own share from the same
// text, and the shares add up to the whole, index by index.
package segment

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
)

// Segment is a part (from, to] of the whole test, as exact fractions of it. It
// is immutable. The zero Segment is the whole, 0:1.
type Segment struct {
	from, to *big.Rat
}

// Parse reads a segment: "from:to", or "to" alone for "0:to". Bounds are
// decimals (0.25), percentages (25%) or fractions (1/4), with
// 0 <= from < to <= 1.
func Parse(text string) (Segment, error) {
	low, high, both := strings.Cut(text, ":")
	if !both {
		low, high = "0", text
	}
	from, err := parseBound(low)
	if err != nil {
		return Segment{}, fmt.Errorf("execution segment %q: %w", text, err)
	}
	to, err := parseBound(high)
	if err != nil {
		return Segment{}, fmt.Errorf("execution segment %q: %w", text, err)
	}
	if from.Cmp(to) >= 0 {
		return Segment{}, fmt.Errorf("execution segment %q: the start %s must be less than the end %s",
			text, from.RatString(), to.RatString())
	}
	return Segment{from: from, to: to}, nil
}

// maxBoundText bounds the digits of one bound, so that hostile text cannot make
// huge numbers.
const maxBoundText = 40

var (
	errEmptyBound = errors.New("a bound is missing")
	errNotBound   = errors.New("a bound must be a decimal (0.25), a percentage (25%) or a fraction (1/4)")
	errOutside    = errors.New("a bound must lie between 0 and 1")
	errTooFine    = errors.New("the common denominator of the bounds must be at most 10^12")
)

// parseBound reads one bound and checks that it lies in [0, 1].
func parseBound(text string) (*big.Rat, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, errEmptyBound
	}
	number, percent := strings.CutSuffix(text, "%")
	// SetString also knows exponents and other bases, which no segment needs.
	if len(number) > maxBoundText || strings.Trim(number, "0123456789./-") != "" {
		return nil, fmt.Errorf("%q: %w", text, errNotBound)
	}
	value, ok := new(big.Rat).SetString(number)
	if !ok || (percent && strings.Contains(number, "/")) {
		return nil, fmt.Errorf("%q: %w", text, errNotBound)
	}
	if percent {
		value.Mul(value, big.NewRat(1, 100))
	}
	if value.Sign() < 0 || value.Cmp(one) > 0 {
		return nil, fmt.Errorf("%q: %w", text, errOutside)
	}
	if value.Denom().Cmp(maxPeriod) > 0 {
		return nil, fmt.Errorf("%q: %w", text, errTooFine)
	}
	return value, nil
}

// Shared numbers; nothing writes to them.
var (
	zero = new(big.Rat)
	one  = big.NewRat(1, 1)
	// maxPeriod bounds the common denominator of a sequence, so that the
	// products in Striper stay within 128 bits.
	maxPeriod = big.NewInt(1_000_000_000_000)
)

// bounds returns the bounds, also of the zero Segment. They must not be changed.
func (s Segment) bounds() (from, to *big.Rat) {
	if s.to == nil {
		return zero, one
	}
	return s.from, s.to
}

// Whole reports whether the segment is the whole test.
func (s Segment) Whole() bool {
	from, to := s.bounds()
	return from.Sign() == 0 && to.Cmp(one) == 0
}

// Length returns the segment's share of the whole, over 0 and up to 1. It is
// rounded, so it is for display only.
func (s Segment) Length() float64 {
	from, to := s.bounds()
	length, _ := new(big.Rat).Sub(to, from).Float64()
	return length
}

// String returns the segment in its canonical form, such as "1/3:2/3".
func (s Segment) String() string {
	from, to := s.bounds()
	return from.RatString() + ":" + to.RatString()
}

// MarshalText implements encoding.TextMarshaler with String's form.
func (s Segment) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
