package segment

import (
	"math"
	"math/bits"
	"sort"
)

// Striper deals the indexes 0, 1, 2, ... of the whole test out to the segments
// of a sequence, and answers for one of them. Every index belongs to exactly
// one segment, and over n indexes a segment's count differs from its exact
// share by less than the number of segments.
//
// The order is this: within one period (the sum of the lengths) the j-th index
// of a segment is due at j/length of the period; indexes are dealt in order of
// what is due, at a tie first to the longer segment, then to the earlier one.
//
// It is immutable and safe for concurrent use. The zero Striper deals
// everything to itself.
type Striper struct {
	lengths []uint64 // of all segments, over their common denominator
	own     int
}

func newStriper(lengths []uint64, own int) Striper {
	return Striper{lengths: lengths, own: own}
}

// Whole reports whether every index is this segment's.
func (s Striper) Whole() bool {
	for i, length := range s.lengths {
		if i != s.own && length > 0 {
			return false
		}
	}
	return !s.Empty()
}

// Empty reports whether no index is this segment's. Only a Striper made by
// Split can be empty.
func (s Striper) Empty() bool {
	return s.lengths != nil && s.lengths[s.own] == 0
}

// Share returns how much of the whole is this segment's, from 0 to 1, as a
// fraction of whole numbers.
func (s Striper) Share() (num, den uint64) {
	if s.lengths == nil {
		return 1, 1
	}
	for _, length := range s.lengths {
		den += length
	}
	return s.lengths[s.own], den
}

// At returns the index in the whole of this segment's j-th index, both counted
// from 0; past the largest int64 it stays there. It allocates nothing. It must not be called if the Striper is Empty.
func (s Striper) At(j int64) int64 {
	if s.lengths == nil {
		return j
	}
	return int64(min(s.at(s.own, uint64(j)), math.MaxInt64))
}

// at counts what is dealt before the j-th index of segment own: from every
// other segment m that is the indexes i with i/length(m) < j/length(own), and
// at equality if m goes first.
func (s Striper) at(own int, j uint64) uint64 {
	length := s.lengths[own]
	before := j
	for m, other := range s.lengths {
		if m == own || other == 0 {
			continue
		}
		high, low := bits.Mul64(j, other)
		if high >= length {
			return math.MaxUint64 // beyond any index that Scale asks about
		}
		quotient, rest := bits.Div64(high, low, length)
		// The whole part counts i from 0 to quotient-1; the index i = quotient
		// is due earlier too if there is a rest, or at the same moment.
		if rest > 0 || s.goesFirst(m, own) {
			quotient++
		}
		sum, carry := bits.Add64(before, quotient, 0)
		if carry > 0 {
			return math.MaxUint64
		}
		before = sum
	}
	return before
}

// goesFirst reports whether segment m goes before segment n at a tie.
func (s Striper) goesFirst(m, n int) bool {
	if s.lengths[m] != s.lengths[n] {
		return s.lengths[m] > s.lengths[n]
	}
	return m < n
}

// Scale returns how many of the first n indexes of the whole are this
// segment's. Negative n counts as 0.
func (s Striper) Scale(n int64) int64 {
	if n <= 0 {
		return 0
	}
	if s.lengths == nil {
		return n
	}
	return s.scale(s.own, n)
}

func (s Striper) scale(own int, n int64) int64 {
	if s.lengths[own] == 0 {
		return 0
	}
	// at(j) >= j, so no more than n can be below n.
	return int64(sort.Search(int(n), func(j int) bool { return s.at(own, uint64(j)) >= uint64(n) }))
}

// Owns reports whether an index of the whole is this segment's.
func (s Striper) Owns(index int64) bool {
	return s.Scale(index+1) > s.Scale(index)
}

// Split returns the striper of the sequence whose segments are as long as their
// shares of n: work that n virtual users do together is dealt out as the users
// are, so that an instance with a third of the users gets a third of the
// iterations, whatever its segment's length. An instance without users gets an
// Empty striper.
func (s Striper) Split(n int64) Striper {
	if s.lengths == nil {
		return s
	}
	lengths := make([]uint64, len(s.lengths))
	for i := range lengths {
		lengths[i] = uint64(s.scale(i, max(n, 0)))
	}
	return newStriper(lengths, s.own)
}
