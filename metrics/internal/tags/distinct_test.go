package tags

import (
	"math/rand/v2"
	"strconv"
	"testing"
)

// Sets that are forgotten and made again are not new.
func TestDistinctSetsAreCountedInBoundedMemory(t *testing.T) {
	table := NewTable()
	if table.Distinct() != 0 {
		t.Errorf("%d sets in an empty table", table.Distinct())
	}
	const n = 20_000 // more than the table remembers
	for range 3 {
		for i := range n {
			table.Empty().With("url", "/"+strconv.Itoa(i))
		}
	}
	if got := table.Distinct(); got < n*97/100 || got > n*103/100 {
		t.Errorf("counted %d, want %d within 3 %%", got, n)
	}
}

func TestDistinctIsExactEnoughFromFewToMany(t *testing.T) {
	var d distinct
	random, made := rand.New(rand.NewPCG(1, 2)), 0
	for _, upTo := range []int{1, 10, 1000, 100_000, 500_000} {
		for ; made < upTo; made++ {
			hash := random.Uint64()
			d.add(hash)
			d.add(hash)
		}
		if got := d.count(); got < upTo*95/100 || got > upTo*105/100 {
			t.Errorf("counted %d of %d", got, upTo)
		}
	}
}
