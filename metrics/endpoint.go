package metrics

import (
	"cmp"
	"slices"
)

// MaxEndpoints is how many names of requests have a row of their own.
const MaxEndpoints = 200

// otherName is the row of the endpoints that have none, and of the causes of
// failure beyond the limits.
const otherName = "(other)"

// endpoint is the live state behind an Endpoint.
type endpoint struct {
	name          string
	count, failed int64
	uncertain     int64
	duration      nanoTrend
	place         int
}

func (e *endpoint) add(ns int64, failed bool) {
	e.count++
	if failed {
		e.failed++
	}
	e.duration.add(ns)
}

func (e *endpoint) view() *Endpoint {
	return &Endpoint{Name: e.name, Count: e.count, Failed: e.failed, Uncertain: e.uncertain, Duration: e.duration.view()}
}

// endpoints counts requests by name in bounded memory, the way of the space-saving
// algorithm: when all rows are taken, a new name takes the row of the name with
// the least count and starts from that count as its uncertainty, so a name that is
// frequent in truth cannot lose its row for long. What the row held goes to other.
// The store's lock guards it.
type endpoints struct {
	rows   []*endpoint
	byName map[string]*endpoint
	// bound is, by row, the most requests the name may have had. It lies apart
	// from the rows because looking for the least walks it whole.
	bound []int64
	other *endpoint
}

// add counts one request. found is the row that an earlier request of the name had,
// or nil; the result is the row it has now.
func (t *endpoints) add(found *endpoint, name string, ns int64, failed bool) *endpoint {
	if found == nil || found.name != name {
		if found = t.byName[name]; found == nil {
			found = t.enter(name)
		}
	}
	t.bound[found.place]++
	found.add(ns, failed)
	return found
}

func (t *endpoints) enter(name string) *endpoint {
	e := &endpoint{name: name, place: len(t.rows)}
	if len(t.rows) < MaxEndpoints {
		t.rows, t.bound = append(t.rows, e), append(t.bound, 0)
	} else {
		t.evict(e)
	}
	if t.byName == nil {
		t.byName = make(map[string]*endpoint)
	}
	t.byName[name] = e
	return e
}

// evict gives e the place of the row with the least bound.
func (t *endpoints) evict(e *endpoint) {
	for i, b := range t.bound {
		if i == 0 || b < t.bound[e.place] {
			e.place = i
		}
	}
	old := t.rows[e.place]
	t.rows[e.place] = e
	e.uncertain = t.bound[e.place]
	delete(t.byName, old.name)
	if t.other == nil {
		t.other = &endpoint{name: otherName}
	}
	t.other.count += old.count
	t.other.failed += old.failed
	t.other.duration.merge(&old.duration)
	// Outcomes may still point at the old row: no name equals this one.
	old.name = "\x00evicted"
}

func (t *endpoints) view() (rows []*Endpoint, other *Endpoint) {
	for _, e := range t.rows {
		rows = append(rows, e.view())
	}
	slices.SortStableFunc(rows, func(a, b *Endpoint) int { return cmp.Compare(b.Count, a.Count) })
	if t.other != nil {
		other = t.other.view()
	}
	return rows, other
}
