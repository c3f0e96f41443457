package js

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// Whoever asks, requests get through one by one, each a gap after the one before.
func TestThrottleKeepsTheRate(t *testing.T) {
	for _, tt := range []struct {
		rate    int64
		callers int
	}{{50, 1}, {50, 7}, {3, 2}, {2000, 40}} {
		synctest.Test(t, func(t *testing.T) {
			wait := newThrottle(tt.rate)
			const each = 20
			begin, gap := time.Now(), time.Second/time.Duration(tt.rate)
			var mu sync.Mutex
			seen := map[time.Duration]int{}
			var wg sync.WaitGroup
			for range tt.callers {
				wg.Go(func() {
					for range each {
						if err := wait(t.Context()); err != nil {
							t.Error(err)
						}
						mu.Lock()
						seen[time.Since(begin)]++
						mu.Unlock()
					}
				})
			}
			wg.Wait()
			for i := range tt.callers * each {
				if at := time.Duration(i) * gap; seen[at] != 1 {
					t.Fatalf("%d/s, %d callers: %d requests at %v", tt.rate, tt.callers, seen[at], at)
				}
			}
		})
	}
}

// A pause is not made up for by a burst.
func TestThrottleDoesNotCatchUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wait := newThrottle(10)
		_ = wait(t.Context())
		time.Sleep(time.Minute)
		begin := time.Now()
		for range 5 {
			_ = wait(t.Context())
		}
		if got := time.Since(begin); got != 400*time.Millisecond {
			t.Errorf("five requests took %v", got)
		}
	})
}

func TestThrottleEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wait, why := newThrottle(1), errors.New("why")
		_ = wait(t.Context())
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(100*time.Millisecond, func() { cancel(why) })
		if err := wait(ctx); !errors.Is(err, why) {
			t.Errorf("cancelled: %v", err)
		}
		short, done := context.WithTimeout(t.Context(), time.Second/2)
		defer done()
		begin := time.Now()
		if err := wait(short); !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) != 0 {
			t.Errorf("a deadline before its turn: %v after %v", err, time.Since(begin))
		}
		if newThrottle(0) != nil || newThrottle(-1) != nil {
			t.Error("no rate, but a throttle")
		}
	})
}
