package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// testRun runs go test over a package made of one file and returns what is shown.
func testRun(t *testing.T, code string) (*tally, string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module probe\n\ngo 1.26\n", "probe_test.go": "package probe\n\n" + code} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "test", "-json", "./...")
	cmd.Dir = dir
	events, _ := cmd.Output() // it fails when a test does
	var out bytes.Buffer
	tl := newTally(&out)
	if err := tl.read(bytes.NewReader(events)); err != nil {
		t.Fatal(err)
	}
	tl.close()
	return tl, out.String()
}

func TestTally(t *testing.T) {
	for name, tc := range map[string]struct {
		code            string
		passed, failed  int
		shows, hides    string
		skipped, closes string
	}{
		"green": {
			code:   "import \"testing\"\nfunc TestA(t *testing.T) { t.Log(\"quiet\") }\nfunc TestB(t *testing.T) { t.Run(\"x\", func(*testing.T) {}); t.Run(\"y\", func(*testing.T) {}) }",
			passed: 3, shows: "ok    probe", hides: "quiet", closes: "1 packages: 3 passed, 0 failed\n",
		},
		"red": {
			code:   "import \"testing\"\nfunc TestA(t *testing.T) {}\nfunc TestB(t *testing.T) { t.Run(\"x\", func(t *testing.T) { t.Error(\"the reason\") }) }",
			passed: 1, failed: 1, shows: "the reason", hides: "=== RUN", closes: "1 packages: 1 passed, 1 failed\n",
		},
		"skipped": {
			code:   "import \"testing\"\nfunc TestA(t *testing.T) { t.Skip(\"no\") }\nfunc TestB(*testing.T) {}",
			passed: 1, shows: "1 skipped\n", hides: "FAIL", closes: "1 packages: 1 passed, 0 failed\n",
		},
		"panic": {
			code:   "import \"testing\"\nfunc TestA(*testing.T) { panic(\"in the middle\") }",
			failed: 1, shows: "in the middle", hides: "\x00", closes: "1 packages: 0 passed, 1 failed\n",
		},
		"does not build": {
			code:   "import \"testing\"\nfunc TestA(*testing.T) { undefined() }",
			failed: 1, shows: "undefined: undefined", hides: "ok ", closes: "1 packages: 0 passed, 1 failed\n",
		},
		"exits": {
			code:   "import (\"os\"; \"testing\")\nfunc TestMain(*testing.M) { println(\"no tests run\"); os.Exit(3) }",
			failed: 1, shows: "FAIL  probe", hides: "ok ", closes: "1 packages: 0 passed, 1 failed\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			tl, out := testRun(t, tc.code)
			if tl.passed != tc.passed || tl.failed != tc.failed {
				t.Errorf("%d passed, %d failed, want %d, %d", tl.passed, tl.failed, tc.passed, tc.failed)
			}
			if !strings.Contains(out, tc.shows) || strings.Contains(out, tc.hides) || !strings.HasSuffix(out, tc.closes) {
				t.Errorf("output:\n%s", out)
			}
		})
	}
}

func TestPassesOtherLinesThrough(t *testing.T) {
	var out bytes.Buffer
	if err := newTally(&out).read(strings.NewReader("no event\n{\"a\":1}\n{\"Action\":\"start\"}\nlast")); err != nil {
		t.Fatal(err)
	}
	if out.String() != "no event\n{\"a\":1}\nlast" {
		t.Errorf("got %q", out.String())
	}
}
