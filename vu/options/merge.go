package options

import (
	"fmt"

	"github.com/jsload/jsload/vu/segment"
)

// Merged is the configuration of a test: all layers as one, checked.
type Merged struct {
	// Options are what the layers say together. Scenarios are set whatever way
	// the load was given; SystemTags and SummaryTrendStats have their defaults.
	Options Options
	// Given is Options before the scenarios were derived from shortcuts. An
	// archive keeps it, so that running it derives them anew.
	Given Options
	// Share is this instance's part of the test.
	Share segment.Striper
	// Warnings are those of the layers and of merging, in this order.
	Warnings []Problem
}

// Merge lays layers over one another, the lowest first, derives the scenarios
// and checks everything. exports are the functions a scenario may name; nil
// skips that check. The error, if any, is Problems with all that is wrong in
// any layer or in the whole; the result is there even then, for its warnings.
func Merge(exports []string, layers ...Layer) (*Merged, error) {
	m := merger{}
	for _, layer := range layers {
		m.lay(layer)
	}
	merged := &Merged{Given: m.options}
	m.conflicts()
	m.derive()
	m.fillDefaults()
	m.check(exports)
	m.locate(merged)
	merged.Options, merged.Warnings = m.options, m.warnings
	return merged, m.problems.Err()
}

// merger is a merge under way.
type merger struct {
	decoder // collects warnings and problems
	options Options
}

// lay puts one layer on top.
func (m *merger) lay(layer Layer) {
	m.warnings = append(m.warnings, layer.Warnings...)
	m.problems = append(m.problems, layer.Problems...)
	upper := layer.Options
	if upper.Rate.Set && upper.RPS.Set {
		m.exclusive("rate", "rps")
	}
	// Users alone join the load of lower layers, unless that is scenarios,
	// which have users of their own.
	if upper.setsLoad() || (upper.VUs.Set && m.options.Scenarios.Set) {
		m.wipeLoad(layer.Name)
	}
	for _, e := range entries() {
		e.merge(&m.options, &upper)
	}
}

// setsLoad reports whether any option is set that says what load to make.
func (o *Options) setsLoad() bool {
	return o.Duration.Set || o.Iterations.Set || o.Stages.Set || o.Scenarios.Set || o.Rate.Set
}

// wipeLoad unsets what lower layers said of the load.
func (m *merger) wipeLoad(level string) {
	if len(m.options.Scenarios.V) > 0 {
		m.warn("scenarios", "", "%q level configuration overrode scenarios configuration entirely", level)
	}
	o := &m.options
	o.Duration, o.Iterations, o.Rate = Null[Duration]{}, Null[int64]{}, Null[int64]{}
	o.Stages, o.Scenarios = Null[[]Stage]{}, Null[[]Scenario]{}
}

// conflicts reports options of one layer that say different things of the load.
func (m *merger) conflicts() {
	o := &m.options
	given := []struct {
		key string
		set bool
	}{
		{"rate", o.Rate.Set}, {"duration", o.Duration.Set}, {"iterations", o.Iterations.Set},
		{"stages", o.Stages.Set}, {"scenarios", o.Scenarios.Set},
	}
	for i, a := range given {
		for _, b := range given[i+1:] {
			together := b.key == "duration" || (a.key == "duration" && b.key == "iterations")
			if a.set && b.set && !together {
				m.exclusive(a.key, b.key)
			}
		}
	}
}

func (m *merger) exclusive(a, b string) {
	m.problems = append(m.problems, Problem{
		Path:    a,
		Message: fmt.Sprintf("using `%s` and `%s` options simultaneously is not allowed", a, b),
		Hint:    "choose one, or use scenarios",
	})
}

