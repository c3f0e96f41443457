package cli

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/jsload/jsload/cmd/internal/env"
)

// variableName returns the variable behind a flag, without its prefix.
func variableName(flag string) string {
	return strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// annotationOption marks flags that are test options: their variables are a
// layer of the options of their own and not read here.
const annotationOption = "jsload_option"

// annotationNoVariable marks flags that have no variable behind them.
const annotationNoVariable = "jsload_no_variable"

// applyVariables sets the flags that the command line left out from JSLOAD_X or
// K6_X. A value that the flag cannot take is an error of the configuration.
func applyVariables(flags *pflag.FlagSet, vars env.Vars) error {
	var err error
	flags.VisitAll(func(f *pflag.Flag) {
		if err != nil || f.Changed || !hasVariable(f) {
			return
		}
		value, name, ok := vars.Setting(variableName(f.Name))
		if !ok || value == "" {
			return
		}
		if e := flags.Set(f.Name, value); e != nil {
			err = configError(fmt.Errorf("invalid value %q of the variable %s: %w", value, name, rootCause(e)))
		}
	})
	return err
}

// hasVariable tells whether a variable stands behind a flag.
func hasVariable(f *pflag.Flag) bool {
	_, option := f.Annotations[annotationOption]
	_, none := f.Annotations[annotationNoVariable]
	return !option && !none && f.Name != "help" && f.Name != "version"
}

// rootCause returns the innermost error, without the flag's name that pflag
// puts around it.
func rootCause(err error) error {
	for {
		u, ok := err.(interface{ Unwrap() error })
		if !ok || u.Unwrap() == nil {
			return err
		}
		err = u.Unwrap()
	}
}

var reVariable = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`)

// scriptVariables are what a script finds in __ENV: the variables of the system
// if they are included, and those given with --env over them.
func scriptVariables(system env.Vars, include bool, given []string) (map[string]string, error) {
	vars := map[string]string{}
	if include {
		maps.Copy(vars, system)
	}
	for _, g := range given {
		name, value, _ := strings.Cut(g, "=")
		if !reVariable.MatchString(name) {
			return nil, fmt.Errorf("invalid variable name %q in --env %s: use letters, digits and underscores, no digit first", name, g)
		}
		vars[name] = value
	}
	return vars, nil
}

// ignored are variables that cannot have an effect here.
var ignored = [...]string{"NO_USAGE_REPORT", "AUTO_EXTENSION_RESOLUTION", "BUILD_SERVICE_URL", "DEPENDENCIES_MANIFEST", "CLOUD_TOKEN", "CLOUD_PROJECT_ID"}

// mentionIgnored writes one debug line about what was accepted without effect.
func (a *app) mentionIgnored(flags *pflag.FlagSet) {
	var names []string
	for _, name := range ignored {
		if _, variable, ok := a.process.Vars.Setting(name); ok {
			names = append(names, variable)
		}
	}
	if f := flags.Lookup("no-usage-report"); f != nil && f.Changed && !slices.Contains(names, "K6_NO_USAGE_REPORT") {
		names = append(names, "--no-usage-report")
	}
	if len(names) > 0 {
		a.logger().Debug("jsload sends no reports, has no vendor cloud and no extension builds; without effect: " + strings.Join(names, ", "))
	}
}
