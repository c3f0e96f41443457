package metrics

import "time"

// Part keeps the samples of a metric, or of those that have some tags, for a part
// of the run only: while it is open, and then no more than the latest slices of
// time. A sample belongs to the instant at which it is recorded, a request so to
// that of its end. Safe for concurrent use.
type Part struct {
	store  *Store
	slices int
	// The store's lock guards what follows. live is routed to like a sub-metric;
	// past are the slices before it, the oldest first.
	live series
	past []partSlice
	// since is when the live slice was last opened, open how long it was before.
	since int64
	open  time.Duration
}

// partSlice is a slice of time that is over.
type partSlice struct {
	series series
	open   time.Duration
}

// WatchPart makes the store keep a part of a metric, or of the samples that have
// all tags of filter. It begins open. slices is how many slices of time it keeps,
// the current one included, see Turn; 0 means that it forgets nothing. Parts are
// not in snapshots.
func (s *Store) WatchPart(m *Metric, slices int, filter ...Tag) *Part {
	p := &Part{store: s, slices: slices, live: series{metric: m, filter: filter, hidden: true}, since: s.cfg.Epoch.Now()}
	s.mu.Lock()
	defer s.mu.Unlock()
	own := s.own(m)
	own.subs = append(own.subs, &p.live)
	s.version++
	return p
}

// SetOpen opens or closes the part for the samples to come.
func (p *Part) SetOpen(open bool) {
	p.change(func(now int64) {
		if !p.live.closed {
			p.open += time.Duration(now - p.since)
		}
		p.live.closed, p.since = !open, now
	})
}

// Turn begins a new slice of time and forgets the oldest one if there are too
// many. It does nothing in a part that forgets nothing.
func (p *Part) Turn() {
	if p.slices == 0 {
		return
	}
	p.change(func(now int64) {
		p.past = append(p.past, partSlice{p.live.take(), p.length(now)})
		p.past = p.past[max(0, len(p.past)-p.slices+1):]
		p.open, p.since = 0, now
	})
}

// change calls f once everything recorded so far is in the part.
func (p *Part) change(f func(now int64)) {
	p.store.Drain()
	p.store.mu.Lock()
	defer p.store.mu.Unlock()
	f(p.store.cfg.Epoch.Now())
}

// length is how long the live slice has been open.
func (p *Part) length(now int64) time.Duration {
	if p.live.closed {
		return p.open
	}
	return p.open + time.Duration(now-p.since)
}

// View returns the samples of the part and how long it has been open for them. It
// does not drain the shards. The series is nil without samples.
func (p *Part) View() (*Series, time.Duration) {
	p.store.mu.Lock()
	defer p.store.mu.Unlock()
	open := p.length(p.store.cfg.Epoch.Now())
	all := series{metric: p.live.metric}
	for i := range p.past {
		all.merge(&p.past[i].series)
		open += p.past[i].open
	}
	all.merge(&p.live)
	if all.samples == 0 {
		return nil, open
	}
	return all.view(), open
}

// take returns what the series holds and empties it.
func (s *series) take() series {
	taken := *s
	*s = series{metric: s.metric, filter: s.filter, hidden: s.hidden, closed: s.closed}
	return taken
}

// merge adds what o holds, which is later.
func (s *series) merge(o *series) {
	if o.samples == 0 {
		return
	}
	if s.samples == 0 {
		s.min, s.max = o.min, o.max
	}
	s.samples += o.samples
	s.sum = finite(s.sum + o.sum)
	s.value, s.min, s.max = o.value, min(s.min, o.min), max(s.max, o.max)
	s.trues += o.trues
	if s.metric.nanos {
		s.nanos.merge(&o.nanos)
	} else if s.metric.Kind == Trend {
		s.floats.merge(&o.floats)
	}
}

// merge adds what o holds.
func (t *floatTrend) merge(o *floatTrend) {
	if o.hist == nil {
		for _, v := range o.exact {
			t.add(v)
		}
		return
	}
	if t.hist == nil {
		t.spill()
	}
	if t.count == 0 {
		t.min, t.max = o.min, o.max
	}
	t.count += o.count
	t.sum = finite(t.sum + o.sum)
	t.min, t.max = min(t.min, o.min), max(t.max, o.max)
	t.hist.Merge(o.hist)
}
