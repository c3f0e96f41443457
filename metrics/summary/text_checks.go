package summary

import (
	"strconv"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/metrics/threshold"
)

// stat renders one stat of a trend; a count is a plain number whatever the
// trend contains.
func (t *textWriter) stat(s TrendStat, v float64, contains metrics.Contains) string {
	if s.Aggregate == threshold.Count {
		contains = metrics.Default
	}
	return t.value(v, contains)
}

// thresholds writes the verdicts, metric by metric. A sub-metric stands under
// its parent if that has thresholds too.
func (t *textWriter) thresholds() {
	blank, parent := false, ""
	for i := range t.report.Total.Metrics {
		m := &t.report.Total.Metrics[i]
		if len(m.Thresholds) == 0 {
			continue
		}
		if !blank {
			t.title("THRESHOLDS")
			blank = true
		} else {
			t.b.WriteByte('\n')
		}
		level, name := 1, m.Name
		if m.Parent == "" {
			parent = m.Name
		} else if m.Parent == parent {
			level, name = 2, "{"+m.Suffix+"}"
		}
		t.line(level, printable(name))
		for _, th := range m.Thresholds {
			t.line(level, t.verdict(th.OK, mark(th.OK))+" '"+printable(th.Source)+"' "+t.cyan(t.observed(m, th)))
		}
	}
}

// observed is the number that a threshold judged, as "p(95)=2.36ms".
func (t *textWriter) observed(m *Metric, th Threshold) string {
	var value string
	switch {
	case th.NoData && m.Kind == metrics.Rate:
		if th.Label != "" {
			return "no data (" + th.Label + ")"
		}
		return "no data" // a rate of nothing is no number
	case m.Kind == metrics.Rate:
		value = percent(th.Hits, th.Samples)
	case m.Kind == metrics.Counter && th.Method == "rate":
		value = t.value(th.Observed, m.Contains) + "/s"
	default:
		value = t.value(th.Observed, m.Contains)
	}
	if th.Label != "" {
		value += " (" + th.Label + ")"
	}
	if th.NoData {
		value += " (no data)"
	}
	return th.Method + "=" + value
}

// checks writes the checks of a section; it reports whether there were any.
func (t *textWriter) checks(s *Section, level int) bool {
	m := findMetric(s.Metrics, "checks")
	if m == nil || m.Samples == 0 {
		return false
	}
	rows := [...][3]string{
		{"checks_total", strconv.FormatUint(m.Samples, 10), plain(perSecond(float64(m.Samples), t.report.Duration)) + "/s"},
		{"checks_succeeded", percent(m.Hits, m.Samples), outOf(m.Hits, m.Samples)},
		{"checks_failed", percent(m.Samples-m.Hits, m.Samples), outOf(m.Samples-m.Hits, m.Samples)},
	}
	const nameWidth = len("checks_succeeded...")
	first := 0
	for _, r := range rows {
		first = max(first, len(r[1]))
	}
	for _, r := range rows {
		dots := "..................."[len(r[0]):nameWidth]
		t.line(level, r[0]+t.faint(dots+":")+" "+t.cyan(r[1])+padding(r[1], first)+" "+t.cyan(r[2]))
	}
	if len(s.Checks) > 0 {
		t.b.WriteByte('\n')
		t.checkList(s.Checks, level)
	}
	return true
}

// checkList writes a line per check, and a second one for checks that failed.
// Checks of the same name in different groups are told apart by their paths.
func (t *textWriter) checkList(checks []metrics.CheckView, level int) {
	seen := make(map[string]int, len(checks))
	for _, c := range checks {
		seen[c.Name]++
	}
	for _, c := range checks {
		name := c.Name
		if seen[name] > 1 {
			name = c.Path
		}
		ok := c.Fails == 0
		t.line(level, t.verdict(ok, mark(ok)+" "+printable(name)))
		if !ok {
			passes, fails := uint64(c.Passes), uint64(c.Fails)
			t.line(level+1, t.verdict(false, "↳  "+wholePercent(passes, passes+fails)+
				" — ✓ "+strconv.FormatUint(passes, 10)+" / ✗ "+strconv.FormatUint(fails, 10)))
		}
	}
}

func findMetric(ms []Metric, name string) *Metric {
	for i := range ms {
		if ms[i].Name == name {
			return &ms[i]
		}
	}
	return nil
}
