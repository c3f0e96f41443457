package tags

import (
	"math"
	"sync/atomic"
)

// distinctBits is how many bits distinct has: 128 KiB, which tell up to a few
// million sets apart within a few per cent.
const distinctBits = 1 << 20

// distinct counts different hashes in bounded memory, by linear counting: each sets
// one bit, and the share of bits still clear tells how many there were.
type distinct struct {
	words atomic.Pointer[[distinctBits / 64]atomic.Uint64]
	set   atomic.Int64
}

func (d *distinct) add(hash uint64) {
	words := d.words.Load()
	if words == nil {
		d.words.CompareAndSwap(nil, new([distinctBits / 64]atomic.Uint64))
		words = d.words.Load()
	}
	place := hash >> 32 % distinctBits // the stripe is chosen by the lowest bits
	bit := uint64(1) << (place % 64)
	if words[place/64].Or(bit)&bit == 0 {
		d.set.Add(1)
	}
}

func (d *distinct) count() int {
	clear := max(distinctBits-d.set.Load(), 1)
	return int(math.Round(distinctBits * math.Log(distinctBits/float64(clear))))
}
