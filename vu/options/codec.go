package options

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// rule is a bound that an option's value keeps on its own.
type rule int

const (
	noRule          rule = iota // judged later, with the scenario it becomes part of
	notNegativeRule             // at least 0
	positiveRule                // more than 0
)

var (
	errNegative    = errors.New("must not be negative")
	errNotPositive = errors.New("must be more than 0")
)

// check judges a value by a rule.
func (r rule) check(v int64) error {
	switch {
	case r == notNegativeRule && v < 0:
		return errNegative
	case r == positiveRule && v <= 0:
		return errNotPositive
	default:
		return nil
	}
}

// ruled adds a rule to a decoding function.
func ruled[T int64 | Duration](r rule, decode func(d *decoder, path string, n node) (T, bool)) func(*decoder, string, node) (T, bool) {
	return func(d *decoder, path string, n node) (T, bool) {
		v, ok := decode(d, path, n)
		if !ok {
			return v, false
		}
		if err := r.check(int64(v)); err != nil {
			d.bad(path, "", "%v, but is %v", err, v)
			return v, false
		}
		return v, true
	}
}

func integers(r rule) codec[int64] {
	return codec[int64]{
		node: ruled(r, (*decoder).integer),
		text: func(texts []string, _ grammar) (int64, error) {
			v, err := parseInteger(texts[len(texts)-1])
			if err != nil {
				return 0, err
			}
			return v, r.check(v)
		},
	}
}

func durations(r rule) codec[Duration] {
	return codec[Duration]{
		node: ruled(r, (*decoder).duration),
		text: func(texts []string, g grammar) (Duration, error) {
			v, err := g.duration(texts[len(texts)-1])
			if err != nil {
				return 0, err
			}
			return v, r.check(int64(v))
		},
	}
}

// duration reads a duration in the grammar of the text's source.
func (g grammar) duration(text string) (Duration, error) {
	if g == flagGrammar {
		return ParseFlagDuration(text)
	}
	return ParseDuration(text)
}

func booleans() codec[bool] {
	return codec[bool]{
		node: (*decoder).boolean,
		text: func(texts []string, _ grammar) (bool, error) {
			text := texts[len(texts)-1]
			v, err := strconv.ParseBool(text)
			if err != nil {
				return false, fmt.Errorf("%q is neither true nor false", text)
			}
			return v, nil
		},
	}
}

func texts() codec[string] {
	return codec[string]{
		node: (*decoder).text,
		text: func(texts []string, _ grammar) (string, error) { return texts[len(texts)-1], nil },
	}
}

// parsed decodes a string, or a number as its text, with a parser.
func parsed[T any](parse func(string) (T, error)) func(*decoder, string, node) (T, bool) {
	return func(d *decoder, path string, n node) (T, bool) {
		if n.kind != kindString && n.kind != kindNumber {
			var none T
			d.bad(path, "", "must be a string, not %s", n.kind)
			return none, false
		}
		v, err := parse(n.text)
		if err != nil {
			d.bad(path, "", "%v", err)
			return v, false
		}
		return v, true
	}
}

// oneText is the codec of an option that is one parsed text everywhere.
func oneText[T any](parse func(string) (T, error)) codec[T] {
	return codec[T]{
		node: parsed(parse),
		text: func(texts []string, _ grammar) (T, error) { return parse(texts[len(texts)-1]) },
	}
}

// textList is the codec of a list of parsed texts; as text they are separated
// by commas, and flags may be repeated.
func textList[T any](parse func(string) (T, error)) codec[[]T] {
	return codec[[]T]{
		node: func(d *decoder, path string, n node) ([]T, bool) {
			return list(d, path, n, func(path string, n node) (T, bool) { return parsed(parse)(d, path, n) })
		},
		text: func(texts []string, _ grammar) ([]T, error) {
			var values []T
			for _, text := range splitList(texts) {
				v, err := parse(text)
				if err != nil {
					return nil, err
				}
				values = append(values, v)
			}
			return values, nil
		},
	}
}

// splitList splits texts at commas and drops what is empty.
func splitList(texts []string) []string {
	var parts []string
	for _, text := range texts {
		for part := range strings.SplitSeq(text, ",") {
			if part = strings.TrimSpace(part); part != "" {
				parts = append(parts, part)
			}
		}
	}
	return parts
}

func anyText(text string) (string, error) { return text, nil }

// jsonText reads a structured option from its JSON.
func jsonText[T any](decode func(d *decoder, path string, n node) (T, bool)) func([]string, grammar) (T, error) {
	return func(texts []string, _ grammar) (v T, err error) {
		n, err := parseJSON([]byte(texts[len(texts)-1]))
		if err != nil {
			return v, fmt.Errorf("not valid JSON: %w", err)
		}
		var d decoder
		v, _ = decode(&d, "value", n)
		if len(d.problems) > 0 {
			return v, errors.New(d.problems[0].Message)
		}
		return v, nil
	}
}

