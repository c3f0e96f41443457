package globals

import (
	"math"
	"strconv"
	"strings"
)

// decimal is a finite number as decimal digits: 0.d1d2d3... times 10^point. Zero
// has no digits.
type decimal struct {
	negative bool
	digits   []byte // '0' to '9', neither leading nor trailing zeros
	point    int
}

// decimalOf takes the shortest digits that give the number back, as browsers do
// before they round.
func decimalOf(f float64) decimal {
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(math.Abs(f), 'e', -1, 64), "e")
	e, _ := strconv.Atoi(exponent) // written by FormatFloat
	d := decimal{negative: math.Signbit(f), digits: []byte(strings.Replace(mantissa, ".", "", 1)), point: e + 1}
	d.trim()
	return d
}

// decimalOfInteger takes the text of an integer, such as that of a BigInt.
func decimalOfInteger(text string) decimal {
	digits, negative := strings.CutPrefix(text, "-")
	d := decimal{negative: negative, digits: []byte(digits), point: len(digits)}
	d.trim()
	return d
}

func (d *decimal) trim() {
	for len(d.digits) > 0 && d.digits[0] == '0' {
		d.digits = d.digits[1:]
		d.point--
	}
	for n := len(d.digits); n > 0 && d.digits[n-1] == '0'; n-- {
		d.digits = d.digits[:n-1]
	}
	if len(d.digits) == 0 {
		d.point = 0
	}
}

func (d *decimal) isZero() bool { return len(d.digits) == 0 }

// round keeps n digits behind the decimal point, which may be negative, and
// rounds halves away from zero.
func (d *decimal) round(n int) {
	keep := d.point + n
	if keep >= len(d.digits) {
		return
	}
	if keep < 0 {
		d.digits, d.point = nil, 0
		return
	}
	up := d.digits[keep] >= '5'
	d.digits = append([]byte{'0'}, d.digits[:keep]...)
	d.point++
	for i := len(d.digits) - 1; up; i-- {
		if up = d.digits[i] == '9'; up {
			d.digits[i] = '0'
		} else {
			d.digits[i]++
		}
	}
	d.trim()
}

// roundSignificant keeps n digits in all.
func (d *decimal) roundSignificant(n int) { d.round(n - d.point) }

// text returns the digits before and behind the decimal point.
func (d *decimal) text() (integer, fraction string) {
	switch {
	case d.point <= 0:
		return "0", strings.Repeat("0", -d.point) + string(d.digits)
	case d.point >= len(d.digits):
		return string(d.digits) + strings.Repeat("0", d.point-len(d.digits)), ""
	}
	return string(d.digits[:d.point]), string(d.digits[d.point:])
}
