package cli

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jsload/jsload/benchmarks/target"
	"github.com/jsload/jsload/js"
)

// styles are scripts in the manners in which people and their tools write them,
// with what check is to say of each. Those that are unsupported end run with the
// code of a script that cannot start; all others run without a failed check.
var styles = map[string]js.State{
	"api-crud":                         js.Works,
	"api-small":                        js.Works,
	"arrival-rate":                     js.Works,
	"async-and-events":                 js.Works,
	"commonjs":                         js.Works,
	"commonjs-typescript-output":       js.Works,
	"data-csv":                         js.Works,
	"data-json":                        js.Works,
	"error-rate":                       js.Works,
	"esbuild-output":                   js.Works,
	"html-form":                        js.Works,
	"lenient-old-script":               js.Differs,
	"library-chai":                     js.Works,
	"library-member-that-is-not-there": js.Unsupported,
	"library-signatures":               js.Works,
	"library-utils":                    js.Works,
	"local-helpers":                    js.Works,
	"login-and-retry":                  js.Works,
	"node-script":                      js.Unsupported,
	"npm-packages":                     js.Works,
	"removed-module":                   js.Unsupported,
	"rollup-output":                    js.Works,
	"summary-report":                   js.Works,
	"typescript-suite":                 js.Works,
	"upload":                           js.Works,
	"vendor-cloud":                     js.Differs,
	"webpack-development":              js.Works,
	"webpack-production":               js.Works,
}

func TestStyles(t *testing.T) {
	t.Parallel()
	folders, err := os.ReadDir("testdata/styles")
	if err != nil {
		t.Fatal(err)
	}
	if len(folders) != len(styles) {
		t.Errorf("%d folders, %d in the list", len(folders), len(styles))
	}
	server, err := target.Start(target.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	for name, want := range styles {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := install(t, filepath.Join("testdata/styles", name))
			script := "script.js"
			if _, err := os.Stat(filepath.Join(dir, script)); err != nil {
				script = "script.ts"
			}
			checkStyle(t, dir, script, want)
			runStyle(t, dir, script, server.URL(), want)
		})
	}
}

// install copies a project; its packages go where npm puts them.
func install(t *testing.T, from string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	err := os.Rename(filepath.Join(dir, "packages"), filepath.Join(dir, "node_modules"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return dir
}

// call runs jsload in a folder.
func call(t *testing.T, dir string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var out, errors strings.Builder
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errors
	_ = cmd.Run() // the code says it
	return out.String(), errors.String(), cmd.ProcessState.ExitCode()
}

func checkStyle(t *testing.T, dir, script string, want js.State) {
	t.Helper()
	stdout, stderr, code := call(t, dir, "check", "--json", script)
	var result checkResult
	if err := json.Unmarshal([]byte(stdout), &result); err != nil {
		t.Fatalf("%v\n%s%s", err, stdout, stderr)
	}
	wantCode := 0
	if want == js.Unsupported {
		wantCode = 107
	}
	if got := result.Scripts[0].State; got != want || code != wantCode {
		t.Errorf("check says %s and ends with %d, want %s and %d\n%s", got, code, want, wantCode, stdout)
	}
}

func runStyle(t *testing.T, dir, script, url string, want js.State) {
	t.Helper()
	stdout, stderr, code := call(t, dir, "run", "--quiet", "--summary-export", "summary-export.json", "-e", "TARGET="+url, script)
	if want == js.Unsupported {
		if code != 107 {
			t.Errorf("run ended with %d\n%s%s", code, stdout, stderr)
		}
		return
	}
	if code != 0 || strings.Contains(stderr, "level=error") {
		t.Fatalf("run ended with %d\n%s%s", code, stdout, stderr)
	}
	data, err := os.ReadFile(filepath.Join(dir, "summary-export.json"))
	if err != nil {
		t.Fatal(err)
	}
	var summary struct {
		Metrics map[string]struct{ Count, Passes, Fails float64 }
	}
	if err := json.Unmarshal(data, &summary); err != nil {
		t.Fatal(err)
	}
	if c := summary.Metrics["checks"]; c.Passes == 0 || c.Fails != 0 {
		t.Errorf("checks: %v passed, %v failed\n%s", c.Passes, c.Fails, stdout)
	}
	if summary.Metrics["iterations"].Count == 0 {
		t.Errorf("no iterations\n%s%s", stdout, stderr)
	}
}
