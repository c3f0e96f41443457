package value

// Hot path: AppendNumber and AppendFixed allocate nothing.

import (
	"math"
	"slices"
	"strconv"
)

// maxSafe is 2^53: integers up to it are exact.
const maxSafe = 1 << 53

// AppendNumber appends a number as String(f) shows it.
func AppendNumber(b []byte, f float64) []byte {
	if n := int64(f); float64(n) == f && n > -maxSafe && n < maxSafe {
		return strconv.AppendInt(b, n, 10)
	}
	if b, ok := appendNotFinite(b, f); ok {
		return b
	}
	abs := math.Abs(f)
	if abs >= 1e-6 && abs < 1e21 {
		return strconv.AppendFloat(b, f, 'f', -1, 64)
	}
	return appendExponential(b, f, -1)
}

// FormatNumber is String(f).
func FormatNumber(f float64) string {
	if n := int64(f); float64(n) == f && n >= 0 && n < 100 {
		return strconv.Itoa(int(n)) // these are not allocated
	}
	var buf [32]byte
	return string(AppendNumber(buf[:0], f))
}

func appendNotFinite(b []byte, f float64) ([]byte, bool) {
	switch {
	case f != f:
		return append(b, "NaN"...), true
	case f > math.MaxFloat64:
		return append(b, "Infinity"...), true
	case f < -math.MaxFloat64:
		return append(b, "-Infinity"...), true
	}
	return b, false
}

// appendExponential appends f as d.ddde+x with a number of digits after the
// point, -1 for as many as f needs. The exponent has no leading zero.
func appendExponential(b []byte, f float64, digits int) []byte {
	start := len(b)
	b = appendRounded(b, f, 'e', digits)
	e := start + slices.Index(b[start:], 'e')
	if len(b) == e+4 && b[e+2] == '0' {
		b = append(b[:e+2], b[e+3])
	}
	return b
}

// appendRounded is strconv.AppendFloat with ties rounded away from zero, as the
// language wants.
func appendRounded(b []byte, f float64, format byte, digits int) []byte {
	start := len(b)
	b = strconv.AppendFloat(b, f, format, digits, 64)
	if digits < 0 || f == 0 || !isTie(f, format, digits) {
		return b
	}
	// One more digit shows the exact value, which ends in 5.
	b = strconv.AppendFloat(b[:start], f, format, digits+1, 64)
	return roundUp(b, start, format)
}

// roundUp drops the last digit of the number at b[start:], a 5, and adds one to
// the digit before.
func roundUp(b []byte, start int, format byte) []byte {
	end, exp := len(b), 0
	if format == 'e' {
		end = start + slices.Index(b[start:], 'e')
		exp, _ = strconv.Atoi(string(b[end+1:]))
	}
	b = b[:end-1]
	if b[len(b)-1] == '.' {
		b = b[:len(b)-1]
	}
	if b[start] == '-' {
		start++
	}
	if !addOne(b[start:]) {
		if format == 'e' {
			b[start], exp = '1', exp+1
		} else {
			b = slices.Insert(b, start, '1')
		}
	}
	if format != 'e' {
		return b
	}
	b = append(b, 'e', '+')
	if exp < 0 {
		b[len(b)-1], exp = '-', -exp
	}
	if exp < 10 {
		b = append(b, '0') // as strconv writes it
	}
	return strconv.AppendInt(b, int64(exp), 10)
}

// addOne adds one to the last of decimal digits. It is false if all became 0.
func addOne(digits []byte) bool {
	for i := len(digits) - 1; i >= 0; i-- {
		switch digits[i] {
		case '.':
		case '9':
			digits[i] = '0'
		default:
			digits[i]++
			return true
		}
	}
	return false
}

// isTie tells whether f lies exactly in the middle of two texts.
func isTie(f float64, format byte, digits int) bool {
	if format == 'f' {
		// With k binary digits after the point there are k decimal ones, the last a 5.
		half := math.Ldexp(f, digits+1)
		return half == math.Trunc(half) && math.Mod(half, 2) != 0
	}
	var exact, short [800]byte
	long := strconv.AppendFloat(exact[:0], f, 'e', 770, 64)
	more := strconv.AppendFloat(short[:0], f, 'e', digits+1, 64)
	e := slices.Index(more, 'e')
	if more[e-1] != '5' || e > len(long) || string(long[:e]) != string(more[:e]) {
		return false
	}
	for _, c := range long[e:] {
		switch c {
		case '0':
		case 'e':
			return true
		default:
			return false
		}
	}
	return true
}

// AppendFixed appends f.toFixed(digits). digits are 0 to 100, else it is a
// RangeError.
func AppendFixed(b []byte, f, digits float64) ([]byte, error) {
	n := toInteger(digits)
	if n < 0 || n > 100 {
		return b, RangeError("toFixed() precision must be between 0 and 100")
	}
	if math.Abs(f) >= 1e21 || f != f {
		return AppendNumber(b, f), nil
	}
	if f == 0 {
		f = 0 // without its sign
	}
	return appendRounded(b, f, 'f', int(n)), nil
}

// ToFixed is f.toFixed(digits).
func ToFixed(f, digits float64) (string, error) {
	var buf [48]byte
	b, err := AppendFixed(buf[:0], f, digits)
	return string(b), err
}

// ToExponential is f.toExponential(digits); undefined means as many as needed.
func ToExponential(f float64, digits Value) (string, error) {
	if b, ok := appendNotFinite(nil, f); ok {
		return string(b), nil
	}
	if f == 0 {
		f = 0
	}
	if digits.IsUndefined() {
		return string(appendExponential(nil, f, -1)), nil
	}
	n := toInteger(ToNumber(digits))
	if n < 0 || n > 100 {
		return "", RangeError("toExponential() precision must be between 0 and 100")
	}
	return string(appendExponential(nil, f, int(n))), nil
}

// ToPrecision is f.toPrecision(digits); undefined means String(f).
func ToPrecision(f float64, digits Value) (string, error) {
	if digits.IsUndefined() {
		return FormatNumber(f), nil
	}
	if b, ok := appendNotFinite(nil, f); ok {
		return string(b), nil
	}
	n := toInteger(ToNumber(digits))
	if n < 1 || n > 100 {
		return "", RangeError("toPrecision() precision must be between 1 and 100")
	}
	if f == 0 {
		f = 0
	}
	p := int(n)
	b := appendExponential(nil, f, p-1)
	at := slices.Index(b, 'e')
	exp, _ := strconv.Atoi(string(b[at+1:]))
	if exp < -6 || exp >= p {
		return string(b), nil
	}
	return string(appendRounded(nil, f, 'f', p-1-exp)), nil
}

// toInteger is a number without its fraction; NaN is 0.
func toInteger(f float64) float64 {
	if f != f {
		return 0
	}
	return math.Trunc(f)
}
