package h1

import (
	"net"
	"sync"
	"sync/atomic"
	"time"
)

const (
	slowestSweep = time.Second
	fastestSweep = 10 * time.Millisecond
	// closeWatch is the timeout below which an exchange gets a deadline on its
	// own socket instead of being swept.
	closeWatch = time.Second
)

// Shared is what all connections of a run have in common: the clock, the borrowed
// buffers and the goroutine that ends overdue exchanges. A deadline per exchange on
// its socket would cost 2 % of it.
type Shared struct {
	epoch   time.Time
	buffers sync.Pool

	every atomic.Int64 // ns between sweeps
	hurry chan struct{}
	stop  chan struct{}
	done  chan struct{}

	mu      sync.Mutex
	watches []*watch
}

// NewShared starts the sweeper of a run whose clock counts from epoch. Close ends it.
func NewShared(epoch time.Time) *Shared {
	s := &Shared{
		epoch: epoch,
		hurry: make(chan struct{}, 1),
		stop:  make(chan struct{}),
		done:  make(chan struct{}),
	}
	s.buffers.New = func() any { return new(buffers) }
	s.every.Store(int64(slowestSweep))
	go s.run()
	return s
}

// Close stops the sweeper and waits for it. It may be called once.
func (s *Shared) Close() {
	close(s.stop)
	<-s.done
}

// Now returns nanoseconds since the epoch.
func (s *Shared) Now() int64 { return int64(time.Since(s.epoch)) }

func (s *Shared) run() {
	defer close(s.done)
	timer := time.NewTimer(slowestSweep)
	defer timer.Stop()
	for {
		select {
		case <-s.stop:
			return
		case <-s.hurry:
		case <-timer.C:
			s.sweep(s.Now())
		}
		timer.Reset(time.Duration(s.every.Load()))
	}
}

func (s *Shared) sweep(now int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range s.watches {
		if until := w.until.Load(); until > 0 && now > until {
			w.end(until, overdue)
		}
	}
}

// attend makes sweeps as frequent as a timeout needs: a twentieth of it.
func (s *Shared) attend(timeout int64) {
	want := min(max(timeout/20, int64(fastestSweep)), int64(slowestSweep))
	for {
		every := s.every.Load()
		if every <= want {
			return
		}
		if s.every.CompareAndSwap(every, want) {
			break
		}
	}
	select {
	case s.hurry <- struct{}{}:
	default:
	}
}

func (s *Shared) add(w *watch) {
	s.mu.Lock()
	w.index = len(s.watches)
	s.watches = append(s.watches, w)
	s.mu.Unlock()
}

func (s *Shared) remove(w *watch) {
	s.mu.Lock()
	last := len(s.watches) - 1
	s.watches[w.index] = s.watches[last]
	s.watches[w.index].index = w.index
	s.watches[last] = nil
	s.watches = s.watches[:last]
	s.mu.Unlock()
}

// Why an exchange was ended from outside.
const (
	idle        = 0
	overdue     = -1
	interrupted = -2
)

// watch lets others end the exchange that runs on a connection. Its owner arms
// it with a deadline and disarms it; whoever changes the deadline into a reason
// before that has ended the exchange, and the connection with it.
type watch struct {
	until atomic.Int64 // deadline, idle, or a reason
	nc    net.Conn
	index int // in Shared.watches
}

func (w *watch) arm(deadline int64) { w.until.Store(max(deadline, 1)) }

// disarm returns the reason if the exchange was ended from outside, else idle.
func (w *watch) disarm() int64 { return min(w.until.Swap(idle), idle) }

// interrupt ends the exchange if one is running.
func (w *watch) interrupt() {
	for {
		until := w.until.Load()
		if until <= 0 || w.end(until, interrupted) {
			return
		}
	}
}

func (w *watch) end(until, reason int64) bool {
	if !w.until.CompareAndSwap(until, reason) {
		return false
	}
	w.nc.SetDeadline(time.Unix(1, 0))
	return true
}
