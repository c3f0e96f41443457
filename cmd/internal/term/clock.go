package term

import (
	"fmt"
	"strings"
	"time"
)

// Clock returns how much of a time is over, as in 00m01.5s/10m0s. The part
// before the stroke keeps its width.
func Clock(elapsed, total time.Duration) string {
	return Fixed(min(elapsed, total), total) + "/" + Short(total)
}

// Fixed returns d to a tenth of a second with as many places as total needs:
// 1.5s, 00m01.5s or 0h00m01.5s.
func Fixed(d, total time.Duration) string {
	d = max(d, 0).Truncate(100 * time.Millisecond)
	h, m, s := int(d/time.Hour), int(d/time.Minute)%60, (d % time.Minute).Seconds()
	switch {
	case total >= time.Hour || d >= time.Hour:
		return fmt.Sprintf("%dh%02dm%04.1fs", h, m, s)
	case total >= time.Minute || d >= time.Minute:
		return fmt.Sprintf("%02dm%04.1fs", m, s)
	case total >= 10*time.Second:
		return fmt.Sprintf("%04.1fs", s)
	}
	return fmt.Sprintf("%.1fs", s)
}

// Short returns a round duration: 30s, 10m0s, 1h30m0s.
func Short(d time.Duration) string { return d.String() }

// Latency returns a measured time in the unit that suits it, with at most two
// decimals: 812µs, 3.21ms, 1.5s, 1m5s.
func Latency(d time.Duration) string {
	unit, name := time.Minute, ""
	switch {
	case d < time.Microsecond:
		return fmt.Sprintf("%dns", d)
	case d < time.Millisecond:
		unit, name = time.Microsecond, "µs"
	case d < time.Second:
		unit, name = time.Millisecond, "ms"
	case d < time.Minute:
		unit, name = time.Second, "s"
	default:
		return d.Truncate(time.Second).String()
	}
	s := fmt.Sprintf("%.2f", float64(d*100/unit)/100)
	return strings.TrimRight(strings.TrimRight(s, "0"), ".") + name
}

// Count returns n with thousands set apart: 1,234,567.
func Count(n uint64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
