package summary

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jsload/jsload/metrics/threshold"
)

// Mode is how much the text summary shows.
type Mode uint8

// The summary modes. The zero value is Compact.
const (
	// Compact leaves out the phases of requests, scenarios and groups.
	Compact Mode = iota
	// Full shows them.
	Full
	// Disabled prints no text and does not call handleSummary.
	Disabled
)

var modeNames = [...]string{Compact: "compact", Full: "full", Disabled: "disabled"}

// ParseMode reads a summary mode; an empty string is Compact.
func ParseMode(s string) (Mode, error) {
	if s == "" {
		return Compact, nil
	}
	for m, name := range modeNames {
		if name == s {
			return Mode(m), nil
		}
	}
	if s == "legacy" {
		return 0, fmt.Errorf("summary mode %q no longer exists: use compact, full or disabled", s)
	}
	return 0, fmt.Errorf("unknown summary mode %q: use compact, full or disabled", s)
}

// String returns the mode's name.
func (m Mode) String() string { return modeNames[m] }

// TimeUnit is the unit of times in the text summary.
type TimeUnit uint8

// The time units. The zero value chooses a unit for each number.
const (
	UnitAuto TimeUnit = iota
	UnitSeconds
	UnitMilliseconds
	UnitMicroseconds
)

var unitNames = [...]string{UnitAuto: "", UnitSeconds: "s", UnitMilliseconds: "ms", UnitMicroseconds: "us"}

// ParseTimeUnit reads the option summaryTimeUnit; an empty string is UnitAuto.
func ParseTimeUnit(s string) (TimeUnit, error) {
	for u, name := range unitNames {
		if name == s {
			return TimeUnit(u), nil
		}
	}
	return 0, fmt.Errorf("invalid summary time unit %q: use s, ms or us", s)
}

// String returns the unit as the option spells it.
func (u TimeUnit) String() string { return unitNames[u] }

// TrendStat is one column of a trend.
type TrendStat struct {
	// Name is the stat as the user wrote it; it is its key in JSON.
	Name string
	// Aggregate is one of Avg, Min, Med, Max, Count, Percentile.
	Aggregate threshold.Aggregate
	// Quantile is N of p(N).
	Quantile float64
}

// DefaultTrendStats are avg, min, med, max, p(90) and p(95).
func DefaultTrendStats() []TrendStat {
	return []TrendStat{
		{"avg", threshold.Avg, 0}, {"min", threshold.Min, 0}, {"med", threshold.Med, 0}, {"max", threshold.Max, 0},
		{"p(90)", threshold.Percentile, 90}, {"p(95)", threshold.Percentile, 95},
	}
}

// ParseTrendStats reads the option summaryTrendStats; an empty list gives
// DefaultTrendStats. A stat that is named twice counts once.
func ParseTrendStats(names []string) ([]TrendStat, error) {
	if len(names) == 0 {
		return DefaultTrendStats(), nil
	}
	stats := make([]TrendStat, 0, len(names))
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			continue
		}
		s, err := parseTrendStat(name)
		if err != nil {
			return nil, err
		}
		stats = append(stats, s)
	}
	return stats, nil
}

func parseTrendStat(name string) (TrendStat, error) {
	s := TrendStat{Name: name}
	switch name {
	case "avg":
		s.Aggregate = threshold.Avg
	case "min":
		s.Aggregate = threshold.Min
	case "med":
		s.Aggregate = threshold.Med
	case "max":
		s.Aggregate = threshold.Max
	case "count":
		s.Aggregate = threshold.Count
	default:
		inner, opened := strings.CutPrefix(name, "p(")
		inner, closed := strings.CutSuffix(inner, ")")
		if !opened || !closed {
			return s, fmt.Errorf("invalid trend stat %q: use avg, min, med, max, count or p(N)", name)
		}
		q, err := threshold.ParseQuantile(inner)
		if err != nil {
			return s, fmt.Errorf("invalid trend stat %q: %w", name, err)
		}
		s.Aggregate, s.Quantile = threshold.Percentile, q
	}
	return s, nil
}

// Options are the user's wishes for the report.
type Options struct {
	Mode     Mode
	TimeUnit TimeUnit
	// TrendStats are the columns of trends; empty means the default ones.
	TrendStats []TrendStat
	// NoColor is the user's wish, which scripts can read. Whether the text is
	// coloured is decided when it is written.
	NoColor bool
	// SetupAside tells that setup and teardown are in none of the numbers.
	SetupAside bool
}
