package wire

import (
	"net"
	"sync"
	"sync/atomic"
	"time"
)

const (
	slowestSweep = time.Second
	fastestSweep = 10 * time.Millisecond
	// CloseWatch is the timeout below which an exchange gets a deadline on its
	// own socket instead of being swept.
	CloseWatch = time.Second
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
	watches []*Watch
}

// Buffers are borrowed while an exchange is in flight; a virtual user that
// sleeps holds none. Their size fills a class of the allocator and holds the
// largest frame of HTTP/2 that we allow.
type Buffers struct {
	Out []byte
	In  [24<<10 - 32]byte
}

// maxKept is the largest request buffer that goes back to the pool.
const maxKept = 64 << 10

// Borrow lends buffers; Return takes them back.
func (s *Shared) Borrow() *Buffers { return s.buffers.Get().(*Buffers) }

// Return takes back what Borrow lent.
func (s *Shared) Return(b *Buffers) {
	if cap(b.Out) > maxKept {
		b.Out = nil
	}
	s.buffers.Put(b)
}

// NewShared starts the sweeper of a run whose clock counts from epoch. Close ends it.
func NewShared(epoch time.Time) *Shared {
	s := &Shared{
		epoch: epoch,
		hurry: make(chan struct{}, 1),
		stop:  make(chan struct{}),
		done:  make(chan struct{}),
	}
	s.buffers.New = func() any { return new(Buffers) }
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

// Epoch returns where the run's clock begins.
func (s *Shared) Epoch() time.Time { return s.epoch }

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
			s.Sweep(s.Now())
		}
		timer.Reset(time.Duration(s.every.Load()))
	}
}

// Sweep ends the exchanges whose deadline is before now. The goroutine of s calls
// it from time to time.
func (s *Shared) Sweep(now int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range s.watches {
		if until := w.until.Load(); until > 0 && now > until {
			w.end(until, Overdue)
		}
	}
}

// Attend makes sweeps as frequent as a timeout needs: a twentieth of it.
func (s *Shared) Attend(timeout int64) {
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

// Watch begins to look after the exchanges on nc.
// Unwatch must follow.
func (s *Shared) Watch(w *Watch, nc net.Conn) {
	w.nc = nc
	s.mu.Lock()
	w.index = len(s.watches)
	s.watches = append(s.watches, w)
	s.mu.Unlock()
}

// Unwatch undoes Watch.
func (s *Shared) Unwatch(w *Watch) {
	s.mu.Lock()
	last := len(s.watches) - 1
	s.watches[w.index] = s.watches[last]
	s.watches[w.index].index = w.index
	s.watches[last] = nil
	s.watches = s.watches[:last]
	s.mu.Unlock()
}

// Reason says why an exchange was ended from outside.
type Reason int64

// The reasons; Idle means that it was not.
const (
	Idle        Reason = 0
	Overdue     Reason = -1
	Interrupted Reason = -2
)

// Watch lets others end the exchanges that run on a connection. Its owner arms
// it with a deadline and disarms it; whoever changes the deadline into a reason
// before that has ended the exchange, and all waiting on the connection with it.
// The zero Watch is ready for Shared.Watch.
type Watch struct {
	// ReadsOnly restricts what is ended to reads, for connections that outlive an
	// exchange that was ended. It is set before the first Arm.
	ReadsOnly bool

	until atomic.Int64 // deadline, Idle, or a reason
	nc    net.Conn
	index int // in Shared.watches
}

// Arm sets the deadline, in nanoseconds since the epoch.
func (w *Watch) Arm(deadline int64) { w.until.Store(max(deadline, 1)) }

// Hasten moves an armed deadline forward; a later one changes nothing.
func (w *Watch) Hasten(deadline int64) {
	for {
		until := w.until.Load()
		if until <= 0 || until <= deadline || w.until.CompareAndSwap(until, max(deadline, 1)) {
			return
		}
	}
}

// Disarm returns the reason if the exchange was ended from outside, else Idle.
func (w *Watch) Disarm() Reason { return Reason(min(w.until.Swap(int64(Idle)), int64(Idle))) }

// Interrupt ends the exchange if one is running.
func (w *Watch) Interrupt() {
	for {
		until := w.until.Load()
		if until <= 0 || w.end(until, Interrupted) {
			return
		}
	}
}

func (w *Watch) end(until int64, reason Reason) bool {
	if !w.until.CompareAndSwap(until, int64(reason)) {
		return false
	}
	if w.ReadsOnly {
		w.nc.SetReadDeadline(time.Unix(1, 0))
	} else {
		w.nc.SetDeadline(time.Unix(1, 0))
	}
	return true
}
