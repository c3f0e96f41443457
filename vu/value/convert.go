package value

// Hot path: conversions of primitive values allocate only the strings they make.

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// whitespace is what trim and number texts skip.
const whitespace = " \f\n\r\t\v\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"

// asciiSpace is the part of whitespace that strings of ASCII can hold.
const asciiSpace = " \f\n\r\t\v"

// Truthy tells whether a value counts as true in a condition.
func Truthy(v Value) bool {
	switch v.kind {
	case KindUndefined, KindNull:
		return false
	case KindString:
		return v.str != ""
	case KindBool, KindNumber:
		return v.num != 0 && v.num == v.num
	}
	return true
}

// TypeOf is the text of the typeof operator.
func TypeOf(v Value) string {
	switch v.kind {
	case KindUndefined:
		return "undefined"
	case KindBool:
		return "boolean"
	case KindNumber:
		return "number"
	case KindString:
		return "string"
	case KindRef:
		if _, ok := v.obj.host.(*Function); ok {
			return "function"
		}
	}
	return "object"
}

// ToPrimitive is the value itself, or what an object converts to. number says
// that a number is wanted more than a text; only refs make a difference.
func ToPrimitive(v Value, number bool) Value {
	switch v.kind {
	case KindArray:
		return Str(Join(v.obj, ","))
	case KindObject:
		return Str("[object Object]")
	case KindRef:
		if p, ok := v.obj.host.(HostPrimitive); ok {
			return p.Primitive(number)
		}
		return Str("[object " + v.obj.host.Class() + "]")
	}
	return v
}

// ToString is String(v).
func ToString(v Value) string {
	switch v.kind {
	case KindString:
		return v.str
	case KindUndefined:
		return "undefined"
	case KindNull:
		return "null"
	case KindNumber:
		return FormatNumber(v.num)
	case KindBool:
		if v.num != 0 {
			return "true"
		}
		return "false"
	}
	return ToString(ToPrimitive(v, false))
}

// AppendString appends ToString(v) to UTF-8 text, and allocates nothing for
// primitive values. A surrogate pair that meets at the seam becomes one character.
func AppendString(b []byte, v Value) []byte {
	switch v.kind {
	case KindNumber:
		return AppendNumber(b, v.num)
	case KindString:
		return appendJoined(b, v.str)
	}
	return appendJoined(b, ToString(v))
}

// ToNumber is Number(v).
func ToNumber(v Value) float64 {
	switch v.kind {
	case KindNumber, KindBool:
		return v.num
	case KindNull:
		return 0
	case KindString:
		return ParseNumber(v.str)
	case KindUndefined:
		return math.NaN()
	}
	return ToNumber(ToPrimitive(v, true))
}

// ParseNumber is Number(s). It follows the script tier where that differs from
// the language: hexadecimal and such digits may carry a sign after their prefix,
// beyond 63 bits they are no number, and U+0085 is a space.
func ParseNumber(s string) float64 {
	if isASCII(s) {
		return parseNumber(strings.Trim(s, asciiSpace))
	}
	return parseNumber(strings.TrimSpace(strings.Trim(s, whitespace)))
}

func parseNumber(s string) float64 {
	if s == "" {
		return 0
	}
	if n, ok := shortInteger(s); ok {
		return n
	}
	switch s {
	case "Infinity", "+Infinity":
		return math.Inf(1)
	case "-Infinity":
		return math.Inf(-1)
	}
	if n, ok := parseInteger(s); ok {
		return float64(n)
	}
	if !decimal(s) {
		return math.NaN()
	}
	f, _ := strconv.ParseFloat(s, 64) // out of range is infinite or 0
	return f
}

// shortInteger reads the usual case.
func shortInteger(s string) (float64, bool) {
	if len(s) > 15 {
		return 0, false
	}
	n := 0
	for i := range len(s) {
		c := s[i] - '0'
		if c > 9 {
			return 0, false
		}
		n = n*10 + int(c)
	}
	return float64(n), true
}

