//go:build unix

package api

import (
	"time"

	"golang.org/x/sys/unix"
)

func processFigures() []figure {
	var list []figure
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) == nil {
		used := time.Duration(u.Utime.Nano() + u.Stime.Nano())
		list = append(list, figure{"process_cpu_seconds_total", "counter", "Processor time used.", used.Seconds()})
	}
	if n, ok := residentBytes(); ok {
		list = append(list, figure{"process_resident_memory_bytes", "gauge", "Memory in use.", float64(n)})
	}
	if n, ok := openDescriptors(); ok {
		list = append(list, figure{"process_open_fds", "gauge", "Open file descriptors.", float64(n)})
	}
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) == nil {
		list = append(list, figure{"process_max_fds", "gauge", "File descriptors that may be open.", float64(limit.Cur)})
	}
	return list
}
