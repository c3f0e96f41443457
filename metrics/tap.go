package metrics

import "sync"

// Sample is one raw measurement, as outputs see it.
type Sample struct {
	Metric *Metric
	// At is when it was measured, in nanoseconds since the run's epoch.
	At    int64
	Value float64
	// Tags are indexed; Metadata (vu, iter, the script's own) is not, and empty
	// for most samples.
	Tags, Metadata TagSet
}

// DefaultTapLimit is how many samples a tap holds before writers wait.
const DefaultTapLimit = 200_000

// Tap collects raw samples for one reader, in the order in which the store saw
// them. Nothing is dropped: when the reader is behind, writers wait. Make one
// with Store.AddTap; without taps no sample is ever materialised.
type Tap struct {
	limit int
	ready chan struct{}

	mu      sync.Mutex
	room    sync.Cond
	pending []Sample
	// last is how many samples the last Take gave: the next is likely as large.
	last   int
	closed bool
}

func newTap(limit int) *Tap {
	if limit <= 0 {
		limit = DefaultTapLimit
	}
	t := &Tap{limit: limit, ready: make(chan struct{}, 1)}
	t.room.L = &t.mu
	return t
}

// Take returns the samples since the last call, nil if there are none. The
// caller owns them. It does not drain the shards: call Store.Drain or
// Store.Snapshot before it to see everything recorded so far.
func (t *Tap) Take() []Sample {
	t.mu.Lock()
	defer t.mu.Unlock()
	taken := t.pending
	t.pending, t.last = nil, len(taken)
	t.room.Broadcast()
	return taken
}

// Ready receives when the tap is half full, so that a reader can take the
// samples before its next tick.
func (t *Tap) Ready() <-chan struct{} { return t.ready }

// Close releases waiting writers; samples that come later are dropped.
func (t *Tap) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed, t.pending = true, nil
	t.room.Broadcast()
}

// add appends one drained chunk. It never waits, because the store's lock is held.
func (t *Tap) add(batch []Sample) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return
	}
	if t.pending == nil {
		t.pending = make([]Sample, 0, max(len(batch), t.last))
	}
	t.pending = append(t.pending, batch...)
	if len(t.pending) >= t.limit/2 {
		select {
		case t.ready <- struct{}{}:
		default:
		}
	}
}

// wait returns when there is room again.
func (t *Tap) wait() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.pending) >= t.limit && !t.closed {
		t.room.Wait()
	}
}
