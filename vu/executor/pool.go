package executor

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/jsload/jsload/vu"
	"github.com/jsload/jsload/vu/segment"
)

// VU is a unit that the pool lends.
type VU struct {
	ID   vu.ID
	Unit vu.Unit

	planned   bool
	begun     bool // Begin's function has succeeded
	abandoned atomic.Bool
}

// Pool holds the units of one test and lends them to its scenarios, so that
// scenarios which do not overlap in time use the same ones. It is safe for
// concurrent use.
type Pool struct {
	factory vu.Factory
	share   segment.Striper
	made    atomic.Int64
	lastID  atomic.Uint64
	free    chan *VU // the planned ones not lent

	mu    sync.Mutex
	spare []*VU // the unplanned ones not lent
	all   []*VU
	begin func(context.Context, vu.Unit) error // of Begin
}

// NewPool returns a pool without units. share numbers the units over the test.
func NewPool(f vu.Factory, share segment.Striper) *Pool {
	return &Pool{factory: f, share: share}
}

// Initialised returns how many units have been made.
func (p *Pool) Initialised() int64 { return p.made.Load() }

// Init makes the n units that the scenarios plan with, several at once, and is
// called once, before any other method. It returns the first error, and ends
// early with the cause of ctx.
func (p *Pool) Init(ctx context.Context, n int64) error {
	p.free = make(chan *VU, n)
	vus := make([]*VU, n)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	for range min(int64(runtime.GOMAXPROCS(0)), n) {
		wg.Go(func() {
			for ctx.Err() == nil {
				id := p.lastID.Add(1)
				if id > uint64(n) {
					return
				}
				v, err := p.initialise(ctx, id)
				if err != nil {
					cancel(err)
					return
				}
				v.planned = true
				vus[id-1] = v
			}
		})
	}
	wg.Wait()
	p.lastID.Store(uint64(n))
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	for _, v := range vus {
		p.free <- v
	}
	return nil
}

// initialise makes one unit and remembers it for Close.
func (p *Pool) initialise(ctx context.Context, id uint64) (*VU, error) {
	v := &VU{ID: vu.ID{InInstance: id, InTest: id}}
	if !p.share.Empty() {
		v.ID.InTest = uint64(p.share.At(int64(id)-1)) + 1
	}
	u, err := p.factory.NewUnit(ctx, v.ID)
	if err != nil {
		return nil, err
	}
	v.Unit = u
	p.made.Add(1)
	p.mu.Lock()
	p.all = append(p.all, v)
	begin := p.begin
	p.mu.Unlock()
	if begin == nil {
		return v, nil
	}
	if err := begin(ctx, u); err != nil {
		return nil, err
	}
	v.begun = true
	return v, nil
}

// Begin calls f for every unit, several at once, and from then on for each new one
// before it is lent. It is called while none is lent, and returns the first error.
func (p *Pool) Begin(ctx context.Context, f func(context.Context, vu.Unit) error) error {
	p.mu.Lock()
	p.begin = f
	all := p.all
	p.mu.Unlock()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	each(all, func(v *VU) {
		if ctx.Err() != nil {
			return
		}
		if err := f(ctx, v.Unit); err != nil {
			cancel(err)
			return
		}
		v.begun = true
	})
	return context.Cause(ctx)
}

// End calls f for every unit that has begun, but for the abandoned ones, several at
// once. It is called while none is lent, and returns the errors that f gave.
func (p *Pool) End(f func(vu.Unit) error) []error {
	p.mu.Lock()
	all := p.all
	p.mu.Unlock()
	var mu sync.Mutex
	var failures []error
	each(all, func(v *VU) {
		if !v.begun || v.abandoned.Load() {
			return
		}
		if err := f(v.Unit); err != nil {
			mu.Lock()
			failures = append(failures, err)
			mu.Unlock()
		}
	})
	return failures
}

// each calls f for all units, up to closers at once.
func each(all []*VU, f func(*VU)) {
	var wg sync.WaitGroup
	slots := make(chan struct{}, closers)
	for _, v := range all {
		slots <- struct{}{}
		wg.Go(func() {
			f(v)
			<-slots
		})
	}
	wg.Wait()
}

// Take lends a planned unit. It waits for one that another scenario is about to
// give back, and returns the cause of ctx if that ends first.
func (p *Pool) Take(ctx context.Context) (*VU, error) {
	select {
	case v := <-p.free:
		return v, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// tryTake lends a planned unit if there is one right now, or returns nil.
func (p *Pool) tryTake() *VU {
	select {
	case v := <-p.free:
		return v
	default:
		return nil
	}
}

// Grow lends a unit that was not planned: one given back before, or else a new
// one.
func (p *Pool) Grow(ctx context.Context) (*VU, error) {
	p.mu.Lock()
	if n := len(p.spare); n > 0 {
		v := p.spare[n-1]
		p.spare = p.spare[:n-1]
		p.mu.Unlock()
		return v, nil
	}
	p.mu.Unlock()
	return p.initialise(ctx, p.lastID.Add(1))
}

// Put takes a unit back. An abandoned one is closed instead.
func (p *Pool) Put(v *VU) {
	switch {
	case v.abandoned.Load():
		_ = v.Unit.Close()
	case v.planned:
		p.free <- v
	default:
		p.mu.Lock()
		p.spare = append(p.spare, v)
		p.mu.Unlock()
	}
}

// Abandon gives up a unit that does not return from its iteration. If it was
// planned, a new one takes its place, for the scenarios still to come.
func (p *Pool) Abandon(ctx context.Context, v *VU) {
	v.abandoned.Store(true)
	if !v.planned || ctx.Err() != nil {
		return
	}
	if n, err := p.initialise(ctx, p.lastID.Add(1)); err == nil {
		n.planned = true
		p.Put(n)
	}
}

// closers is how many units begin, end or close at once: they may wait.
const closers = 256

// Close closes all units but the abandoned ones and waits until that is done.
func (p *Pool) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	each(p.all, func(v *VU) {
		if !v.abandoned.Load() {
			_ = v.Unit.Close()
		}
	})
	p.all = nil
}
