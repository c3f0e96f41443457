package metrics

import (
	"testing"
	"testing/synctest"
)

func TestTapSeesSamplesInOrder(t *testing.T) {
	s := newTestStore()
	meta := TagSet{}.With("vu", "7")
	if s.Tapped() {
		t.Error("tapped without a tap")
	}
	first, second := s.AddTap(0), s.AddTap(0)
	if !s.Tapped() {
		t.Error("not tapped")
	}
	o := s.testOutcome("/a", 200)
	s.Shard(0).Sample(3, s.builtin.Iterations, 2, o.Tags, TagSet{})
	s.Shard(0).Request(4, o, &testPhases, meta)
	if got := first.Take(); got != nil {
		t.Errorf("samples before the drain: %v", got)
	}
	s.Drain()
	b := s.builtin
	want := []Sample{
		{b.Iterations, 3, 2, o.Tags, TagSet{}},
		{b.HTTPReqs, 4, 1, o.Tags, meta}, {b.HTTPReqDuration, 4, 15, o.Tags, meta},
		{b.HTTPReqBlocked, 4, 1, o.Tags, meta}, {b.HTTPReqConnecting, 4, 2, o.Tags, meta},
		{b.HTTPReqTLSHandshaking, 4, 3, o.Tags, meta}, {b.HTTPReqSending, 4, 4, o.Tags, meta},
		{b.HTTPReqWaiting, 4, 5, o.Tags, meta}, {b.HTTPReqReceiving, 4, 6, o.Tags, meta},
		{b.HTTPReqFailed, 4, 0, o.Tags, meta},
	}
	for _, tap := range []*Tap{first, second} {
		got := tap.Take()
		if len(got) != len(want) {
			t.Fatalf("%d samples, want %d", len(got), len(want))
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("sample %d is %+v, want %+v", i, got[i], want[i])
			}
		}
		if tap.Take() != nil {
			t.Error("samples come twice")
		}
	}
}

func TestWritersWaitForASlowReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newTestStore(func(c *Config) { c.Shards = 1 })
		tap := s.AddTap(2 * chunkSize)
		written := 0
		go func() {
			for range 10 * chunkSize {
				s.Shard(0).Sample(0, s.builtin.Iterations, 1, TagSet{}, TagSet{})
				written++
			}
		}()
		synctest.Wait()
		if written > 3*chunkSize {
			t.Fatalf("%d samples were written although nobody read", written)
		}
		// A snapshot is possible meanwhile: it must not wait for the reader.
		s.Snapshot()
		select {
		case <-tap.Ready():
		default:
			t.Error("the reader was not told")
		}
		read := 0
		for written < 10*chunkSize || read < written {
			s.Drain()
			read += len(tap.Take())
			synctest.Wait()
		}
		if read != 10*chunkSize {
			t.Errorf("read %d samples", read)
		}
	})
}

func TestClosedTapReleasesWriters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newTestStore()
		tap := s.AddTap(1)
		done := false
		go func() {
			for range 3 * chunkSize {
				s.Shard(0).Sample(0, s.builtin.Iterations, 1, TagSet{}, TagSet{})
			}
			done = true
		}()
		synctest.Wait()
		if done {
			t.Error("the writer did not wait")
		}
		tap.Close()
		synctest.Wait()
		if !done || tap.Take() != nil {
			t.Error("the writer still waits, or samples came after Close")
		}
	})
}
