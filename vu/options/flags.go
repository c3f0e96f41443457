package options

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Flag is the definition of one command line flag.
type Flag struct {
	Name  string
	Short string // one letter, or empty
	// Value names the value in the help; a Bool flag has none.
	Value string
	Usage string
	Bool  bool
	List  bool // may be repeated
	// Bare is the value if the flag is given without one; empty: a value is
	// needed.
	Bare string
}

// FlagList returns the flags of all options, in the order of the options.
func FlagList() []Flag {
	var flags []Flag
	for _, e := range entries() {
		if e.flag.Name != "" {
			flags = append(flags, e.flag)
		}
	}
	return flags
}

// Flags decodes the flags that were given: for each name the values in order, a
// Bool flag's as "true" or "false". The error is about the first malformed one
// and names the flag.
func Flags(given map[string][]string) (Layer, error) {
	layer := Layer{Name: LayerFlags}
	table := entries()
	for _, name := range slices.Sorted(maps.Keys(given)) {
		at := slices.IndexFunc(table, func(e entry) bool { return e.flag.Name == name })
		if at < 0 || len(given[name]) == 0 {
			continue
		}
		if err := table[at].parse(&layer.Options, given[name], flagGrammar); err != nil {
			return layer, fmt.Errorf("invalid value for --%s: %w", name, err)
		}
	}
	return layer, nil
}

// Env decodes the environment: K6_X and JSLOAD_X, of which JSLOAD_X wins. An
// empty variable counts as not set.
func Env(environment map[string]string) Layer {
	layer := Layer{Name: LayerEnv}
	var d decoder
	for _, e := range entries() {
		name, text := variable(environment, e.env)
		if name == "" {
			continue
		}
		// The reference tool ignores these two; a JSON object has a meaning here.
		if (e.key == "hosts" || e.key == "thresholds") && !strings.HasPrefix(strings.TrimSpace(text), "{") {
			d.warn(e.key, "give a JSON object", "%s has no effect", name)
			continue
		}
		if err := e.parse(&layer.Options, []string{text}, envGrammar); err != nil {
			d.problems = append(d.problems, Problem{Path: e.key, Message: name + ": " + err.Error()})
		}
	}
	layer.Warnings, layer.Problems = d.warnings, d.problems
	return layer
}

// variable returns the first non-empty variable of an option.
func variable(environment map[string]string, names []string) (name, text string) {
	for _, prefix := range []string{"JSLOAD_", "K6_"} {
		for _, suffix := range names {
			if prefix == "K6_" && suffix == "RATE" {
				continue // no option of the reference tool: scripts use it as their own
			}
			if text := environment[prefix+suffix]; text != "" {
				return prefix + suffix, text
			}
		}
	}
	return "", ""
}
