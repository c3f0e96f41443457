package engine

import (
	"fmt"

	"github.com/jsload/jsload/vu"
)

// checkMachine refuses VUs that this machine cannot hold, before any is made.
func (t *test) checkMachine(units int64) error { return t.checkMemory(units) }

// defaultUnitBytes is what the smallest unit of a script takes.
const defaultUnitBytes = 8 << 10

// checkMemory refuses a test whose units cannot fit.
func (t *test) checkMemory(units int64) error {
	each := t.UnitBytes
	if each <= 0 {
		each = defaultUnitBytes
	}
	have := totalMemory()
	if need := float64(units) * float64(each); have > 0 && need > float64(have) {
		return &vu.Abort{Code: vu.ExitConfig, Message: fmt.Sprintf(
			"%d VUs take at least %.1f GB of memory, this machine has %.1f GB", units, need/1e9, float64(have)/1e9)}
	}
	return nil
}
