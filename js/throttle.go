package js

import (
	"context"
	"sync"
	"time"
)

// newThrottle returns the wait of the rps option: requests of all virtual users
// together start at most rate times a second, evenly spaced. It is nil when
// there is no limit.
func newThrottle(rate int64) func(context.Context) error {
	if rate <= 0 {
		return nil
	}
	t := &throttle{gap: time.Second / time.Duration(rate)}
	return t.wait
}

type throttle struct {
	gap time.Duration

	mu   sync.Mutex
	next time.Time
}

// wait returns when it is the caller's turn. If the context's deadline comes
// first it fails at once rather than wait in vain.
func (t *throttle) wait(ctx context.Context) error {
	d, err := t.reserve(ctx)
	if err != nil || d <= 0 {
		return err
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

func (t *throttle) reserve(ctx context.Context) (time.Duration, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	turn := t.next
	if turn.Before(now) {
		turn = now
	}
	if end, ok := ctx.Deadline(); ok && turn.After(end) {
		return 0, context.DeadlineExceeded
	}
	t.next = turn.Add(t.gap)
	return turn.Sub(now), nil
}
