package metrics

// route remembers to which series, beside the metric's own, the samples of one tag
// set go. It hangs on the tag set as a note, so that draining a known set looks
// nothing up, and dies with it. The store's lock guards it.
type route struct {
	// version is the store's when the route was made; watching makes it stale.
	version int
	// bySlot are the further series of the slots that were seen.
	bySlot []slotSeries
	seen   slotSet
	others []metricRoute
	scopes []*scope
}

// slotSeries is a series that takes the samples of one slot.
type slotSeries struct {
	slot   int
	series *series
}

type metricRoute struct {
	metric *Metric
	series []*series
}

// route returns the note of a tag set, made if it is new or stale.
func (s *Store) route(tags TagSet) *route {
	if r, ok := tags.Note(s).(*route); ok && r.version == s.version {
		return r
	}
	r := &route{version: s.version, scopes: s.scopesOf(tags)}
	tags.SetNote(s, r)
	return r
}

// slotSeries returns the further series of a tag set, at least of the given slots.
func (s *Store) slotSeries(tags TagSet, used slotSet) []slotSeries {
	r := s.route(tags)
	if missing := used &^ r.seen; missing != 0 {
		for slot, m := range s.slotMetrics {
			if !missing.has(slot) {
				continue
			}
			for _, found := range s.targets(m, tags, r.scopes) {
				r.bySlot = append(r.bySlot, slotSeries{slot, found})
			}
		}
		r.seen |= missing
	}
	return r.bySlot
}

// otherSeries returns the further series of a sample, and its scopes.
func (s *Store) otherSeries(m *Metric, tags TagSet) ([]*series, []*scope) {
	if !s.cfg.Scopes && len(s.own(m).subs) == 0 {
		return nil, nil
	}
	r := s.route(tags)
	for i := range r.others {
		if r.others[i].metric == m {
			return r.others[i].series, r.scopes
		}
	}
	found := s.targets(m, tags, r.scopes)
	r.others = append(r.others, metricRoute{m, found})
	return found, r.scopes
}

// targets finds the sub-metrics that match and the metric's series in each scope.
func (s *Store) targets(m *Metric, tags TagSet, scopes []*scope) []*series {
	var found []*series
	for _, sub := range s.own(m).subs {
		if sub.matches(tags) {
			found = append(found, sub)
		}
	}
	for _, sc := range scopes {
		found = append(found, sc.series(m))
	}
	return found
}
