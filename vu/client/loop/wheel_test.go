package loop

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// fired turns the wheel and returns what fires, in order.
func fired(w *wheel, now int64) (all []*timer) {
	w.turn(now)
	for t := w.take(); t != nil; t = w.take() {
		all = append(all, t)
	}
	return all
}

func newTimer() *timer { return &timer{slot: notArmed} }

// TestWheelAgainstModel arms, moves and disarms timers at random, with waits up to
// several rounds of the wheel, and compares with a sorted list.
func TestWheelAgainstModel(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	spans := []int64{tick / 3, 5 * tick, 1000 * tick, nearSlots * tick, 5 * nearSlots * tick, 300 * nearSlots * tick, 600 * nearSlots * tick}
	var w wheel
	timers := make([]*timer, 50)
	for i := range timers {
		timers[i] = newTimer()
	}
	now := int64(0)
	for range 20_000 {
		c := timers[rnd.IntN(len(timers))]
		switch rnd.IntN(4) {
		case 0:
			w.disarm(c)
		case 1, 2:
			w.arm(c, now+rnd.Int64N(spans[rnd.IntN(len(spans))]))
		case 3:
			now += rnd.Int64N(spans[rnd.IntN(len(spans)-1)])
			step(t, &w, timers, now)
		}
		if at, ok := w.next(); ok && at <= now-tick {
			t.Fatalf("to be turned at %d, long before %d", at, now)
		}
	}
}

// step checks that exactly the timers fire that are due, none early, in the order of
// their ticks.
func step(t *testing.T, w *wheel, timers []*timer, now int64) {
	t.Helper()
	before := w.now
	var want []*timer
	for _, c := range timers {
		if c.armed() && max(dueTick(c.at), 0) <= now>>tickBits && now>>tickBits > before {
			want = append(want, c)
		}
	}
	got := fired(w, now)
	for i, c := range got {
		if c.at > now {
			t.Fatalf("fired %d before it was due", c.at-now)
		}
		if i > 0 && dueTick(got[i-1].at) > max(dueTick(c.at), before+1) {
			t.Fatalf("%d fired before %d", got[i-1].at, c.at)
		}
		if !slices.Contains(want, c) || c.armed() {
			t.Fatalf("timer for %d fired at %d, armed %v", c.at, now, c.armed())
		}
	}
	// What was armed for the past fires in the next tick, so it may be among want or wait.
	for _, c := range want {
		if !slices.Contains(got, c) && dueTick(c.at) > before {
			t.Fatalf("timer for %d did not fire at %d", c.at, now)
		}
	}
}

// TestWheelNext checks that the wheel asks to be turned in time, and not all the time
// for timers that are far away.
func TestWheelNext(t *testing.T) {
	var w wheel
	if _, ok := w.next(); ok {
		t.Error("an empty wheel wants to be turned")
	}
	near, far := newTimer(), newTimer()
	w.arm(far, 60e9)
	turns := 0
	for far.armed() {
		at, ok := w.next()
		if !ok {
			t.Fatal("the far timer is forgotten")
		}
		fired(&w, at)
		turns++
	}
	if turns < 50 || turns > 70 {
		t.Errorf("%d turns for a timer of a minute", turns)
	}
	now := w.now << tickBits
	w.arm(near, now+10*tick+1)
	if at, _ := w.next(); at != now+11*tick {
		t.Errorf("to be turned %d after now, want 11 ticks", at-now)
	}
	if got := fired(&w, now+10*tick+5); got != nil {
		t.Error("fired early")
	}
	if got := fired(&w, now+11*tick); len(got) != 1 {
		t.Error("did not fire")
	}
}

// TestWheelLongSleep is trap 9: a loop that slept for longer than the wheel goes round
// meets every timer once, far ones included.
func TestWheelLongSleep(t *testing.T) {
	var w wheel
	var timers []*timer
	for _, at := range []int64{1, tick, 100 * tick, nearSlots * tick, 3 * nearSlots * tick, 400 * nearSlots * tick} {
		c := newTimer()
		w.arm(c, at)
		timers = append(timers, c)
	}
	late := newTimer()
	w.arm(late, 3000*nearSlots*tick)
	got := fired(&w, 1000*nearSlots*tick)
	if !slices.Equal(got, timers) {
		t.Errorf("%d of %d timers, or in another order", len(got), len(timers))
	}
	if !late.armed() {
		t.Error("a timer fired that was not due")
	}
}

// TestWheelDisarmDue takes a timer away that is about to fire.
func TestWheelDisarmDue(t *testing.T) {
	var w wheel
	timers := []*timer{newTimer(), newTimer(), newTimer()}
	for _, c := range timers {
		w.arm(c, 5)
	}
	w.turn(10 * tick)
	w.disarm(timers[1])
	w.disarm(timers[2])
	w.arm(timers[2], 20*tick)
	if got := fired(&w, 10*tick); len(got) != 1 || got[0] != timers[0] {
		t.Errorf("%d timers fired", len(got))
	}
	if got := fired(&w, 20*tick); len(got) != 1 || got[0] != timers[2] {
		t.Errorf("%d timers fired", len(got))
	}
}

func BenchmarkWheel(b *testing.B) {
	var w wheel
	c := newTimer()
	for i := int64(0); b.Loop(); i++ {
		w.arm(c, i<<10+60e9)
		w.disarm(c)
	}
}
