package executor

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Timeline is the time of one test. It is 0 when the scenarios begin and stands
// still while the test is paused, so every schedule that follows it shifts by
// the length of a pause. It is safe for concurrent use.
type Timeline struct {
	now func() int64
	// origin is when the timeline was 0, in nanoseconds since the run's epoch;
	// each pause moves it.
	origin atomic.Int64
	// pausedAt is the offset at which the timeline stands still, or running.
	pausedAt atomic.Int64

	mu      sync.Mutex
	changed chan struct{} // closed and replaced at each pause and resume
}

// running is the value of pausedAt while the timeline moves.
const running = -1

// NewTimeline returns a timeline that stands at 0 until Resume. now returns the
// nanoseconds since the run's epoch.
func NewTimeline(now func() int64) *Timeline {
	return &Timeline{now: now, changed: make(chan struct{})}
}

// Now returns the offset from the start of the scenarios.
func (t *Timeline) Now() time.Duration {
	if at := t.pausedAt.Load(); at != running {
		return time.Duration(at)
	}
	return time.Duration(t.now() - t.origin.Load())
}

// at returns the offset of an instant, in nanoseconds since the run's epoch.
func (t *Timeline) at(now int64) time.Duration {
	if at := t.pausedAt.Load(); at != running {
		return time.Duration(at)
	}
	return time.Duration(now - t.origin.Load())
}

// Instant returns an offset in nanoseconds since the run's epoch, as far as the
// pauses up to now tell.
func (t *Timeline) Instant(at time.Duration) int64 {
	return t.origin.Load() + int64(at)
}

// Paused reports whether the timeline stands still.
func (t *Timeline) Paused() bool { return t.pausedAt.Load() != running }

// Pause stops the timeline. It does nothing if it stands already.
func (t *Timeline) Pause() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.Paused() {
		t.pausedAt.Store(t.now() - t.origin.Load())
		t.change()
	}
}

// Resume lets the timeline go on from where it stands. It does nothing if it
// moves already.
func (t *Timeline) Resume() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if at := t.pausedAt.Load(); at != running {
		t.origin.Store(t.now() - at)
		t.pausedAt.Store(running)
		t.change()
	}
}

func (t *Timeline) change() {
	close(t.changed)
	t.changed = make(chan struct{})
}

// Wait returns nil once the timeline moves and is at or past an offset, or the
// cause of ctx's end.
func (t *Timeline) Wait(ctx context.Context, until time.Duration) error {
	if done, err := t.reached(ctx, until); done {
		return err
	}
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	return t.wait(ctx, until, timer)
}

// wait is Wait with a timer that the caller keeps.
func (t *Timeline) wait(ctx context.Context, until time.Duration, timer *time.Timer) error {
	for {
		changed := t.changes()
		if done, err := t.reached(ctx, until); done {
			return err
		}
		var due <-chan time.Time
		if !t.Paused() {
			timer.Reset(until - t.Now())
			due = timer.C
		}
		select {
		case <-due:
		case <-changed:
		case <-ctx.Done():
		}
	}
}

// reached reports whether a wait is over, and why.
func (t *Timeline) reached(ctx context.Context, until time.Duration) (bool, error) {
	if ctx.Err() != nil {
		return true, context.Cause(ctx)
	}
	return !t.Paused() && t.Now() >= until, nil
}

func (t *Timeline) changes() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.changed
}
