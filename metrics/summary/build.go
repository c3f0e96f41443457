package summary

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/metrics/threshold"
)

// Input is what a report is made from.
type Input struct {
	// Snapshot is the last one of the run, taken as the test ended.
	Snapshot *metrics.Snapshot
	// Verdicts are the final ones on that snapshot, nil without thresholds.
	Verdicts threshold.Verdicts
	// Duration is the length of the test; the verdicts must be made with it.
	Duration time.Duration
	Options  Options
	// Generator is how the machine fared; nil if that is not known.
	Generator *Generator
}

// Build makes the report of a run.
func Build(in Input) *Report {
	b := &builder{Input: in, verdicts: make(map[string]threshold.Verdicts)}
	if len(b.Options.TrendStats) == 0 {
		b.Options.TrendStats = DefaultTrendStats()
	}
	for _, v := range in.Verdicts {
		b.verdicts[v.Target.Name] = append(b.verdicts[v.Target.Name], v)
	}
	r := &Report{Options: b.Options, Duration: in.Duration, Root: in.Snapshot.Groups, Generator: in.Generator}
	if r.Root == nil {
		r.Root = &metrics.GroupView{}
	}
	r.Total = Section{Metrics: b.metrics(in.Snapshot.Series), Checks: flatten(nil, r.Root)}
	if in.Options.Mode == Full {
		b.parts(r)
	}
	b.endpoints(r)
	b.failures(r)
	return r
}

type builder struct {
	Input
	verdicts map[string]threshold.Verdicts
}

// metrics turns series into metrics, sorted. A series without samples counts
// only if a threshold is on it.
func (b *builder) metrics(series []*metrics.Series) []Metric {
	var out []Metric
	for _, s := range series {
		verdicts := b.verdicts[s.Name()]
		if s.Samples == 0 && len(verdicts) == 0 {
			continue
		}
		m := b.metric(s)
		for _, v := range verdicts {
			m.Thresholds = append(m.Thresholds, thresholdOf(v))
		}
		out = append(out, m)
	}
	sortMetrics(out)
	return out
}

func thresholdOf(v threshold.Verdict) Threshold {
	t := Threshold{
		Source: v.Rule.Source, Method: v.Rule.Method(), Label: v.Rule.Label(),
		OK: v.OK, Observed: v.Observed, NoData: v.NoData,
	}
	if v.Series != nil {
		t.Samples, t.Hits = uint64(v.Series.Samples), uint64(v.Series.Trues)
	}
	return t
}

func (b *builder) metric(s *metrics.Series) Metric {
	m := Metric{
		Name: s.Name(), Suffix: s.Suffix, Kind: s.Metric.Kind, Contains: s.Metric.Contains,
		Samples: uint64(s.Samples),
	}
	if s.Suffix != "" {
		m.Parent = s.Metric.Name
	}
	observe := func(a threshold.Aggregate, quantile float64) float64 {
		return threshold.Observe(s, a, quantile, b.Duration)
	}
	switch m.Kind {
	case metrics.Counter:
		m.Count, m.PerSecond = observe(threshold.Count, 0), observe(threshold.Rate, 0)
	case metrics.Gauge:
		m.Value = observe(threshold.Value, 0)
		if s.Samples > 0 {
			m.Min, m.Max = s.Min, s.Max
		}
	case metrics.Rate:
		m.Hits = uint64(s.Trues)
	case metrics.Trend:
		for _, stat := range b.Options.TrendStats {
			m.Trend = append(m.Trend, observe(stat.Aggregate, stat.Quantile))
		}
	}
	return m
}

// flatten lists the checks of a group and of the groups in it.
func flatten(checks []metrics.CheckView, g *metrics.GroupView) []metrics.CheckView {
	checks = append(checks, g.Checks...)
	for _, sub := range g.Groups {
		checks = flatten(checks, sub)
	}
	return checks
}