// derive sets Scenarios from the shortcuts.
func (m *merger) derive() {
	o := &m.options
	if len(o.Scenarios.V) > 0 {
		return
	}
	s := Scenario{Name: DefaultScenario, Executor: PerVUIterations}
	switch {
	case o.Scenarios.Set:
		m.warn("scenarios", "", "`scenarios` is empty: the script runs 1 iteration with 1 VU")
	case o.Rate.Set:
		m.deriveRate(&s)
	case o.Stages.Set && len(o.Stages.V) == 0:
		m.warn("stages", "", "`stages` is empty: the script runs 1 iteration with 1 VU")
	case o.Stages.Set:
		s.Executor, s.StartVUs, s.Stages = RampingVUs, o.VUs, o.Stages
	case o.Iterations.Set:
		s.Executor, s.VUs, s.Iterations, s.MaxDuration = SharedIterations, o.VUs, o.Iterations, o.Duration
	case o.Duration.Set:
		s.Executor, s.VUs, s.Duration = ConstantVUs, o.VUs, o.Duration
	case o.VUs.Set:
		s.Executor, s.VUs, s.Iterations = SharedIterations, o.VUs, o.VUs
	}
	o.Scenarios = Some([]Scenario{s})
}

// deriveRate makes the scenario of a rate and a duration. Unless vus says how
// many users to prepare, they suffice for iterations of 100 ms, and may grow to
// what iterations of a second need.
func (m *merger) deriveRate(s *Scenario) {
	rate := m.options.Rate.V
	s.Executor, s.Rate, s.Duration = ConstantArrivalRate, m.options.Rate, m.options.Duration
	if !s.Duration.Set {
		m.problems = append(m.problems, Problem{
			Path: "scenarios.default.duration", Message: "`rate` needs a `duration`", Hint: "add --duration 1m",
		})
	}
	users := m.options.VUs.Or(max(1, (rate+9)/10))
	s.PreAllocatedVUs, s.MaxVUs = Some(users), Some(max(users, rate))
}

// fillDefaults sets the options whose defaults are part of the output.
func (m *merger) fillDefaults() {
	o := &m.options
	if !o.SystemTags.Set { // an empty list means none
		o.SystemTags = Some(DefaultSystemTags())
	}
	fill(&o.SummaryTrendStats, DefaultTrendStats())
}

// locate finds this instance's part of the test.
func (m *merger) locate(merged *Merged) {
	o := &m.options
	if !o.ExecutionSegment.Set && !o.ExecutionSegmentSequence.Set {
		return
	}
	share, err := segment.Locate(o.ExecutionSegment.V, o.ExecutionSegmentSequence.V)
	if err != nil {
		m.problems = append(m.problems, Problem{Path: "executionSegment", Message: err.Error()})
	}
	merged.Share = share
}

// WithDefaults returns the options with every default set that does not depend
// on the product: Scenarios, UserAgent and what has no default stay as they are.
func (o Options) WithDefaults() Options {
	const minute, second = Duration(60e9), Duration(1e9)
	for _, b := range []*Null[bool]{
		&o.Paused, &o.NoSetup, &o.NoTeardown, &o.Throw, &o.DiscardResponseBodies, &o.NoConnectionReuse,
		&o.NoVUConnectionReuse, &o.NoCookiesReset, &o.InsecureSkipTLSVerify, &o.Linger,
	} {
		fill(b, false)
	}
	fill(&o.SetupTimeout, minute)
	fill(&o.TeardownTimeout, minute)
	fill(&o.HandleSummaryTimeout, 120*second)
	fill(&o.MinIterationDuration, 0)
	fill(&o.RPS, 0)
	fill(&o.MaxRedirects, 10)
	fill(&o.Batch, 20)
	fill(&o.BatchPerHost, 6)
	fill(&o.DNS.TTL, TTL{Duration: 5 * minute})
	fill(&o.DNS.Select, SelectRandom)
	fill(&o.DNS.Policy, PolicyPreferIPv4)
	fill(&o.SystemTags, DefaultSystemTags())
	fill(&o.SummaryTrendStats, DefaultTrendStats())
	fill(&o.MetricSamplesBufferSize, 1000)
	return o
}
