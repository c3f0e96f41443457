package threshold

import (
	"slices"
	"strings"
	"time"

	"github.com/jsload/jsload/metrics"
)

// Verdict is the outcome of one rule.
type Verdict struct {
	Target Target
	Metric *metrics.Metric
	Rule   Rule
	// Series is what was judged, of a part of the run if the rule is about one; nil
	// without samples.
	Series *metrics.Series
	// Observed is the number that was compared.
	Observed float64
	// NoData tells that there were no samples.
	NoData bool
	OK     bool
	// Abort tells that the rule failed and wants the test to end now.
	Abort bool
}

// Verdicts are the outcomes of a set, in the order of its subjects and rules.
type Verdicts []Verdict

// EvaluateRunning judges the metrics that have samples, while the test runs.
// elapsed is the time since its start.
func (s *Set) EvaluateRunning(snapshot *metrics.Snapshot, elapsed time.Duration) Verdicts {
	return s.evaluate(snapshot, elapsed, false)
}

// EvaluateFinal judges all metrics after the test. elapsed must be the duration
// that the summary is built with, so that both show the same rates.
//
// Without samples a rate passes every comparison, and counters, gauges and
// trends count as 0; strict rules all fail.
func (s *Set) EvaluateFinal(snapshot *metrics.Snapshot, elapsed time.Duration) Verdicts {
	return s.evaluate(snapshot, elapsed, true)
}

func (s *Set) evaluate(snapshot *metrics.Snapshot, elapsed time.Duration, final bool) Verdicts {
	var verdicts Verdicts
	for i := range s.Subjects() {
		subject := &s.subjects[i]
		if subject.Metric == nil {
			continue
		}
		whole := snapshot.Find(subject.Metric, subject.Suffix)
		for _, rule := range subject.Rules {
			v := Verdict{Target: subject.Target, Metric: subject.Metric, Rule: rule, Series: whole}
			length := elapsed
			if rule.Part != nil {
				v.Series, length = rule.Part.View()
			}
			if v.NoData = v.Series == nil || v.Series.Samples == 0; v.NoData && !final {
				continue
			}
			v.judge(elapsed, length)
			verdicts = append(verdicts, v)
		}
	}
	return verdicts
}

// judge compares. elapsed is the time since the start of the test, length that of
// the part of it which is judged.
func (v *Verdict) judge(elapsed, length time.Duration) {
	switch {
	case v.NoData && v.Rule.Strict:
		v.OK = false
	case v.NoData && v.Metric.Kind == metrics.Rate:
		v.OK = true
	default:
		v.Observed = Observe(v.Series, v.Rule.Aggregate, v.Rule.Quantile, length)
		v.OK = v.Rule.Holds(v.Observed)
	}
	v.Abort = !v.OK && v.Rule.AbortOnFail && elapsed > v.Rule.DelayAbortEval
}

// Observe returns the aggregate of a series, whose metric must have it. The
// summary prints its numbers through this function too, so that a threshold
// always judges what the user reads. A nil series or one without samples is 0.
func Observe(s *metrics.Series, a Aggregate, quantile float64, elapsed time.Duration) float64 {
	if s == nil || s.Samples == 0 {
		return 0
	}
	if s.Dist != nil {
		return observeTrend(s.Dist, a, quantile)
	}
	switch {
	case a == Count:
		return s.Sum
	case a == Rate && s.Metric.Kind == metrics.Counter:
		return s.PerSecond(elapsed)
	case a == Rate:
		return s.Rate()
	case a == Value:
		return s.Value
	}
	return 0
}

func observeTrend(d *metrics.Distribution, a Aggregate, quantile float64) float64 {
	switch a {
	case Avg:
		return d.Avg()
	case Min:
		return d.Min()
	case Max:
		return d.Max()
	case Med:
		return d.Med()
	case Percentile:
		return d.Quantile(quantile / 100)
	case Count:
		return float64(d.Count())
	}
	return 0
}

// Crossed returns the names of the targets that failed, sorted, each once.
func (v Verdicts) Crossed() []string {
	var names []string
	for _, one := range v {
		if !one.OK {
			names = append(names, one.Target.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Abort reports whether a failed rule wants the test to end now.
func (v Verdicts) Abort() bool {
	return slices.ContainsFunc(v, func(one Verdict) bool { return one.Abort })
}

// Message says which thresholds were crossed at the end; empty if none was.
func (v Verdicts) Message() string {
	names := v.Crossed()
	if len(names) == 0 {
		return ""
	}
	return "thresholds on metrics '" + strings.Join(names, ", ") + "' have been crossed"
}

// AbortMessage says why thresholds end a test before its time.
func (v Verdicts) AbortMessage() string {
	return "thresholds on metrics '" + strings.Join(v.Crossed(), ", ") +
		"' were crossed; at least one has abortOnFail enabled, stopping test prematurely"
}
