// Hot path: adding a sample to a series allocates nothing once its trend is warm.

package metrics

// series is the live state behind a Series. The store's lock guards it.
type series struct {
	metric  *Metric
	suffix  string
	filter  []Tag
	watched bool
	// hidden keeps it out of snapshots; closed makes it ignore samples.
	hidden, closed bool

	samples         int64
	sum             float64
	value, min, max float64
	trues           int64
	nanos           nanoTrend
	floats          floatTrend
}

func (s *series) add(v float64) {
	if s.closed {
		return
	}
	if s.metric.Kind == Trend {
		if s.metric.nanos {
			s.addNanos(nanos(v))
			return
		}
		s.samples++
		s.floats.add(v)
		return
	}
	s.samples++
	switch s.metric.Kind {
	case Counter:
		s.sum = finite(s.sum + v)
	case Gauge:
		s.addGauge(finite(v))
	case Rate:
		if v != 0 {
			s.trues++
		}
	}
}

func (s *series) addGauge(v float64) {
	if s.samples == 1 {
		s.min, s.max = v, v
	}
	s.value, s.min, s.max = v, min(s.min, v), max(s.max, v)
}

// addNanos adds to a built-in time.
func (s *series) addNanos(ns int64) {
	s.samples++
	s.nanos.add(ns)
}

// addInt adds nanoseconds if the metric is a built-in time, else a whole number.
func (s *series) addInt(v int64) {
	if s.closed {
		return
	}
	if s.metric.nanos {
		s.addNanos(v)
	} else {
		s.add(float64(v))
	}
}

// addColumn adds the samples of one slot of a chunk: what addInt does for each.
func (s *series) addColumn(values []int64) {
	s.samples += int64(len(values))
	if s.metric.nanos {
		s.nanos.addAll(values)
		return
	}
	// What is no time is a counter or a rate of 0 and 1, which its sum counts.
	var sum int64
	for _, v := range values {
		sum += v
	}
	if s.metric.Kind == Rate {
		s.trues += sum
	} else {
		s.sum = finite(s.sum + float64(sum))
	}
}

// matches tells whether a sample with these tags belongs to the sub-metric.
func (s *series) matches(tags TagSet) bool {
	for _, t := range s.filter {
		if !tags.Has(t.Key, t.Value) {
			return false
		}
	}
	return true
}

func (s *series) view() *Series {
	v := &Series{
		Metric: s.metric, Suffix: s.suffix, Filter: s.filter, Samples: s.samples,
		Sum: s.sum, Value: s.value, Min: s.min, Max: s.max, Trues: s.trues,
	}
	if s.metric.Kind == Trend {
		if s.metric.nanos {
			v.Dist = s.nanos.view()
		} else {
			v.Dist = s.floats.view()
		}
	}
	return v
}