// parseInteger reads an integer of 63 bits, also hexadecimal, octal and binary.
func parseInteger(s string) (int64, bool) {
	if s == "" {
		return 0, true
	}
	if s == "-0" {
		return 0, false
	}
	base := 10
	if len(s) > 2 && s[0] == '0' {
		switch s[1] {
		case 'x', 'X':
			base = 16
		case 'o', 'O':
			base = 8
		case 'b', 'B':
			base = 2
		}
		if base != 10 {
			s = s[2:]
		}
	}
	if !intDigits(s, base) {
		return 0, false // before strconv makes an error of it
	}
	n, err := strconv.ParseInt(s, base, 64)
	return n, err == nil
}

func intDigits(s string, base int) bool {
	if s != "" && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	for i := range len(s) {
		if digitValue(s[i]) >= base {
			return false
		}
	}
	return s != ""
}

// digitValue is the value of a digit of any base to 36; 36 if it is none.
func digitValue(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'z':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'Z':
		return int(c-'A') + 10
	}
	return 36
}

// decimal tells whether s is a decimal number: digits, point, exponent.
func decimal(s string) bool { return s != "" && decimalPrefix(s) == len(s) }

// decimalPrefix is the length of the decimal number that s begins with, sign
// included; 0 if there is none.
func decimalPrefix(s string) int {
	i := 0
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		i++
	}
	whole := countDigits(s[i:])
	i += whole
	if i < len(s) && s[i] == '.' {
		frac := countDigits(s[i+1:])
		if whole+frac == 0 {
			return 0
		}
		i += 1 + frac
	} else if whole == 0 {
		return 0
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		j := i + 1
		if j < len(s) && (s[j] == '+' || s[j] == '-') {
			j++
		}
		if n := countDigits(s[j:]); n > 0 {
			i = j + n
		}
	}
	return i
}

func countDigits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// ParseInt is parseInt(s, radix). A radix of 0 or NaN means 10, or 16 after 0x.
func ParseInt(s string, radix float64) float64 {
	s = strings.Trim(s, whitespace)
	negative := false
	if s != "" && (s[0] == '-' || s[0] == '+') {
		negative, s = s[0] == '-', s[1:]
	}
	base := int(toInt32(radix))
	if (base == 0 || base == 16) && len(s) > 1 && s[0] == '0' && s[1]|0x20 == 'x' {
		base, s = 16, s[2:]
	}
	if base == 0 {
		base = 10
	}
	n := 0
	for base >= 2 && base <= 36 && n < len(s) && digitValue(s[n]) < base {
		n++
	}
	if n == 0 {
		return math.NaN()
	}
	f := digitsValue(s[:n], base)
	if negative {
		f = -f
		if f == 0 {
			f = 0 // the script tier has no -0 here
		}
	}
	return f
}

// digitsValue is exact to 63 bits and then goes on in floating point, digit by
// digit.
func digitsValue(s string, base int) float64 {
	n, i := int64(0), 0
	for ; i < len(s) && n < math.MaxInt64/int64(base)+1; i++ {
		d := int64(digitValue(s[i]))
		if next := n*int64(base) + d; next >= n {
			n = next
			continue
		}
		return largeValue(float64(n*int64(base))+float64(d), s[i+1:], base)
	}
	return largeValue(float64(n), s[i:], base)
}

func largeValue(f float64, s string, base int) float64 {
	for i := range len(s) {
		f = f*float64(base) + float64(digitValue(s[i]))
	}
	return f
}

// ParseFloat is parseFloat(s): the number that s begins with.
func ParseFloat(s string) float64 {
	s = strings.TrimLeft(s, whitespace)
	switch rest := strings.TrimLeft(s, "+-"); {
	case len(s)-len(rest) <= 1 && strings.HasPrefix(rest, "Infinity"):
		if s[0] == '-' {
			return math.Inf(-1)
		}
		return math.Inf(1)
	}
	n := decimalPrefix(s)
	if n == 0 {
		return math.NaN()
	}
	f, err := strconv.ParseFloat(s[:n], 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return math.NaN()
	}
	return f
}

// ToInt32 is v | 0.
func ToInt32(v Value) int32 { return toInt32(ToNumber(v)) }

// ToUint32 is v >>> 0.
func ToUint32(v Value) uint32 { return uint32(toInt32(ToNumber(v))) }

// toInt32 goes through 64 bits as the script tier does: what does not fit is 0.
func toInt32(f float64) int32 {
	if math.Abs(f) < 1<<63 {
		return int32(int64(f))
	}
	return 0
}
