package threshold

import (
	"fmt"
	"strings"

	"github.com/jsload/jsload/metrics"
)

// Target names the metric, or the part of a metric, that a list of expressions
// is about: "checks", "http_req_duration{status:200,name:login}".
type Target struct {
	// Name is metric{suffix}, or the metric's name alone.
	Name string
	// Metric is the name of the metric.
	Metric string
	// Suffix is what stands between the braces; empty for a whole metric.
	Suffix string
	// Tags are the conditions of the suffix, in its order. A sample belongs to
	// the target if it has all of them.
	Tags []metrics.Tag
}

// Sub reports whether the target is a sub-metric.
func (t Target) Sub() bool { return t.Suffix != "" }

// ParseTarget reads METRIC or METRIC{TAG:VALUE,...}. Spaces around tags and
// values do not count, and both may stand in quotes; a quoted value may contain
// commas and spaces.
func ParseTarget(name string) (Target, error) {
	metric, rest, sub := strings.Cut(name, "{")
	if metric == "" {
		return Target{}, fmt.Errorf("%q has no metric name", name)
	}
	t := Target{Name: name, Metric: metric}
	if !sub {
		return t, nil
	}
	suffix, ok := strings.CutSuffix(strings.TrimRight(rest, " "), "}")
	if !ok {
		return Target{}, fmt.Errorf(`the closing "}" of %q is missing: a sub-metric is written metric{tag:value}`, name)
	}
	t.Name, t.Suffix = metric+"{"+suffix+"}", suffix
	for _, part := range splitConditions(suffix) {
		tag, err := parseCondition(part)
		if err != nil {
			return Target{}, fmt.Errorf("%q: %w", name, err)
		}
		t.Tags = append(t.Tags, tag)
	}
	return t, nil
}

// splitConditions splits at the commas outside quotes.
func splitConditions(s string) []string {
	var parts []string
	var quote byte
	start := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && opensQuote(s[start:i]):
			quote = c
		case c == ',':
			parts = append(parts, s[start:i])
			start = i + 1
		}
	}
	if quote != 0 { // an apostrophe that opens nothing: commas split as ever
		return strings.Split(s, ",")
	}
	return append(parts, s[start:])
}

// opensQuote reports whether a quote behind this text begins a tag or a value.
func opensQuote(before string) bool {
	before = strings.TrimSpace(before)
	return before == "" || strings.HasSuffix(before, ":")
}

func parseCondition(s string) (metrics.Tag, error) {
	key, value, ok := strings.Cut(s, ":")
	key, value = unquote(key), unquote(value)
	if !ok || key == "" {
		return metrics.Tag{}, fmt.Errorf("%q is not a condition of the form tag:value", strings.TrimSpace(s))
	}
	return metrics.Tag{Key: key, Value: value}, nil
}

func unquote(s string) string {
	s = strings.TrimSpace(s)
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}
