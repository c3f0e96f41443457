package jsonl

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/metrics/output"
)

// start is a fixed epoch for tests.
var start = time.Date(2026, 11, 30, 17, 53, 19, 612505584, time.UTC)

func testRun(t testing.TB) output.Run {
	t.Helper()
	return output.Run{
		Epoch: metrics.NewEpoch(start), Registry: metrics.NewRegistry(), SystemTags: metrics.DefaultSystemTags,
	}
}

func TestAppendTime(t *testing.T) {
	e := newEncoder(testRun(t))
	for _, ns := range []int64{0, 1, 387494416, 387494415, 1e9, 86400e9, -612505584, -1e9, -1, 5e9 + 10} {
		want := start.Add(time.Duration(ns)).Format(time.RFC3339Nano)
		if got := string(e.appendTime(nil, e.start+ns)); got != want {
			t.Errorf("%d: got %s, want %s", ns, got, want)
		}
	}
}

func TestAppendNumber(t *testing.T) {
	for _, v := range []float64{0, 1, -1, 2.234516, 1e-7, 1e-6, 0.5, 1 << 53, 1<<53 + 2, 1e20, 1e21, 1e300, -1e-300, 123456789.125} {
		got := appendNumber(nil, v)
		var back float64
		if err := json.Unmarshal(got, &back); err != nil || back != v {
			t.Errorf("%v became %s: %v, %v", v, got, back, err)
		}
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if got := string(appendNumber(nil, v)); got != "null" {
			t.Errorf("%v became %s", v, got)
		}
	}
}

func FuzzAppendString(f *testing.F) {
	for _, s := range []string{"", "plain", "a\"b\\c\n\r\t\x00\x1f\x7f", "é \u2028\u2029", "\xff\xc3", "<&>", strings.Repeat("x\"", 50)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := appendString(nil, s)
		var back string
		if err := json.Unmarshal(got, &back); err != nil {
			t.Fatalf("%q became %s: %v", s, got, err)
		}
		var want string
		if text, err := json.Marshal(s); err != nil || json.Unmarshal(text, &want) != nil {
			t.Fatal(err)
		}
		if back != want {
			t.Fatalf("%q came back as %q, want %q", s, back, want)
		}
		if strings.ContainsAny(string(got), "\n\u2028\u2029") {
			t.Fatalf("%q breaks the line: %s", s, got)
		}
	})
}

func TestPointAllocatesNothing(t *testing.T) {
	run := testRun(t)
	e := newEncoder(run)
	tags := run.Registry.Tags().With("scenario", "default").With("group", "").With("url", "http://h/\"x\"")
	s := metrics.Sample{
		Metric: run.Registry.Builtin().HTTPReqDuration, At: 1234567, Value: 1.2345, Tags: tags,
		Metadata: run.Registry.Tags().With("vu", "1"),
	}
	e.point(&s)
	n := testing.AllocsPerRun(100, func() {
		e.b = e.b[:0]
		s.At += 1000
		e.point(&s)
	})
	if n > 0 {
		t.Errorf("%v allocations per point", n)
	}
}

func BenchmarkPoint(b *testing.B) {
	run := testRun(b)
	e := newEncoder(run)
	tags := run.Registry.Tags()
	for _, kv := range []string{"scenario=default", "group=", "url=http://127.0.0.1:8000/ok", "name=http://127.0.0.1:8000/ok", "status=200", "method=GET", "proto=HTTP/1.1", "expected_response=true"} {
		k, v, _ := strings.Cut(kv, "=")
		tags = tags.With(k, v)
	}
	s := metrics.Sample{Metric: run.Registry.Builtin().HTTPReqDuration, Value: 1.234567, Tags: tags}
	for b.Loop() {
		e.b = e.b[:0]
		s.At += 12345
		e.point(&s)
	}
}
