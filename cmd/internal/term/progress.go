package term

import (
	"fmt"
	"strings"
	"time"
)

// State is what a scenario is doing, shown as a mark.
type State int

// The states of a scenario.
const (
	Waiting     State = iota // its start time has not come
	Running                  // starts iterations
	Stopping                 // lets running iterations end
	Interrupted              // was cut
	Done                     // ended as planned
)

func (s State) mark() (string, Colour) {
	switch s {
	case Stopping:
		return "↓", Yellow
	case Interrupted:
		return "✗", Red
	case Done:
		return "✓", Green
	}
	return " ", Plain
}

// Progress is how far a run is.
type Progress struct {
	// Phase is the first word of the block: running, setup, ...
	Phase   string
	Elapsed time.Duration
	// Planned is how long the run may take at most; it fixes the width of Elapsed.
	Planned               time.Duration
	VUs, MaxVUs           int64
	Complete, Interrupted uint64

	// Requests so far; zero hides the line of the requests.
	Requests uint64
	// Failed is the share of the requests that failed, 0 to 1.
	Failed float64
	// P95 is the 95th percentile of the requests' durations so far.
	P95 time.Duration
	// Rate is the number of requests per second since the last progress.
	Rate float64

	Scenarios []Scenario
}

// Scenario is the progress of one scenario.
type Scenario struct {
	Name  string
	State State
	// Fraction is how much is done, 0 to 1.
	Fraction float64
	// VUs is the column of the VUs: 2 VUs, 0/1 VUs.
	VUs string
	// Time is the column of the time, as Clock writes it.
	Time string
	// Detail is the last column: 4/4 iters, 2.00 iters/s.
	Detail string
}

// Widths of the parts of a scenario's line.
const (
	maxName  = 24 // or a quarter of the terminal
	minBar   = 8
	maxBar   = 40
	gap      = 2
	percents = 4 // " 50%"
)

// Lines returns the block as a terminal of that size shows it, with a bar for
// each scenario. Columns and rows of zero or less mean no limit.
func (p *Progress) Lines(columns, rows int, paint Paint) []string {
	lines := p.head(columns)
	t := p.table(columns)
	bar := maxBar
	if columns > 0 {
		bar = min(maxBar, columns-t.fixed()-gap-2-percents-1)
	}
	for _, s := range p.Scenarios {
		lines = append(lines, t.line(s, bar, columns, paint))
	}
	if rows > 1 && len(lines) > rows-1 {
		hidden := len(lines) - (rows - 2)
		lines = append(lines[:rows-2], cut(fmt.Sprintf("… and %d more", hidden), columnsOr(columns)))
	}
	return lines
}

// Text returns the block for a stream that is not a terminal: percentages in
// place of bars, no colours, any width.
func (p *Progress) Text() []string {
	lines := p.head(0)
	t := p.table(0)
	for _, s := range p.Scenarios {
		lines = append(lines, t.line(s, 0, 0, false))
	}
	return lines
}

func columnsOr(columns int) int {
	if columns <= 0 {
		return 1 << 20
	}
	return columns
}

// head returns the lines above the scenarios.
func (p *Progress) head(columns int) []string {
	width := columnsOr(columns)
	start := fmt.Sprintf("%s (%s), %d/%d VUs, ", p.Phase, Fixed(p.Elapsed, max(p.Planned, time.Minute)), p.VUs, p.MaxVUs)
	first := fmt.Sprintf("%s%d complete and %d interrupted iterations", start, p.Complete, p.Interrupted)
	if runes(first) > width {
		first = fmt.Sprintf("%s%d done, %d cut", start, p.Complete, p.Interrupted)
	}
	lines := []string{cut(first, width)}
	if p.Requests > 0 {
		lines = append(lines, cut(fmt.Sprintf("%s requests, %.1f req/s, %.2f%% errors, p95 %s",
			Count(p.Requests), p.Rate, p.Failed*100, Latency(p.P95)), width))
	}
	return lines
}

// table is the widths of the columns.
type table struct{ name, vus, time, detail int }

func (p *Progress) table(columns int) table {
	var t table
	longest := min(maxName, max(columnsOr(columns)/4, minBar))
	for _, s := range p.Scenarios {
		t.name = max(t.name, min(runes(s.Name), longest))
		t.vus = max(t.vus, runes(s.VUs))
		t.time = max(t.time, runes(s.Time))
		t.detail = max(t.detail, runes(s.Detail))
	}
	return t
}

// fixed returns the width of all but the bar.
func (t table) fixed() int {
	return t.name + gap + 1 + 1 + t.vus + gap + t.time + gap + t.detail
}

// line returns a scenario's line. A bar that would be narrower than minBar is
// left out and the percentage stands alone.
func (t table) line(s Scenario, bar, columns int, paint Paint) string {
	mark, colour := s.State.mark()
	if s.State == Waiting {
		colour = Faint
	}
	name := pad(cut(s.Name, t.name), t.name) + strings.Repeat(" ", gap)
	done := int(min(max(s.Fraction, 0), 1) * 100)
	meter := fmt.Sprintf("[ %3d%% ]", done)
	painted := meter
	if bar >= minBar {
		meter, painted = drawBar(s.Fraction, bar, colour, paint)
		number := fmt.Sprintf(" %3d%%", done)
		meter, painted = meter+number, painted+number
	}
	rest := strings.TrimRight(pad(s.VUs, t.vus)+strings.Repeat(" ", gap)+pad(s.Time, t.time)+strings.Repeat(" ", gap)+s.Detail, " ")
	left := columnsOr(columns) - runes(name) - 1 - 1 - runes(meter) - 1
	return strings.TrimRight(name+paint.Text(colour, mark)+" "+painted+" "+cut(rest, left), " ")
}

// drawBar returns a bar of width columns between brackets, plain and painted.
func drawBar(fraction float64, width int, colour Colour, paint Paint) (plain, painted string) {
	if colour == Plain {
		colour = Cyan
	}
	full := int(min(max(fraction, 0), 1) * float64(width))
	done, left := strings.Repeat("━", full), strings.Repeat("─", width-full)
	return "[" + done + left + "]", "[" + paint.Text(colour, done) + paint.Text(Faint, left) + "]"
}
