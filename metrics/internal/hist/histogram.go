// Hot path: recording into a page that exists allocates nothing.

// Package hist is a mergeable histogram of fixed precision: the buckets and the
// wire form of HdrHistogram with three significant digits, over memory that is
// taken page by page and shared with snapshots.
//
// Package metrics calls it. It calls hdrhistogram-go for the wire form, and its
// tests take that library as the judge of the bucket layout. The library's own
// storage is one dense array per histogram (some 400 KiB for this range) that can
// only be read by copying it whole; a run keeps dozens of series and is looked at
// every second, so the counts live here in small pages, copied when one is
// written for the first time after a snapshot.
package hist

import (
	"iter"
	"math/bits"
)

const (
	// halfBits: an octave is divided into 2^halfBits buckets, so a bucket is at
	// most 1/1024 of its values wide and its middle within 0.05 % of each. The
	// two lowest octave slots together hold the values below 2,048 exactly.
	halfBits  = 10
	half      = 1 << halfBits
	octaves   = 63 - halfBits
	pageBits  = 6
	pageSize  = 1 << pageBits
	pageCount = half / pageSize
)

// MaxValue is the greatest value that is counted as itself: as nanoseconds, 146
// years.
const MaxValue = 1<<62 - 1

// Histogram counts non-negative integers. The zero value is empty and ready. It
// is not safe for concurrent use; what Snapshot returns is, for readers.
type Histogram struct {
	count   int64
	clamped int64
	// owner marks the pages this histogram may write; others are shared.
	owner   *owner
	octaves [octaves]*octave
}

// owner is compared by address, so it must not be of size zero.
type owner struct{ _ byte }

type octave struct {
	owner *owner
	pages [pageCount]*page
}

type page struct {
	owner  *owner
	counts [pageSize]int64
}

// Count returns how many values were recorded.
func (h *Histogram) Count() int64 { return h.count }

// Clamped returns how many values were negative or above MaxValue; they are
// counted as 0 or MaxValue.
func (h *Histogram) Clamped() int64 { return h.clamped }

// Record counts one value.
func (h *Histogram) Record(v int64) { h.RecordN(v, 1) }

// RecordN counts a value n times, n being positive.
func (h *Histogram) RecordN(v, n int64) {
	if uint64(v) > MaxValue {
		h.clamped += n
		v = min(max(v, 0), MaxValue)
	}
	h.add(index(v), n)
}

// index returns the number of the bucket that v falls into: the flat index of
// HdrHistogram with lowest value 1 and three digits.
func index(v int64) int {
	shift := bits.Len64(uint64(v)|(2*half-1)) - (halfBits + 1)
	return shift<<halfBits + int(v>>shift)
}

// bounds returns the least and the greatest value of a bucket.
func bounds(i int) (low, high int64) {
	if i < 2*half {
		return int64(i), int64(i)
	}
	shift := i>>halfBits - 1
	low = int64(i-shift<<halfBits) << shift
	return low, low + 1<<shift - 1
}

func (h *Histogram) add(i int, n int64) {
	h.count += n
	// A page is written by its owner only, and an owned page lies in an owned
	// octave, so one comparison tells whether both may be written.
	if o := h.octaves[i>>halfBits]; o != nil {
		if p := o.pages[i%half>>pageBits]; p != nil && p.owner == h.owner {
			p.counts[i%pageSize] += n
			return
		}
	}
	h.ownPage(i).counts[i%pageSize] += n
}

// ownPage returns the page of bucket i as this histogram's own.
func (h *Histogram) ownPage(i int) *page {
	if h.owner == nil {
		h.owner = new(owner)
	}
	o := h.octaves[i>>halfBits]
	if o == nil || o.owner != h.owner {
		o = h.ownOctave(i >> halfBits)
	}
	p := new(page)
	if shared := o.pages[i%half>>pageBits]; shared != nil {
		*p = *shared
	}
	p.owner = h.owner
	o.pages[i%half>>pageBits] = p
	return p
}

// ownOctave makes the octave this histogram's own.
func (h *Histogram) ownOctave(i int) *octave {
	o := new(octave)
	if shared := h.octaves[i]; shared != nil {
		*o = *shared
	}
	o.owner = h.owner
	h.octaves[i] = o
	return o
}

// Snapshot returns the histogram as it is now. The two share all pages until h
// writes to one.
func (h *Histogram) Snapshot() *Histogram {
	h.owner = new(owner)
	s := *h
	s.owner = new(owner)
	return &s
}

// Merge adds what o counted.
func (h *Histogram) Merge(o *Histogram) {
	h.clamped += o.clamped
	o.each(func(i int, n int64) bool {
		h.add(i, n)
		return true
	})
}

// each calls f for every bucket that is not empty, in order, until it says false.
func (h *Histogram) each(f func(i int, n int64) bool) {
	for oi, o := range h.octaves {
		if o == nil {
			continue
		}
		for pi, p := range o.pages {
			if p != nil && !p.each(oi<<halfBits+pi<<pageBits, f) {
				return
			}
		}
	}
}

func (p *page) each(base int, f func(i int, n int64) bool) bool {
	for k, n := range p.counts {
		if n != 0 && !f(base+k, n) {
			return false
		}
	}
	return true
}

// ValueAt returns the value of the given rank, counted from 0 in ascending order:
// the middle of its bucket. A rank outside the histogram is moved to its end. It
// returns 0 for an empty histogram.
func (h *Histogram) ValueAt(rank int64) float64 {
	rank = min(max(rank, 0), h.count-1)
	value := 0.0
	h.each(func(i int, n int64) bool {
		low, high := bounds(i)
		value = (float64(low) + float64(high)) / 2
		rank -= n
		return rank >= 0
	})
	return value
}

// Bucket is the number of values from Low to High.
type Bucket struct{ Low, High, Count int64 }

// Buckets yields every bucket that is not empty in ascending order.
func (h *Histogram) Buckets() iter.Seq[Bucket] {
	return func(yield func(Bucket) bool) {
		h.each(func(i int, n int64) bool {
			low, high := bounds(i)
			return yield(Bucket{low, high, n})
		})
	}
}
