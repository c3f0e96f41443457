package output

import (
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/jsload/jsload/metrics"
)

// ThresholdPeriod is the time between two evaluations of thresholds.
const ThresholdPeriod = 2 * time.Second

// Hook is called with a snapshot from the pump's goroutine. elapsed is the time
// since the run's epoch.
type Hook func(s *metrics.Snapshot, elapsed time.Duration)

// Config is what a pump is made from. Store and Logger are required.
type Config struct {
	Store  *metrics.Store
	Logger *slog.Logger
	Sinks  []Sink
	Run    Run
	// Judge is called every ThresholdPeriod while the test runs; nil if there
	// is nothing to judge.
	Judge Hook
	// Progress is called every ProgressPeriod; nil for none.
	Progress       Hook
	ProgressPeriod time.Duration
}

// Pump feeds the sinks and hooks of one run from one goroutine. At each tick it
// merges the shards and takes one snapshot for everybody who is due.
//
// Use: Start before the first sample; Flush after the last one; Close at the end.
type Pump struct {
	cfg   Config
	feeds []*feed
	tasks []*task
	tap   *metrics.Tap

	stop chan struct{}
	done sync.WaitGroup
}

// feed is a sink with what it wants and how it fares.
type feed struct {
	Sink
	needs Needs
	due   time.Time
	// failed is set by the first error; lost counts the samples since, with those
	// of the batch that failed, taken all.
	failed      bool
	lost, taken int
}

// task is a hook with its period.
type task struct {
	hook  Hook
	every time.Duration
	due   time.Time
}

// NewPump returns a pump that has not started.
func NewPump(cfg Config) *Pump {
	p := &Pump{cfg: cfg, stop: make(chan struct{})}
	if cfg.Judge != nil {
		p.tasks = append(p.tasks, &task{hook: cfg.Judge, every: ThresholdPeriod})
	}
	if cfg.Progress != nil && cfg.ProgressPeriod > 0 {
		p.tasks = append(p.tasks, &task{hook: cfg.Progress, every: cfg.ProgressPeriod})
	}
	return p
}

// Start opens the sinks and begins to tick. If a sink cannot be opened, those
// that are open are stopped and the pump must not be used further.
func (p *Pump) Start() error {
	for _, s := range p.cfg.Sinks {
		needs, err := s.Output.Start(p.cfg.Run)
		if err != nil {
			return errors.Join(fmt.Errorf("output %s: %w", s.Name, err), p.Close())
		}
		if needs.Every <= 0 {
			needs.Every = DefaultPeriod
		}
		p.feeds = append(p.feeds, &feed{Sink: s, needs: needs})
		if needs.Samples && p.tap == nil {
			p.tap = p.cfg.Store.AddTap(0)
		}
	}
	p.schedule(time.Now())
	p.done.Go(p.run)
	return nil
}

func (p *Pump) schedule(now time.Time) {
	for _, f := range p.feeds {
		f.due = now.Add(f.needs.Every)
	}
	for _, t := range p.tasks {
		t.due = now.Add(t.every)
	}
}

// run is the pump's goroutine.
func (p *Pump) run() {
	var ready <-chan struct{}
	if p.tap != nil {
		ready = p.tap.Ready()
	}
	timer := time.NewTimer(p.untilNext(time.Now()))
	defer timer.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-ready:
			p.deliver(nil, time.Now(), false)
		case <-timer.C:
			p.tick(time.Now())
			if p.stopped() { // a hook that is slower than its period must not win over the end
				return
			}
			timer.Reset(p.untilNext(time.Now()))
		}
	}
}

func (p *Pump) stopped() bool {
	select {
	case <-p.stop:
		return true
	default:
		return false
	}
}

// untilNext is the time until somebody is due; an hour if nobody ever is.
func (p *Pump) untilNext(now time.Time) time.Duration {
	wait := time.Hour
	for _, f := range p.feeds {
		wait = min(wait, f.due.Sub(now))
	}
	for _, t := range p.tasks {
		wait = min(wait, t.due.Sub(now))
	}
	return max(0, wait)
}

func (p *Pump) tick(now time.Time) {
	snapshot := p.cfg.Store.Snapshot()
	p.deliver(snapshot, now, false)
	for _, t := range p.tasks {
		if t.due.After(now) {
			continue
		}
		t.due = next(t.due, t.every, now)
		t.hook(snapshot, time.Duration(snapshot.At))
	}
}

// next is the first instant of a period that lies ahead: after a stall, ticks
// are left out, not made up for.
func next(due time.Time, every time.Duration, now time.Time) time.Time {
	if missed := now.Sub(due) / every; missed > 0 {
		due = due.Add(missed * every)
	}
	return due.Add(every)
}

// deliver gives the pending samples to the sinks that want samples, and the
// snapshot, which may be nil, to those that want one and are due.
func (p *Pump) deliver(snapshot *metrics.Snapshot, now time.Time, final bool) {
	var samples []metrics.Sample
	if p.tap != nil {
		samples = p.tap.Take()
	}
	for _, f := range p.feeds {
		b := Batch{Final: final}
		if f.needs.Samples {
			b.Samples = samples
		}
		if snapshot != nil && (final || !f.due.After(now)) {
			f.due = next(f.due, f.needs.Every, now)
			if f.needs.Snapshots {
				b.Snapshot = snapshot
			}
		}
		if len(b.Samples) > 0 || b.Snapshot != nil || final {
			p.write(f, b)
		}
	}
}

func (p *Pump) write(f *feed, b Batch) {
	f.taken += len(b.Samples)
	if f.failed {
		f.lost += len(b.Samples)
		return
	}
	if err := f.Output.Write(b); err != nil {
		f.failed = true
		f.lost = len(b.Samples)
		p.cfg.Logger.Error("output "+f.Name+" failed, the test goes on without it", "error", err.Error())
	}
}

// Flush ends the ticks, hands the last samples to the sinks and returns the last
// snapshot. It is called once, after the last sample.
func (p *Pump) Flush() *metrics.Snapshot {
	close(p.stop)
	p.done.Wait()
	snapshot := p.cfg.Store.Snapshot()
	p.deliver(snapshot, time.Now(), true)
	if p.tap != nil {
		p.tap.Close()
	}
	return snapshot
}

// Close stops the sinks, in the reverse order of their start. The error says which
// of them are incomplete; why a write failed was logged when it happened.
func (p *Pump) Close() error {
	var failures []error
	for i := len(p.feeds) - 1; i >= 0; i-- {
		f := p.feeds[i]
		err := f.Output.Stop()
		switch {
		case f.failed:
			failures = append(failures, fmt.Errorf("output %s is incomplete: up to %d of %d samples were not written", f.Name, f.lost, f.taken))
		case err != nil:
			failures = append(failures, fmt.Errorf("output %s is incomplete, some of %d samples were not written: %w", f.Name, f.taken, err))
		}
	}
	return errors.Join(failures...)
}
