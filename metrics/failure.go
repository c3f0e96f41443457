package metrics

import (
	"cmp"
	"slices"
)

// Causes of failure are told apart by name up to the first limit, then without
// the name up to the second; beyond, they share one row.
const (
	maxNamedFailures = 100
	maxFailures      = 150
)

// failure is the live state behind a Failure. Rows are never given up.
type failure struct{ Failure }

type failureKey struct {
	name         string
	status, code int
	text         string
}

// failures counts failed requests by cause. The store's lock guards it.
type failures struct {
	rows  []*failure
	byKey map[failureKey]*failure
}

// add counts one failed request. found is the row that the outcome had before, or
// nil; the result is the row it has now.
func (t *failures) add(found *failure, o *Outcome, at int64) *failure {
	if found == nil {
		found = t.find(failureKey{o.Name, o.Status, o.Code, o.Text}, o, at)
	}
	found.Count++
	found.First, found.Last = min(found.First, at), max(found.Last, at)
	return found
}

func (t *failures) find(key failureKey, o *Outcome, at int64) *failure {
	if f := t.byKey[key]; f != nil {
		return f
	}
	if len(t.rows) >= maxNamedFailures && key.name != "" {
		key.name = ""
		return t.find(key, o, at)
	}
	if len(t.rows) >= maxFailures-1 {
		key = failureKey{text: otherName}
		if f := t.byKey[key]; f != nil {
			return f
		}
	}
	f := &failure{Failure{Name: key.name, Status: key.status, Code: key.code, Text: key.text, First: at, Last: at}}
	if key.text == o.Text {
		f.Example = o.Example
	}
	if t.byKey == nil {
		t.byKey = make(map[failureKey]*failure)
	}
	t.byKey[key] = f
	t.rows = append(t.rows, f)
	return f
}

func (t *failures) view() []*Failure {
	views := make([]*Failure, 0, len(t.rows))
	for _, f := range t.rows {
		v := f.Failure
		views = append(views, &v)
	}
	slices.SortStableFunc(views, func(a, b *Failure) int { return cmp.Compare(b.Count, a.Count) })
	return views
}
