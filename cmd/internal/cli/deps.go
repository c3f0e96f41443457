package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/jsload/jsload/js"
	"github.com/jsload/jsload/vu"
)

func (a *app) depsCommand() *cobra.Command {
	var s scriptFlags
	var asJSON bool
	c := &cobra.Command{
		Use:   "deps FILE",
		Short: "List what a script imports",
		Long: `List the built-in modules that a script uses and every file that it imports, by
address, files of packages included. Nothing of the script is run; modules on
https:// are fetched.

` + exitHelp(0, vu.ExitScript),
		Example: `  jsload deps script.js
  jsload deps --json script.ts`,
		Args: oneScript,
		RunE: func(_ *cobra.Command, args []string) error { return a.deps(&s, args[0], asJSON) },
	}
	s.register(c.Flags(), false)
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func (a *app) deps(s *scriptFlags, path string, asJSON bool) error {
	ctx, stop := a.interruptible()
	defer stop()
	cfg, err := a.scriptConfig(s, path)
	if err != nil {
		return err
	}
	d, err := untilEnd(ctx, func(ctx context.Context) (*js.Dependencies, error) { return js.Depend(ctx, cfg) })
	if err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(d)
	}
	var b strings.Builder
	for _, name := range d.Imports {
		fmt.Fprintln(&b, name)
	}
	_, err = a.process.Stdout.Write([]byte(b.String()))
	return err
}

// printJSON writes a value for programs to read.
func (a *app) printJSON(v any) error {
	e := json.NewEncoder(a.process.Stdout)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
