//go:build unix

package target

import (
	"time"

	"golang.org/x/sys/unix"
)

// processCPU returns the processor time this process has used.
func processCPU() CPU {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return CPU{}
	}
	return CPU{User: seconds(u.Utime), System: seconds(u.Stime)}
}

func seconds(t unix.Timeval) float64 { return time.Duration(t.Nano()).Seconds() }
