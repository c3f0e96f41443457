package options

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
)

// Duration is a time.Duration that reads and prints as options do.
type Duration time.Duration

// Std returns d as a time.Duration.
func (d Duration) Std() time.Duration { return time.Duration(d) }

// String returns Go's form, such as "1m30s".
func (d Duration) String() string { return time.Duration(d).String() }

// MarshalJSON gives Go's form as a string.
func (d Duration) MarshalJSON() ([]byte, error) { return []byte(`"` + d.String() + `"`), nil }

var errDuration = errors.New(`not a duration, such as "1m30s" or, in milliseconds, 500`)

// ParseDuration reads a duration of the script, the configuration file or the
// environment: a number of milliseconds, or Go's form with an optional number
// of days before it ("1d12h").
func ParseDuration(text string) (Duration, error) {
	trimmed := strings.TrimSpace(text)
	if d, ok, err := parseMilliseconds(trimmed); ok || err != nil {
		return d, wrapDuration(text, err)
	}
	unsigned, negative := strings.CutPrefix(trimmed, "-")
	var total time.Duration
	days, rest, hasDays := strings.Cut(unsigned, "d")
	if hasDays {
		n, err := strconv.ParseUint(days, 10, 63)
		if err != nil || n > uint64(math.MaxInt64/(24*time.Hour)) {
			return 0, wrapDuration(text, errDuration)
		}
		total = time.Duration(n) * 24 * time.Hour
	} else {
		rest = unsigned
	}
	if rest != "" || !hasDays {
		d, err := time.ParseDuration(rest)
		if err != nil || d < 0 || strings.HasPrefix(rest, "+") || total+d < total {
			return 0, wrapDuration(text, errDuration)
		}
		total += d
	}
	if negative {
		total = -total
	}
	return Duration(total), nil
}

// parseMilliseconds reads a plain number. ok is false if text is none.
func parseMilliseconds(text string) (d Duration, ok bool, err error) {
	const longest = 40
	if text == "" || len(text) > longest || strings.Trim(text, "0123456789.+-eE") != "" {
		return 0, false, nil
	}
	// Exact arithmetic keeps 0.1 at 100 microseconds; the exponent is bounded
	// first because big.Rat would build a number as large as it says.
	approximate, floatErr := strconv.ParseFloat(text, 64)
	if floatErr != nil || math.Abs(approximate) > math.MaxInt64/1e6 {
		return 0, false, errDuration
	}
	if math.Abs(approximate) < 1e-7 {
		return 0, true, nil
	}
	exact, ok := new(big.Rat).SetString(text)
	if !ok {
		return 0, false, errDuration
	}
	exact.Mul(exact, big.NewRat(int64(time.Millisecond), 1))
	ns := new(big.Int).Quo(exact.Num(), exact.Denom())
	if !ns.IsInt64() {
		return 0, false, errDuration
	}
	return Duration(ns.Int64()), true, nil
}

// ParseFlagDuration reads a duration of the command line, where a unit is
// required and days do not exist.
func ParseFlagDuration(text string) (Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil {
		if _, plain, _ := parseMilliseconds(text); plain {
			return 0, fmt.Errorf("%q needs a unit, such as %ss or %sms", text, text, text)
		}
		return 0, fmt.Errorf(`%q is not a duration, such as "1m30s"`, text)
	}
	return Duration(d), nil
}

func wrapDuration(text string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%q is %w", text, err)
}
