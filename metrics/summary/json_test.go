package summary

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/jsload/jsload/metrics"
)

func TestHandleSummaryData(t *testing.T) {
	got := shop(Compact).HandleSummaryData(State{StdoutTTY: true}, json.RawMessage(`{"b":1,"a":[2]}`))
	var b bytes.Buffer
	if err := json.Indent(&b, got, "", "  "); err != nil {
		t.Fatalf("%v in %s", err, got)
	}
	golden(t, "handle_summary.json", append(b.Bytes(), '\n'))
}

func TestExport(t *testing.T) {
	var b bytes.Buffer
	if err := shop(Compact).WriteExport(&b, json.RawMessage(`{"b":1,"a":[2]}`)); err != nil {
		t.Fatal(err)
	}
	if !json.Valid(b.Bytes()) {
		t.Error("not JSON")
	}
	golden(t, "export.json", b.Bytes())
}

func TestMachineReadable(t *testing.T) {
	origin := Origin{Script: "export default () => {\n}", Generated: time.Unix(1e9, 5e8), Version: "1.2.3"}
	var b bytes.Buffer
	if err := shop(Compact).WriteMachineReadable(&b, origin); err != nil {
		t.Fatal(err)
	}
	if !json.Valid(b.Bytes()) {
		t.Error("not JSON")
	}
	golden(t, "machine_readable.json", b.Bytes())
}

// TestHostileJSON: nothing that a script or a server can put into a report
// breaks the JSON.
func TestHostileJSON(t *testing.T) {
	r := &Report{
		Options: Options{TrendStats: DefaultTrendStats()},
		Root: &metrics.GroupView{Groups: []*metrics.GroupView{{
			Name: "a\"\n\x00\xff<&>\u2028", Checks: []metrics.CheckView{{Name: `"`}},
		}}},
		Total: Section{Metrics: []Metric{
			{Name: "m", Kind: metrics.Trend, Samples: 1, Trend: []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e-300, 1e300, 0},
				Thresholds: []Threshold{{Source: "avg<1"}, {Source: "avg<1", OK: true}}},
		}},
	}
	var b bytes.Buffer
	_ = r.WriteExport(&b, json.RawMessage("not json"))
	for _, doc := range [][]byte{b.Bytes(), r.HandleSummaryData(State{}, nil)} {
		var v map[string]any
		if err := json.Unmarshal(doc, &v); err != nil {
			t.Errorf("%v in %s", err, doc)
		}
	}
	if !bytes.Contains(b.Bytes(), []byte(`"avg<1": true`)) {
		t.Errorf("the failed threshold is hidden by its twin: %s", b.Bytes())
	}
}
