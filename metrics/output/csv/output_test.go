package csv

import (
	"bytes"
	"encoding/csv"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/metrics/output"
)

var update = flag.Bool("update", false, "write the golden files")

func shopSamples(run output.Run) []metrics.Sample {
	b, tags := run.Registry.Builtin(), run.Registry.Tags()
	request := tags.With("method", "GET").With("status", "200").With("group", "").With("scenario", "default").
		With("url", "http://h/?a=1,2&b=\"x\"").With("name", "item").With("shop", "a").With("kind", "b")
	return []metrics.Sample{
		{Metric: b.HTTPReqs, At: 0, Value: 1, Tags: request},
		{Metric: b.HTTPReqDuration, At: 1e9, Value: 2.2345164, Tags: request, Metadata: tags.With("vu", "3").With("iter", "0")},
		{Metric: b.HTTPReqDuration, At: 2e9, Value: -0.5, Tags: request, Metadata: tags.With("trace", "a,b")},
		{Metric: b.VUs, At: 3e9, Value: 5},
	}
}

// write sends samples through an output.
func write(t testing.TB, run output.Run, argument string, stdout io.Writer) {
	t.Helper()
	out, err := Kind().New(output.Params{Argument: argument, Stdout: stdout})
	if err != nil {
		t.Fatal(err)
	}
	needs, err := out.Start(run)
	if err != nil {
		t.Fatal(err)
	}
	if !needs.Samples || needs.Snapshots || needs.Every != time.Second {
		t.Errorf("needs %+v", needs)
	}
	for _, b := range []output.Batch{{Samples: shopSamples(run)}, {}, {Final: true}} {
		if err := out.Write(b); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Stop(); err != nil {
		t.Fatal(err)
	}
}

func TestRows(t *testing.T) {
	few := testRun(t)
	few.SystemTags = metrics.TagMethod | metrics.TagStatus | metrics.TagVU | metrics.TagIter
	tests := []struct {
		golden, argument string
		run              output.Run
	}{
		{"default.csv", "-", testRun(t)},
		{"few_tags.csv", "fileName=-,timeFormat=rfc3339", few},
	}
	for _, tt := range tests {
		var b bytes.Buffer
		write(t, tt.run, tt.argument, &b)
		if _, err := csv.NewReader(bytes.NewReader(b.Bytes())).ReadAll(); err != nil {
			t.Errorf("%s: %v", tt.golden, err)
		}
		path := filepath.Join("testdata", tt.golden)
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
			t.Errorf("%s differs (go test -update writes it):\n%s", path, b.Bytes())
		}
	}
}

func TestConfigure(t *testing.T) {
	setting := func(name string) (string, bool) {
		v, ok := map[string]string{"CSV_FILENAME": "env.csv", "CSV_SAVE_INTERVAL": "2500", "CSV_TIME_FORMAT": "unix_nano"}[name]
		return v, ok
	}
	tests := []struct {
		argument string
		setting  func(string) (string, bool)
		want     config
	}{
		{"", nil, config{"file.csv", time.Second, unix}},
		{"a.csv", nil, config{"a.csv", time.Second, unix}},
		{"", setting, config{"env.csv", 2500 * time.Millisecond, unixNano}},
		{"b.csv.gz", setting, config{"b.csv.gz", 2500 * time.Millisecond, unixNano}},
		{"fileName=c.csv,saveInterval=3s,timeFormat=rfc3339_nano", setting, config{"c.csv", 3 * time.Second, rfc3339Nano}},
		{"saveInterval=3s", nil, config{"file.csv", 3 * time.Second, unix}},
	}
	for _, tt := range tests {
		got, err := configure(output.Params{Argument: tt.argument, Setting: tt.setting})
		if err != nil || got != tt.want {
			t.Errorf("%q: got %+v, %v; want %+v", tt.argument, got, err, tt.want)
		}
	}
	for argument, want := range map[string]string{
		"saveInterval=never": `"never"`, "saveInterval=0": `"0"`, "timeFormat=iso": `"iso"`,
		"name=a": `"name"`, "fileName=a,b": `"b"`,
	} {
		if _, err := configure(output.Params{Argument: argument}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", argument, err)
		}
	}
	bad := func(name string) (string, bool) { return "x", name == "CSV_TIME_FORMAT" }
	if _, err := configure(output.Params{Setting: bad}); err == nil || !strings.Contains(err.Error(), "CSV_TIME_FORMAT") {
		t.Errorf("a bad setting: %v", err)
	}
}

func TestCannotCreate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "missing", "o.csv")
	out, err := Kind().New(output.Params{Argument: path})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := out.Start(testRun(t)); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("got %v", err)
	}
	if out.Stop() == nil {
		t.Error("an output that never started can be stopped")
	}
}
