package target

import (
	"math/bits"
	"sync/atomic"
)

// Buckets are linear up to 128 ns and then 64 to an octave, which bounds the
// error of a percentile to 0.8 %. The last one holds all from about 73 minutes up.
const (
	subBits = 6
	maxBits = 42
	buckets = (maxBits-subBits-1)<<subBits + 1<<(subBits+1)
)

// durations counts durations in nanoseconds. The zero value is empty. It is safe
// for concurrent use.
//
// It exists beside the product's histogram so that the product is not measured
// with its own yardstick.
type durations struct {
	n, max atomic.Int64
	counts [buckets]atomic.Int64
}

// add counts one duration; a negative one counts as 0.
func (d *durations) add(ns int64) {
	ns = max(ns, 0)
	d.counts[bucketOf(uint64(ns))].Add(1)
	d.n.Add(1)
	for {
		old := d.max.Load()
		if ns <= old || d.max.CompareAndSwap(old, ns) {
			return
		}
	}
}

func bucketOf(ns uint64) int {
	if ns < 1<<(subBits+1) {
		return int(ns)
	}
	if ns >= 1<<maxBits {
		return buckets - 1
	}
	shift := bits.Len64(ns) - subBits - 1
	return shift<<subBits + int(ns>>shift)
}

// middleOf returns the middle of a bucket in nanoseconds.
func middleOf(bucket int) int64 {
	if bucket < 1<<(subBits+1) {
		return int64(bucket)
	}
	shift := bucket>>subBits - 1
	low := int64(bucket-shift<<subBits) << shift
	return low + int64(1)<<shift/2
}

// Spread describes a set of durations in microseconds. All is 0 for an empty set.
// Percentiles are right within 0.8 %, Max is exact.
type Spread struct {
	P50  float64 `json:"p50"`
	P90  float64 `json:"p90"`
	P99  float64 `json:"p99"`
	P999 float64 `json:"p99.9"`
	Max  float64 `json:"max"`
}

// spreadOf describes several sets as one.
func spreadOf(sets []*durations) Spread {
	var counts [buckets]int64
	var total, longest int64
	for _, d := range sets {
		longest = max(longest, d.max.Load())
		for i := range counts {
			n := d.counts[i].Load()
			counts[i] += n
			total += n
		}
	}
	at := func(q float64) float64 { return float64(min(quantile(&counts, total, q), longest)) / 1e3 }
	return Spread{P50: at(0.5), P90: at(0.9), P99: at(0.99), P999: at(0.999), Max: float64(longest) / 1e3}
}

// quantile returns the smallest value that at least the share q of all are not above.
func quantile(counts *[buckets]int64, total int64, q float64) int64 {
	if total == 0 {
		return 0
	}
	want := max(int64(q*float64(total)+0.9999999), 1)
	for i, n := range counts {
		if want -= n; want <= 0 {
			return middleOf(i)
		}
	}
	return middleOf(buckets - 1)
}
