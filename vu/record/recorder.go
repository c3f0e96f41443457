// Package record turns what virtual users do into records of the metrics store:
// exchanges, checks, groups, iterations, custom samples. It is the only writer of
// the store's shards and the only place that knows which tags a sample carries.
//
// The script modules, the native tier and the executors call it; it calls metrics
// and reads exchanges of vu/client/proto. It aggregates nothing and does no I/O.
package record

import (
	"maps"
	"slices"

	"github.com/jsload/jsload/metrics"
)

// Config is what a recorder is made from.
type Config struct {
	// Store receives the records. Required.
	Store *metrics.Store
	// SystemTags are the tags that the tool puts on samples. Zero means none.
	SystemTags metrics.SystemTags
	// RunTags are on every sample of the run.
	RunTags map[string]string
}

// Recorder is one per run. It makes the writers of virtual users and records what
// belongs to none of them. Safe for concurrent use.
type Recorder struct {
	store   *metrics.Store
	builtin *metrics.Builtin
	epoch   metrics.Epoch
	system  metrics.SystemTags
	run     metrics.TagSet
	sites   sites
}

// New returns a recorder.
func New(cfg Config) *Recorder {
	registry := cfg.Store.Registry()
	return &Recorder{
		store:   cfg.Store,
		builtin: registry.Builtin(),
		epoch:   cfg.Store.Epoch(),
		system:  cfg.SystemTags,
		run:     registry.Tags().Extend(sorted(cfg.RunTags)...),
	}
}

// Builtin returns the built-in metrics.
func (r *Recorder) Builtin() *metrics.Builtin { return r.builtin }

// SystemTags returns the tags that are on.
func (r *Recorder) SystemTags() metrics.SystemTags { return r.system }

// Now returns the nanoseconds since the run's epoch.
func (r *Recorder) Now() int64 { return r.epoch.Now() }

// VUs records how many virtual users are active and how many exist, with the
// run's tags only. It is called once per second.
func (r *Recorder) VUs(active, initialised int) {
	sh, at := r.store.Shard(0), r.epoch.Now()
	sh.Sample(at, r.builtin.VUs, float64(active), r.run, metrics.TagSet{})
	sh.Sample(at, r.builtin.VUsMax, float64(initialised), r.run, metrics.TagSet{})
}

// Scenario is what a recorder knows of one scenario. Safe for concurrent use.
type Scenario struct {
	recorder *Recorder
	tags     metrics.TagSet
}

// Scenario returns the tags of a scenario: the run's, under the scenario's own,
// with the system tags scenario and group.
func (r *Recorder) Scenario(name string, tags map[string]string) *Scenario {
	set := r.run.Extend(sorted(tags)...)
	if r.system.Has(metrics.TagScenario) {
		set = set.With("scenario", name)
	}
	if r.system.Has(metrics.TagGroup) {
		set = set.With("group", "")
	}
	return &Scenario{recorder: r, tags: set}
}

// Dropped records n iterations that were due and not started; zero is ignored.
func (s *Scenario) Dropped(n int64) {
	if n == 0 {
		return
	}
	r := s.recorder
	r.store.Shard(0).Sample(r.epoch.Now(), r.builtin.DroppedIterations, float64(n), s.tags, metrics.TagSet{})
}

// Tags returns the tags that samples of the scenario begin with.
func (s *Scenario) Tags() metrics.TagSet { return s.tags }

// sorted returns the pairs of a map in the order of their keys.
func sorted(m map[string]string) []metrics.Tag {
	list := make([]metrics.Tag, 0, len(m))
	for _, k := range slices.Sorted(maps.Keys(m)) {
		list = append(list, metrics.Tag{Key: k, Value: m[k]})
	}
	return list
}
