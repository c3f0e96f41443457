package executor

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jsload/jsload/vu"
	"github.com/jsload/jsload/vu/segment"
)

func TestPoolMakesUnitsInOrderAndSideBySide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.make = func(id vu.ID) error {
			time.Sleep(time.Duration(10-id.InInstance) * ms) // later ones are ready earlier
			return nil
		}
		p := NewPool(b, must(segment.Locate(must(segment.Parse("1/2:1")), must(segment.ParseSequence("0,1/2,1")))))
		if err := p.Init(t.Context(), 7); err != nil || p.Initialised() != 7 {
			t.Fatalf("%d units, %v", p.Initialised(), err)
		}
		for i := range uint64(7) {
			v, err := p.Take(t.Context())
			if err != nil || v.ID != (vu.ID{InInstance: i + 1, InTest: 2 * (i + 1)}) {
				t.Errorf("unit %d is %+v, %v", i, v.ID, err)
			}
		}
		extra, err := p.Grow(t.Context())
		if err != nil || extra.ID.InInstance != 8 {
			t.Errorf("an unplanned unit is %+v, %v", extra, err)
		}
		p.Put(extra)
		if again, _ := p.Grow(t.Context()); again != extra {
			t.Error("an unplanned unit that came back is not used again")
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if v, err := p.Take(ctx); err == nil {
			t.Errorf("an empty pool lends %+v", v.ID)
		}
		p.Close()
		if b.closed.Load() != 8 {
			t.Errorf("%d units closed, want 8", b.closed.Load())
		}
	})
}

func TestPoolEndsAtTheFirstError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		why := errors.New("why")
		b.make = func(id vu.ID) error {
			time.Sleep(ms)
			if id.InInstance == 10 {
				return why
			}
			return nil
		}
		p := NewPool(b, segment.Striper{})
		if err := p.Init(t.Context(), 1000); err != why {
			t.Errorf("error is %v", err)
		}
		if p.Initialised() > 100 {
			t.Errorf("%d units were made", p.Initialised())
		}
		p.Close()
		if b.closed.Load() != p.Initialised() {
			t.Errorf("%d of %d units closed", b.closed.Load(), p.Initialised())
		}
	})
}

func TestPoolInitEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.make = func(vu.ID) error { time.Sleep(time.Second); return nil }
		why := errors.New("why")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(1500*ms, func() { cancel(why) })
		if err := NewPool(b, segment.Striper{}).Init(ctx, 1000); err != why {
			t.Errorf("error is %v", err)
		}
	})
}

func TestPoolOfNothing(t *testing.T) {
	p := NewPool(newBench(t), segment.Striper{})
	if err := p.Init(t.Context(), 0); err != nil {
		t.Error(err)
	}
	p.Close()
}
