package cli

import (
	"context"
	"fmt"
	"os"

	"github.com/jsload/jsload/vu"
)

// interruptible returns a context that the first signal ends, with an abort as
// its cause. The second signal calls atOnce and ends the process. stop must be
// called; it waits for the goroutine that listens.
func (a *app) interruptible(parent context.Context, atOnce func()) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(parent)
	if a.process.Notify == nil {
		return ctx, func() { cancel(nil) }
	}
	ch := make(chan os.Signal, 2)
	unlisten := a.process.Notify(ch)
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		if s, ok := await(ch, done); ok {
			a.logger().Debug("stopping the test gracefully in response to a signal; a second one ends it at once", "signal", s)
			cancel(&vu.Abort{Code: vu.ExitSignal, Message: fmt.Sprintf("the test was stopped by a signal (%s)", s)})
		}
		if s, ok := await(ch, done); ok {
			a.logger().Error("ending at once in response to a second signal", "signal", s)
			atOnce()
			a.close()
			if a.process.Exit != nil {
				a.process.Exit(vu.ExitSignal)
			}
		}
	}()
	return ctx, func() {
		unlisten()
		close(done)
		<-ended
		cancel(nil)
	}
}

func await(ch <-chan os.Signal, done <-chan struct{}) (os.Signal, bool) {
	select {
	case s := <-ch:
		return s, true
	case <-done:
		return nil, false
	}
}
