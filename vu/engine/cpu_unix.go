//go:build unix

package engine

import (
	"time"

	"golang.org/x/sys/unix"
)

// processCPU returns the processor time that the process has used, or 0 if that
// is not known.
func processCPU() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
