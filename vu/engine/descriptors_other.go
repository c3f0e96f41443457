//go:build !unix

package engine

// maxDescriptors returns how many files and sockets the process may have open, or
// 0 if that is not known.
func maxDescriptors() uint64 { return 0 }
