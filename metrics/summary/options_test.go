package summary

import (
	"slices"
	"strings"
	"testing"
)

func TestParseTrendStats(t *testing.T) {
	stats, err := ParseTrendStats([]string{"avg", "p(99.9)", "count", "avg", "p(0)"})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range stats {
		names = append(names, s.Name)
	}
	if got := strings.Join(names, " "); got != "avg p(99.9) count p(0)" || stats[1].Quantile != 99.9 {
		t.Errorf("got %v", stats)
	}
	if stats, err := ParseTrendStats(nil); err != nil || !slices.Equal(stats, DefaultTrendStats()) {
		t.Errorf("no stats: %v, %v", stats, err)
	}
	for _, bad := range []string{"", "p95", "p(101)", "p(x)", "p(95", "median", "rate", "p(95))"} {
		if _, err := ParseTrendStats([]string{bad}); err == nil || !strings.Contains(err.Error(), `"`+bad+`"`) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestParseMode(t *testing.T) {
	for _, m := range []Mode{Compact, Full, Disabled} {
		if got, err := ParseMode(m.String()); err != nil || got != m {
			t.Errorf("%v: %v, %v", m, got, err)
		}
	}
	if m, err := ParseMode(""); m != Compact || err != nil {
		t.Errorf("empty: %v, %v", m, err)
	}
	for _, bad := range []string{"loud", "legacy"} {
		if _, err := ParseMode(bad); err == nil || !strings.Contains(err.Error(), "summary mode") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestParseTimeUnit(t *testing.T) {
	for _, u := range []TimeUnit{UnitAuto, UnitSeconds, UnitMilliseconds, UnitMicroseconds} {
		if got, err := ParseTimeUnit(u.String()); err != nil || got != u {
			t.Errorf("%v: %v, %v", u, got, err)
		}
	}
	if _, err := ParseTimeUnit("m"); err == nil {
		t.Error("minutes are no time unit")
	}
}

func TestCompareNames(t *testing.T) {
	sorted := []string{"", "_x", "a", "a_b", "a1", "aa", "AA", "ab", "iteration_duration", "iterations", "Z"}
	for i, a := range sorted {
		for j, b := range sorted {
			if got, want := compareNames(a, b), i-j; (got < 0) != (want < 0) || (got > 0) != (want > 0) {
				t.Errorf("compareNames(%q, %q) = %d", a, b, got)
			}
		}
	}
}
