package modules

import (
	crand "crypto/rand"
	mrand "math/rand"
	"math/rand/v2"
)

// Random is the source of all randomness of one virtual user. With a seed that
// the user gave, it repeats itself from run to run.
type Random struct {
	pcg    rand.PCG
	script func() float64 // set by randomSeed
	secret bool
}

// NewRandom returns the source of virtual user number. Unless fixed, random
// bytes come from the operating system and cannot be predicted.
func NewRandom(seed, number uint64, fixed bool) *Random {
	r := &Random{secret: !fixed}
	r.pcg.Seed(seed, number)
	return r
}

// Float64 is the script's Math.random: a number in [0,1).
func (r *Random) Float64() float64 {
	if r.script != nil {
		return r.script()
	}
	return float64(r.pcg.Uint64()>>11) / (1 << 53)
}

// Uint64 returns 64 random bits.
func (r *Random) Uint64() uint64 { return r.pcg.Uint64() }

// Reseed makes Math.random give the sequence that scripts know for a seed: the
// one of Go's math/rand.
func (r *Random) Reseed(seed int64) {
	r.script = mrand.New(mrand.NewSource(seed)).Float64
}

// Fill fills b with random bytes.
func (r *Random) Fill(b []byte) {
	if r.secret {
		_, _ = crand.Read(b) // never fails since Go 1.24
		return
	}
	for i := 0; i < len(b); i += 8 {
		x := r.pcg.Uint64()
		for j := i; j < len(b) && j < i+8; j++ {
			b[j] = byte(x)
			x >>= 8
		}
	}
}
