// Package output is how results leave the process while a test runs: what a sink
// must do, how sinks are chosen by name, and the pump that feeds them.
//
// The engine starts one Pump per run; each sink lives in a package below this
// one. The package reads metrics and thresholds. It opens no files and decides
// nothing about the test: thresholds and progress are hooks of the pump.
package output

import (
	"time"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/metrics/threshold"
)

// Output is a sink for results. All methods are called from one goroutine, in
// this order: Start, Write any number of times, Stop. None may block much longer
// than a tick: while it does, nothing else gets results.
type Output interface {
	// Start opens the sink before the first sample. An error ends the test
	// before it begins; then Stop is not called.
	Start(run Run) (Needs, error)
	// Write passes on what happened since the last call. After an error, which
	// is logged, Write is not called again and the test goes on.
	Write(b Batch) error
	// Stop writes what is left and closes the sink, also after an error of Write.
	Stop() error
}

// ToFile is an Output that writes a file.
type ToFile interface {
	Output
	// File returns the file's name, empty for standard output.
	File() string
}

// Run is what a sink may know of the run.
type Run struct {
	Epoch      metrics.Epoch
	Registry   *metrics.Registry
	SystemTags metrics.SystemTags
	// Thresholds may be nil.
	Thresholds *threshold.Set
}

// Needs says what a sink wants in its batches.
type Needs struct {
	// Samples asks for raw samples, Snapshots for aggregates.
	Samples, Snapshots bool
	// Every is the longest time between two batches; zero is DefaultPeriod.
	// Batches with samples come earlier when there are many.
	Every time.Duration
}

// DefaultPeriod is the time between two batches if a sink does not care.
const DefaultPeriod = 200 * time.Millisecond

// Batch is what a sink gets. It is shared between sinks, which may keep the
// snapshot but not the samples, and change neither.
type Batch struct {
	// Samples are those since the last batch; nil unless the sink wants samples.
	Samples []metrics.Sample
	// Snapshot is nil unless the sink wants snapshots and its period is over.
	Snapshot *metrics.Snapshot
	// Final is true in the last batch of a run.
	Final bool
}
