//go:build !unix

package target

// processCPU returns zeros: this system is not asked.
func processCPU() CPU { return CPU{} }
