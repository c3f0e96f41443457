package value

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
)

const radixDigits = "0123456789abcdefghijklmnopqrstuvwxyz"

// ToRadix is f.toString(radix). A fraction has as many digits as tell f from its
// neighbours. As in the script tier a number between -1 and 0 loses its sign. The
// radix is 2 to 36, else it is a RangeError.
func ToRadix(f, radix float64) (string, error) {
	r := toInteger(radix)
	if r < 2 || r > 36 {
		return "", RangeError("toString() radix argument must be between 2 and 36")
	}
	if b, ok := appendNotFinite(nil, f); ok {
		return string(b), nil
	}
	if r == 10 {
		return FormatNumber(f), nil
	}
	b := make([]byte, 0, 64)
	if f <= -1 {
		b = append(b, '-')
	}
	f = math.Abs(f)
	whole := math.Floor(f)
	if whole < 1<<63 {
		b = strconv.AppendUint(b, uint64(whole), int(r))
	} else {
		n, _ := new(big.Float).SetFloat64(whole).Int(nil)
		b = n.Append(b, int(r))
	}
	if f != whole {
		b = append(b, '.')
		b = appendFraction(b, f, whole, int(r))
	}
	return string(b), nil
}

// appendFraction writes the fraction of f digit by digit until what is written is
// nearer to f than to any other number: at each place the rest is compared with
// the distances to the half way points below and above.
func appendFraction(b []byte, f, whole float64, radix int) []byte {
	u := math.Float64bits(f)
	exp := int(u >> 52 & 0x7ff)
	scale := 1076 - max(exp, 1) // half an ulp of f is 1/2^scale
	even := u&1 == 0
	power := u&(1<<52-1) == 0 && exp > 1
	if power {
		scale++ // the number below is half as far
	}
	frac, e := math.Frexp(f - whole)
	mant := uint64(frac * (1 << 53))
	shift := e - 53 + scale
	up := uint64(1)
	if power {
		up = 2
	}
	if scale <= 110 && shift >= 0 {
		g := &smallFraction{rest: shl(uint128{lo: mant}, uint(shift)), low: uint128{lo: 1}, high: uint128{lo: up}, scale: uint(scale)}
		return g.appendDigits(b, uint64(radix), even)
	}
	g := &bigFraction{low: big.NewInt(1), high: new(big.Int).SetUint64(up), one: new(big.Int).Lsh(big.NewInt(1), uint(scale))}
	g.rest = new(big.Int).SetUint64(mant)
	if shift >= 0 {
		g.rest.Lsh(g.rest, uint(shift))
	} else {
		g.rest.Rsh(g.rest, uint(-shift))
	}
	return g.appendDigits(b, radix, even)
}

// lastDigit decides whether a digit is the last one and whether it is rounded up.
// low compares the rest with the distance below, high with one less the distance
// above, half with one half.
func lastDigit(low, high, half int, even bool) (last bool, up byte) {
	switch {
	case high == 0 && even:
		if low > 0 {
			up = 1
		}
		return true, up
	case low < 0 || low == 0 && even:
		if high > 0 && half > 0 {
			up = 1
		}
		return true, up
	case high > 0:
		return true, 1
	}
	return false, 0
}

// bigFraction is a fraction over 2^scale of any size.
type bigFraction struct{ rest, low, high, one *big.Int }

func (g *bigFraction) appendDigits(b []byte, radix int, even bool) []byte {
	base, digit := big.NewInt(int64(radix)), new(big.Int)
	for {
		digit.DivMod(g.rest.Mul(g.rest, base), g.one, g.rest)
		g.low.Mul(g.low, base)
		g.high.Mul(g.high, base)
		high := 1
		if limit := new(big.Int).Sub(g.one, g.high); limit.Sign() > 0 {
			high = g.rest.Cmp(limit)
		}
		half := new(big.Int).Lsh(g.rest, 1).Cmp(g.one)
		last, up := lastDigit(g.rest.Cmp(g.low), high, half, even)
		b = append(b, radixDigits[byte(digit.Uint64())+up])
		if last {
			return b
		}
	}
}

// uint128 is enough for numbers that are not tiny, which are the usual ones.
type uint128 struct{ hi, lo uint64 }

func shl(a uint128, n uint) uint128 {
	if n >= 64 {
		return uint128{hi: a.lo << (n - 64)}
	}
	return uint128{hi: a.hi<<n | a.lo>>(64-n), lo: a.lo << n}
}

func mul(a uint128, n uint64) uint128 {
	carry, lo := bits.Mul64(a.lo, n)
	return uint128{hi: a.hi*n + carry, lo: lo}
}

func sub(a, b uint128) uint128 {
	lo, borrow := bits.Sub64(a.lo, b.lo, 0)
	hi, _ := bits.Sub64(a.hi, b.hi, borrow)
	return uint128{hi: hi, lo: lo}
}

func compare128(a, b uint128) int {
	switch {
	case a == b:
		return 0
	case a.hi < b.hi || a.hi == b.hi && a.lo < b.lo:
		return -1
	}
	return 1
}

// smallFraction is a fraction over 2^scale, scale at most 110.
type smallFraction struct {
	rest, low, high uint128
	scale           uint
}

func (g *smallFraction) appendDigits(b []byte, radix uint64, even bool) []byte {
	one := shl(uint128{lo: 1}, g.scale)
	for {
		n := mul(g.rest, radix)
		digit := byte(shr(n, g.scale))
		g.rest = sub(n, shl(uint128{lo: uint64(digit)}, g.scale))
		g.low, g.high = mul(g.low, radix), mul(g.high, radix)
		high := 1
		if compare128(g.high, one) < 0 {
			high = compare128(g.rest, sub(one, g.high))
		}
		half := compare128(shl(g.rest, 1), one)
		last, up := lastDigit(compare128(g.rest, g.low), high, half, even)
		b = append(b, radixDigits[digit+up])
		if last {
			return b
		}
	}
}

func shr(a uint128, n uint) uint64 {
	if n >= 64 {
		return a.hi >> (n - 64)
	}
	return a.lo>>n | a.hi<<(64-n)
}
