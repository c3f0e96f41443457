//go:build !unix

package main

import "os"

// peakMemory returns the most memory that a process that has ended had, 0 if that
// is not known.
func peakMemory(*os.ProcessState) int64 { return 0 }
