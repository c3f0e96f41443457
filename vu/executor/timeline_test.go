package executor

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// epoch returns a clock of nanoseconds since now.
func epoch() func() int64 {
	start := time.Now()
	return func() int64 { return int64(time.Since(start)) }
}

func TestTimelineStandsStillWhilePaused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now := epoch()
		tl := NewTimeline(now)
		time.Sleep(3 * time.Second)
		if tl.Now() != 0 || !tl.Paused() {
			t.Fatalf("at %v before the start", tl.Now())
		}
		tl.Resume()
		tl.Resume()
		reached := make(chan int64, 2)
		go func() {
			if err := tl.Wait(t.Context(), 10*time.Second); err != nil {
				t.Error(err)
			}
			reached <- now()
		}()
		time.Sleep(4 * time.Second)
		tl.Pause()
		tl.Pause()
		time.Sleep(5 * time.Second)
		if tl.Now() != 4*time.Second {
			t.Errorf("at %v during the pause, want 4 s", tl.Now())
		}
		tl.Resume()
		if at := <-reached; at != int64(18*time.Second) {
			t.Errorf("10 s reached at %v, want 18 s", time.Duration(at))
		}
		if got := tl.Instant(time.Second); got != int64(9*time.Second) {
			t.Errorf("instant of 1 s is %v, want 9 s", time.Duration(got))
		}
	})
}

func TestTimelineWaitEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tl := NewTimeline(epoch())
		why := errors.New("why")
		ctx, cancel := context.WithCancelCause(t.Context())
		go func() {
			time.Sleep(time.Second)
			cancel(why)
		}()
		if err := tl.Wait(ctx, 0); err != why {
			t.Errorf("a paused wait ends with %v", err)
		}
		if err := tl.Wait(ctx, 0); err != why {
			t.Errorf("a wait on an ended context gives %v", err)
		}
	})
}

func TestPacerInFakeTimeIsExact(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tl := NewTimeline(epoch())
		tl.Resume()
		p := NewPacer(tl, true)
		defer p.Close()
		for i := range 100 {
			at := time.Duration(i*i) * 12_345
			if err := p.Wait(t.Context(), at); err != nil || tl.Now() != at {
				t.Fatalf("woken at %v, %v; want %v", tl.Now(), err, at)
			}
		}
	})
}

// The real pacer never wakes early, and ends with its context.
func TestPacerNeverWakesEarly(t *testing.T) {
	tl := NewTimeline(epoch())
	tl.Resume()
	p := NewPacer(tl, false)
	defer p.Close()
	for i := range 50 {
		at := time.Duration(i) * 700 * time.Microsecond
		if err := p.Wait(t.Context(), at); err != nil || tl.Now() < at {
			t.Fatalf("woken at %v, %v; want %v", tl.Now(), err, at)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Wait(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended wait gives %v", err)
	}
}

func TestPacerAllocatesNothing(t *testing.T) {
	tl := NewTimeline(epoch())
	tl.Resume()
	p := NewPacer(tl, false)
	defer p.Close()
	ctx := t.Context()
	if n := testing.AllocsPerRun(100, func() { _ = p.Wait(ctx, tl.Now()+50*time.Microsecond) }); n > 0 {
		t.Errorf("%v allocations per wait", n)
	}
}
