//go:build !linux

package engine

// totalMemory returns the bytes of memory that the machine has, or 0 if that is
// not known.
func totalMemory() uint64 { return 0 }
