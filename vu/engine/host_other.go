//go:build !linux

package engine

import "io/fs"

// hostRoot is nil: the system does not tell.
func hostRoot() fs.FS { return nil }

// allowedCPUs is nil: it is not known.
func allowedCPUs() func(cpu int) bool { return nil }
