package term

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// Plan is what the description block tells before a run.
type Plan struct {
	// Execution is where the test runs: local.
	Execution string
	Script    string
	// Outputs name what receives the results; none is shown as a dash.
	Outputs []string
	// Extra lines follow the outputs: a title and its text, such as the seed.
	Extra [][2]string
	// Share is the part of the whole test that runs here, in percent.
	Share float64
	// MaxVUs is the highest number of VUs at once.
	MaxVUs int64
	// MaxDuration is the longest that the test may take, graceful stop included.
	MaxDuration time.Duration
	Scenarios   []PlannedScenario
	// Columns is where lines are wrapped; zero means nowhere.
	Columns int
}

// PlannedScenario is one line of the plan.
type PlannedScenario struct {
	Name string
	// What says it in words: 2 iterations for each of 2 VUs.
	What string
	// Facts stand in brackets behind it: maxDuration: 10m0s, gracefulStop: 30s.
	Facts []string
}

// titleWidth is where the colons of the block's titles stand.
const titleWidth = 14

// WriteTo writes the description block.
func (p *Plan) WriteTo(w io.Writer) (int64, error) {
	var b strings.Builder
	outputs := "-"
	if len(p.Outputs) > 0 {
		outputs = strings.Join(p.Outputs, ", ")
	}
	p.title(&b, "execution", p.Execution)
	p.title(&b, "script", p.Script)
	p.title(&b, "output", outputs)
	for _, e := range p.Extra {
		p.title(&b, e[0], e[1])
	}
	b.WriteByte('\n')
	p.title(&b, "scenarios", fmt.Sprintf("(%.2f%%) %s, %s, %s max duration (incl. graceful stop):",
		p.Share, plural(int64(len(p.Scenarios)), "scenario"), plural(p.MaxVUs, "max VU"), Short(p.MaxDuration)))
	for _, s := range p.Scenarios {
		text := s.Name + ": " + s.What
		if len(s.Facts) > 0 {
			text += " (" + strings.Join(s.Facts, ", ") + ")"
		}
		p.hang(&b, strings.Repeat(" ", titleWidth)+"* ", text)
	}
	b.WriteByte('\n')
	n, err := io.WriteString(w, b.String())
	return int64(n), err
}

func (p *Plan) title(b *strings.Builder, name, text string) {
	p.hang(b, fmt.Sprintf("%*s: ", titleWidth, name), text)
}

// hang writes text behind a start; wrapped lines begin below the text.
func (p *Plan) hang(b *strings.Builder, start, text string) {
	indent := runes(start)
	b.WriteString(start)
	at, room := indent, p.Columns
	for i, word := range strings.Split(text, " ") {
		switch {
		case i == 0:
		case room > 0 && at+1+runes(word) > room:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			at = indent
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += runes(word)
	}
	b.WriteByte('\n')
}

func plural(n int64, noun string) string {
	if n == 1 {
		return fmt.Sprintf("%d %s", n, noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
