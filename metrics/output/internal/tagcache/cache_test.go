package tagcache

import (
	"strconv"
	"testing"

	"github.com/jsload/jsload/metrics"
)

func TestCache(t *testing.T) {
	encoded := 0
	c := New(10, func(b []byte, s metrics.TagSet) []byte {
		encoded++
		return append(b, s.String()...)
	})
	tags := metrics.NewRegistry().Tags()
	hot := tags.With("hot", "1")
	for i := range 1000 {
		set := tags.With("n", strconv.Itoa(i))
		if got := string(c.Append([]byte("x"), set)); got != "xn="+strconv.Itoa(i) {
			t.Fatalf("got %s", got)
		}
		if got := string(c.Append(nil, hot)); got != "hot=1" {
			t.Fatalf("got %s", got)
		}
		if c.Len() > 20 {
			t.Fatalf("%d sets are remembered", c.Len())
		}
	}
	if encoded != 1001 {
		t.Errorf("encoded %d times, want 1000 unique sets and one in use", encoded)
	}
	if n := testing.AllocsPerRun(100, func() { c.Append(nil, metrics.TagSet{}) }); n > 0 {
		t.Errorf("%v allocations for a known set", n)
	}
}
