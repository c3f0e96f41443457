package summary

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

const (
	// textWidth is what the tables of our own sections fit into.
	textWidth = 80
	// compactRows is how many rows of a table the compact summary shows.
	compactRows = 30
)

// responseTime writes the metrics that go beyond the reference's: what waiting
// for a free VU did to arrival-rate scenarios. They share the columns of trends
// but not the width of names.
func (t *textWriter) responseTime() {
	var own []*Metric
	names := 0
	for i := range t.report.Total.Metrics {
		m := &t.report.Total.Metrics[i]
		if m.Samples > 0 && builtinCategory(m.family()) == catOwn {
			own = append(own, m)
			names = max(names, width(label(m)))
		}
	}
	if len(own) == 0 {
		return
	}
	t.title("RESPONSE TIME")
	dropped := t.dropped()
	rows := make([]row, len(own))
	for i, m := range own {
		rows[i] = t.row(m)
		if dropped > 0 && rows[i].trend && openLoop(m.family()) {
			atLeast(rows[i])
		}
		for j, cell := range rows[i].cells {
			if rows[i].trend {
				t.trendWidths[j] = max(t.trendWidths[j], width(cell))
			}
		}
	}
	for i, m := range own {
		t.metric(m, rows[i], 1, names)
	}
	if dropped > 0 {
		t.b.WriteByte('\n')
		for _, l := range wrap(fmt.Sprintf(">= because %d iterations were dropped: due, never started, and in none of these numbers.", dropped), textWidth-len(indent)) {
			t.line(1, t.faint(l))
		}
	}
}

// dropped is how many iterations of arrival-rate scenarios were never started.
func (t *textWriter) dropped() int64 {
	if t.report.Generator == nil {
		return 0
	}
	return t.report.Generator.Dropped
}

// openLoop reports whether a metric measures from when an iteration was due.
func openLoop(name string) bool {
	return name == "http_req_response_time" || name == "iteration_start_delay"
}

// atLeast marks the cells of a trend that would be greater with the iterations
// that were dropped: all but the least value.
func atLeast(r row) {
	for i, cell := range r.cells {
		if name, number, ok := strings.Cut(cell, "="); ok && name != "min" {
			r.cells[i] = name + ">=" + number
		}
	}
}

// endpoints writes the table of request names.
func (t *textWriter) endpoints() {
	if len(t.report.Endpoints) == 0 {
		return
	}
	t.title("ENDPOINTS")
	rows := [][]string{{"name", "count", "req/s", "failed", "p50", "p95", "p99", "max"}}
	shown, more := t.limit(len(t.report.Endpoints))
	for _, e := range t.report.Endpoints[:shown] {
		rows = append(rows, []string{
			printable(e.Name), strconv.FormatUint(e.Count, 10), rateText(perSecond(float64(e.Count), t.report.Duration)),
			percent(e.Failed, e.Count), t.short(e.P50), t.short(e.P95), t.short(e.P99), t.short(e.Max),
		})
	}
	t.table(rows)
	t.more(more)
	if t.report.EndpointsFolded {
		t.b.WriteByte('\n')
		t.line(1, t.faint("There were too many names for a row each. Give requests whose URL varies a"))
		t.line(1, t.faint(`common name: http.get(url, { tags: { name: "item" } })`))
	}
}

// table writes rows whose first cell is a name and whose others are numbers,
// aligned to the right. A name that leaves no room for the numbers gets a line
// of its own.
func (t *textWriter) table(rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, r := range rows {
		for i, cell := range r {
			widths[i] = max(widths[i], width(cell))
		}
	}
	room := textWidth - len(indent)
	for _, w := range widths[1:] {
		room -= w + 2
	}
	nameWidth := max(min(widths[0], room), len("name"))
	for i, r := range rows {
		name := shorten(r[0], textWidth-len(indent))
		if width(name) > nameWidth {
			t.line(1, name)
			name = ""
		}
		var b strings.Builder
		for j, cell := range r[1:] {
			b.WriteString("  " + padding(cell, widths[j+1]) + cell)
		}
		numbers := b.String()
		if i == 0 {
			t.line(1, t.faint(name+padding(name, nameWidth)+numbers))
			continue
		}
		t.line(1, name+padding(name, nameWidth)+t.cyan(numbers))
	}
}

