package cli

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jsload/jsload/benchmarks/target"
)

// examples is the folder of the scripts that show how jsload is used.
const examples = "../../../examples"

// exampleResult is what a run left behind.
type exampleResult struct {
	stdout, stderr string
	code           int
	metrics        map[string]map[string]any
}

// runExample runs a script in dir against a target of its own.
func runExample(t *testing.T, dir, script string, flags ...string) (exampleResult, *target.Server) {
	t.Helper()
	s, err := target.Start(target.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	export := filepath.Join(t.TempDir(), "summary.json")
	args := append([]string{"run", "--summary-export", export, "-e", "TARGET=" + s.URL()}, flags...)
	cmd := exec.CommandContext(ctx, program, append(args, script)...)
	cmd.Dir = dir
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	r := exampleResult{stdout: stdout.String(), stderr: stderr.String(), code: cmd.ProcessState.ExitCode()}
	if content, err := os.ReadFile(export); err == nil {
		var summary struct{ Metrics map[string]map[string]any }
		if err := json.Unmarshal(content, &summary); err != nil {
			t.Errorf("reading the summary: %v", err)
		}
		r.metrics = summary.Metrics
	}
	if err != nil || t.Failed() {
		t.Errorf("%s: %v\n%s\n%s", script, err, r.stdout, r.stderr)
	}
	return r, s
}

// number returns a value of the summary.
func (r exampleResult) number(t *testing.T, metric, value string) float64 {
	t.Helper()
	n, ok := r.metrics[metric][value].(float64)
	if !ok {
		t.Errorf("the summary has no %s of %s: %v", value, metric, r.metrics[metric])
	}
	return n
}

// exampleIterations are those that each script is to make; 0 leaves it to the clock.
var exampleIterations = map[string]float64{
	"quickstart.js":        0,
	"login-flow.js":        25,
	"data.js":              8,
	"groups-and-checks.js": 20,
	"scenarios.js":         0,
	"custom-metrics.js":    10,
	"csv.js":               12,
	"soak.js":              0,
}

func TestExamples(t *testing.T) {
	for script, want := range exampleIterations {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			var flags []string
			if script == "quickstart.js" {
				flags = []string{"--duration", "1s"}
			}
			r, s := runExample(t, examples, script, flags...)
			if got := r.number(t, "iterations", "count"); got < 1 || (want > 0 && got != want) {
				t.Errorf("%v iterations, want %v", got, want)
			}
			if got := r.number(t, "http_reqs", "count"); got != float64(s.Count()) {
				t.Errorf("%v requests in the summary, the target saw %d", got, s.Count())
			}
			if r.metrics["checks"] != nil && r.number(t, "checks", "fails") != 0 {
				t.Errorf("checks failed:\n%s", r.stdout)
			}
		})
	}
}

func TestExamplesHandleSummary(t *testing.T) {
	t.Parallel()
	reports := t.TempDir()
	r, _ := runExample(t, examples, "handle-summary.js", "-e", "REPORTS="+reports)
	markdown, err := os.ReadFile(filepath.Join(reports, "report.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(r.stdout, string(markdown)) || !strings.Contains(string(markdown), "| 20 | 20 | ") {
		t.Errorf("printed:\n%s\nwritten:\n%s", r.stdout, markdown)
	}
	report, err := os.ReadFile(filepath.Join(reports, "report.json"))
	if err != nil || !json.Valid(report) {
		t.Errorf("report.json: %v\n%s", err, report)
	}
}

// TestExamplesShop runs the TypeScript project in a copy where its workspace package lies
// in node_modules, as npm install puts it there.
func TestExamplesShop(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(examples, "shop"))); err != nil {
		t.Fatal(err)
	}
	installed := filepath.Join(dir, "node_modules", "@shop", "money")
	if err := os.RemoveAll(filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(installed, os.DirFS(filepath.Join(examples, "shop", "packages", "money"))); err != nil {
		t.Fatal(err)
	}
	r, s := runExample(t, dir, filepath.Join("src", "checkout.ts"))
	if got := r.number(t, "iterations", "count"); got != 6 || s.Count() != 6 {
		t.Errorf("%v iterations, %d requests, want 6 of both", got, s.Count())
	}
	if r.number(t, "checks", "fails") != 0 {
		t.Errorf("checks failed:\n%s", r.stdout)
	}
}

// TestExamplesAreListed keeps the list above, the README and the folder together.
func TestExamplesAreListed(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(examples, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	scripts, err := filepath.Glob(filepath.Join(examples, "*.[jt]s"))
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range scripts {
		s = filepath.Base(s)
		scripts[i] = s
		if _, ok := exampleIterations[s]; !ok && s != "handle-summary.js" {
			t.Errorf("%s is run by no test", s)
		}
		if !strings.Contains(string(readme), "`"+s+"`") {
			t.Errorf("README.md does not name %s", s)
		}
	}
	for s := range exampleIterations {
		if !slices.Contains(scripts, s) {
			t.Errorf("there is no %s", s)
		}
	}
}
