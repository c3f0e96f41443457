package engine

import (
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// hostRoot is where the system tells what it has counted.
func hostRoot() fs.FS { return os.DirFS("/") }

// allowedCPUs tells which CPUs the process may use; nil if that is not known.
func allowedCPUs() func(cpu int) bool {
	var set unix.CPUSet
	if unix.SchedGetaffinity(0, &set) != nil {
		return nil
	}
	return set.IsSet
}
