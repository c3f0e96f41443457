package engine

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/jsload/jsload/vu"
	"github.com/jsload/jsload/vu/executor"
	"github.com/jsload/jsload/vu/options"
)

// defaultTimeout limits setup and teardown unless the options say otherwise.
const defaultTimeout = options.Duration(60 * time.Second)

// setup runs the script's setup. After an error there is no test and no teardown.
func (t *test) setup(ctx context.Context) error {
	if t.Setup == nil || t.Options.NoSetup.V {
		return context.Cause(ctx)
	}
	t.live.set(StatusSetup)
	if err := t.callSetup(ctx); err != nil {
		return err
	}
	return context.Cause(ctx)
}

func (t *test) callSetup(ctx context.Context) error {
	if t.Setup == nil {
		return nil
	}
	limit := t.Options.SetupTimeout.Or(defaultTimeout).Std()
	return t.hook(ctx, "setup", t.Setup, limit, vu.ExitSetupTimeout)
}

// teardown runs the script's teardown, also if the test was stopped, unless it was
// ended by force.
func (t *test) teardown(parent context.Context) error {
	if t.Teardown == nil || t.Options.NoTeardown.V || t.forced() {
		return nil
	}
	t.live.set(StatusTeardown)
	return t.callTeardown(t.beyond(parent))
}

// beyond is the context of what runs although the test was stopped.
func (t *test) beyond(parent context.Context) context.Context {
	if t.Force != nil {
		return t.Force
	}
	return context.WithoutCancel(parent)
}

// forced reports that the test was ended by force.
func (t *test) forced() bool { return t.Force != nil && t.Force.Err() != nil }

func (t *test) callTeardown(ctx context.Context) error {
	if t.Teardown == nil {
		return nil
	}
	limit := t.Options.TeardownTimeout.Or(defaultTimeout).Std()
	return t.hook(ctx, "teardown", t.Teardown, limit, vu.ExitTeardownTimeout)
}

// beginUnits lets every unit begin, and those to come.
func (t *test) beginUnits(ctx context.Context) error {
	if !t.UnitSetup && !t.UnitTeardown {
		return nil
	}
	limit := t.Options.SetupTimeout.Or(defaultTimeout).Std()
	return t.pool.Begin(ctx, func(ctx context.Context, u vu.Unit) error {
		l, ok := u.(vu.Lifecycle)
		if !ok || !t.UnitSetup || t.Options.NoSetup.V {
			return nil
		}
		return t.hook(ctx, "vuSetup", l.Begin, limit, vu.ExitSetupTimeout)
	})
}

// endUnits lets every unit that has begun end, also if the test was stopped. Of
// several errors the first stays.
func (t *test) endUnits(parent context.Context) error {
	if !t.UnitTeardown || t.Options.NoTeardown.V || t.forced() {
		return nil
	}
	t.live.set(StatusTeardown)
	ctx, limit := t.beyond(parent), t.Options.TeardownTimeout.Or(defaultTimeout).Std()
	failures := t.pool.End(func(u vu.Unit) error {
		l, ok := u.(vu.Lifecycle)
		if !ok {
			return nil
		}
		return t.hook(ctx, "vuTeardown", l.End, limit, vu.ExitTeardownTimeout)
	})
	if len(failures) == 0 {
		return nil
	}
	if n := len(failures); n > 1 {
		t.Log.Error(fmt.Sprintf("vuTeardown() failed in %d VUs", n))
	}
	return failures[0]
}

// hook calls f with a time limit. If f does not return although its context has
// ended, it is left behind.
func (t *test) hook(ctx context.Context, name string, f func(context.Context) error, limit time.Duration, code int) error {
	late := &vu.Abort{Code: code, Message: fmt.Sprintf("%s() execution timed out after %v", name, limit)}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, late)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		defer func() {
			if fault := recover(); fault != nil {
				t.Log.Error(fmt.Sprintf("panic: %v", fault), "source", "stacktrace", "stack", string(debug.Stack()))
				done <- &vu.Abort{Code: vu.ExitPanic, Message: fmt.Sprintf("panic in %s(): %v", name, fault)}
			}
		}()
		done <- f(ctx)
	}()
	select {
	case err := <-done:
		return hookError(ctx, err)
	case <-ctx.Done():
	}
	timer := time.NewTimer(executor.Grace)
	defer timer.Stop()
	select {
	case err := <-done:
		return hookError(ctx, err)
	case <-timer.C:
		t.Log.Error(fmt.Sprintf("%s() did not stop within %v after it was interrupted and is abandoned", name, executor.Grace))
		return context.Cause(ctx)
	}
}

// hookError prefers the reason for an interruption to what it led to, which may be
// nothing: a wait that was cut short, behind which the script ran to its end.
func hookError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}
