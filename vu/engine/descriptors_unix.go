//go:build unix

package engine

import "golang.org/x/sys/unix"

// maxDescriptors returns how many files and sockets the process may have open, or
// 0 if that is not known. Go has raised the limit to the greatest allowed one.
func maxDescriptors() uint64 {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) != nil {
		return 0
	}
	return uint64(limit.Cur)
}
