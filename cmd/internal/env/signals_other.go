//go:build !unix

package env

import (
	"errors"
	"os"
	"syscall"
)

// interruptSignals end a run gracefully.
func interruptSignals() []os.Signal { return []os.Signal{os.Interrupt} }

// catchPipe does nothing: no signal tells of a pipe that nobody reads.
func catchPipe() {}

// readerGone reports that a write failed because nobody reads any more.
func readerGone(err error, _ bool) bool { return errors.Is(err, syscall.EPIPE) }
