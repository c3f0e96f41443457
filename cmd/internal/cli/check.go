package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/jsload/jsload/js"
	"github.com/jsload/jsload/vu"
)

func (a *app) checkCommand() *cobra.Command {
	var s scriptFlags
	var asJSON bool
	c := &cobra.Command{
		Use:   "check FILE|DIR...",
		Short: "Tell whether scripts would run, and what would be different",
		Long: `Report on scripts without running a test: every module, member, global and
option that a script uses, each as "works", "differs" with what is different, or
"unsupported" with the reason, and the line where it is used first. The init code
runs once, to see whether it throws and what options it makes. What a script
reaches by names that it puts together at run time, as the output of webpack does,
is not seen. Of a folder, every
script in it is reported on: the files that export a default function or options
and are no part of another script.

` + exitHelp(0, vu.ExitScript) + `

Here 107 means that at least one script would not run as it is.`,
		Example: `  jsload check script.js
  jsload check --json tests/ legacy/*.js`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.check(&s, args, asJSON) },
	}
	s.register(c.Flags(), true)
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// checkResult is the JSON form of the command's output.
type checkResult struct {
	Scripts []*js.Report `json:"scripts"`
	Total   checkTotal   `json:"total"`
}

// checkTotal counts scripts by their state.
type checkTotal struct {
	Scripts     int `json:"scripts"`
	Works       int `json:"works"`
	Differs     int `json:"differs"`
	Unsupported int `json:"unsupported"`
}

func (t *checkTotal) count(s js.State) {
	t.Scripts++
	switch s {
	case js.Works:
		t.Works++
	case js.Differs:
		t.Differs++
	case js.Unsupported:
		t.Unsupported++
	}
}

func (a *app) check(s *scriptFlags, args []string, asJSON bool) error {
	ctx, stop := a.interruptible()
	defer stop()
	result := checkResult{Scripts: []*js.Report{}}
	for _, arg := range args {
		reports, err := a.checkOne(ctx, s, arg)
		if err != nil {
			return err
		}
		result.Scripts = append(result.Scripts, reports...)
	}
	for _, r := range result.Scripts {
		result.Total.count(r.State)
	}
	if err := a.printCheck(&result, asJSON); err != nil {
		return err
	}
	if result.Total.Unsupported > 0 {
		return &reported{&codedError{error: errors.New("some scripts would not run"), code: vu.ExitScript}}
	}
	return nil
}

func (a *app) printCheck(result *checkResult, asJSON bool) error {
	if asJSON {
		return a.printJSON(result)
	}
	_, err := a.process.Stdout.Write([]byte(checkText(result)))
	return err
}

// checkOne reports on a script, or on all in a folder.
func (a *app) checkOne(ctx context.Context, s *scriptFlags, arg string) ([]*js.Report, error) {
	if info, err := os.Stat(a.process.Path(arg)); err != nil || !info.IsDir() {
		r, err := a.checkScript(ctx, s, arg)
		if err != nil {
			return nil, err
		}
		return []*js.Report{r}, nil
	}
	paths, err := a.scriptsIn(arg)
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("there is no script in %s: no file exports a default function or options", arg)
	}
	var reports []*js.Report
	for _, p := range paths {
		r, err := a.checkScript(ctx, s, p)
		if err != nil {
			return nil, err
		}
		reports = append(reports, r)
	}
	return withoutParts(reports, a.process.Path), nil
}

func (a *app) checkScript(ctx context.Context, s *scriptFlags, path string) (*js.Report, error) {
	cfg, err := a.scriptConfig(s, path)
	if err != nil {
		return nil, err
	}
	return untilEnd(ctx, func(ctx context.Context) (*js.Report, error) { return js.Check(ctx, cfg) })
}

// entryPoint finds what only the main module of a test has.
var entryPoint = regexp.MustCompile(`(?m)^\s*export\s+default\b|^\s*export\s+(?:const|let|var)\s+options\b|` +
	`^\s*export\s*\{[^}]*\b(?:default|options)\b|\bexports\.(?:default|options)\s*=|^\s*module\.exports\s*=`)

// scriptsIn finds the scripts in a folder.
func (a *app) scriptsIn(dir string) ([]string, error) {
	var list []string
	root := a.process.Path(dir)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if path != root && (name == "node_modules" || strings.HasPrefix(name, ".")) {
				return filepath.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() || !isScriptName(name) {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil || !entryPoint.Match(text) {
			return err
		}
		rel, err := filepath.Rel(root, path)
		list = append(list, filepath.Join(dir, rel))
		return err
	})
	return list, err
}

func isScriptName(name string) bool {
	if strings.HasSuffix(name, ".d.ts") || strings.Contains(name, ".config.") {
		return false
	}
	return slices.Contains([]string{".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"}, filepath.Ext(name))
}

// withoutParts leaves out files that another script of the list imports, unless
// they export options of their own.
func withoutParts(reports []*js.Report, full func(string) string) []*js.Report {
	part := map[string]bool{}
	for _, r := range reports {
		for _, in := range r.Inputs {
			if in != full(r.File) {
				part[in] = true
			}
		}
	}
	hasOptions := func(r *js.Report) bool {
		return slices.ContainsFunc(r.Items, func(i js.Item) bool { return i.Kind == js.ItemOption })
	}
	return slices.DeleteFunc(reports, func(r *js.Report) bool { return part[full(r.File)] && !hasOptions(r) })
}
