package executor

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/jsload/jsload/vu"
	"github.com/jsload/jsload/vu/segment"
)

// arrivals starts iterations at the instants of a schedule, each on a VU that
// is free at that instant. An arrival that finds none is dropped, never queued,
// and has one more VU made in the background as long as there may be more.
type arrivals struct {
	*run
	schedule Arrivals
	// numbers are the arrivals of the whole test that are this machine's. They
	// follow the VUs: a machine with a third of these gets a third of them.
	numbers segment.Striper

	planned, limit int64
	vus            atomic.Int64 // that the scenario has, the one being made included
	growing        atomic.Bool
	warned         bool
	free           chan *server // first in, first out

	mode atomic.Int32 // handed or claimed, once that is decided

	mu       sync.Mutex
	servers  []*server
	stopped  bool
	arrival  int64 // the next that is not started, claimed or missed
	started  int64 // also those that are claimed
	watching bool  // arrivals that nobody has claimed in time are missed
}

// The ways in which arrivals reach VUs.
const (
	undecided int32 = iota
	handed          // the pacer hands each to a VU that is free
	claimed         // a VU that is free claims the next one and waits for it on its event loop
)

// newArrivals takes the VUs over all machines.
func newArrivals(c Config, s Arrivals, planned, limit int64) *arrivals {
	r := newRun(c, s.End())
	r.open = true
	limit = max(limit, planned)
	a := &arrivals{run: r, schedule: s, numbers: c.Share.Split(limit),
		planned: c.Share.Scale(planned), limit: c.Share.Scale(limit)}
	a.free = make(chan *server, a.limit)
	return a
}

func (a *arrivals) Run(ctx context.Context) {
	if a.begin(ctx, a.passed) {
		a.vus.Store(a.planned)
		for range a.planned {
			a.enlist()
		}
		if a.decide(handed) == claimed {
			a.watch()
		} else {
			a.pace()
		}
	}
	a.stop()
	a.finish(ctx)
}

// server is a VU that runs the iterations it is handed.
type server struct {
	*activation
	inbox chan vu.Iteration // holds one; closed at the end
}

// enlist makes one planned VU serve: at once, if it is there, so that it is free
// for the first arrival.
func (a *arrivals) enlist() {
	if v := a.Pool.tryTake(); v != nil {
		a.employ(v)
		return
	}
	a.wg.Go(func() { a.join(a.Pool.Take) })
}

// join makes the VU that take lends serve.
func (a *arrivals) join(take func(context.Context) (*VU, error)) {
	v, err := take(a.hard)
	a.growing.Store(false)
	if err != nil {
		if a.hard.Err() == nil {
			a.Abort(asAbort(err))
		}
		return
	}
	a.employ(v)
}

// employ activates v and lets it serve.
func (a *arrivals) employ(v *VU) {
	act := a.activate(v)
	if act == nil {
		return
	}
	l, wish := act.loop(), handed
	if l != nil {
		wish = claimed
	}
	if a.decide(wish) == claimed {
		a.board(act, l)
	} else if s := a.ready(act); s != nil {
		a.wg.Go(func() { a.serve(s) })
	}
}

// decide settles how arrivals reach VUs, unless that is settled, and returns it.
func (a *arrivals) decide(wish int32) int32 {
	a.mode.CompareAndSwap(undecided, wish)
	return a.mode.Load()
}

// ready counts a VU among the free ones. It returns nil if the scenario is over.
func (a *arrivals) ready(act *activation) *server {
	s := &server{activation: act, inbox: make(chan vu.Iteration, 1)}
	a.mu.Lock()
	stopped := a.stopped
	if !stopped {
		a.servers = append(a.servers, s)
	}
	a.mu.Unlock()
	if stopped {
		a.release(act)
		return nil
	}
	a.free <- s
	return s
}

// serve runs the iterations that s is handed until there are no more.
func (a *arrivals) serve(s *server) {
	defer a.guard()
	defer a.release(s.activation)
	for it := range s.inbox {
		a.busy.Add(1)
		more := a.iterate(s.activation, it)
		a.busy.Add(-1)
		if !more {
			return
		}
		a.free <- s
	}
}

// stop sends every VU home once its iteration has ended.
func (a *arrivals) stop() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.stopped = true
	for _, s := range a.servers {
		close(s.inbox)
	}
}

// pace hands out the iterations as they fall due, and returns at the regular
// end or when the scenario is cut.
func (a *arrivals) pace() {
	pacer := NewPacer(a.Timeline, a.Coarse)
	defer pacer.Close()
	if a.numbers.Empty() {
		_ = pacer.Wait(a.hard, a.StartTime+a.end)
		return
	}
	started := int64(0)
	for i := int64(0); ; i++ {
		at, ok := a.schedule.At(a.numbers.At(i))
		if !ok {
			_ = pacer.Wait(a.hard, a.StartTime+a.end)
			return
		}
		if pacer.Wait(a.hard, a.StartTime+at) != nil {
			return
		}
		it := vu.Iteration{Open: true, Planned: a.Timeline.Instant(a.StartTime + at),
			InInstance: uint64(started), InTest: uint64(a.numbers.At(started))}
		select {
		case s := <-a.free:
			s.inbox <- it
			started++
		default:
			a.miss()
		}
	}
}

// miss drops an arrival and sees to one more VU.
func (a *arrivals) miss() {
	a.Dropped(1)
	a.missed.Add(1)
	if a.growing.Load() {
		return
	}
	if n := a.vus.Load(); n >= a.limit {
		if !a.warned {
			a.warned = true
			a.Log.Warn(fmt.Sprintf("Insufficient VUs, reached %d active VUs and cannot initialize more", n),
				"executor", a.Scenario.Executor, "scenario", a.Scenario.Name)
		}
		return
	}
	a.growing.Store(true)
	a.vus.Add(1)
	a.wg.Go(func() { a.join(a.Pool.Grow) })
}

func (a *arrivals) Progress() Progress {
	have := max(a.vus.Load(), a.planned)
	width := len(fmt.Sprint(have))
	return a.progress(a.passed(), fmt.Sprintf("%0*d/%d VUs", width, a.busy.Load(), have),
		fmt.Sprintf("%.2f iters/s", a.rate()))
}

// rate returns this machine's arrivals per second at the moment.
func (a *arrivals) rate() float64 {
	if a.numbers.Empty() {
		return 0
	}
	own, all := a.numbers.Share()
	return a.schedule.Rate(a.elapsed()) * float64(own) / float64(all)
}
