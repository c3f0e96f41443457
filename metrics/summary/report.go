// Package summary makes the end-of-test report: as data, as text for people, as
// the JSON of --summary-export and as what a script's handleSummary receives.
//
// The command line builds a Report from the last snapshot of a run and the
// verdicts on it, and writes it in one or several of these forms. The package
// reads metrics and thresholds; it opens no files and runs no script.
package summary

import (
	"time"

	"github.com/jsload/jsload/metrics"
)

// Report is all that can be said about a run once it is over. It is plain data:
// nothing in it changes after Build.
type Report struct {
	// Options are those that the report was built with.
	Options Options
	// Duration is the length of the test, setup and teardown included; rates
	// are per this time.
	Duration time.Duration
	// Total holds everything that was measured.
	Total Section
	// Root is the tree of groups and checks; its name is empty.
	Root *metrics.GroupView
	// Groups and Scenarios are the parts of the test, in full mode only: the
	// groups of the scenario called default, and the other scenarios by name.
	Groups    []Section
	Scenarios []Section
	// Endpoints has a row per request name, the busiest first; empty without
	// HTTP requests.
	Endpoints []Endpoint
	// EndpointsFolded tells that names beyond the limit share the row (other).
	EndpointsFolded bool
	// Failures has a row per cause, the most frequent first.
	Failures []Failure
	// Generator is nil if nothing is known of it.
	Generator *Generator
}

// Section is the whole test or a part of it.
type Section struct {
	// Name is that of the scenario or group; empty for the whole test.
	Name string
	// Metrics are sorted by name; sub-metrics follow their parent and are
	// there for the whole test only.
	Metrics []Metric
	// Checks are those of the section and of the groups in it.
	Checks []metrics.CheckView
	// Groups are the groups inside a scenario or group, in order of first use.
	Groups []Section
}

// Metric is one metric or sub-metric with its values.
type Metric struct {
	// Name is the full name, such as http_req_duration{status:200}.
	Name string
	// Parent and Suffix are the parts of a sub-metric's name; empty for others.
	Parent, Suffix string
	Kind           metrics.Kind
	Contains       metrics.Contains
	// Samples is how many samples there were. A metric without any is in a
	// report only if a threshold names it; all its numbers are 0.
	Samples uint64

	// Count and PerSecond belong to counters.
	Count, PerSecond float64
	// Value belongs to gauges, Min and Max to gauges as well.
	Value, Min, Max float64
	// Hits of Samples were not zero; it belongs to rates.
	Hits uint64
	// Trend has a number for each of Options.TrendStats.
	Trend []float64

	// Thresholds are in the order of the options.
	Thresholds []Threshold
}

// Ratio is the part of samples that were hits, from 0 to 1.
func (m *Metric) Ratio() float64 {
	if m.Samples == 0 {
		return 0
	}
	return float64(m.Hits) / float64(m.Samples)
}

// Threshold is an expression with its verdict.
type Threshold struct {
	// Source is the expression as written, Method its left side.
	Source, Method string
	// Label says which part of the run was judged; empty for the whole.
	Label string
	OK    bool
	// Observed is the number that was judged.
	Observed float64
	// Samples is how many samples were judged; Hits of them were not zero, which
	// belongs to rates.
	Samples, Hits uint64
	// NoData tells that there were none.
	NoData bool
}

// Endpoint is what happened to the requests of one name. Times are in
// milliseconds.
type Endpoint struct {
	Name               string
	Count, Failed      uint64
	P50, P95, P99, Max float64
}

// Failure is one cause of failure.
type Failure struct {
	// Cause says what went wrong, Where at which endpoint; Where is empty if
	// there were too many to tell apart.
	Cause, Where string
	Count        uint64
	// First is when it was first seen, since the start of the test.
	First time.Duration
}
