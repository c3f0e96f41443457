package executor

import (
	"testing"
	"time"
)

func BenchmarkConstantArrivals(b *testing.B) {
	s := newConstantArrivals(340, time.Second, 1<<62, false)
	for i := range b.N {
		s.At(int64(i))
	}
}

func BenchmarkRampingArrivals(b *testing.B) {
	s := newRampingArrivals(100, time.Second, []stage{{time.Hour, 100_000}, {time.Hour, 10}})
	b.ReportAllocs()
	for i := range b.N {
		s.At(int64(i))
	}
}
