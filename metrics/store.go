package metrics

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
	cfg  Config
	taps []*Tap
	root *Group
}

// NewStore returns an empty store.
func NewStore(cfg Config) *Store { return &Store{cfg: cfg, root: NewGroup()} }

// Root returns the root of the tree of groups.
func (s *Store) Root() *Group { return s.root }

// Watch makes the store keep the sub-metric of the samples that have all tags of
// filter, under the name metric{suffix}; with an empty suffix and no filter, the
// metric itself, so that snapshots show it even without samples. Samples recorded
// earlier are not counted. Watching twice is no error.
func (s *Store) Watch(m *Metric, suffix string, filter ...Tag) {}

// AddTap makes the store hand out raw samples recorded from now on; limit is how
// many may be pending before writers wait, 0 means DefaultTapLimit.
func (s *Store) AddTap(limit int) *Tap { return newTap(limit) }

// Drain merges what the shards hold.
func (s *Store) Drain() {}

// Snapshot drains the shards and returns what the store holds.
func (s *Store) Snapshot() *Snapshot { return &Snapshot{} }

// Series returns one series as a snapshot would, without draining; nil if it
// does not exist.
func (s *Store) Series(m *Metric, suffix string) *Series { return nil }
