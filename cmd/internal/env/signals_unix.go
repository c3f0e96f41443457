//go:build unix

package env

import (
	"os"
	"syscall"
)

// interruptSignals end a run gracefully.
var interruptSignals = []os.Signal{os.Interrupt, syscall.SIGTERM}
