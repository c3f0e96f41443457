package csv

import (
	"encoding/csv"
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

func TestTimeFormats(t *testing.T) {
	want := map[timeFormat]string{
		unix: "1796061201", unixMilli: "1796061201001", unixMicro: "1796061201001234", unixNano: "1796061201001234567",
		rfc3339: "2026-11-30T17:53:21Z", rfc3339Nano: "2026-11-30T17:53:21.001234567Z",
	}
	at := time.Date(2026, 11, 30, 17, 53, 21, 1234567, time.UTC).UnixNano()
	for format, want := range want {
		e := newEncoder(testRun(t), format)
		for range 2 { // the second time from what is remembered
			if got := string(e.appendTime(nil, at)); got != want {
				t.Errorf("%s: got %s, want %s", timeFormats[format], got, want)
			}
		}
	}
}

func TestRowAllocatesNothing(t *testing.T) {
	run := testRun(t)
	e := newEncoder(run, unix)
	s := metrics.Sample{
		Metric: run.Registry.Builtin().HTTPReqDuration, Value: 1.2345,
		Tags: run.Registry.Tags().With("scenario", "default").With("own", "a,b"), Metadata: run.Registry.Tags().With("vu", "1"),
	}
	e.row(&s)
	n := testing.AllocsPerRun(100, func() {
		e.b = e.b[:0]
		s.At += 1000
		e.row(&s)
	})
	if n > 0 {
		t.Errorf("%v allocations per row", n)
	}
}

// FuzzFields: a reader of CSV gets back what was written.
func FuzzFields(f *testing.F) {
	f.Add("plain", "")
	f.Add(" a,b\"c\nd", "x&y=z")
	f.Add("\t", "\"")
	f.Fuzz(func(t *testing.T, a, b string) {
		// Readers turn \r\n into \n, and a lone empty field is no row.
		if strings.Contains(a+b, "\r") {
			return
		}
		row := append(appendField([]byte("m,"), a), ',')
		row = append(appendField(row, b), '\n')
		got, err := csv.NewReader(strings.NewReader(string(row))).Read()
		if err != nil || len(got) != 3 || got[1] != a || got[2] != b {
			t.Fatalf("%q and %q became %q: %q, %v", a, b, row, got, err)
		}
	})
}
