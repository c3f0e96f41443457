// Hot path: recording allocates nothing; handing over a full chunk allocates only
// for series, pages and tags that are new.

package metrics

import "sync"

// chunkSize is how many records a shard gathers before its writer drains them: 120
// KiB, which stays in a core's second-level cache. Larger chunks were no faster.
const chunkSize = 1024

// Phases says how long the phases of a request took, in nanoseconds.
type Phases struct {
	Blocked, Connecting, TLSHandshaking, Sending, Waiting, Receiving int64
	// Late is how late the iteration of an arrival-rate scenario began, which
	// makes the response time. It is negative in other iterations.
	Late int64
}

// Duration is the time of the request itself, without getting a connection.
func (p *Phases) Duration() int64 { return p.Sending + p.Waiting + p.Receiving }

// Outcome is all that many requests of one call site have in common: made once,
// shared by their records. Its exported fields do not change after its first use.
type Outcome struct {
	// Tags are those of all samples of the request.
	Tags TagSet
	// Judged is true if the request makes a sample of http_req_failed, with the
	// value of Failed. Failed also decides the tables of endpoints and failures.
	Judged, Failed bool
	// Name, Status, Code and Text are what those tables show, whatever tags are on.
	Name         string
	Status, Code int
	Text         string
	// Example is an error text of the kind that Text names; empty if Text says all.
	Example string

	// The rows found by the store, which guards them.
	endpoint *endpoint
	failure  *failure
}

// kind says what a record holds.
type kind uint8

const (
	// ofSample: metric, value, and check if it is one.
	ofSample kind = iota
	// ofRequest: outcome and phases. All other kinds but ofSample stand for
	// several samples.
	ofRequest
	// ofIteration: the duration of a complete iteration in ints[0].
	ofIteration
	// ofData: bytes sent and received in ints.
	ofData
)

// record is one entry of a chunk, two cache lines. Fields that its kind does not
// use hold what was there before.
type record struct {
	kind    kind
	at      int64
	outcome *Outcome
	metric  *Metric
	check   *Check
	value   float64
	ints    [2]int64
	tags    TagSet
	meta    TagSet
	phases  Phases
}

// Shard is where some of the virtual users write. Safe for concurrent use.
type Shard struct {
	store *Store

	mu sync.Mutex
	// chunk is being filled while spare is being drained. A drain holds the
	// store's lock, so whoever has both locks may exchange them.
	chunk, spare []record
}

func newShard(s *Store) *Shard {
	return &Shard{store: s, chunk: make([]record, 0, chunkSize), spare: make([]record, 0, chunkSize)}
}

// Request records one request that ended at the given time, in nanoseconds since
// the epoch. meta may be the zero TagSet.
func (sh *Shard) Request(at int64, o *Outcome, p *Phases, meta TagSet) {
	sh.mu.Lock()
	r := sh.next()
	r.kind, r.at, r.outcome, r.phases, r.tags, r.meta = ofRequest, at, o, *p, o.Tags, meta
	sh.done()
}

// Sample records one value of a metric. NaN is ignored.
func (sh *Shard) Sample(at int64, m *Metric, value float64, tags, meta TagSet) {
	if value != value {
		return
	}
	sh.sample(at, m, nil, value, tags, meta)
}

// Check records the result of a check as a sample of the checks metric, and in
// the tree of groups unless c is nil.
func (sh *Shard) Check(at int64, c *Check, ok bool, tags, meta TagSet) {
	value := 0.0
	if ok {
		value = 1
	}
	sh.sample(at, sh.store.builtin.Checks, c, value, tags, meta)
}

func (sh *Shard) sample(at int64, m *Metric, c *Check, value float64, tags, meta TagSet) {
	sh.mu.Lock()
	r := sh.next()
	r.kind, r.at, r.metric, r.check, r.value, r.tags, r.meta = ofSample, at, m, c, value, tags, meta
	sh.done()
}

// Iteration records a complete iteration and its duration in nanoseconds.
func (sh *Shard) Iteration(at, duration int64, tags, meta TagSet) {
	sh.mu.Lock()
	r := sh.next()
	r.kind, r.at, r.ints[0], r.tags, r.meta = ofIteration, at, duration, tags, meta
	sh.done()
}

// Data records bytes that went over the wire.
func (sh *Shard) Data(at, sent, received int64, tags, meta TagSet) {
	sh.mu.Lock()
	r := sh.next()
	r.kind, r.at, r.ints, r.tags, r.meta = ofData, at, [2]int64{sent, received}, tags, meta
	sh.done()
}

// next returns the next free record. It holds what was there before.
func (sh *Shard) next() *record {
	sh.chunk = sh.chunk[:len(sh.chunk)+1]
	return &sh.chunk[len(sh.chunk)-1]
}

// done releases the shard, draining a full chunk first and then waiting for
// outputs that are behind.
func (sh *Shard) done() {
	if len(sh.chunk) < chunkSize {
		sh.mu.Unlock()
		return
	}
	for _, t := range sh.drain() {
		t.wait()
	}
}

// flush drains what there is. It does not wait for outputs.
func (sh *Shard) flush() {
	sh.mu.Lock()
	sh.drain()
}

// drain merges the chunk into the store and returns the taps it fed. It is called
// with the shard's lock and releases it as soon as the store's is held, so that
// other writers go on while the order of chunks is kept.
func (sh *Shard) drain() []*Tap {
	s := sh.store
	s.mu.Lock()
	defer s.mu.Unlock()
	full := sh.chunk
	sh.chunk, sh.spare = sh.spare[:0], full
	sh.mu.Unlock()
	if sh == s.aside {
		s.mergeAside(full)
	} else {
		s.merge(full)
	}
	return s.taps
}
