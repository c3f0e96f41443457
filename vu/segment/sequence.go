package segment

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// Sequence is the list of boundaries at which all instances of a test cut it,
// such as 0,1/3,2/3,1. It is immutable. The zero Sequence is empty: not given.
type Sequence struct {
	bounds []*big.Rat
}

// ParseSequence reads a sequence: at least two boundaries in rising order,
// separated by commas, each in the grammar of Parse's bounds.
func ParseSequence(text string) (Sequence, error) {
	parts := strings.Split(text, ",")
	if len(parts) < 2 {
		return Sequence{}, fmt.Errorf("execution segment sequence %q: at least two boundaries are needed, such as 0,1", text)
	}
	bounds := make([]*big.Rat, len(parts))
	for i, part := range parts {
		bound, err := parseBound(part)
		if err != nil {
			return Sequence{}, fmt.Errorf("execution segment sequence %q: %w", text, err)
		}
		if i > 0 && bounds[i-1].Cmp(bound) >= 0 {
			return Sequence{}, fmt.Errorf("execution segment sequence %q: the boundaries must rise, but %s follows %s",
				text, bound.RatString(), bounds[i-1].RatString())
		}
		bounds[i] = bound
	}
	return Sequence{bounds: bounds}, nil
}

// Empty reports whether the sequence was not given.
func (s Sequence) Empty() bool { return len(s.bounds) == 0 }

// String returns the boundaries in their canonical form, such as "0,1/3,1"; an
// empty sequence gives "".
func (s Sequence) String() string {
	texts := make([]string, len(s.bounds))
	for i, bound := range s.bounds {
		texts[i] = bound.RatString()
	}
	return strings.Join(texts, ",")
}

// MarshalText implements encoding.TextMarshaler with String's form.
func (s Sequence) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Locate returns the striper of one segment of a sequence. An empty sequence
// stands for the segment itself and what is left on either side of it. It is an
// error if the segment is not one of the sequence's.
func Locate(s Segment, seq Sequence) (Striper, error) {
	from, to := s.bounds()
	if seq.Empty() {
		seq = around(from, to)
	}
	own := slices.IndexFunc(seq.bounds, func(b *big.Rat) bool { return b.Cmp(from) == 0 })
	if own < 0 || own+1 >= len(seq.bounds) || seq.bounds[own+1].Cmp(to) != 0 {
		return Striper{}, fmt.Errorf("the execution segment %s is not in the execution segment sequence %s", s, seq)
	}
	first, last := seq.bounds[0], seq.bounds[len(seq.bounds)-1]
	if first.Sign() != 0 || last.Cmp(one) != 0 {
		return Striper{}, fmt.Errorf("the execution segment sequence %s must begin with 0 and end with 1", seq)
	}
	lengths, err := lengthsOf(seq)
	if err != nil {
		return Striper{}, err
	}
	return newStriper(lengths, own), nil
}

// around returns the shortest sequence that has the segment from:to.
func around(from, to *big.Rat) Sequence {
	bounds := []*big.Rat{from, to}
	if from.Sign() > 0 {
		bounds = slices.Insert(bounds, 0, zero)
	}
	if to.Cmp(one) < 0 {
		bounds = append(bounds, one)
	}
	return Sequence{bounds: bounds}
}

// lengthsOf returns the lengths of a sequence's segments as whole numbers over
// their common denominator.
func lengthsOf(seq Sequence) ([]uint64, error) {
	period := big.NewInt(1)
	for _, bound := range seq.bounds {
		gcd := new(big.Int).GCD(nil, nil, period, bound.Denom())
		period.Mul(period, new(big.Int).Div(bound.Denom(), gcd))
		if period.Cmp(maxPeriod) > 0 {
			return nil, fmt.Errorf("execution segment sequence %s: %w", seq, errTooFine)
		}
	}
	lengths := make([]uint64, len(seq.bounds)-1)
	scale := new(big.Rat).SetInt(period)
	for i := range lengths {
		length := new(big.Rat).Sub(seq.bounds[i+1], seq.bounds[i])
		lengths[i] = length.Mul(length, scale).Num().Uint64()
	}
	return lengths, nil
}
