package executor

import (
	"context"
	"runtime"
	"sync/atomic"
	"time"
)

// fineMargin is how long before an instant the pacer leaves package time: Go's
// network poller rounds waits below 1 ms up to 1 ms.
const fineMargin = 2 * time.Millisecond

// Pacer waits for instants of a timeline: with package time until fineMargin
// before, then in the kernel, on a thread of its own. Where the system offers no
// such wait it is package time alone. One goroutine uses it, from NewPacer to
// Close; CPU may be called by any.
type Pacer struct {
	timeline *Timeline
	timer    *time.Timer
	fine     *fineTimer // nil: package time alone
	measured time.Duration
	cpu      *atomic.Int64
}

// NewPacer binds the calling goroutine to its thread until Close, unless coarse
// is true: then the pacer uses package time alone, as fake time demands. The CPU
// time that the thread uses is added to cpu, in nanoseconds, about once a second.
func NewPacer(t *Timeline, coarse bool, cpu *atomic.Int64) *Pacer {
	p := &Pacer{timeline: t, timer: time.NewTimer(time.Hour), cpu: cpu}
	if !coarse {
		runtime.LockOSThread()
		if p.fine = newFineTimer(); p.fine == nil {
			runtime.UnlockOSThread()
		}
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
		now := p.timeline.Now()
		if now-p.measured >= time.Second {
			p.measure(now)
		}
		if now >= until {
			return nil
		}
		p.fine.sleep(until - now)
	}
}

func (p *Pacer) measure(now time.Duration) {
	p.measured = now
	p.cpu.Add(int64(p.fine.used()))
}

// Close releases the thread.
func (p *Pacer) Close() {
	p.timer.Stop()
	if p.fine != nil {
		p.measure(0)
		p.fine.close()
		runtime.UnlockOSThread()
	}
}
