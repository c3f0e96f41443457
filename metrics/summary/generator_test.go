package summary

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// Each verdict says what it means for the other numbers.
func TestGeneratorVerdicts(t *testing.T) {
	for limit, want := range map[string]string{
		"generator": "GENERATOR was the limit: why.", "schedule": "SCHEDULE was the limit: why.",
		"server": "SERVER was the limit: why.", "none": "Nothing was at its limit",
	} {
		r := &Report{Generator: &Generator{Limit: limit, Reason: "why", CPUs: 2}}
		var b bytes.Buffer
		if err := r.WriteText(&b, false); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		if !strings.Contains(text, "█ GENERATOR") || !strings.Contains(text, want) {
			t.Errorf("%s:\n%s", limit, text)
		}
		if strings.Contains(text, "dropped_iterations") || strings.Contains(text, "start_delay") {
			t.Errorf("figures of an open loop in a closed one:\n%s", text)
		}
		for line := range strings.Lines(text) {
			if width(strings.TrimRight(line, "\n")) > textWidth {
				t.Errorf("too wide: %s", line)
			}
		}
	}
}

// Trends that lack what was dropped say so; others, and their least values, do not.
func TestDroppedIterationsMakeAtLeast(t *testing.T) {
	var b bytes.Buffer
	if err := shop(Compact).WriteText(&b, false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"avg>=13ms", "p(95)>=901ms", "min=1ms", ">= because 140 iterations were dropped"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	b.Reset()
	r := shop(Compact)
	r.Generator.Dropped = 0
	_ = r.WriteText(&b, false)
	if strings.Contains(b.String(), ">=") {
		t.Errorf("nothing was dropped:\n%s", b.String())
	}
}

func TestGeneratorAsJSON(t *testing.T) {
	var b bytes.Buffer
	if err := shop(Compact).WriteMachineReadable(&b, Origin{}); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Generator struct {
			Limit string
			CPU   float64
			Late  float64 `json:"start_delay_p99"`
			Drops int     `json:"dropped_iterations"`
		}
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil || got.Generator.Limit != "schedule" || got.Generator.CPU != 0.4312 || got.Generator.Late != 3 || got.Generator.Drops != 140 {
		t.Errorf("%+v, %v", got, err)
	}
}
