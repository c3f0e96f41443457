package summary

import (
	"math"
	"math/bits"
	"strconv"
	"strings"
	"time"

	"github.com/jsload/jsload/metrics"
)

// formatter turns the numbers of a report into the words of the text summary.
type formatter struct {
	unit TimeUnit
}

// value renders one number of a metric. Values of time metrics are
// milliseconds, values of data metrics bytes.
func (f formatter) value(v float64, contains metrics.Contains) string {
	switch contains {
	case metrics.Time:
		return f.duration(v)
	case metrics.Data:
		return bytesText(v)
	default:
		return plain(v)
	}
}

// duration renders milliseconds, in the unit of the options or in the one that
// suits the size.
func (f formatter) duration(ms float64) string {
	switch f.unit {
	case UnitSeconds:
		return toFixed(ms/1000, 2) + "s"
	case UnitMilliseconds:
		return toFixed(ms, 2) + "ms"
	case UnitMicroseconds:
		return toFixed(ms*1000, 2) + "µs"
	default:
		return autoDuration(ms)
	}
}

// autoDuration never rounds up: 59.999s stays under a minute.
func autoDuration(ms float64) string {
	if math.IsNaN(ms) || math.IsInf(ms, 0) {
		return plain(ms)
	}
	if ms < 0 {
		return "-" + autoDuration(-ms)
	}
	switch {
	case ms == 0:
		return "0s"
	case ms < 1e-3:
		return truncated(ms, 6, 2) + "ns"
	case ms < 1:
		return truncated(ms, 3, 2) + "µs"
	case ms < 1e3:
		return truncated(ms, 0, 2) + "ms"
	case ms < 60e3:
		return truncated(ms, -3, 2) + "s"
	}
	s := math.Floor(ms / 1000)
	minutes := math.Floor(s / 60)
	rest := plain(math.Mod(s, 60)) + "s"
	if minutes < 60 {
		return plain(minutes) + "m" + rest
	}
	return plain(math.Floor(minutes/60)) + "h" + plain(math.Mod(minutes, 60)) + "m" + rest
}

// truncated renders v * 10^shift with at most the given number of decimals,
// cutting the rest off. It works on the shortest decimal form of v, so that a
// binary remainder (0.57 being a little less than 0.57) changes no digit.
func truncated(v float64, shift, decimals int) string {
	s := strconv.FormatFloat(v, 'e', -1, 64)
	mantissa, exponent, _ := strings.Cut(s, "e")
	exp, _ := strconv.Atoi(exponent)
	digits := strings.Replace(mantissa, ".", "", 1)
	point := 1 + exp + shift // digits before the decimal point
	if point <= 0 {
		digits = strings.Repeat("0", 1-point) + digits
		point = 1
	}
	if len(digits) < point {
		digits += strings.Repeat("0", point-len(digits))
	}
	whole, fraction := digits[:point], digits[point:]
	if len(fraction) > decimals {
		fraction = fraction[:decimals]
	}
	fraction = strings.TrimRight(fraction, "0")
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}

// plain renders a number with at most six decimals and no trailing zeros.
func plain(v float64) string {
	s := toFixed(v, 6)
	if !strings.Contains(s, ".") || strings.Contains(s, "e") {
		return s
	}
	s = strings.TrimRight(s, "0")
	return strings.TrimSuffix(s, ".")
}

// toFixed is JavaScript's Number.prototype.toFixed: halves go away from zero,
// and from 1e21 on the number is written with an exponent.
func toFixed(v float64, decimals int) string {
	abs := math.Abs(v)
	if !(abs < 1e21) {
		return exponentForm(v)
	}
	// v is halfway between two results only if it is an odd multiple of
	// 2^-(decimals+1); strconv would round such a half to even.
	if k := math.Ldexp(abs, decimals+1); k == math.Trunc(k) && math.Mod(k, 2) == 1 {
		abs = math.Nextafter(abs, math.Inf(1))
	}
	s := strconv.FormatFloat(abs, 'f', decimals, 64)
	if v < 0 {
		return "-" + s
	}
	return s
}

func exponentForm(v float64) string {
	switch {
	case math.IsInf(v, 1):
		return "Infinity"
	case math.IsInf(v, -1):
		return "-Infinity"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// byteUnits are the decimal units, a thousand apart.
var byteUnits = [...]string{"B", "kB", "MB", "GB", "TB", "PB", "EB"}

func bytesText(v float64) string {
	if v < 0 {
		return "-" + bytesText(-v)
	}
	if v < 10 {
		return truncated(v, 0, 1) + " B"
	}
	unit := 0
	for v >= 1000 && unit < len(byteUnits)-1 {
		v /= 1000
		unit++
	}
	v = math.Floor(v*10+0.5) / 10
	if v >= 1000 && unit < len(byteUnits)-1 { // 999.96 kB is 1.0 MB
		v /= 1000
		unit++
	}
	if v < 10 {
		return toFixed(v, 1) + " " + byteUnits[unit]
	}
	return toFixed(v, 0) + " " + byteUnits[unit]
}

// percent renders hits of total in percent with two decimals, cut off so that
// 99.999 % does not read as all. Nothing of nothing is 0.00%.
func percent(hits, total uint64) string {
	hundredths := ratioOf(hits, total, 10000)
	s := strconv.FormatUint(hundredths/100, 10) + "."
	if hundredths%100 < 10 {
		s += "0"
	}
	return s + strconv.FormatUint(hundredths%100, 10) + "%"
}

// wholePercent is percent without decimals.
func wholePercent(hits, total uint64) string {
	return strconv.FormatUint(ratioOf(hits, total, 100), 10) + "%"
}

// ratioOf is scale*hits/total rounded down; 0 of nothing.
func ratioOf(hits, total, scale uint64) uint64 {
	if total == 0 {
		return 0
	}
	high, low := bits.Mul64(min(hits, total), scale)
	q, _ := bits.Div64(high, low, total) // hits <= total, so high < total
	return q
}

// perSecond is n over a duration; 0 for no time at all.
func perSecond(n float64, d time.Duration) float64 {
	if d <= 0 {
		return 0
	}
	return n / d.Seconds()
}
