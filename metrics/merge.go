// Hot path: merging records of known tags allocates nothing.

package metrics

import "math/bits"

// The samples of the records that stand for several, in the order in which outputs
// see them.
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
	slotIterationDuration
	slotIterations
	slotDataSent
	slotDataReceived
	slots
)

// slotSet is a set of slots.
type slotSet uint32

// The slots of each kind of record; of a request, those that every one fills.
const (
	requestSlots   slotSet = 1<<(slotReceiving+1) - 1
	iterationSlots slotSet = 1<<slotIterationDuration | 1<<slotIterations
	dataSlots      slotSet = 1<<slotDataSent | 1<<slotDataReceived
)

func (s slotSet) has(slot int) bool { return s&(1<<slot) != 0 }

func slotMetrics(b *Builtin) [slots]*Metric {
	return [slots]*Metric{
		b.HTTPReqs, b.HTTPReqDuration, b.HTTPReqBlocked, b.HTTPReqConnecting, b.HTTPReqTLSHandshaking,
		b.HTTPReqSending, b.HTTPReqWaiting, b.HTTPReqReceiving, b.HTTPReqFailed, b.HTTPReqResponseTime,
		b.IterationDuration, b.Iterations, b.DataSent, b.DataReceived,
	}
}

// columns are the samples of one chunk by slot: nanoseconds if the slot's metric is
// a time, else whole numbers. Adding a chunk column by column keeps one trend in
// the cache at a time.
type columns [slots][]int64

// merge adds a chunk of records to the series. The store's lock is held.
func (s *Store) merge(chunk []record) {
	for i := range s.columns {
		s.columns[i] = s.columns[i][:0]
	}
	for i := range chunk {
		if r := &chunk[i]; r.kind == ofSample {
			s.mergeSample(r)
		} else {
			s.mergeSlots(r)
		}
	}
	for slot, values := range s.columns {
		if len(values) > 0 {
			s.own(s.slotMetrics[slot]).addColumn(values)
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

// mergeSlots adds a record that stands for several samples.
func (s *Store) mergeSlots(r *record) {
	var values [slots]int64
	used := r.samples(&values)
	for set := used; set != 0; set &= set - 1 {
		slot := bits.TrailingZeros32(uint32(set))
		s.columns[slot] = append(s.columns[slot], values[slot])
	}
	for _, more := range s.slotSeries(r.tags, used) {
		if used.has(more.slot) {
			more.series.addInt(values[more.slot])
		}
	}
	if r.kind != ofRequest {
		return
	}
	o := r.outcome
	o.endpoint = s.endpoints.add(o.endpoint, o.Name, values[slotDuration], o.Failed)
	if o.Failed {
		o.failure = s.failures.add(o.failure, o, r.at)
	}
}

// samples sets the samples of a record and returns the slots it fills.
func (r *record) samples(values *[slots]int64) slotSet {
	switch r.kind {
	case ofIteration:
		values[slotIterations], values[slotIterationDuration] = 1, r.ints[0]
		return iterationSlots
	case ofData:
		values[slotDataSent], values[slotDataReceived] = r.ints[0], r.ints[1]
		return dataSlots
	}
	p, used := &r.phases, requestSlots
	values[slotReqs] = 1
	values[slotDuration] = p.Duration()
	values[slotBlocked] = p.Blocked
	values[slotConnecting] = p.Connecting
	values[slotTLSHandshaking] = p.TLSHandshaking
	values[slotSending] = p.Sending
	values[slotWaiting] = p.Waiting
	values[slotReceiving] = p.Receiving
	if r.outcome.Judged {
		used |= 1 << slotFailed
		if r.outcome.Failed {
			values[slotFailed] = 1
		}
	}
	if p.Late >= 0 {
		used |= 1 << slotResponseTime
		values[slotResponseTime] = p.Late + values[slotDuration]
	}
	return used
}

// feedTaps hands the samples of a chunk to every tap.
func (s *Store) feedTaps(chunk []record) {
	batch := s.batch[:0]
	for i := range chunk {
		if r := &chunk[i]; r.kind == ofSample {
			batch = append(batch, Sample{r.metric, r.at, r.value, r.tags, r.meta})
		} else {
			batch = s.appendSlots(batch, r)
		}
	}
	for _, t := range s.taps {
		t.add(batch)
	}
	clear(batch)
	s.batch = batch
}

// appendSlots expands a record into its samples.
func (s *Store) appendSlots(batch []Sample, r *record) []Sample {
	var values [slots]int64
	used := r.samples(&values)
	for slot, m := range s.slotMetrics {
		if !used.has(slot) {
			continue
		}
		value := float64(values[slot])
		if m.nanos {
			value = millis(values[slot])
		}
		batch = append(batch, Sample{m, r.at, value, r.tags, r.meta})
	}
	return batch
}
