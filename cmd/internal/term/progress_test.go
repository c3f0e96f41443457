package term

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write the golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got:\n%s\nwant:\n%s", name, got, want)
	}
}

func sample() *Progress {
	return &Progress{
		Phase: "running", Elapsed: 61500 * time.Millisecond, Planned: 10 * time.Minute,
		VUs: 3, MaxVUs: 256, Complete: 1234567, Interrupted: 2,
		Requests: 2469134, Failed: 0.0123, P95: 3217 * time.Microsecond, Rate: 40148.5,
		Scenarios: []Scenario{
			{Name: "a", State: Done, Fraction: 1, VUs: "2 VUs", Time: "00m00.0s/10m0s", Detail: "4/4 iters, 2 per VU"},
			{Name: "checkout", State: Running, Fraction: 0.62, VUs: "0/1 VUs", Time: "1.2s/2s", Detail: "2.00 iters/s"},
			{Name: "later", State: Waiting, VUs: "0/9 VUs", Time: "starts in 9s"},
			{Name: "a_scenario_with_a_name_that_is_very_long", State: Interrupted, Fraction: 0.1, VUs: "1 VUs", Time: "1.2s/2s"},
			{Name: "ending", State: Stopping, Fraction: 1.2, VUs: "1 VUs", Time: "2.0s/2s"},
		},
	}
}

func TestProgress(t *testing.T) {
	var b strings.Builder
	for _, columns := range []int{120, 80, 60, 30} {
		b.WriteString(strings.Repeat("-", columns) + "\n")
		b.WriteString(strings.Join(sample().Lines(columns, 0, false), "\n") + "\n")
	}
	b.WriteString("colours\n" + strings.Join(sample().Lines(80, 0, true), "\n") + "\n")
	b.WriteString("five rows\n" + strings.Join(sample().Lines(80, 5, false), "\n") + "\n")
	b.WriteString("no terminal\n" + strings.Join(sample().Text(), "\n") + "\n")
	b.WriteString("before the first request\n" + strings.Join((&Progress{Phase: "setup"}).Text(), "\n") + "\n")
	golden(t, "progress", b.String())
}

func TestProgressFits(t *testing.T) {
	for columns := 1; columns < 200; columns++ {
		for rows := 2; rows < 12; rows++ {
			lines := sample().Lines(columns, rows, false)
			if len(lines) > rows {
				t.Fatalf("%d lines at %d rows", len(lines), rows)
			}
			for _, l := range lines {
				if columns >= 24 && runes(l) > columns {
					t.Fatalf("%d columns at a width of %d: %q", runes(l), columns, l)
				}
			}
		}
	}
}

func TestPlan(t *testing.T) {
	p := Plan{Execution: "local", Script: "s1.js", Outputs: []string{"json (o.json)", "csv (o.csv)"}, Share: 100, MaxVUs: 3, MaxDuration: 630 * time.Second,
		Scenarios: []PlannedScenario{
			{Name: "a", What: "2 iterations for each of 2 VUs", Facts: []string{"maxDuration: 10m0s", "gracefulStop: 30s"}},
			{Name: "b", What: "2.00 iterations/s for 2s"},
		}}
	var b strings.Builder
	narrow := p
	narrow.Columns = 60
	for _, p := range []Plan{p, narrow, {Execution: "local", Script: "s.ts", Share: 33.333, MaxVUs: 1, MaxDuration: time.Second, Extra: [][2]string{{"seed", "42"}}, Scenarios: []PlannedScenario{{Name: "default", What: "1 looping VUs for 1s"}}}} {
		if _, err := p.WriteTo(&b); err != nil {
			t.Fatal(err)
		}
	}
	if err := Banner(&b, false, "0.0.0-dev"); err != nil {
		t.Fatal(err)
	}
	golden(t, "plan", b.String())
}

func TestClock(t *testing.T) {
	for _, c := range []struct {
		elapsed, total time.Duration
		want           string
	}{
		{0, 10 * time.Minute, "00m00.0s/10m0s"},
		{time.Second, 2 * time.Second, "1.0s/2s"},
		{time.Hour, 2 * time.Second, "2.0s/2s"},
		{1234 * time.Millisecond, 30 * time.Second, "01.2s/30s"},
		{-1, time.Second, "0.0s/1s"},
		{3661 * time.Second, 2 * time.Hour, "1h01m01.0s/2h0m0s"},
		{59999 * time.Millisecond, time.Minute, "00m59.9s/1m0s"},
	} {
		if got := Clock(c.elapsed, c.total); got != c.want {
			t.Errorf("Clock(%v, %v) = %s, want %s", c.elapsed, c.total, got, c.want)
		}
	}
}

func TestLatency(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0ns", 812: "812ns", 3217 * time.Microsecond: "3.21ms", 1500 * time.Millisecond: "1.5s",
		812 * time.Microsecond: "812µs", 65 * time.Second: "1m5s", 999999 * time.Nanosecond: "999.99µs",
	} {
		if got := Latency(d); got != want {
			t.Errorf("Latency(%d) = %s, want %s", d, got, want)
		}
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[uint64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		if got := Count(n); got != want {
			t.Errorf("Count(%d) = %s", n, got)
		}
	}
}
