package metrics

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// Config is what a store is made from. Registry and Epoch are required.
type Config struct {
	Registry *Registry
	Epoch    Epoch
	// SystemTags decide whether http_req_duration{expected_response:true} exists.
	SystemTags SystemTags
	// Shards is how many shards writers are spread over; 0 means GOMAXPROCS.
	Shards int
	// Scopes makes the store keep series by scenario and group too, for the full
	// summary.
	Scopes bool
}

// Store is the one aggregate of a run. Shards hand it chunks of records; readers
// take snapshots. Safe for concurrent use.
type Store struct {
	cfg     Config
	builtin *Builtin
	// slotMetrics are those of the records that stand for several samples.
	slotMetrics [slots]*Metric
	root        *Group
	shards      []*Shard
	aside       *Shard
	tapped      atomic.Bool

	// mu guards all that follows. It is taken after a shard's lock, never before.
	mu      sync.Mutex
	metrics []*ownSeries
	version int
	scopes  []*scope
	// scopesFolded tells that some had no room.
	scopesFolded bool
	scopesBy     map[[2]string]*scope
	endpoints    endpoints
	failures     failures
	taps         []*Tap
	// columns and batch are room that merging reuses.
	columns columns
	batch   []Sample
}

// ownSeries is the series of a whole metric with its sub-metrics.
type ownSeries struct {
	series
	subs []*series
}

// NewStore returns an empty store.
func NewStore(cfg Config) *Store {
	b := cfg.Registry.Builtin()
	s := &Store{cfg: cfg, builtin: b, slotMetrics: slotMetrics(b), root: NewGroup(), scopesBy: make(map[[2]string]*scope)}
	shards := cfg.Shards
	if shards <= 0 {
		shards = runtime.GOMAXPROCS(0)
	}
	for range shards {
		s.shards = append(s.shards, newShard(s))
	}
	s.aside = newShard(s)
	if cfg.SystemTags.Has(TagExpectedResponse) {
		sub := &series{metric: b.HTTPReqDuration, suffix: "expected_response:true", filter: []Tag{{Key: "expected_response", Value: "true"}}}
		own := s.own(b.HTTPReqDuration)
		own.subs = append(own.subs, sub)
	}
	return s
}

// Root returns the root of the tree of groups.
func (s *Store) Root() *Group { return s.root }

// Epoch returns the run's epoch.
func (s *Store) Epoch() Epoch { return s.cfg.Epoch }

// Registry returns the registry the store was made with.
func (s *Store) Registry() *Registry { return s.cfg.Registry }

// Shard returns the shard for the n-th writer. Writers share shards.
func (s *Store) Shard(n int) *Shard { return s.shards[n%len(s.shards)] }

// Tapped tells whether a tap has been added. Writers ask it before they make
// metadata, which nothing else reads.
func (s *Store) Tapped() bool { return s.tapped.Load() }

// own returns the series of a metric, made if it is new. The lock is held.
func (s *Store) own(m *Metric) *ownSeries {
	if m.index < len(s.metrics) {
		if o := s.metrics[m.index]; o != nil {
			return o
		}
	} else {
		s.metrics = append(s.metrics, make([]*ownSeries, m.index+1-len(s.metrics))...)
	}
	o := &ownSeries{series: series{metric: m}}
	s.metrics[m.index] = o
	return o
}

// Watch makes the store keep the sub-metric of the samples that have all tags of
// filter, under the name metric{suffix}; with an empty suffix and no filter, the
// metric itself. What is watched is in snapshots even without samples. Samples
// drained earlier are not counted. Watching twice is no error.
func (s *Store) Watch(m *Metric, suffix string, filter ...Tag) {
	s.mu.Lock()
	defer s.mu.Unlock()
	own := s.own(m)
	if suffix == "" {
		own.watched = true
		return
	}
	for _, sub := range own.subs {
		if sub.suffix == suffix && !sub.hidden {
			sub.watched = true
			return
		}
	}
	own.subs = append(own.subs, &series{metric: m, suffix: suffix, filter: slices.Clone(filter), watched: true})
	s.version++
}

// AddTap makes the store hand out raw samples drained from now on; limit is how
// many may be pending before writers wait, 0 means DefaultTapLimit.
func (s *Store) AddTap(limit int) *Tap {
	t := newTap(limit)
	s.mu.Lock()
	defer s.mu.Unlock()
	// The slice is read outside the lock, so it is never changed in place.
	s.taps = append(slices.Clip(s.taps), t)
	s.tapped.Store(true)
	return t
}

// Drain merges what the shards hold.
func (s *Store) Drain() {
	for _, sh := range s.shards {
		sh.flush()
	}
	s.aside.flush()
}

// Folded says which names and tags were more than a store keeps apart: what a script
// or a server makes up does not grow memory.
type Folded struct {
	// Groups and Checks had more names than MaxGroups and MaxChecks, or there were
	// too many groups by tag.
	Groups, Checks bool
	// TagSets is about how many different sets of tags there have been, MaxTagSets
	// up to where that is usual. They are not kept, but outputs may keep them.
	TagSets int
}

// MaxTagSets is a number of different sets of tags that few outputs can bear.
const MaxTagSets = 100_000

// Folded tells what the run did not keep apart so far.
func (s *Store) Folded() Folded {
	groups, checks := s.root.Folded()
	s.mu.Lock()
	defer s.mu.Unlock()
	return Folded{Groups: groups || s.scopesFolded, Checks: checks, TagSets: s.cfg.Registry.table.Distinct()}
}

// Snapshot drains the shards and returns what the store holds.
func (s *Store) Snapshot() *Snapshot {
	s.Drain()
	s.mu.Lock()
	defer s.mu.Unlock()
	snap := &Snapshot{At: s.cfg.Epoch.Now(), Groups: s.root.view(), Failures: s.failures.view()}
	snap.Endpoints, snap.Other = s.endpoints.view()
	for _, own := range s.metrics {
		if own == nil {
			continue
		}
		snap.Series = appendViews(snap.Series, &own.series)
		snap.Series = appendViews(snap.Series, own.subs...)
	}
	for _, v := range snap.Series {
		snap.Clamped += v.Dist.clamped()
	}
	for _, sc := range s.scopes {
		snap.Scopes = append(snap.Scopes, sc.view())
	}
	return snap
}

// appendViews appends the series that are there to be seen.
func appendViews(views []*Series, all ...*series) []*Series {
	for _, s := range all {
		if !s.hidden && (s.samples > 0 || s.watched) {
			views = append(views, s.view())
		}
	}
	return views
}

// Series returns one series as a snapshot would, without draining; nil if it
// has no samples and is not watched.
func (s *Store) Series(m *Metric, suffix string) *Series {
	s.mu.Lock()
	defer s.mu.Unlock()
	own := s.own(m)
	return findSeries(appendViews(appendViews(nil, &own.series), own.subs...), m, suffix)
}
