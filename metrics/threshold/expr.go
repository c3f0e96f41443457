// Package threshold parses threshold expressions such as "p(95)<500" and judges
// snapshots of a run's metrics by them.
//
// The engine builds a Set from the options, binds it to the run's metrics and
// lets the output pump evaluate it; the summary shows its verdicts. The package
// calls package metrics only: it stops no test and prints nothing.
package threshold

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/jsload/jsload/metrics"
)

// Aggregate is the number of a metric that an expression looks at.
type Aggregate uint8

// The aggregates of the threshold grammar. Which of them a metric has depends on
// its kind; see Expr.Supports.
const (
	Count Aggregate = iota + 1
	Rate
	Value
	Avg
	Min
	Max
	Med
	Percentile
)

var aggregateNames = [...]string{
	Count: "count", Rate: "rate", Value: "value", Avg: "avg",
	Min: "min", Max: "max", Med: "med", Percentile: "p",
}

// String returns the aggregate's name in the grammar; "p" for percentiles.
func (a Aggregate) String() string {
	if int(a) < len(aggregateNames) && a > 0 {
		return aggregateNames[a]
	}
	return "unknown"
}

// Op is a comparison.
type Op uint8

// The comparisons of the threshold grammar. "===" is read as Equal.
const (
	Less Op = iota + 1
	LessEqual
	Greater
	GreaterEqual
	Equal
	NotEqual
)

// operators are tried in this order, so that a longer one wins over its prefix.
var operators = [...]struct {
	text string
	op   Op
}{
	{"===", Equal},
	{"==", Equal},
	{"!=", NotEqual},
	{"<=", LessEqual},
	{">=", GreaterEqual},
	{"<", Less},
	{">", Greater},
}

// String returns the comparison as it is written in an expression.
func (o Op) String() string {
	for _, c := range operators[1:] {
		if c.op == o {
			return c.text
		}
	}
	return "unknown"
}

// Expr is a parsed expression. The zero value judges nothing; use Parse.
type Expr struct {
	// Source is the expression as the user wrote it, spaces included: reports
	// are keyed by it.
	Source string
	// Aggregate is what is compared.
	Aggregate Aggregate
	// Quantile is N of p(N), from 0 to 100, and 0 for other aggregates.
	Quantile float64
	// Op and Bound are the comparison and its right side. Times are in
	// milliseconds, rates of rate metrics go from 0 to 1.
	Op    Op
	Bound float64
}

// Parse reads AGGREGATE OPERATOR NUMBER, with optional spaces between them. The
// number may be anything that strconv.ParseFloat reads.
func Parse(source string) (Expr, error) {
	e := Expr{Source: source}
	rest := strings.TrimSpace(source)
	rest, err := e.scanAggregate(rest)
	if err == nil {
		rest, err = e.scanOperator(strings.TrimLeft(rest, " \t\r\n"))
	}
	if err == nil {
		e.Bound, err = parseBound(strings.TrimSpace(rest))
	}
	if err != nil {
		return Expr{}, fmt.Errorf("failed parsing threshold expression %q; reason: %w", source, err)
	}
	return e, nil
}

func (e *Expr) scanAggregate(s string) (rest string, err error) {
	n := 0
	for n < len(s) && 'a' <= s[n] && s[n] <= 'z' {
		n++
	}
	name, rest := s[:n], s[n:]
	if name == "p" {
		e.Aggregate = Percentile
		return e.scanQuantile(rest)
	}
	for a := Count; a < Percentile; a++ {
		if aggregateNames[a] == name {
			e.Aggregate = a
			return rest, nil
		}
	}
	if name == "" {
		return "", errors.New("it does not begin with an aggregation method: use count, rate, value, avg, min, max, med or p(N)")
	}
	return "", fmt.Errorf("unknown aggregation method %q: use count, rate, value, avg, min, max, med or p(N)", name)
}

func (e *Expr) scanQuantile(s string) (rest string, err error) {
	inner, ok := strings.CutPrefix(s, "(")
	if !ok {
		return "", errors.New(`a percentile is written p(N), such as p(95)`)
	}
	inner, rest, ok = strings.Cut(inner, ")")
	if !ok {
		return "", errors.New(`the ")" of p(N) is missing`)
	}
	e.Quantile, err = ParseQuantile(inner)
	return rest, err
}

// ParseQuantile reads N of p(N): a decimal number from 0 to 100.
func ParseQuantile(s string) (float64, error) {
	q, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0, fmt.Errorf("percentile %q is not a number", s)
	}
	if math.IsNaN(q) || q < 0 || q > 100 {
		return 0, fmt.Errorf("percentile %s is out of range: it must be between 0 and 100", s)
	}
	return q, nil
}

func (e *Expr) scanOperator(s string) (rest string, err error) {
	for _, c := range operators {
		if rest, ok := strings.CutPrefix(s, c.text); ok {
			e.Op = c.op
			return rest, nil
		}
	}
	return "", fmt.Errorf("no comparison at %q: use <, <=, >, >=, == or !=", s)
}

func parseBound(s string) (float64, error) {
	if s == "" {
		return 0, errors.New("the number after the comparison is missing")
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a number", s)
	}
	return v, nil
}

// Method returns the left side of the expression: "rate", "p(99.9)".
func (e Expr) Method() string {
	if e.Aggregate != Percentile {
		return e.Aggregate.String()
	}
	return "p(" + strconv.FormatFloat(e.Quantile, 'f', -1, 64) + ")"
}

// String returns the expression without optional spaces. It parses to an
// expression that judges the same.
func (e Expr) String() string {
	return e.Method() + e.Op.String() + strconv.FormatFloat(e.Bound, 'g', -1, 64)
}

// Holds reports whether an observed number satisfies the expression. NaN
// satisfies "!=" only.
func (e Expr) Holds(observed float64) bool {
	switch e.Op {
	case Less:
		return observed < e.Bound
	case LessEqual:
		return observed <= e.Bound
	case Greater:
		return observed > e.Bound
	case GreaterEqual:
		return observed >= e.Bound
	case Equal:
		return observed == e.Bound
	case NotEqual:
		return observed != e.Bound
	}
	return false
}

// Supports returns an error if metrics of the kind do not have the aggregate.
func (e Expr) Supports(kind metrics.Kind) error {
	var names []string
	for _, a := range aggregatesOf(kind) {
		if a == e.Aggregate {
			return nil
		}
		name := a.String()
		if a == Percentile {
			name = "p(N)"
		}
		names = append(names, name)
	}
	return fmt.Errorf("unsupported aggregation method %s on metric of type %s. supported aggregation methods for this metric are: %s",
		e.Aggregate, kind, strings.Join(names, ", "))
}

func aggregatesOf(kind metrics.Kind) []Aggregate {
	switch kind {
	case metrics.Counter:
		return []Aggregate{Count, Rate}
	case metrics.Gauge:
		return []Aggregate{Value}
	case metrics.Rate:
		return []Aggregate{Rate}
	case metrics.Trend:
		return []Aggregate{Avg, Min, Max, Med, Percentile}
	}
	return nil
}