// parts fills in the scenarios, sorted by name, with their groups in the order
// of first use. Of the scenario called default only the groups are shown: it is
// what a test without scenarios has. Samples outside any scenario (setup and
// teardown) count in the totals only.
func (b *builder) parts(r *Report) {
	scenarios := make(map[string]*Section)
	var names []string
	for _, scope := range b.Snapshot.Scopes {
		if scope.Scenario == "" {
			continue
		}
		if scenarios[scope.Scenario] == nil {
			scenarios[scope.Scenario] = &Section{Name: scope.Scenario}
			names = append(names, scope.Scenario)
		}
		if scope.Group == "" {
			whole := scenarios[scope.Scenario]
			whole.Metrics, whole.Checks = b.partMetrics(scope), scope.Checks
		}
	}
	slices.SortFunc(names, compareNames)
	for _, name := range names {
		section := scenarios[name]
		section.Groups = b.groups(name, "")
		if name == "default" {
			r.Groups = section.Groups
			continue
		}
		r.Scenarios = append(r.Scenarios, *section)
	}
}

// partMetrics leaves sub-metrics and thresholds to the totals.
func (b *builder) partMetrics(scope *metrics.Scope) []Metric {
	var out []Metric
	for _, s := range scope.Series {
		if s.Suffix == "" && s.Samples > 0 {
			out = append(out, b.metric(s))
		}
	}
	sortMetrics(out)
	return out
}

// groups returns the groups directly inside a group of a scenario.
func (b *builder) groups(scenario, parent string) []Section {
	var out []Section
	for _, scope := range b.Snapshot.Scopes {
		name, ok := strings.CutPrefix(scope.Group, parent+metrics.GroupSeparator)
		if scope.Scenario != scenario || !ok || name == "" || strings.Contains(name, metrics.GroupSeparator) {
			continue
		}
		out = append(out, Section{
			Name: name, Metrics: b.partMetrics(scope), Checks: scope.Checks,
			Groups: b.groups(scenario, scope.Group),
		})
	}
	return out
}

func (b *builder) endpoints(r *Report) {
	for _, e := range b.Snapshot.Endpoints {
		r.Endpoints = append(r.Endpoints, endpoint(e))
	}
	if other := b.Snapshot.Other; other != nil {
		row := endpoint(other)
		row.Name = cmp.Or(row.Name, "(other)")
		r.Endpoints = append(r.Endpoints, row)
		r.EndpointsFolded = true
	}
}

func endpoint(e *metrics.Endpoint) Endpoint {
	row := Endpoint{Name: e.Name, Count: uint64(e.Count), Failed: uint64(e.Failed)}
	if d := e.Duration; d != nil {
		row.P50, row.P95, row.P99, row.Max = d.Med(), d.Quantile(0.95), d.Quantile(0.99), d.Max()
	}
	return row
}

// failures counts times from the start of the test, not from that of the process:
// loading a script may take a while.
func (b *builder) failures(r *Report) {
	start := max(0, time.Duration(b.Snapshot.At)-b.Duration)
	for _, f := range b.Snapshot.Failures {
		r.Failures = append(r.Failures, Failure{
			Cause: cause(f), Where: f.Name, Count: uint64(f.Count), First: max(0, time.Duration(f.First)-start),
		})
	}
}

// maxExample is how much of an error's text a row quotes.
const maxExample = 100

// cause names what went wrong. The error code of a response with a bad status
// says no more than the status.
func cause(f *metrics.Failure) string {
	var parts []string
	if f.Status != 0 {
		parts = append(parts, "status "+strconv.Itoa(f.Status))
	}
	if f.Text != "" {
		parts = append(parts, f.Text)
	}
	if f.Code != 0 && f.Code != 1000+f.Status {
		parts = append(parts, "(error code "+strconv.Itoa(f.Code)+")")
	}
	if len(parts) == 0 {
		return "unknown cause"
	}
	text := strings.Join(parts, " ")
	if f.Example != "" {
		text += ", such as: " + shorten(f.Example, maxExample)
	}
	return text
}