// failures writes the causes of failed requests.
func (t *textWriter) failures() {
	if len(t.report.Failures) == 0 {
		return
	}
	t.title("FAILURES")
	shown, more := t.limit(len(t.report.Failures))
	countWidth, firstWidth := len("count"), len("first")
	for _, f := range t.report.Failures[:shown] {
		countWidth = max(countWidth, len(strconv.FormatUint(f.Count, 10)))
		firstWidth = max(firstWidth, width(t.since(f.First)))
	}
	head := padding("count", countWidth) + "count" + padding("first", firstWidth+2) + "first"
	t.line(1, t.faint(head+"  cause"))
	for _, f := range t.report.Failures[:shown] {
		count, first := strconv.FormatUint(f.Count, 10), t.since(f.First)
		head := padding(count, countWidth) + count + padding(first, firstWidth+2) + first
		t.cause(t.cyan(head), width(head), f)
	}
	t.more(more)
}

// cause writes what failed and where, on as few lines as fit.
func (t *textWriter) cause(head string, headWidth int, f Failure) {
	room := textWidth - len(indent) - headWidth - 2
	lines, where := wrap(printable(f.Cause), room), printable(f.Where)
	last := &lines[len(lines)-1]
	switch {
	case where == "":
	case width(*last)+len(" at ")+width(where) <= room:
		*last += " at " + where
	default:
		lines = append(lines, "at "+shorten(where, room-len("at ")))
	}
	t.line(1, head+"  "+lines[0])
	for _, l := range lines[1:] {
		t.line(1, strings.Repeat(" ", headWidth+2)+l)
	}
}

// limit says how many of n rows are shown and how many are not.
func (t *textWriter) limit(n int) (shown, more int) {
	if t.report.Options.Mode == Full || n <= compactRows {
		return n, 0
	}
	return compactRows, n - compactRows
}

func (t *textWriter) more(n int) {
	if n > 0 {
		t.line(1, t.faint("… and "+strconv.Itoa(n)+" more (shown with --summary-mode=full)"))
	}
}

// short renders milliseconds with three significant digits, or in the unit that
// the options ask for.
func (t *textWriter) short(ms float64) string {
	if t.unit != UnitAuto {
		return t.duration(ms)
	}
	shift, unit := 0, "ms"
	switch {
	case ms == 0, ms >= 60e3, math.IsNaN(ms):
		return autoDuration(ms)
	case ms < 1e-3:
		shift, unit = 6, "ns"
	case ms < 1:
		shift, unit = 3, "µs"
	case ms >= 1e3:
		shift, unit = -3, "s"
	}
	decimals := 2
	if scaled := ms * math.Pow10(shift); scaled >= 100 {
		decimals = 0
	} else if scaled >= 10 {
		decimals = 1
	}
	return truncated(ms, shift, decimals) + unit
}

// since renders a time since the start of the test.
func (t *textWriter) since(d time.Duration) string {
	if d >= time.Minute {
		return autoDuration(float64(d) / float64(time.Millisecond))
	}
	return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + "s"
}

// rateText renders requests per second with about four significant digits.
func rateText(v float64) string {
	switch {
	case v >= 1000:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// shorten cuts the middle out of a text that is too long: both ends of a URL
// tell more than its middle.
func shorten(s string, to int) string {
	runes := []rune(s)
	if len(runes) <= to || to < 3 {
		return s
	}
	head := (to - 1) / 2
	return string(runes[:head]) + "…" + string(runes[len(runes)-(to-1-head):])
}

// wrap breaks a text at spaces into lines of a width, and longer words anywhere.
// There is always at least one line.
func wrap(s string, to int) []string {
	to = max(to, 20)
	lines := []string{""}
	for word := range strings.FieldsSeq(s) {
		last := &lines[len(lines)-1]
		for width(word) > to {
			runes := []rune(word)
			if *last != "" {
				lines = append(lines, "")
			}
			lines[len(lines)-1] = string(runes[:to])
			lines = append(lines, "")
			word = string(runes[to:])
			last = &lines[len(lines)-1]
		}
		switch {
		case *last == "":
			*last = word
		case width(*last)+1+width(word) <= to:
			*last += " " + word
		default:
			lines = append(lines, word)
		}
	}
	return lines
}
