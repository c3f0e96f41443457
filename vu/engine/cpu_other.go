//go:build !unix

package engine

import "time"

// processCPU returns the processor time that the process has used, or 0 if that
// is not known.
func processCPU() time.Duration { return 0 }
