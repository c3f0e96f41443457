package loop

import (
	"container/heap"
	"fmt"
	"math"
	"time"

	"github.com/dop251/goja"
)

// timer is one setTimeout or setInterval.
type timer struct {
	id       int
	due      time.Time
	interval time.Duration
	every    bool // made by setInterval
	fn       goja.Callable
	args     []goja.Value
	seq      int // order of creation among equal instants
	pos      int // place in the heap, -1 when not in it
}

type timerHeap []*timer

func (h timerHeap) Len() int { return len(h) }
func (h timerHeap) Less(i, j int) bool {
	if h[i].due.Equal(h[j].due) {
		return h[i].seq < h[j].seq
	}
	return h[i].due.Before(h[j].due)
}
func (h timerHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].pos, h[j].pos = i, j
}

// Push is for container/heap only.
func (h *timerHeap) Push(x any) {
	t := x.(*timer)
	t.pos = len(*h)
	*h = append(*h, t)
}

// Pop is for container/heap only.
func (h *timerHeap) Pop() any {
	old := *h
	t := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	t.pos = -1
	return t
}

func (h *timerHeap) pop() *timer { return heap.Pop(h).(*timer) }

// fire runs the timer that is due first.
func (l *Loop) fire() error {
	if len(l.timers) == 0 {
		return nil
	}
	t := l.timers.pop()
	if t.every {
		t.due = t.due.Add(t.interval)
		if now := time.Now(); t.due.Before(now) {
			t.due = now
		}
		l.timerID++
		t.seq = l.timerID
		heap.Push(&l.timers, t)
	} else {
		delete(l.timerByID, t.id)
	}
	_, err := t.fn(goja.Undefined(), t.args...)
	return err
}

// SetTimeout and the three functions below are the script's functions of the
// same names.
func (l *Loop) SetTimeout(c goja.FunctionCall) goja.Value { return l.set(c, "setTimeout", false) }

// SetInterval calls a function again and again.
func (l *Loop) SetInterval(c goja.FunctionCall) goja.Value { return l.set(c, "setInterval", true) }

// Clear cancels a timer of either kind; unknown ids are ignored.
func (l *Loop) Clear(c goja.FunctionCall) goja.Value {
	v := c.Argument(0)
	if goja.IsUndefined(v) || goja.IsNull(v) {
		return goja.Undefined()
	}
	id := int(v.ToInteger())
	if t := l.timerByID[id]; t != nil {
		delete(l.timerByID, id)
		if t.pos >= 0 && t.pos < len(l.timers) && l.timers[t.pos] == t {
			heap.Remove(&l.timers, t.pos)
		}
	}
	return goja.Undefined()
}

func (l *Loop) set(c goja.FunctionCall, name string, every bool) goja.Value {
	fn, ok := goja.AssertFunction(c.Argument(0))
	if !ok {
		l.refuse(name, c.Argument(0))
	}
	d := delay(c.Argument(1))
	if every && d < time.Millisecond {
		d = time.Millisecond
	}
	var args []goja.Value
	if len(c.Arguments) > 2 {
		args = append(args, c.Arguments[2:]...)
	}
	l.timerID++
	t := &timer{id: l.timerID, seq: l.timerID, due: time.Now().Add(d), interval: d, every: every, fn: fn, args: args}
	if l.timerByID == nil {
		l.timerByID = make(map[int]*timer)
	}
	l.timerByID[t.id] = t
	heap.Push(&l.timers, t)
	return l.rt.ToValue(t.id)
}

// refuse raises the error of a timer whose callback cannot be called.
func (l *Loop) refuse(name string, fn goja.Value) {
	if goja.IsUndefined(fn) || goja.IsNull(fn) {
		panic(l.rt.NewGoError(fmt.Errorf("%s's callback isn't a callable function", name)))
	}
	panic(l.rt.NewTypeError("%s's callback is not a function", name))
}

// farDelay bounds delays in both directions, to about 30 years.
const farDelay = 1e12

// delay turns a script's milliseconds into a duration. As in the reference
// tool, a negative delay orders a timer before those without one, and one that
// is no number before all.
func delay(v goja.Value) time.Duration {
	if goja.IsUndefined(v) {
		return 0
	}
	ms := v.ToFloat()
	if math.IsNaN(ms) || ms < -farDelay {
		ms = -farDelay
	}
	return time.Duration(min(ms, farDelay) * float64(time.Millisecond))
}
