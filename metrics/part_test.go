package metrics

import (
	"math"
	"testing"
	"testing/synctest"
	"time"
)

// partRun is a store with metrics of all kinds and a part of each.
type partRun struct {
	t     *testing.T
	store *Store
	all   map[Kind]*Metric
}

func newPartRun(t *testing.T) *partRun {
	r := &partRun{t: t, all: map[Kind]*Metric{}}
	registry := NewRegistry()
	for _, k := range []Kind{Counter, Gauge, Rate, Trend} {
		r.all[k], _ = registry.New("m_"+k.String(), k, Default)
	}
	r.store = NewStore(Config{Registry: registry, Epoch: NewEpoch(time.Now()), Shards: 2})
	return r
}

func (r *partRun) add(v float64, tags ...Tag) {
	set := r.store.Registry().Tags().Extend(tags...)
	for i, k := range []Kind{Counter, Gauge, Rate, Trend} {
		r.store.Shard(i).Sample(0, r.all[k], v, set, TagSet{})
	}
}

func (r *partRun) request(ms int64) {
	r.store.Shard(0).Request(0, &Outcome{Name: "n"}, &Phases{Waiting: ms * 1e6, Late: -1}, TagSet{})
}

func TestPartOpensAndCloses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newPartRun(t)
		parts := map[Kind]*Part{}
		for k, m := range r.all {
			parts[k] = r.store.WatchPart(m, 0)
		}
		tagged := r.store.WatchPart(r.all[Counter], 0, Tag{Key: "a", Value: "b"})
		duration := r.store.WatchPart(r.store.builtin.HTTPReqDuration, 0)
		all := append([]*Part{tagged, duration}, parts[Counter], parts[Gauge], parts[Rate], parts[Trend])
		setOpen := func(open bool) {
			for _, p := range all {
				p.SetOpen(open)
				p.SetOpen(open)
			}
		}
		r.add(1)
		r.request(10)
		time.Sleep(time.Second)
		setOpen(false)
		r.add(100, Tag{Key: "a", Value: "b"})
		r.request(1000)
		time.Sleep(10 * time.Second)
		setOpen(true)
		r.add(3, Tag{Key: "a", Value: "b"})
		r.request(30)
		time.Sleep(2 * time.Second)
		r.store.Drain()
		if s, open := parts[Counter].View(); s.Sum != 4 || s.Samples != 2 || open != 3*time.Second {
			t.Errorf("counter %+v, open %v", s, open)
		}
		if s, _ := parts[Gauge].View(); s.Value != 3 || s.Min != 1 || s.Max != 3 {
			t.Errorf("gauge %+v", s)
		}
		if s, _ := parts[Rate].View(); s.Samples != 2 || s.Trues != 2 {
			t.Errorf("rate %+v", s)
		}
		if s, _ := parts[Trend].View(); s.Dist.Count() != 2 || s.Dist.Max() != 3 || s.Dist.Avg() != 2 {
			t.Errorf("trend %+v", s.Dist)
		}
		if s, _ := tagged.View(); s.Sum != 3 {
			t.Errorf("tagged %+v", s)
		}
		if s, _ := duration.View(); s.Dist.Max() != 30 || s.Dist.Avg() != 20 {
			t.Errorf("requests %+v", s.Dist)
		}
		snap := r.store.Snapshot()
		if s := snap.Find(r.all[Counter], ""); s.Sum != 104 || len(snap.Series) != 4+9-1 {
			t.Errorf("the whole has %+v among %d series", s, len(snap.Series))
		}
	})
}

func TestPartForgets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newPartRun(t)
		p := r.store.WatchPart(r.all[Trend], 3)
		whole := r.store.WatchPart(r.all[Trend], 0)
		if s, open := p.View(); s != nil || open != 0 {
			t.Errorf("empty part has %v, %v", s, open)
		}
		for i := 1; i <= 5; i++ {
			for range 2000 { // more than are kept exactly
				r.add(float64(i))
			}
			time.Sleep(time.Second)
			r.store.Drain()
			s, open := p.View()
			least := max(1, i-2)
			if n := int64(min(i, 3)); s.Samples != 2000*n || open != time.Duration(n)*time.Second {
				t.Errorf("after slice %d: %d samples in %v", i, s.Samples, open)
			}
			if d := s.Dist; d.Min() != float64(least) || d.Max() != float64(i) || math.Abs(d.Avg()-float64(least+i)/2) > 1e-9 {
				t.Errorf("after slice %d: %v to %v, avg %v", i, d.Min(), d.Max(), d.Avg())
			}
			p.Turn()
			whole.Turn()
		}
		if s, _ := whole.View(); s.Samples != 10_000 {
			t.Errorf("the whole forgot: %d samples", s.Samples)
		}
		for range 3 {
			p.Turn()
		}
		if s, _ := p.View(); s != nil {
			t.Errorf("everything is forgotten, but there are %d samples", s.Samples)
		}
	})
}

// What is aside is seen by taps and counts where its group is asked for.
func TestAside(t *testing.T) {
	r := newPartRun(t)
	setup := Tag{Key: "group", Value: "::setup"}
	b := r.store.builtin
	r.store.Watch(b.HTTPReqs, "group:::setup", setup)
	r.store.Watch(b.HTTPReqs, "a:b", Tag{Key: "a", Value: "b"})
	r.store.Watch(r.all[Counter], "group:::setup", setup)
	part := r.store.WatchPart(b.HTTPReqs, 0)
	tap := r.store.AddTap(0)
	tags := r.store.Registry().Tags().Extend(setup, Tag{Key: "a", Value: "b"})
	r.store.Aside().Request(0, &Outcome{Name: "n", Tags: tags, Failed: true, Judged: true}, &Phases{Waiting: 1e6, Late: -1}, TagSet{})
	r.store.Aside().Sample(0, r.all[Counter], 5, tags, TagSet{})
	snap := r.store.Snapshot()
	for name, want := range map[string]float64{"group:::setup": 1, "a:b": 0} {
		if s := snap.Find(b.HTTPReqs, name); s == nil || s.Sum != want {
			t.Errorf("%s: %+v, want %v", name, s, want)
		}
	}
	if s := snap.Find(r.all[Counter], "group:::setup"); s == nil || s.Sum != 5 {
		t.Errorf("sample aside: %+v", s)
	}
	if snap.Find(b.HTTPReqs, "") != nil || snap.Find(r.all[Counter], "") != nil || len(snap.Endpoints)+len(snap.Failures) > 0 {
		t.Error("what is aside is in the headline numbers")
	}
	if s, _ := part.View(); s != nil {
		t.Errorf("what is aside is in a part: %+v", s)
	}
	if got := len(tap.Take()); got != 10 {
		t.Errorf("the tap saw %d samples, want 10", got)
	}
}
