package metrics

import "math/bits"

// Aside returns the shard for samples that do not belong to the headline numbers,
// such as those of setup if the user wants it so. Taps see them like all others;
// otherwise they count only in sub-metrics that ask for their group by name.
func (s *Store) Aside() *Shard { return s.aside }

// mergeAside is merge for the records of the aside shard. The store's lock is held.
func (s *Store) mergeAside(chunk []record) {
	for i := range chunk {
		r := &chunk[i]
		if r.kind == ofSample {
			for _, sub := range s.byGroup(r.metric, r.tags) {
				sub.add(r.value)
			}
			continue
		}
		var values [slots]int64
		for set := r.samples(&values); set != 0; set &= set - 1 {
			slot := bits.TrailingZeros32(uint32(set))
			for _, sub := range s.byGroup(s.slotMetrics[slot], r.tags) {
				sub.addInt(values[slot])
			}
		}
	}
	if len(s.taps) > 0 {
		s.feedTaps(chunk)
	}
}

// byGroup returns the sub-metrics that samples with these tags belong to because
// of their group.
func (s *Store) byGroup(m *Metric, tags TagSet) []*series {
	var found []*series
	for _, sub := range s.own(m).subs {
		for _, t := range sub.filter {
			if t.Key == "group" && sub.matches(tags) {
				found = append(found, sub)
				break
			}
		}
	}
	return found
}
