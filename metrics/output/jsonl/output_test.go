package jsonl

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/metrics/output"
	"github.com/jsload/jsload/metrics/threshold"
)

var update = flag.Bool("update", false, "write the golden files")

// shopRun returns a run with thresholds and some samples of it.
func shopRun(t testing.TB) (output.Run, []metrics.Sample) {
	t.Helper()
	run := testRun(t)
	orders, err := run.Registry.New("orders", metrics.Counter, metrics.Default)
	if err != nil {
		t.Fatal(err)
	}
	run.Thresholds, err = threshold.NewSet(map[string][]threshold.Definition{
		"orders": {{Source: "count>0"}, {Source: "rate>1", AbortOnFail: true, DelayAbortEval: 10 * time.Second}, {Source: "rate<9", AbortOnFail: true}},
		"http_req_duration{ status : 200, name:b }": {{Source: "p(95)<500"}},
		"http_req_failed{expected_response:true}":   {{Source: "rate<0.1"}},
		"http_req_waiting{a:\"<quoted> \\ value\"}": {{Source: "avg<1"}},
	}, false)
	if err != nil {
		t.Fatal(err)
	}
	store := metrics.NewStore(metrics.Config{Registry: run.Registry, Epoch: run.Epoch})
	if err := run.Thresholds.Bind(run.Registry, store); err != nil {
		t.Fatal(err)
	}
	b, tags := run.Registry.Builtin(), run.Registry.Tags()
	request := tags.With("method", "GET").With("status", "200").With("group", "").With("scenario", "default").With("url", "http://h/?a=1&b=<2>")
	return run, []metrics.Sample{
		{Metric: orders, At: 1e9, Value: 1, Tags: tags.With("item", "a \"b\"")},
		{Metric: b.HTTPReqDuration, At: 1e9 + 1, Value: 2.234516, Tags: request},
		{Metric: b.HTTPReqDuration, At: 1e9 + 387494416, Value: 0.25, Tags: request, Metadata: tags.With("vu", "3").With("iter", "0")},
		{Metric: b.HTTPReqFailed, At: 3e9, Value: 0, Tags: request},
		{Metric: b.HTTPReqWaiting, At: 3e9, Value: 1e-9, Tags: request},
		{Metric: b.VUs, At: 61e9, Value: 5},
		{Metric: orders, At: 3600e9, Value: 10.5, Tags: tags},
	}
}

// write sends samples through an output.
func write(t testing.TB, argument string, stdout io.Writer) {
	t.Helper()
	run, samples := shopRun(t)
	out, err := Kind().New(output.Params{Argument: argument, Stdout: stdout})
	if err != nil {
		t.Fatal(err)
	}
	needs, err := out.Start(run)
	if err != nil {
		t.Fatal(err)
	}
	if !needs.Samples || needs.Snapshots {
		t.Errorf("needs %+v", needs)
	}
	for _, b := range []output.Batch{{Samples: samples[:3]}, {}, {Samples: samples[3:]}, {Final: true}} {
		if err := out.Write(b); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Stop(); err != nil {
		t.Fatal(err)
	}
}

func TestLines(t *testing.T) {
	var b bytes.Buffer
	write(t, "", &b)
	for line := range bytes.Lines(b.Bytes()) {
		if !json.Valid(line) {
			t.Errorf("not JSON: %s", line)
		}
	}
	const path = "testdata/lines.jsonl"
	if *update {
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), want) {
		t.Errorf("differs (go test -update writes it):\n%s", b.Bytes())
	}
}

// TestDestinations: a plain file, a compressed one and standard output get the
// same text, and nothing but standard output goes there.
func TestDestinations(t *testing.T) {
	var want bytes.Buffer
	write(t, "-", &want)
	dir := t.TempDir()
	for _, name := range []string{"o.json", "o.json.gz"} {
		path := filepath.Join(dir, name)
		var stdout bytes.Buffer
		write(t, path, &stdout)
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Ext(name) == ".gz" {
			r, err := gzip.NewReader(bytes.NewReader(got))
			if err != nil {
				t.Fatal(err)
			}
			if got, err = io.ReadAll(r); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(got, want.Bytes()) || stdout.Len() > 0 {
			t.Errorf("%s differs; %d bytes on standard output", name, stdout.Len())
		}
	}
}

func TestCannotCreate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "missing", "o.json")
	out, _ := Kind().New(output.Params{Argument: path})
	if _, err := out.Start(testRun(t)); err == nil || !bytes.Contains([]byte(err.Error()), []byte(path)) {
		t.Errorf("got %v", err)
	}
	if out.Stop() == nil {
		t.Error("an output that never started can be stopped")
	}
}
