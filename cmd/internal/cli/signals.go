package cli

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/jsload/jsload/vu"
)

const (
	// repeatWindow is how long after a signal others count as the same one: timeout
	// sends its signal to the process and again to the process's group, and a
	// terminal that closes is told by the kernel and by the shell.
	repeatWindow = 200 * time.Millisecond
	// forcedEnd is how long after the second signal the process may still take to
	// write what it has.
	forcedEnd = 2 * time.Second
)

// interruptible returns a context that the first signal ends, with an abort as
// its cause. stop must be called; it waits for the goroutine that listens.
func (a *app) interruptible() (ctx context.Context, stop func()) {
	ctx, _, stop = a.interruptibleTwice(func() string { return "" })
	return ctx, stop
}

// interruptibleTwice is interruptible with a second context, which the second
// signal ends; the process follows shortly, or at once after a third. notice
// returns what to say at the first signal; empty is nothing.
func (a *app) interruptibleTwice(notice func() string) (ctx, force context.Context, stop func()) {
	ctx, end := context.WithCancelCause(context.Background())
	force, endForce := context.WithCancelCause(context.Background())
	undo := func() { end(nil); endForce(nil) }
	if a.process.Notify == nil {
		return ctx, force, undo
	}
	ch := make(chan os.Signal, 2)
	unlisten := a.process.Notify(ch)
	done, ended := make(chan struct{}), make(chan struct{})
	i := &interrupter{app: a, signals: ch, done: done, end: end, force: endForce, notice: notice}
	go func() {
		defer close(ended)
		i.listen()
	}()
	return ctx, force, func() {
		unlisten()
		close(done)
		<-ended
		undo()
	}
}

// interrupter turns signals into ends.
type interrupter struct {
	app        *app
	signals    <-chan os.Signal
	done       <-chan struct{}
	end, force context.CancelCauseFunc
	notice     func() string
	last       time.Time // of the last signal that counted
}

func (i *interrupter) listen() {
	s, ok := i.next(nil)
	if !ok {
		return
	}
	text := i.notice()
	i.end(&vu.Abort{Code: vu.ExitSignal, Message: fmt.Sprintf("the test was stopped by a signal (%s)", s)})
	if text != "" {
		i.app.logger().Info(text, "signal", s)
	}
	if s, ok = i.next(nil); !ok {
		return
	}
	i.force(&vu.Abort{Code: vu.ExitSignal, Message: fmt.Sprintf("the test was ended at once by a second signal (%s)", s)})
	i.app.logger().Error("ending at once in response to a second signal", "signal", s)
	limit := time.NewTimer(forcedEnd)
	defer limit.Stop()
	if _, ok := i.next(limit.C); !ok {
		return
	}
	if i.app.log != nil {
		_ = i.app.log.Close()
	}
	if i.app.process.Exit != nil {
		i.app.process.Exit(vu.ExitSignal)
	}
}

// next waits for a signal that is no repetition of the last one, or for a limit.
// It returns false if the command is done before.
func (i *interrupter) next(limit <-chan time.Time) (os.Signal, bool) {
	for {
		select {
		case s := <-i.signals:
			if now := time.Now(); now.Sub(i.last) >= repeatWindow {
				i.last = now
				return s, true
			}
		case <-limit:
			return nil, true
		case <-i.done:
			return nil, false
		}
	}
}
