package metrics

import "time"

// Snapshot is an immutable view of everything a store holds. It shares memory
// with the store and with other snapshots; taking one costs microseconds.
type Snapshot struct {
	// At is when it was taken, in nanoseconds since the run's epoch.
	At int64
	// Series are those that got samples or are watched: the metrics in the order
	// in which they were made, each followed by its sub-metrics.
	Series []*Series
	// Groups is the root of the tree of groups and checks.
	Groups *GroupView
	// Scopes are the series by scenario and group; empty unless the store keeps them.
	Scopes []*Scope
	// Endpoints are the requests by name, most frequent first. At most
	// MaxEndpoints names have a row; the requests of the others are in Other.
	Endpoints []*Endpoint
	// Other is nil if every name has a row.
	Other *Endpoint
	// Failures are the causes of failed requests, most frequent first.
	Failures []*Failure
	// Clamped is how many times were negative and counted as zero in a histogram.
	Clamped int64
}

// Find returns the series of a metric (suffix empty) or of a sub-metric by the
// text between its braces, or nil.
func (s *Snapshot) Find(m *Metric, suffix string) *Series { return findSeries(s.Series, m, suffix) }

// Series is what became of the samples of one metric or sub-metric. Which fields
// are set depends on the metric's kind.
type Series struct {
	Metric *Metric
	// Suffix is the text between the braces of a sub-metric, as it was given to
	// Store.Watch, and Filter what it means. Both are empty for a whole metric.
	Suffix string
	Filter []Tag

	// Samples is how many samples there were. Zero means that the other fields
	// say nothing.
	Samples int64
	// Sum is the value of a counter.
	Sum float64
	// Value, Min and Max are those of a gauge.
	Value, Min, Max float64
	// Trues is how many samples of a rate were not zero.
	Trues int64
	// Dist is the distribution of a trend: never nil there, nil for other kinds.
	Dist *Distribution
}

// Name returns name or name{suffix}.
func (s *Series) Name() string {
	if s.Suffix == "" {
		return s.Metric.Name
	}
	return s.Metric.Name + "{" + s.Suffix + "}"
}

// Rate returns the share of non-zero samples of a rate, from 0 to 1; 0 without samples.
func (s *Series) Rate() float64 {
	if s.Samples == 0 {
		return 0
	}
	return float64(s.Trues) / float64(s.Samples)
}

// PerSecond returns a counter's sum divided by the duration; 0 for a duration of 0.
func (s *Series) PerSecond(d time.Duration) float64 {
	if d <= 0 {
		return 0
	}
	return s.Sum / d.Seconds()
}

// Scope holds the series of what happened in one scenario, or in one group of a
// scenario and the groups inside it.
type Scope struct {
	// Scenario is the value of the scenario tag, Group the path of the group; an
	// empty Group means the whole scenario.
	Scenario, Group string
	Series          []*Series
	Checks          []CheckView
}

// Find returns the series of a metric, or nil.
func (s *Scope) Find(m *Metric) *Series { return findSeries(s.Series, m, "") }

// Endpoint is what became of the requests of one name.
type Endpoint struct {
	Name string
	// Count is the number of requests, Failed of those among them whose status
	// was not expected or that got no response.
	Count, Failed int64
	// Uncertain is how many more requests the name may have had before it got its
	// row; they are in the row of other names. Zero as long as names fit.
	Uncertain int64
	// Duration is the distribution of http_req_duration in milliseconds.
	Duration *Distribution
}

// Failure is one cause of failed requests.
type Failure struct {
	Name string
	// Status is the response's, 0 if there was none. Code is the error code, 0 if
	// there is none. Text is empty if the status alone is the reason.
	Status, Code int
	Text         string
	// Example is the first error text of the kind that Text names; empty if Text is
	// all there is to say.
	Example string
	Count   int64
	// First and Last are when it was seen, in nanoseconds since the epoch.
	First, Last int64
}

func findSeries(all []*Series, m *Metric, suffix string) *Series {
	for _, s := range all {
		if s.Metric == m && s.Suffix == suffix {
			return s
		}
	}
	return nil
}
