package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jsload/jsload/vu"
	"github.com/jsload/jsload/vu/options"
)

// attended is a unit with work of its own before and after.
type attended struct {
	vu.Unit
	bench      *bench
	begin, end func(ctx context.Context) error
}

func (a *attended) Begin(ctx context.Context) error { a.bench.event("begin"); return a.begin(ctx) }
func (a *attended) End(ctx context.Context) error   { a.bench.event("end"); return a.end(ctx) }

// attend makes a bench's units attended.
func attend(b *bench, begin, end func(ctx context.Context) error) {
	b.config.Factory = factoryFunc(func(ctx context.Context, id vu.ID) (vu.Unit, error) {
		u, err := b.NewUnit(ctx, id)
		return &attended{u, b, begin, end}, err
	})
	b.config.UnitSetup, b.config.UnitTeardown = true, true
	b.config.Setup, b.config.Teardown = b.hook("setup", 0, nil), b.hook("teardown", 0, nil)
}

type factoryFunc func(context.Context, vu.ID) (vu.Unit, error)

func (f factoryFunc) NewUnit(ctx context.Context, id vu.ID) (vu.Unit, error) { return f(ctx, id) }

func fine(context.Context) error { return nil }

func TestUnitsBeginAndEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, constant(2, time.Second))
		attend(b, func(context.Context) error { time.Sleep(time.Second); return nil }, fine)
		r := b.run(0)
		if want := []string{"setup", "begin", "begin", "end", "end", "teardown"}; !slices.Equal(b.events, want) {
			t.Errorf("%v, want %v", b.events, want)
		}
		if r.Duration != 2*time.Second { // both begin at once
			t.Errorf("duration %v", r.Duration)
		}
	})
}

// A unit that is made while the test runs begins before it is lent.
func TestLateUnitsBegin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, options.Scenario{Name: "s", Executor: options.ConstantArrivalRate, Rate: num(5), Duration: dur(2 * time.Second), PreAllocatedVUs: num(1), MaxVUs: num(3)})
		b.iterate = func(u *unit) error { return u.sleep(450 * ms) }
		attend(b, fine, fine)
		b.run(0)
		begins := slices.DeleteFunc(slices.Clone(b.events), func(e string) bool { return e != "begin" })
		ends := slices.DeleteFunc(slices.Clone(b.events), func(e string) bool { return e != "end" })
		if len(begins) != 3 || len(ends) != 3 {
			t.Errorf("%v", b.events)
		}
	})
}

func TestUnitsThatDoNotBegin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, constant(3, time.Second))
		attend(b, func(context.Context) error { return &vu.Abort{Code: vu.ExitScript, Message: "no login"} }, fine)
		r := b.run(vu.ExitScript)
		if slices.Contains(b.events, "end") || b.events[len(b.events)-1] != "teardown" || !strings.Contains(r.Err.Error(), "no login") {
			t.Errorf("%v, %v", b.events, r.Err)
		}
		if b.config.Live.IterationsCompleted() != 0 {
			t.Error("iterations ran")
		}
	})
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, constant(1, time.Second))
		attend(b, func(ctx context.Context) error { <-ctx.Done(); return context.Cause(ctx) }, fine)
		b.config.Options.SetupTimeout = dur(3 * time.Second)
		if r := b.run(vu.ExitSetupTimeout); r.Duration != 3*time.Second {
			t.Errorf("ended after %v", r.Duration)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, constant(2, time.Second))
		attend(b, fine, func(context.Context) error { return &vu.Abort{Code: vu.ExitScript, Message: "bad end"} })
		if r := b.run(vu.ExitScript); !strings.Contains(r.Err.Error(), "bad end") || b.events[len(b.events)-1] != "teardown" {
			t.Errorf("%v, %v", b.events, r.Err)
		}
	})
}

func TestUnitsWithoutSetupOrTeardown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, constant(2, time.Second))
		bad := func(context.Context) error { return errors.New("called") }
		attend(b, bad, bad)
		b.config.Options.NoSetup, b.config.Options.NoTeardown = options.Some(true), options.Some(true)
		b.run(0)
		if len(b.events) > 0 {
			t.Errorf("%v", b.events)
		}
	})
}
