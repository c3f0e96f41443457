package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestRatios(t *testing.T) {
	run := func(requests int64, cpu time.Duration) sample {
		return sample{requests: requests, cpu: cpu, wall: time.Second}
	}
	got := ratios("wrk", "jsload", map[string][]sample{
		"wrk":    {run(1000, 10*time.Millisecond), run(2000, 20*time.Millisecond), run(1000, 20*time.Millisecond)},
		"jsload": {run(500, 10*time.Millisecond), run(2000, 20*time.Millisecond), run(1000, 10*time.Millisecond)},
	})
	if want := "  jsload to wrk: CPU per request 1.000 (0.500..2.000), requests/s 1.000 (0.500..1.000)"; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestSpreadOfEvenNumber(t *testing.T) {
	if got := spread([]float64{4, 1, 2, 3}); got != "2.500 (1.000..4.000)" {
		t.Errorf("got %q", got)
	}
}

func TestSampleString(t *testing.T) {
	got := sample{requests: 20000, cpu: 150 * time.Millisecond, wall: 2 * time.Second}.String()
	if want := "   20000 requests     10000/s    7.50 us of CPU per request"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestMeasure runs one tool, jsload itself, for a second.
func TestMeasure(t *testing.T) {
	jsload := filepath.Join(t.TempDir(), "jsload")
	build := exec.Command("go", "build", "-o", jsload, "../../cmd/jsload")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // under the race detector too: it is built already
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building jsload: %v\n%s", err, out)
	}
	process, err := startTarget(jsload)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := process.stop(); err != nil {
			t.Error(err)
		}
	}()
	var out bytes.Buffer
	c := comparison{jsload: jsload, pairs: 2, length: time.Second, out: &out}
	file := filepath.Join(t.TempDir(), "script.js")
	if err := os.WriteFile(file, []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	own := c.tools(process.url, file)[1:]
	runs, err := c.measure(process, own, 2)
	if err != nil {
		t.Fatal(err)
	}
	if len(runs["jsload"]) != 2 || strings.Count(out.String(), "us of CPU per request") != 2 {
		t.Errorf("got %v\n%s", runs, out.String())
	}
	if _, err := process.measure([]string{"true"}); err == nil || !strings.Contains(err.Error(), "made no request") {
		t.Errorf("a tool without requests: %v", err)
	}
}
