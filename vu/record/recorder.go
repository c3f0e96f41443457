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
	"time"

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
	// StagesAside keeps the samples of setup and teardown out of the headline
	// numbers; see metrics.Store.Aside.
	StagesAside bool
	// Expected is the time between two requests of a virtual user that a closed
	// loop meant to keep. It makes the recorder fill in what a slow answer kept from
	// being sent, as CorrectedDuration, a metric of its own. Zero for none.
	Expected time.Duration
}

// CorrectedDuration is the name of the metric behind Config.Expected: for every
// request of a closed loop its duration, and for every request that would have been
// due while it was under way what that would have waited. It only exists on demand.
const CorrectedDuration = "jsload_http_req_duration_corrected"

// Recorder is one per run. It makes the writers of virtual users and records what
// belongs to none of them. Safe for concurrent use.
type Recorder struct {
	store   *metrics.Store
	hidden  func(string) string // of metrics.Registry
	builtin *metrics.Builtin
	epoch   metrics.Epoch
	system  metrics.SystemTags
	run     metrics.TagSet
	aside   bool
	// corrected is nil unless expected, in nanoseconds, is above 0.
	corrected *metrics.Metric
	expected  int64
	sites     sites
	causes    causes
}

// New returns a recorder.
func New(cfg Config) *Recorder {
	registry := cfg.Store.Registry()
	r := &Recorder{
		store:   cfg.Store,
		hidden:  registry.Hidden,
		builtin: registry.Builtin(),
		epoch:   cfg.Store.Epoch(),
		system:  cfg.SystemTags,
		run:     registry.Tags().Extend(sorted(cfg.RunTags)...),
		aside:   cfg.StagesAside,
	}
	if cfg.Expected > 0 {
		// A script cannot have made it otherwise: the name is reserved.
		if m, err := registry.New(CorrectedDuration, metrics.Trend, metrics.Time); err == nil {
			r.corrected, r.expected = m, int64(cfg.Expected)
		}
	}
	return r
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
