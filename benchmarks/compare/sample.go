package main

import (
	"fmt"
	"slices"
	"time"
)

// sample is one run of one tool.
type sample struct {
	requests  int64 // by the target's count
	cpu, wall time.Duration
}

// cost is the processor time of one request in microseconds, start-up included.
func (s sample) cost() float64 { return float64(s.cpu.Microseconds()) / float64(s.requests) }

// rate is requests per second of wall time, start-up included.
func (s sample) rate() float64 { return float64(s.requests) / s.wall.Seconds() }

// String shows a run in one line.
func (s sample) String() string {
	return fmt.Sprintf("%8d requests %9.0f/s %7.2f us of CPU per request", s.requests, s.rate(), s.cost())
}

// ratios compares two tools pair by pair: only runs that followed each other saw
// the same machine.
func ratios(base, other string, runs map[string][]sample) string {
	var cost, rate []float64
	for i, b := range runs[base] {
		o := runs[other][i]
		cost = append(cost, o.cost()/b.cost())
		rate = append(rate, o.rate()/b.rate())
	}
	return fmt.Sprintf("  %s to %s: CPU per request %s, requests/s %s", other, base, spread(cost), spread(rate))
}

// spread shows the median and the range.
func spread(values []float64) string {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return fmt.Sprintf("%.3f (%.3f..%.3f)", (sorted[(n-1)/2]+sorted[n/2])/2, sorted[0], sorted[n-1])
}
