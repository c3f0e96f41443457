//go:build unix

package env

import (
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// interruptSignals end a run gracefully: Ctrl-C, a request to end, and the end of
// the terminal, unless the process was started to survive that (nohup).
func interruptSignals() []os.Signal {
	s := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		s = append(s, syscall.SIGHUP)
	}
	return s
}

// catchPipe turns the signal of a pipe that nobody reads into an error of the
// write. Unlike an ignored signal, a caught one is not passed on to children.
func catchPipe() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }

// readerGone reports that a write failed because nobody reads any more: the pipe
// was closed, or the terminal.
func readerGone(err error, tty bool) bool {
	return errors.Is(err, syscall.EPIPE) || tty && errors.Is(err, syscall.EIO)
}
