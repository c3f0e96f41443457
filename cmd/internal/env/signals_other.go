//go:build !unix

package env

import "os"

// interruptSignals end a run gracefully.
var interruptSignals = []os.Signal{os.Interrupt}
