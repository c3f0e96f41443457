package examples

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jsload/jsload/benchmarks/target"
)

// program is the path of the jsload under test, built once.
var program string

func TestMain(m *testing.M) { os.Exit(withProgram(m)) }

func withProgram(m *testing.M) int {
	dir, err := os.MkdirTemp("", "jsload-examples-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	program = filepath.Join(dir, "jsload")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	if out, err := exec.Command("go", "build", "-o", program, "../cmd/jsload").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "building jsload: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// result is what a run left behind.
type result struct {
	stdout, stderr string
	code           int
	metrics        map[string]map[string]any
}

// run runs a script in dir against a target of its own.
func run(t *testing.T, dir, script string, flags ...string) (result, *target.Server) {
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
	r := result{stdout: stdout.String(), stderr: stderr.String(), code: cmd.ProcessState.ExitCode()}
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
func (r result) number(t *testing.T, metric, value string) float64 {
	t.Helper()
	n, ok := r.metrics[metric][value].(float64)
	if !ok {
		t.Errorf("the summary has no %s of %s: %v", value, metric, r.metrics[metric])
	}
	return n
}

// iterations are those that each script is to make; 0 leaves it to the clock.
var iterations = map[string]float64{
	"quickstart.js":        0,
	"login-flow.js":        25,
	"data.js":              8,
	"groups-and-checks.js": 20,
	"scenarios.js":         0,
	"custom-metrics.js":    10,
	"csv.js":               12,
	"soak.js":              0,
}

func TestScripts(t *testing.T) {
	for script, want := range iterations {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			var flags []string
			if script == "quickstart.js" {
				flags = []string{"--duration", "1s"}
			}
			r, s := run(t, ".", script, flags...)
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

func TestHandleSummary(t *testing.T) {
	t.Parallel()
	reports := t.TempDir()
	r, _ := run(t, ".", "handle-summary.js", "-e", "REPORTS="+reports)
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

// TestShop runs the TypeScript project in a copy where its workspace package lies
// in node_modules, as npm install puts it there.
func TestShop(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("shop")); err != nil {
		t.Fatal(err)
	}
	installed := filepath.Join(dir, "node_modules", "@shop", "money")
	if err := os.RemoveAll(filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(installed, os.DirFS(filepath.Join("shop", "packages", "money"))); err != nil {
		t.Fatal(err)
	}
	r, s := run(t, dir, filepath.Join("src", "checkout.ts"))
	if got := r.number(t, "iterations", "count"); got != 6 || s.Count() != 6 {
		t.Errorf("%v iterations, %d requests, want 6 of both", got, s.Count())
	}
	if r.number(t, "checks", "fails") != 0 {
		t.Errorf("checks failed:\n%s", r.stdout)
	}
}

// TestAllAreListed keeps the list above, the README and the folder together.
func TestAllAreListed(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	scripts, err := filepath.Glob("*.[jt]s")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scripts {
		if _, ok := iterations[s]; !ok && s != "handle-summary.js" {
			t.Errorf("%s is run by no test", s)
		}
		if !strings.Contains(string(readme), "`"+s+"`") {
			t.Errorf("README.md does not name %s", s)
		}
	}
	for s := range iterations {
		if !slices.Contains(scripts, s) {
			t.Errorf("there is no %s", s)
		}
	}
}
