package value

// Hot path: comparisons and arithmetic of numbers and strings allocate nothing
// but the strings they make.

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// StrictEquals is a === b.
func StrictEquals(a, b Value) bool {
	if a.kind != b.kind {
		return false
	}
	switch a.kind {
	case KindUndefined, KindNull:
		return true
	case KindBool, KindNumber:
		return a.num == b.num
	case KindString:
		return a.str == b.str
	}
	return a.obj == b.obj
}

// SameValueZero is how includes, Set and Map compare: as === but NaN is itself.
func SameValueZero(a, b Value) bool {
	return StrictEquals(a, b) || a.kind == KindNumber && b.kind == KindNumber && a.num != a.num && b.num != b.num
}

// LooseEquals is a == b, as the script tier does it: a text on the left equals an
// integer only in the form of an integer ("1.0" == 1 is false there, 1 == "1.0" is
// true), and one with characters beyond ASCII equals no number.
func LooseEquals(a, b Value) bool {
	switch {
	case a.kind == b.kind:
		return StrictEquals(a, b)
	case a.IsNullish() || b.IsNullish():
		return a.IsNullish() && b.IsNullish()
	case a.IsObject() && b.IsObject():
		return false
	case a.IsObject():
		return LooseEquals(ToPrimitive(a, isNotDate(a)), b)
	case b.IsObject():
		return LooseEquals(a, ToPrimitive(b, isNotDate(b)))
	case a.kind == KindString:
		return textEquals(a.str, b)
	case b.kind == KindString && a.kind == KindBool:
		return textEquals(b.str, Number(a.num))
	case b.kind == KindString:
		return numberEqualsText(a.num, b.str)
	}
	return a.num == b.num // of numbers and booleans
}

// textEquals compares a text with a number or a boolean.
func textEquals(s string, v Value) bool {
	if !isASCII(s) {
		return false
	}
	s = strings.Trim(s, asciiSpace)
	if v.kind == KindNumber && isInteger(v.num) {
		n, ok := parseInteger(s)
		return ok && n == int64(v.num)
	}
	if v.kind == KindBool {
		return (s == "" || decimal(s)) && parseNumber(s) == v.num
	}
	return parseNumber(s) == v.num
}

// numberEqualsText is f == s.
func numberEqualsText(f float64, s string) bool {
	return (isInteger(f) || isASCII(s)) && ParseNumber(s) == f
}

// isInteger tells whether the script tier keeps a number as an integer.
func isInteger(f float64) bool {
	return f == math.Trunc(f) && math.Abs(f) <= maxSafe && !isNegativeZero(f)
}

func isNegativeZero(f float64) bool { return f == 0 && math.Signbit(f) }

// Less is a < b; the second result is false if they do not compare, as with NaN,
// when all four of < > <= >= are false.
func Less(a, b Value) (less, ordered bool) {
	a, b = ToPrimitive(a, true), ToPrimitive(b, true)
	if a.kind == KindString && b.kind == KindString {
		return CompareStrings(a.str, b.str) < 0, true
	}
	x, y := ToNumber(a), ToNumber(b)
	return x < y, x == x && y == y
}

// CompareStrings orders two strings by their UTF-16 units.
func CompareStrings(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] == b[i] {
			continue
		}
		// Bytes order as units do, but for characters of two units.
		if max(a[i], b[i]) >= 0xF0 && min(a[i], b[i]) >= 0xED {
			return slices.Compare(AppendUnits(nil, a[i:]), AppendUnits(nil, b[i:]))
		}
		return cmp.Compare(a[i], b[i])
	}
	return cmp.Compare(len(a), len(b))
}

// Add is a + b.
func Add(a, b Value) Value {
	if a.kind == KindNumber && b.kind == KindNumber {
		return Number(a.num + b.num)
	}
	a, b = ToPrimitive(a, isNotDate(a)), ToPrimitive(b, isNotDate(b))
	if a.kind == KindString || b.kind == KindString {
		return Str(Concat(ToString(a), ToString(b)))
	}
	return Number(ToNumber(a) + ToNumber(b))
}

// Mul is x * y. As in the script tier the product of zero and a negative integer
// has no sign, but for -1.
func Mul(x, y float64) float64 {
	f := x * y
	if f == 0 && isInteger(x) && isInteger(y) && x != -1 && y != -1 {
		return 0
	}
	return f
}

// Mod is x % y.
func Mod(x, y float64) float64 {
	if y == 0 {
		return math.NaN()
	}
	if x > 0 && isInteger(x) && isInteger(y) {
		return float64(int64(x) % int64(y))
	}
	return math.Mod(x, y)
}

// Pow is x ** y. Powers of integers are exact while they fit into 63 bits.
func Pow(x, y float64) float64 {
	switch {
	case math.Abs(x) == 1 && math.IsInf(y, 0), x == 1 && y != y:
		return math.NaN()
	case y >= 0 && isInteger(x) && isInteger(y):
		if n, ok := intPower(int64(x), int64(y)); ok {
			return float64(n)
		}
	}
	return math.Pow(x, y)
}

func intPower(x, y int64) (int64, bool) {
	switch {
	case x == 0 && y > 0, x == 1:
		return x, true
	case x == -1:
		return 1 - 2*(y&1), true
	case y >= 63:
		return 0, false
	}
	n := int64(1)
	for range y {
		next := n * x
		if next/x != n || next == math.MinInt64 {
			return 0, false
		}
		n = next
	}
	return n, true
}

// ShiftLeft is x << y.
func ShiftLeft(x, y float64) float64 { return float64(toInt32(x) << (toInt32(y) & 31)) }

// ShiftRight is x >> y, with the sign.
func ShiftRight(x, y float64) float64 { return float64(toInt32(x) >> (toInt32(y) & 31)) }

// ShiftRightUnsigned is x >>> y.
func ShiftRightUnsigned(x, y float64) float64 {
	return float64(uint32(toInt32(x)) >> (toInt32(y) & 31))
}

// BitAnd is x & y.
func BitAnd(x, y float64) float64 { return float64(toInt32(x) & toInt32(y)) }

// BitOr is x | y.
func BitOr(x, y float64) float64 { return float64(toInt32(x) | toInt32(y)) }

// BitXor is x ^ y.
func BitXor(x, y float64) float64 { return float64(toInt32(x) ^ toInt32(y)) }

// BitNot is ~x.
func BitNot(x float64) float64 { return float64(^toInt32(x)) }

// isDate tells whether a value is a date, which prefers to be a text.
func isDate(v Value) bool {
	_, ok := v.Host().(*Date)
	return ok
}

func isNotDate(v Value) bool { return !isDate(v) }
