package summary

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"
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
			Host  map[string]float64
		}
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil || got.Generator.Limit != "schedule" || got.Generator.CPU != 0.4312 || got.Generator.Late != 3 || got.Generator.Drops != 140 || got.Generator.Host["idle"] != 0.4 || len(got.Generator.Host) != 7 {
		t.Errorf("%+v, %v", got, err)
	}
}

// Room to spare is only claimed where there was some.
func TestNoRoomToSpare(t *testing.T) {
	for _, limit := range []string{"none", "server"} {
		for _, crowded := range []bool{false, true} {
			g := &Generator{Limit: limit, Crowded: crowded}
			if _, advice := g.verdict(); strings.Contains(advice, "had room to spare") == crowded {
				t.Errorf("%s, crowded %t: %s", limit, crowded, advice)
			}
		}
	}
}

func TestHostFacts(t *testing.T) {
	g := &Generator{CPUs: 1, Host: Host{
		Waiting: 0.761, Wait: 484 * time.Microsecond, Known: true, Idle: 0.25, Others: 0.665, Stolen: 0.02, Throttled: 1200 * time.Millisecond,
	}}
	var text strings.Builder
	for _, f := range g.facts() {
		text.WriteString(f[0] + ": " + f[1] + "\n")
	}
	for _, want := range []string{
		"threads avg=484µs (76.1% of their time)",
		"machine: 25.0% idle, 66.5% used by other processes, 2.0% by the hypervisor, stopped by a quota for 1.2s",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	unknown := &Generator{CPUs: 1}
	for _, f := range unknown.facts() {
		if f[0] == "machine" || strings.Contains(f[1], "threads") {
			t.Errorf("a figure that is not known: %q", f)
		}
	}
}
