package cli

import (
	"strings"
	"sync"
	"time"

	"github.com/jsload/jsload/cmd/internal/term"
	"github.com/jsload/jsload/vu/executor"
)

// How often the progress is shown on a terminal and elsewhere.
const (
	terminalTick = 100 * time.Millisecond
	streamTick   = time.Second
)

// tick returns how often the progress is shown.
func (a *app) tick() time.Duration {
	if a.screen != nil {
		return terminalTick
	}
	return streamTick
}

// paint tells whether text for the terminal is coloured.
func (a *app) paint() term.Paint {
	return term.Paint(a.process.Stdout.TTY && !a.global.colourless(a.process))
}

// display shows the progress of a run until it is closed.
type display struct {
	app   *app
	read  func() *term.Progress
	stop  chan struct{}
	ended chan struct{}
	once  sync.Once
}

// showProgress starts to show what read returns. read is called from one
// goroutine at a time.
func (a *app) showProgress(read func() *term.Progress) *display {
	d := &display{app: a, read: read, stop: make(chan struct{}), ended: make(chan struct{})}
	if a.global.quiet {
		close(d.ended)
		return d
	}
	go d.run()
	return d
}

func (d *display) run() {
	defer close(d.ended)
	t := time.NewTicker(d.app.tick())
	defer t.Stop()
	for {
		select {
		case <-t.C:
			d.draw()
		case <-d.stop:
			d.draw()
			return
		}
	}
}

// draw shows the progress once. A terminal that cannot be written to does not
// stop a test.
func (d *display) draw() {
	p := d.read()
	if s := d.app.screen; s != nil {
		columns, rows := d.app.process.Stdout.Columns(), 0
		if size := d.app.process.Stdout.Size; size != nil {
			_, rows = size()
		}
		_ = s.Draw(p.Lines(columns, rows, d.app.paint()))
		return
	}
	_, _ = d.app.process.Stdout.Write([]byte(strings.Join(p.Text(), "\n") + "\n\n"))
}

// close shows the last state and leaves it standing. It may be called again.
func (d *display) close() {
	d.once.Do(func() {
		close(d.stop)
		<-d.ended
		if d.app.screen != nil {
			_ = d.app.screen.Keep()
		}
	})
}

// scenarioProgress turns what executors tell into lines of the display.
func scenarioProgress(all []executor.Progress) []term.Scenario {
	lines := make([]term.Scenario, len(all))
	for i, p := range all {
		lines[i] = term.Scenario{
			Name: p.Name, State: state(p.State), Fraction: p.Fraction, VUs: p.VUs, Detail: p.Detail, Time: clock(p),
		}
	}
	return lines
}

func clock(p executor.Progress) string {
	switch {
	case p.Elapsed < 0:
		return "waits " + term.Fixed(-p.Elapsed, -p.Elapsed)
	case p.Length == 0:
		return term.Fixed(p.Elapsed, time.Minute)
	}
	return term.Clock(p.Elapsed, p.Length)
}

func state(s executor.State) term.State {
	switch s {
	case executor.Running:
		return term.Running
	case executor.Stopping:
		return term.Stopping
	case executor.Interrupted:
		return term.Interrupted
	case executor.Done:
		return term.Done
	}
	return term.Waiting
}
