package metrics

import "time"

// Epoch is the instant from which one run counts its nanoseconds. All instants
// on hot paths are int64 nanoseconds since it, read from the monotonic clock.
// The zero Epoch is unusable.
type Epoch struct{ start time.Time }

// NewEpoch returns the epoch that begins at start, which should carry a
// monotonic reading (as time.Now gives).
func NewEpoch(start time.Time) Epoch { return Epoch{start} }

// Now returns the nanoseconds since the epoch.
func (e Epoch) Now() int64 { return int64(time.Since(e.start)) }

// Time converts nanoseconds since the epoch to a point in time.
func (e Epoch) Time(ns int64) time.Time { return e.start.Add(time.Duration(ns)) }

// Since converts a point in time to nanoseconds since the epoch.
func (e Epoch) Since(t time.Time) int64 { return int64(t.Sub(e.start)) }
