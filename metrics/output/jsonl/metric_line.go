package jsonl

import (
	"slices"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/metrics/threshold"
)

// metric appends the line that describes a metric, with the thresholds on it and
// its sub-metrics.
func (e *encoder) metric(m *metrics.Metric) {
	b := append(e.b, `{"type":"Metric","data":{"name":"`...)
	b = append(b, m.Name...)
	b = append(b, `","type":"`...)
	b = append(b, m.Kind.String()...)
	b = append(b, `","contains":"`...)
	b = append(b, m.Contains.String()...)
	b = append(b, `","thresholds":[`...)
	for i, r := range e.rulesOn(m) {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendRule(b, r)
	}
	b = append(b, `],"submetrics":`...)
	b = appendSubmetrics(b, e.submetricsOf(m))
	b = append(b, `},"metric":"`...)
	b = append(b, m.Name...)
	e.b = append(b, "\"}\n"...)
}

// rulesOn returns the thresholds on a whole metric.
func (e *encoder) rulesOn(m *metrics.Metric) []threshold.Rule {
	for _, s := range e.run.Thresholds.Subjects() {
		if s.Metric == m && !s.Sub() {
			return s.Rules
		}
	}
	return nil
}

// submetricsOf returns the sub-metrics that thresholds ask for, and the one that
// exists without being asked for.
func (e *encoder) submetricsOf(m *metrics.Metric) []threshold.Target {
	var subs []threshold.Target
	for _, s := range e.run.Thresholds.Subjects() {
		if s.Metric == m && s.Sub() {
			subs = append(subs, s.Target)
		}
	}
	if m != e.run.Registry.Builtin().HTTPReqDuration || !e.run.SystemTags.Has(metrics.TagExpectedResponse) {
		return subs
	}
	const suffix = "expected_response:true"
	if slices.ContainsFunc(subs, func(t threshold.Target) bool { return t.Suffix == suffix }) {
		return subs
	}
	return append(subs, threshold.Target{
		Name: m.Name + "{" + suffix + "}", Metric: m.Name, Suffix: suffix,
		Tags: []metrics.Tag{{Key: "expected_response", Value: "true"}},
	})
}

// appendRule appends a threshold: the expression, or an object if it can end the
// test.
func appendRule(b []byte, r threshold.Rule) []byte {
	if !r.AbortOnFail {
		return appendString(b, r.Source)
	}
	b = append(b, `{"threshold":`...)
	b = appendString(b, r.Source)
	b = append(b, `,"abortOnFail":true,"delayAbortEval":`...)
	if r.DelayAbortEval == 0 {
		b = append(b, "null"...)
	} else {
		b = appendString(b, r.DelayAbortEval.String())
	}
	return append(b, '}')
}

func appendSubmetrics(b []byte, subs []threshold.Target) []byte {
	if len(subs) == 0 {
		return append(b, "null"...)
	}
	for i, s := range subs {
		b = append(b, "[,"[min(i, 1)])
		b = append(b, `{"name":`...)
		b = appendString(b, s.Name)
		b = append(b, `,"suffix":`...)
		b = appendString(b, s.Suffix)
		b = append(b, `,"tags":`...)
		var set metrics.TagSet
		b = appendTags(b, set.Extend(s.Tags...))
		b = append(b, '}')
	}
	return append(b, ']')
}
