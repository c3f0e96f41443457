package summary

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jsload/jsload/metrics"
)

func TestText(t *testing.T) {
	units := shop(Compact)
	units.Options.TimeUnit = UnitMicroseconds
	tests := []struct {
		golden string
		report *Report
		color  bool
	}{
		{"compact.txt", shop(Compact), false},
		{"full.txt", shop(Full), false},
		{"color.txt", shop(Full), true},
		{"microseconds.txt", units, false},
		{"disabled.txt", shop(Disabled), false},
		{"nothing.txt", &Report{}, false},
	}
	for _, tt := range tests {
		t.Run(tt.golden, func(t *testing.T) {
			var b bytes.Buffer
			if err := tt.report.WriteText(&b, tt.color); err != nil {
				t.Fatal(err)
			}
			golden(t, tt.golden, b.Bytes())
		})
	}
}

// TestColorsChangeNothing: without its escapes, the coloured text is the plain one.
func TestColorsChangeNothing(t *testing.T) {
	var plain, colored bytes.Buffer
	_ = shop(Full).WriteText(&plain, false)
	_ = shop(Full).WriteText(&colored, true)
	s := colored.String()
	for _, sgr := range []string{sgrBold, sgrFaint, sgrRed, sgrGreen, sgrCyan, sgrReset} {
		s = strings.ReplaceAll(s, sgr, "")
	}
	if s != plain.String() {
		t.Errorf("without escapes:\n%s", s)
	}
}

// TestOwnSectionsFit: the tables of our own are readable on a small terminal.
func TestOwnSectionsFit(t *testing.T) {
	var b bytes.Buffer
	_ = shop(Compact).WriteText(&b, false)
	_, own, ok := strings.Cut(b.String(), "█ ENDPOINTS")
	if !ok {
		t.Fatal("no endpoints")
	}
	for line := range strings.Lines(own) {
		if line = strings.TrimRight(line, "\n"); width(line) > textWidth {
			t.Errorf("%d columns: %s", width(line), line)
		}
	}
}

func TestManyRows(t *testing.T) {
	r := &Report{Duration: time.Second, EndpointsFolded: true}
	for range 100 {
		r.Endpoints = append(r.Endpoints, Endpoint{Name: "a", Count: 1})
		r.Failures = append(r.Failures, Failure{Cause: "b", Where: "a", Count: 1})
	}
	var b bytes.Buffer
	_ = r.WriteText(&b, false)
	golden(t, "many_rows.txt", b.Bytes())
	r.Options.Mode = Full
	b.Reset()
	_ = r.WriteText(&b, false)
	if n := strings.Count(b.String(), "\n"); n < 200 {
		t.Errorf("full mode has %d lines", n)
	}
}

func TestSameCheckNames(t *testing.T) {
	r := &Report{Total: Section{
		Metrics: []Metric{{Name: "checks", Kind: metrics.Rate, Samples: 3, Hits: 2}},
		Checks: []metrics.CheckView{
			{Name: "same", Path: "::same", Passes: 1},
			{Name: "same", Path: "::g::same", Fails: 1},
			{Name: "other", Path: "::g::other", Passes: 1},
		},
	}}
	var b bytes.Buffer
	_ = r.WriteText(&b, false)
	for _, want := range []string{"✓ ::same\n", "✗ ::g::same\n      ↳  0% — ✓ 0 / ✗ 1\n", "✓ other\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestWriteErrors(t *testing.T) {
	r := shop(Compact)
	if r.WriteText(brokenWriter{}, false) == nil || r.WriteExport(brokenWriter{}, nil) == nil || r.WriteMachineReadable(brokenWriter{}, Origin{}) == nil {
		t.Error("an error was swallowed")
	}
}

// TestControlCharacters: names from scripts and servers cannot draw on the
// terminal.
func TestControlCharacters(t *testing.T) {
	const evil = "a\x1b[2Jb\nc\x07"
	r := &Report{Duration: time.Second,
		Total: Section{
			Metrics: []Metric{{Name: "checks", Kind: metrics.Rate, Samples: 1, Thresholds: []Threshold{{Source: evil}}}},
			Checks:  []metrics.CheckView{{Name: evil, Fails: 1}}},
		Groups:    []Section{{Name: evil, Groups: []Section{{Name: evil}}}},
		Endpoints: []Endpoint{{Name: evil}},
		Failures:  []Failure{{Cause: evil, Where: evil}},
	}
	var b bytes.Buffer
	_ = r.WriteText(&b, false)
	if strings.ContainsAny(b.String(), "\x1b\x07") || strings.Contains(b.String(), "\nc") {
		t.Errorf("%q", b.String())
	}
}
