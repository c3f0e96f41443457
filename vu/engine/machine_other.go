//go:build !linux

package engine

// totalMemory returns the bytes of memory that the machine has, or 0 if that is
// not known.
func totalMemory() uint64 { return 0 }

// localPorts returns how many ports one local address has for connections to one
// server, or 0 if that is not known.
func localPorts() uint64 { return 0 }
