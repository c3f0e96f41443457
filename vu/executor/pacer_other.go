//go:build !linux

package executor

import "time"

// fineTimer does not exist here: package time is all there is.
type fineTimer struct{}

func newFineTimer() *fineTimer { return nil }

func (*fineTimer) sleep(time.Duration) {}
func (*fineTimer) close()              {}
