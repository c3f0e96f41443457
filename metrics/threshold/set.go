package threshold

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jsload/jsload/metrics"
)

// Definition is one entry of the option thresholds.
type Definition struct {
	// Source is the expression.
	Source string
	// AbortOnFail ends the test as soon as the expression fails at a tick.
	AbortOnFail bool
	// DelayAbortEval is how long a test must have run before AbortOnFail acts;
	// zero means from the first tick on.
	DelayAbortEval time.Duration
	// Strict makes the threshold fail at the end if the metric got no samples.
	Strict bool
	// Window judges only the last so much time of the scenarios; zero the whole run.
	Window time.Duration
	// ExcludeStages are numbers of stages, from 0, whose samples do not count.
	ExcludeStages []int
}

// Subject is a metric or sub-metric with the rules on it.
type Subject struct {
	Target
	// Metric is nil until the set is bound.
	Metric *metrics.Metric
	// Rules are in the order of the options.
	Rules []Rule
}

// Rule is a parsed definition.
type Rule struct {
	Expr
	AbortOnFail    bool
	DelayAbortEval time.Duration
	Strict         bool
	Window         time.Duration
	ExcludeStages  []int
	// Part holds the samples of a rule on a part of the run, once the set is
	// bound; nil for the whole run. Whoever runs the test opens, closes and turns it.
	Part *metrics.Part
}

// WindowSlices is how many slices a window is made of: it is judged, and moves
// on, in steps of Window divided by one less than this.
const WindowSlices = 16

// Label says which part of the run the rule is about, as "last 30s, without stage
// 0"; empty for the whole.
func (r *Rule) Label() string {
	var parts []string
	if r.Window > 0 {
		parts = append(parts, "last "+short(r.Window))
	}
	if n := len(r.ExcludeStages); n > 0 {
		word := "without stage "
		if n > 1 {
			word = "without stages "
		}
		numbers := make([]string, n)
		for i, stage := range r.ExcludeStages {
			numbers[i] = strconv.Itoa(stage)
		}
		parts = append(parts, word+strings.Join(numbers, "+"))
	}
	return strings.Join(parts, ", ")
}

// short is a duration without the units that are zero: 1h30m, not 1h30m0s.
func short(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// Set holds all thresholds of a test. The zero value and nil are empty sets. A
// bound set is read-only and safe for concurrent use.
type Set struct{ subjects []Subject }

// Error says that thresholds are wrong. It wraps one error per mistake.
type Error struct{ Err error }

func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the mistakes.
func (e *Error) Unwrap() error { return e.Err }

// ExitCode returns the exit code for an invalid configuration.
func (e *Error) ExitCode() int { return 104 }

// NewSet parses thresholds by target. With strict, all of them are strict. The
// error is an *Error with all mistakes.
func NewSet(definitions map[string][]Definition, strict bool) (*Set, error) {
	set := &Set{}
	var mistakes []error
	for _, name := range slices.Sorted(maps.Keys(definitions)) {
		subject, err := newSubject(name, definitions[name], strict)
		if err != nil {
			mistakes = append(mistakes, err)
			continue
		}
		set.subjects = append(set.subjects, subject)
	}
	if len(mistakes) > 0 {
		return nil, &Error{errors.Join(mistakes...)}
	}
	return set, nil
}

func newSubject(name string, definitions []Definition, strict bool) (Subject, error) {
	target, err := ParseTarget(name)
	if err != nil {
		return Subject{}, invalid(name, err)
	}
	subject := Subject{Target: target}
	var mistakes []error
	for _, d := range definitions {
		expr, err := Parse(d.Source)
		if err != nil {
			mistakes = append(mistakes, invalid(name, err))
			continue
		}
		subject.Rules = append(subject.Rules, Rule{
			Expr: expr, AbortOnFail: d.AbortOnFail, DelayAbortEval: d.DelayAbortEval, Strict: d.Strict || strict,
			Window: d.Window, ExcludeStages: d.ExcludeStages,
		})
	}
	return subject, errors.Join(mistakes...)
}

func invalid(name string, err error) error {
	return fmt.Errorf("invalid threshold defined on %s; reason: %w", name, err)
}

// Bind finds the metrics of the set, once the script's init code has made its
// own, and makes the store keep them. It must happen before the first sample.
// The error is an *Error with all mistakes: unknown metrics, and aggregates that
// a metric of its kind does not have. What is right is bound all the same.
func (s *Set) Bind(registry *metrics.Registry, store *metrics.Store) error {
	var mistakes []error
	for i := range s.Subjects() {
		subject := &s.subjects[i]
		subject.Metric = registry.Lookup(subject.Target.Metric)
		if err := subject.check(); err != nil {
			mistakes = append(mistakes, err)
			continue
		}
		store.Watch(subject.Metric, subject.Suffix, subject.Tags...)
		subject.watchParts(store)
	}
	if len(mistakes) > 0 {
		return &Error{errors.Join(mistakes...)}
	}
	return nil
}

// watchParts makes the store keep what the rules on parts of the run need.
func (s *Subject) watchParts(store *metrics.Store) {
	for i := range s.Rules {
		switch r := &s.Rules[i]; {
		case r.Window > 0:
			r.Part = store.WatchPart(s.Metric, WindowSlices, s.Tags...)
		case len(r.ExcludeStages) > 0:
			r.Part = store.WatchPart(s.Metric, 0, s.Tags...)
		}
	}
}

func (s *Subject) check() error {
	if s.Metric == nil {
		return invalid(s.Name, fmt.Errorf("no metric name %q found", s.Target.Metric))
	}
	var mistakes []error
	for _, r := range s.Rules {
		if err := r.Supports(s.Metric.Kind); err != nil {
			mistakes = append(mistakes, invalid(s.Name, fmt.Errorf("%w (in %q)", err, r.Source)))
		}
	}
	return errors.Join(mistakes...)
}

// Subjects returns what the set judges, sorted by name. The caller must not
// change it.
func (s *Set) Subjects() []Subject {
	if s == nil {
		return nil
	}
	return s.subjects
}

// Warnings names targets that no sample can ever belong to.
func (s *Set) Warnings() []string {
	var warnings []string
	for _, subject := range s.Subjects() {
		for _, tag := range subject.Tags {
			if tag.Key == "vu" || tag.Key == "iter" {
				warnings = append(warnings, fmt.Sprintf(
					"the threshold on %q asks for the tag %q, which is metadata of samples and never matches", subject.Name, tag.Key))
			}
		}
	}
	return warnings
}
