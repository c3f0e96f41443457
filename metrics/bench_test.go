package metrics

import (
	"fmt"
	"testing"
)

// The names of these benchmarks are fixed: benchmarks/compare and docs refer to
// metrics/record_counter and so on.

func benchmarkSample(b *testing.B, m func(*Builtin) *Metric, tapped bool) {
	s := newTestStore()
	tags := s.Registry().Tags().Extend(pair("scenario", "default"), pair("group", ""))
	var tap *Tap
	if tapped {
		tap = s.AddTap(0)
	}
	sh, metric := s.Shard(0), m(s.builtin)
	b.ReportAllocs()
	for i := range b.N {
		sh.Sample(int64(i), metric, float64(i&1023)/10, tags, TagSet{})
		if tapped && i&0x7fff == 0 {
			tap.Take()
		}
	}
	s.Drain()
}

func counter(b *Builtin) *Metric { return b.Iterations }
func trend(b *Builtin) *Metric   { return b.IterationDuration }

func Benchmark_record_counter(b *testing.B)              { benchmarkSample(b, counter, false) }
func Benchmark_record_trend(b *testing.B)                { benchmarkSample(b, trend, false) }
func Benchmark_record_counter_with_samples(b *testing.B) { benchmarkSample(b, counter, true) }
func Benchmark_record_trend_with_samples(b *testing.B)   { benchmarkSample(b, trend, true) }

// One request is 8 trends, 2 counters and a rate (http_reqs, seven times,
// http_req_failed, and iteration_duration and iterations beside them), its share
// of draining and merging included.
func Benchmark_record_request(b *testing.B) {
	for _, writers := range []int{1, 2, 8} {
		b.Run(fmt.Sprint(writers), func(b *testing.B) { benchmarkRequests(b, writers) })
	}
}

func benchmarkRequests(b *testing.B, writers int) {
	s := newTestStore()
	o := s.testOutcome("/a", 200)
	done := make(chan struct{})
	b.ReportAllocs()
	b.ResetTimer()
	for w := range writers {
		go func() {
			defer func() { done <- struct{}{} }()
			sh, p := s.Shard(w), testPhases
			for i := range b.N / writers {
				p.Waiting = 100_000 + int64(i*7919)&0xfffff
				sh.Request(int64(i), o, &p, TagSet{})
				sh.Iteration(int64(i), p.Waiting, o.Tags, TagSet{})
			}
		}()
	}
	for range writers {
		<-done
	}
	s.Drain()
}

func Benchmark_intern_existing(b *testing.B) {
	base := NewRegistry().Tags().Extend(pair("scenario", "default"), pair("group", ""), pair("run", "1"))
	base.With("url", "http://127.0.0.1:8000/some/path")
	b.ReportAllocs()
	for b.Loop() {
		base.With("url", "http://127.0.0.1:8000/some/path")
	}
}

// A tick after 10,000 requests over 20 series: what is still in the shards is
// merged and a snapshot is taken.
func Benchmark_tick_10k(b *testing.B) {
	s := newTestStore()
	for i := range 9 {
		s.Watch(s.builtin.HTTPReqDuration, fmt.Sprint("status:", 200+i), pair("status", fmt.Sprint(200+i)))
	}
	var outcomes []*Outcome
	for i := range 9 {
		outcomes = append(outcomes, s.testOutcome("/a", 200+i))
	}
	p := testPhases
	for b.Loop() {
		b.StopTimer()
		for i := range 10_000 {
			p.Waiting = 100_000 + int64(i*7919)&0xfffff
			s.Shard(i).Request(int64(i), outcomes[i%9], &p, TagSet{})
		}
		b.StartTimer()
		s.Snapshot()
	}
}
