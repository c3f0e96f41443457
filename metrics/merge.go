// Hot path: merging records of known tags allocates nothing.

package metrics

// The samples of one request, in the order in which outputs see them.
const (
	slotReqs = iota
	slotDuration
	slotBlocked
	slotConnecting
	slotTLSHandshaking
	slotSending
	slotWaiting
	slotReceiving
	slotFailed
	slotResponseTime
	httpSlots
)

func requestMetrics(b *Builtin) [httpSlots]*Metric {
	return [httpSlots]*Metric{
		b.HTTPReqs, b.HTTPReqDuration, b.HTTPReqBlocked, b.HTTPReqConnecting, b.HTTPReqTLSHandshaking,
		b.HTTPReqSending, b.HTTPReqWaiting, b.HTTPReqReceiving, b.HTTPReqFailed, b.HTTPReqResponseTime,
	}
}

// merge adds a chunk of records to the series. The store's lock is held.
func (s *Store) merge(chunk []record) {
	for i := range chunk {
		if r := &chunk[i]; r.outcome != nil {
			s.mergeRequest(r)
		} else {
			s.mergeSample(r)
		}
	}
	if len(s.taps) > 0 {
		s.feedTaps(chunk)
	}
}

func (s *Store) mergeSample(r *record) {
	s.own(r.metric).add(r.value)
	more, scopes := s.otherSeries(r.metric, r.tags)
	for _, sub := range more {
		sub.add(r.value)
	}
	if r.check != nil {
		r.check.count(r.value != 0)
		for _, sc := range scopes {
			sc.check(r.check, r.value != 0)
		}
	}
}

func (c *Check) count(ok bool) {
	if ok {
		c.passes++
	} else {
		c.fails++
	}
}

func (s *Store) mergeRequest(r *record) {
	o, p := r.outcome, &r.phases
	duration := p.Duration()
	more := s.httpSeries(o.Tags)

	s.countRequest(slotReqs, more, 1)
	s.timeRequest(slotDuration, more, duration)
	s.timeRequest(slotBlocked, more, p.Blocked)
	s.timeRequest(slotConnecting, more, p.Connecting)
	s.timeRequest(slotTLSHandshaking, more, p.TLSHandshaking)
	s.timeRequest(slotSending, more, p.Sending)
	s.timeRequest(slotWaiting, more, p.Waiting)
	s.timeRequest(slotReceiving, more, p.Receiving)
	if o.Judged {
		s.countRequest(slotFailed, more, truth(o.Failed))
	}
	if p.Late >= 0 {
		s.timeRequest(slotResponseTime, more, p.Late+duration)
	}

	o.endpoint = s.endpoints.add(o.endpoint, o.Name, duration, o.Failed)
	if o.Failed {
		o.failure = s.failures.add(o.failure, o, r.at)
	}
}

func (s *Store) countRequest(slot int, more *[httpSlots][]*series, value float64) {
	s.own(s.httpMetrics[slot]).add(value)
	for _, sub := range more[slot] {
		sub.add(value)
	}
}

func (s *Store) timeRequest(slot int, more *[httpSlots][]*series, ns int64) {
	s.own(s.httpMetrics[slot]).addNanos(ns)
	for _, sub := range more[slot] {
		sub.addNanos(ns)
	}
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// feedTaps hands the samples of a chunk to every tap.
func (s *Store) feedTaps(chunk []record) {
	batch := s.batch[:0]
	for i := range chunk {
		if r := &chunk[i]; r.outcome != nil {
			batch = s.appendRequest(batch, r)
		} else {
			batch = append(batch, Sample{r.metric, r.at, r.value, r.tags, r.meta})
		}
	}
	for _, t := range s.taps {
		t.add(batch)
	}
	clear(batch)
	s.batch = batch
}

// appendRequest expands a request into its samples.
func (s *Store) appendRequest(batch []Sample, r *record) []Sample {
	p := &r.phases
	times := [...]int64{p.Duration(), p.Blocked, p.Connecting, p.TLSHandshaking, p.Sending, p.Waiting, p.Receiving}
	add := func(slot int, value float64) {
		batch = append(batch, Sample{s.httpMetrics[slot], r.at, value, r.outcome.Tags, r.meta})
	}
	add(slotReqs, 1)
	for i, ns := range times {
		add(slotDuration+i, millis(ns))
	}
	if r.outcome.Judged {
		add(slotFailed, truth(r.outcome.Failed))
	}
	if p.Late >= 0 {
		add(slotResponseTime, millis(p.Late+times[0]))
	}
	return batch
}
