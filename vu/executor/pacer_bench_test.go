//go:build unix

package executor

import (
	"syscall"
	"testing"
	"time"
)

// BenchmarkPacer waits 2,000 times a second, as arrivals do, and reports the
// processor time of a wait.
func BenchmarkPacer(b *testing.B) {
	epoch := time.Now()
	t := NewTimeline(func() int64 { return int64(time.Since(epoch)) })
	t.Resume()
	p := NewPacer(t, false)
	defer p.Close()
	var i time.Duration
	before, begin := processorTime(b), t.Now()
	for b.Loop() {
		i++
		_ = p.Wait(b.Context(), begin+i*500*time.Microsecond)
	}
	b.ReportMetric(float64((processorTime(b)-before).Microseconds())/float64(b.N), "cpu-us/op")
}

// processorTime is that of the whole process.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
