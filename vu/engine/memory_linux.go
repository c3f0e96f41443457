package engine

import "golang.org/x/sys/unix"

// totalMemory returns the bytes of memory that the machine has, or 0 if that is
// not known.
func totalMemory() uint64 {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return 0
	}
	return uint64(info.Totalram) * uint64(info.Unit)
}
