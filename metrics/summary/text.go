package summary

import (
	"io"
	"strconv"
	"strings"

	"github.com/jsload/jsload/metrics"
)

// WriteText writes the summary for people, in the layout that pipelines of the
// reference tool parse: thresholds, total results and, in full mode, groups and
// scenarios; then the sections of our own. Nothing is written in mode Disabled.
func (r *Report) WriteText(w io.Writer, color bool) error {
	if r.Options.Mode == Disabled {
		return nil
	}
	t := &textWriter{report: r, style: style{on: color}, formatter: formatter{unit: r.Options.TimeUnit}}
	t.measure()
	t.thresholds()
	t.title("TOTAL RESULTS")
	t.section(&r.Total, 1)
	if r.Options.SetupAside {
		t.b.WriteByte('\n')
		t.line(1, t.faint("setup() and teardown() are in none of these numbers (--exclude-setup)"))
	}
	for i := range r.Groups {
		t.title("GROUP: " + r.Groups[i].Name)
		t.section(&r.Groups[i], 1)
	}
	for i := range r.Scenarios {
		t.title("SCENARIO: " + r.Scenarios[i].Name)
		t.section(&r.Scenarios[i], 1)
	}
	t.responseTime()
	t.endpoints()
	t.failures()
	t.generator()
	t.b.WriteString("\n\n\n\n")
	_, err := io.WriteString(w, t.b.String())
	return err
}

// textWriter lays out one report.
type textWriter struct {
	report *Report
	style
	formatter
	b strings.Builder

	// cells holds what is printed of each metric, made once by measure.
	cells map[*Metric]row
	// The widths are common to all sections.
	nameWidth, firstWidth, secondWidth int
	trendWidths                        []int
}

// row is the right side of a metric's line: one cell per stat for trends, one to
// three cells for others.
type row struct {
	cells []string
	trend bool
}

// indent is one level of indentation.
const indent = "    "

// title begins a section.
func (t *textWriter) title(s string) {
	t.b.WriteString("\n\n  █ " + t.bold(printable(s)) + " \n\n")
}

// line writes one line at a level of indentation: two spaces, and two more for
// each level.
func (t *textWriter) line(level int, s string) {
	t.b.WriteString(strings.Repeat("  ", level+1))
	t.b.WriteString(s)
	t.b.WriteByte('\n')
}

// measure renders all numbers and finds the widths of the columns.
func (t *textWriter) measure() {
	t.cells = make(map[*Metric]row)
	t.trendWidths = make([]int, len(t.report.Options.TrendStats))
	t.measureSection(&t.report.Total)
	for i := range t.report.Groups {
		t.measureSection(&t.report.Groups[i])
	}
	for i := range t.report.Scenarios {
		t.measureSection(&t.report.Scenarios[i])
	}
}

func (t *textWriter) measureSection(s *Section) {
	for i := range s.Metrics {
		m := &s.Metrics[i]
		if !visible(m, t.report.Options.Mode) {
			continue
		}
		r := t.row(m)
		t.cells[m] = r
		t.nameWidth = max(t.nameWidth, width(label(m)))
		if r.trend {
			for i, cell := range r.cells {
				t.trendWidths[i] = max(t.trendWidths[i], width(cell))
			}
			continue
		}
		t.firstWidth = max(t.firstWidth, width(r.cells[0]))
		t.secondWidth = max(t.secondWidth, width(r.cells[1]))
	}
	for i := range s.Groups {
		t.measureSection(&s.Groups[i])
	}
}

// row renders the numbers of a metric.
func (t *textWriter) row(m *Metric) row {
	switch m.Kind {
	case metrics.Counter:
		return row{cells: []string{t.value(m.Count, m.Contains), t.value(m.PerSecond, m.Contains) + "/s"}}
	case metrics.Gauge:
		return row{cells: []string{
			t.value(m.Value, m.Contains),
			"min=" + t.value(m.Min, m.Contains),
			"max=" + t.value(m.Max, m.Contains),
		}}
	case metrics.Rate:
		return row{cells: []string{percent(m.Hits, m.Samples), outOf(m.Hits, m.Samples)}}
	}
	r := row{trend: true}
	for i, stat := range t.report.Options.TrendStats {
		r.cells = append(r.cells, stat.Name+"="+t.stat(stat, m.Trend[i], m.Contains))
	}
	return r
}

func outOf(hits, total uint64) string {
	return strconv.FormatUint(hits, 10) + " out of " + strconv.FormatUint(total, 10)
}

// label is the name column of a metric: sub-metrics are listed by their
// conditions under their parent.
func label(m *Metric) string {
	if m.Parent != "" {
		return "  { " + printable(m.Suffix) + " }"
	}
	return m.Name
}

// section writes the checks and metrics of a section and the groups in it.
func (t *textWriter) section(s *Section, level int) {
	blank := t.checks(s, level)
	for cat := catCustom; cat < numCategories; cat++ {
		blank = t.category(s, cat, level, blank)
	}
	for i := range s.Groups {
		if blank {
			t.b.WriteByte('\n')
		}
		t.line(level, "↳ GROUP: "+t.bold(printable(s.Groups[i].Name)))
		t.b.WriteByte('\n')
		t.section(&s.Groups[i], level+1)
		blank = true
	}
}

// category writes the metrics of one category, after a blank line if something
// stands before them. It reports whether the next block needs one.
func (t *textWriter) category(s *Section, cat category, level int, blank bool) bool {
	titled := false
	for i := range s.Metrics {
		m := &s.Metrics[i]
		cells, ok := t.cells[m]
		if !ok || builtinCategory(m.family()) != cat {
			continue
		}
		if !titled {
			if blank {
				t.b.WriteByte('\n')
			}
			t.line(level, t.bold(categoryTitles[cat]))
			titled = true
		}
		t.metric(m, cells, level, t.nameWidth)
	}
	return blank || titled
}

// metric writes one line; names is the width of the longest name.
func (t *textWriter) metric(m *Metric, r row, level, names int) {
	name := label(m)
	dots := strings.Repeat(".", names+3-width(name))
	t.line(level, name+t.faint(dots+":")+" "+t.numbers(r))
}

// numbers aligns the cells of a row. Trends are padded to the end of the line,
// other rows only between cells.
func (t *textWriter) numbers(r row) string {
	var b strings.Builder
	for i, cell := range r.cells {
		if i > 0 {
			b.WriteByte(' ')
		}
		if r.trend {
			name, number, _ := strings.Cut(cell, "=")
			b.WriteString(name + "=" + t.cyan(number) + padding(cell, t.trendWidths[i]))
			continue
		}
		b.WriteString(t.cyan(cell))
		if i < len(r.cells)-1 {
			b.WriteString(padding(cell, [...]int{t.firstWidth, t.secondWidth}[i]))
		}
	}
	return b.String()
}
