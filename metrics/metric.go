// Package metrics says what can be measured, where measurements are written and
// how they are merged into series.
//
// vu/record writes to it; vu/engine, thresholds, the summary and the outputs read
// snapshots and raw samples from it; modules create custom metrics. It calls only
// its internal packages. It knows nothing of HTTP beyond the shape of one record
// and does not judge, print or send anything.
package metrics

import (
	"fmt"
	"regexp"
	"sync"

	"github.com/jsload/jsload/metrics/internal/tags"
)

// Kind is how the samples of a metric are aggregated.
type Kind uint8

// The kinds of metrics.
const (
	Counter Kind = iota + 1 // sum of values
	Gauge                   // last value, minimum, maximum
	Rate                    // share of non-zero values
	Trend                   // distribution of values
)

// String returns counter, gauge, rate or trend.
func (k Kind) String() string {
	switch k {
	case Counter:
		return "counter"
	case Gauge:
		return "gauge"
	case Rate:
		return "rate"
	case Trend:
		return "trend"
	}
	return "unknown"
}

// Contains is the unit of a metric's values.
type Contains uint8

// The units of values.
const (
	Default Contains = iota // plain numbers
	Time                    // milliseconds
	Data                    // bytes
)

// String returns default, time or data.
func (c Contains) String() string {
	switch c {
	case Time:
		return "time"
	case Data:
		return "data"
	}
	return "default"
}

// Metric is one thing that is measured. A registry makes metrics; they are
// compared by pointer and never change.
type Metric struct {
	Name     string
	Kind     Kind
	Contains Contains

	// index is the metric's place in its registry.
	index int
	// nanos is true for the built-in times, whose series count whole nanoseconds.
	nanos bool
}

// Registry knows all metrics of a run by name. Make one with NewRegistry. Safe
// for concurrent use.
type Registry struct {
	mu      sync.RWMutex
	byName  map[string]*Metric
	all     []*Metric
	builtin *Builtin
	table   *tags.Table
	hide    func(string) string
}

// NewRegistry returns a registry that holds the built-in metrics.
func NewRegistry() *Registry {
	r := &Registry{byName: make(map[string]*Metric), table: tags.NewTable()}
	r.builtin = newBuiltin(r)
	return r
}

// Builtin returns the built-in metrics.
func (r *Registry) Builtin() *Builtin { return r.builtin }

// Tags returns the empty tag set from which interned sets grow.
func (r *Registry) Tags() TagSet { return r.table.Empty() }

// Hide makes f replace what must not leave the process, such as secrets, in the keys
// and values of tags and in the names that samples bring along. It is called before
// the registry is used, and f is safe for concurrent use.
func (r *Registry) Hide(f func(string) string) {
	r.hide = f
	r.table.Hide(f)
}

// Hidden returns a text as f of Hide gives it. Writers of samples use it for names
// that are no tags.
func (r *Registry) Hidden(text string) string {
	if r.hide == nil {
		return text
	}
	return r.hide(text)
}

// validName is the rule for names of metrics.
var validName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{1,128}$`)

// New returns the metric of this name, made if it is new. It fails if the name
// is malformed or taken by a metric of another kind. The unit of an existing
// metric stays what it was.
func (r *Registry) New(name string, kind Kind, contains Contains) (*Metric, error) {
	if !validName.MatchString(name) {
		return nil, &NameError{Name: name}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if m := r.byName[name]; m != nil {
		if m.Kind != kind {
			return nil, &KindError{Name: name, Have: m.Kind, Want: kind}
		}
		return m, nil
	}
	return r.add(name, kind, contains), nil
}

// add appends a metric. The caller holds the lock or is alone.
func (r *Registry) add(name string, kind Kind, contains Contains) *Metric {
	m := &Metric{Name: name, Kind: kind, Contains: contains, index: len(r.all)}
	r.byName[name] = m
	r.all = append(r.all, m)
	return m
}

// Lookup returns the metric of this name, or nil.
func (r *Registry) Lookup(name string) *Metric {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.byName[name]
}

// All returns all metrics in the order in which they were made.
func (r *Registry) All() []*Metric {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return append([]*Metric(nil), r.all...)
}

// NameError says that a metric cannot have this name. Its text is shown to
// script authors and begins with a capital letter because scripts match it.
type NameError struct{ Name string }

func (e *NameError) Error() string {
	return fmt.Sprintf("Invalid metric name: %q (a letter or underscore, then 1 to 128 ASCII letters, digits or underscores)", e.Name)
}

// KindError says that a metric of this name exists with another kind.
type KindError struct {
	Name       string
	Have, Want Kind
}

func (e *KindError) Error() string {
	return fmt.Sprintf("metric '%s' already exists but with type %s, instead of %s", e.Name, e.Have, e.Want)
}