// jsonOrText reads an option that is either an object or a short text.
func jsonOrText[T any](decode func(d *decoder, path string, n node) (T, bool), parse func(string) (T, error)) func([]string, grammar) (T, error) {
	return func(texts []string, g grammar) (T, error) {
		text := texts[len(texts)-1]
		if strings.HasPrefix(strings.TrimSpace(text), "{") {
			return jsonText(decode)(texts, g)
		}
		return parse(text)
	}
}

func stageLists() codec[[]Stage] {
	return codec[[]Stage]{
		node: (*decoder).stages,
		text: func(texts []string, g grammar) ([]Stage, error) {
			var stages []Stage
			for _, text := range splitList(texts) {
				stage, err := g.stage(text)
				if err != nil {
					return nil, err
				}
				stages = append(stages, stage)
			}
			return stages, nil
		},
	}
}

// stage reads "duration:target".
func (g grammar) stage(text string) (Stage, error) {
	length, target, ok := strings.Cut(text, ":")
	if !ok || length == "" || target == "" {
		return Stage{}, fmt.Errorf("%q is not a stage, such as 30s:10 (a duration and a target)", text)
	}
	duration, err := g.duration(length)
	if err != nil {
		return Stage{}, err
	}
	n, err := parseInteger(target)
	return Stage{Duration: duration, Target: n}, err
}

// parseTags reads "k:v,k2:v2" of the environment or "k=v" of each flag.
func parseTags(texts []string, g grammar) (map[string]string, error) {
	separator, pairs := "=", texts
	if g == envGrammar {
		separator, pairs = ":", splitList(texts)
	}
	tags := make(map[string]string, len(pairs))
	for _, pair := range pairs {
		name, value, _ := strings.Cut(pair, separator)
		if name == "" || value == "" {
			return nil, fmt.Errorf("%q is not a tag, such as name%svalue", pair, separator)
		}
		tags[name] = value
	}
	return tags, nil
}

func outputs() codec[[]string] {
	return codec[[]string]{
		node: func(d *decoder, path string, n node) ([]string, bool) {
			if n.kind == kindString {
				return []string{n.text}, true
			}
			return d.texts(path, n)
		},
		// An output's argument may hold commas, so only the environment splits.
		text: func(texts []string, g grammar) ([]string, error) {
			if g == flagGrammar {
				return texts, nil
			}
			return splitList(texts), nil
		},
	}
}

func parseTimeUnit(text string) (string, error) { return text, oneOf(text, "s", "ms", "us") }

func parseHTTPVersion(text string) (string, error) { return text, oneOf(text, "auto", "1.1", "2") }

// trendStats is the codec of summaryTrendStats, whose errors end the process
// with another code than those of other options.
func trendStats() codec[[]string] {
	c := textList(parseTrendStat)
	decode := c.node
	c.node = func(d *decoder, path string, n node) ([]string, bool) {
		before := len(d.problems)
		stats, ok := decode(d, path, n)
		for i := range d.problems[before:] {
			d.problems[before+i].code = exitOther
		}
		return stats, ok
	}
	return c
}

func parseTrendStat(text string) (string, error) {
	if slices.Contains([]string{"avg", "min", "med", "max", "count"}, text) {
		return text, nil
	}
	number, ok := strings.CutPrefix(text, "p(")
	number, closed := strings.CutSuffix(number, ")")
	percentile, err := strconv.ParseFloat(number, 64)
	if !ok || !closed || err != nil || !(percentile >= 0 && percentile <= 100) {
		return "", fmt.Errorf("%q is none of avg, min, med, max, count, p(N) with N from 0 to 100", text)
	}
	return text, nil
}

// systemTags is the codec of systemTags: unknown names are dropped, in the
// script with a warning.
func systemTags() codec[[]string] {
	known := append(DefaultSystemTags(), "iter", "vu", "ocsp_status", "ip")
	keep := func(names []string) []string {
		names = slices.DeleteFunc(names, func(name string) bool { return !slices.Contains(known, name) })
		slices.Sort(names)
		return slices.Compact(names)
	}
	return codec[[]string]{
		node: func(d *decoder, path string, n node) ([]string, bool) {
			names, ok := d.texts(path, n)
			for _, name := range names {
				if !slices.Contains(known, name) {
					d.warn(path, didYouMean(name, known), "unknown system tag %q is ignored", name)
				}
			}
			return keep(names), ok
		},
		text: func(texts []string, _ grammar) ([]string, error) { return keep(splitList(texts)), nil },
	}
}
