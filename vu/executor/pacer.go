package executor

import (
	"context"
	"time"
)

// fineMargin is how long before an instant the pacer leaves package time: Go's
// network poller rounds waits below 1 ms up to 1 ms.
const fineMargin = 2 * time.Millisecond

// Pacer waits for instants of a timeline: with package time until fineMargin
// before, then on a timer of the kernel. Where the system offers none it is
// package time alone. One goroutine uses it, from NewPacer to Close.
type Pacer struct {
	timeline *Timeline
	timer    *time.Timer
	fine     *fineTimer // nil: package time alone
}

// NewPacer returns a pacer. If coarse is true it uses package time alone, as
// fake time demands.
func NewPacer(t *Timeline, coarse bool) *Pacer {
	p := &Pacer{timeline: t, timer: time.NewTimer(time.Hour)}
	if !coarse {
		p.fine = newFineTimer()
	}
	return p
}

// Wait returns nil once the timeline moves and is at or past an offset, or the
// cause of ctx's end.
func (p *Pacer) Wait(ctx context.Context, until time.Duration) error {
	if p.fine == nil {
		return p.timeline.wait(ctx, until, p.timer)
	}
	for {
		if err := p.timeline.wait(ctx, until-fineMargin, p.timer); err != nil {
			return err
		}
		left := until - p.timeline.Now()
		if left <= 0 {
			return nil
		}
		p.fine.sleep(left)
	}
}

// Close releases the timers.
func (p *Pacer) Close() {
	p.timer.Stop()
	if p.fine != nil {
		p.fine.close()
	}
}
