// Hot path: arming and disarming allocate nothing.

package loop

import "math/bits"

const (
	// tickBits make a tick of 65,536 ns. A tick of a millisecond would release all
	// tasks of that millisecond together and so make the latency that is measured.
	tickBits = 16
	tick     = int64(1) << tickBits

	nearBits  = 14
	nearSlots = 1 << nearBits // 1.07 s
	farSlots  = 1 << 8        // of 1.07 s each, 275 s
	nearMask  = nearSlots - 1
	farMask   = farSlots - 1
)

// The slot of a timer that is not armed, and of one that is about to fire.
const (
	notArmed = -1
	dueSlot  = nearSlots + farSlots
)

// timer is a place in the wheel. It is part of what it wakes: a connection or a
// task. Its slot must be notArmed before the first use.
type timer struct {
	next, prev *timer
	at         int64 // in nanoseconds since the epoch
	conn       *conn // nil for the timer of a task
	task       *Task
	slot       int32
}

func (t *timer) armed() bool { return t.slot != notArmed }

// wheel holds timers in slots of one tick, those beyond the near turn in slots of
// one turn. A timer never fires early, and late by up to a tick. The zero wheel
// stands at the epoch.
type wheel struct {
	now   int64 // tick up to which everything has fired
	heads [nearSlots + farSlots + 1]*timer
	// words mark the near slots in use, and summary the words that are not zero.
	words   [nearSlots / 64]uint64
	summary [nearSlots / 64 / 64]uint64
	far     int    // timers in far slots
	last    *timer // of those that are due
}

// arm puts t into the wheel, moving it if it is there.
func (w *wheel) arm(t *timer, at int64) {
	w.disarm(t)
	t.at = at
	w.place(t)
}

func (w *wheel) place(t *timer) {
	due := max(dueTick(t.at), w.now+1)
	if due-w.now < nearSlots {
		slot := int32(due & nearMask)
		w.words[slot>>6] |= 1 << (slot & 63)
		w.summary[slot>>12] |= 1 << (slot >> 6 & 63)
		w.link(t, slot)
		return
	}
	// The turn in which it is due; one that is too far is looked at again on the way.
	turn := min(due>>nearBits, w.now>>nearBits+farSlots-1)
	w.far++
	w.link(t, nearSlots+int32(turn&farMask))
}

func (w *wheel) link(t *timer, slot int32) {
	t.slot = slot
	head := w.heads[slot]
	t.next, t.prev = head, nil
	if head != nil {
		head.prev = t
	}
	w.heads[slot] = t
}

// disarm takes t out of the wheel if it is there.
func (w *wheel) disarm(t *timer) {
	slot := t.slot
	if slot == notArmed {
		return
	}
	if t.next != nil {
		t.next.prev = t.prev
	} else if slot == dueSlot {
		w.last = t.prev
	}
	if t.prev != nil {
		t.prev.next = t.next
	} else {
		w.heads[slot] = t.next
	}
	t.next, t.prev, t.slot = nil, nil, notArmed
	switch {
	case slot < nearSlots:
		if w.heads[slot] == nil {
			w.unmark(slot)
		}
	case slot < dueSlot:
		w.far--
	}
}

func (w *wheel) unmark(slot int32) {
	word := slot >> 6
	if w.words[word] &^= 1 << (slot & 63); w.words[word] == 0 {
		w.summary[word>>6] &^= 1 << (word & 63)
	}
}

// next returns when the wheel must be turned, in nanoseconds since the epoch, or
// false if it is empty.
func (w *wheel) next() (int64, bool) {
	until := int64(-1)
	if w.far > 0 {
		until = (w.now>>nearBits + 1) << nearBits
	}
	if t, ok := w.nearest(); ok && (until < 0 || t < until) {
		until = t
	}
	return until << tickBits, until >= 0
}

// nearest returns the tick of the first near slot in use.
func (w *wheel) nearest() (int64, bool) {
	start := int((w.now + 1) & nearMask)
	slot, ok := w.scan(start)
	if !ok {
		return 0, false
	}
	return w.now + 1 + int64((slot-start)&nearMask), true
}

// scan finds the first slot in use from start on, going round.
func (w *wheel) scan(start int) (int, bool) {
	word := start >> 6
	if x := w.words[word] >> (start & 63) << (start & 63); x != 0 {
		return word<<6 + bits.TrailingZeros64(x), true
	}
	const words = nearSlots / 64
	for i := word + 1; i <= word+words; {
		at := i & (words - 1)
		if x := w.summary[at>>6] >> (at & 63); x != 0 {
			at += bits.TrailingZeros64(x)
			return at<<6 + bits.TrailingZeros64(w.words[at]), true
		}
		i += 64 - at&63
	}
	return 0, false
}

// turn moves the wheel up to an instant, so that take yields what is due. A loop
// that was held up for longer than the wheel goes round meets each timer once.
func (w *wheel) turn(now int64) {
	for to := now >> tickBits; w.now < to; {
		round := w.now >> nearBits
		end := min(to, (round+1)<<nearBits)
		w.sweep(end)
		w.now = end
		if end>>nearBits != round {
			w.cascade()
		}
	}
}

// sweep makes the near timers up to tick end due, in the order of their slots.
func (w *wheel) sweep(end int64) {
	for {
		at, ok := w.nearest()
		if !ok || at > end {
			return
		}
		w.now = at
		slot := int32(at & nearMask)
		t := w.heads[slot]
		w.heads[slot] = nil
		w.unmark(slot)
		for t.next != nil {
			t = t.next
		}
		for t != nil { // those armed first in front
			before := t.prev
			w.enqueue(t)
			t = before
		}
	}
}

// enqueue appends t to the timers that are due.
func (w *wheel) enqueue(t *timer) {
	t.slot, t.next, t.prev = dueSlot, nil, w.last
	if w.last != nil {
		w.last.next = t
	} else {
		w.heads[dueSlot] = t
	}
	w.last = t
}

// cascade gives the timers of the far slot that has come their places.
func (w *wheel) cascade() {
	slot := nearSlots + w.now>>nearBits&farMask
	t := w.heads[slot]
	w.heads[slot] = nil
	for t != nil {
		next := t.next
		w.far--
		if dueTick(t.at) <= w.now {
			w.enqueue(t)
		} else {
			w.place(t)
		}
		t = next
	}
}

// take returns a timer that is due, no longer armed; nil if there is none.
func (w *wheel) take() *timer {
	t := w.heads[dueSlot]
	if t != nil {
		w.disarm(t)
	}
	return t
}

// dueTick is the first tick that is not before an instant.
func dueTick(at int64) int64 { return (at + tick - 1) >> tickBits }
