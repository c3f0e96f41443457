package options

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jsload/jsload/vu/segment"
)

func TestRequirements(t *testing.T) {
	tests := []struct {
		name, scenarios, segment string
		planned, most            int64
		duration                 string
	}{
		{name: "graceful stops overlap", planned: 9, most: 9, duration: "1m5s",
			scenarios: `"a": {"executor": "constant-vus", "vus": 4, "duration": "5s"}, "b": {"executor": "constant-vus", "vus": 5, "duration": "5s", "startTime": "30s"}`},
		{name: "one after the other", planned: 5, most: 5, duration: "11s",
			scenarios: `"a": {"executor": "constant-vus", "vus": 4, "duration": "5s", "gracefulStop": "0s"}, "b": {"executor": "constant-vus", "vus": 5, "duration": "5s", "startTime": "5s", "gracefulStop": "1s"}`},
		{name: "growth", planned: 3, most: 12, duration: "40s",
			scenarios: `"a": {"executor": "constant-arrival-rate", "rate": 5, "duration": "10s", "preAllocatedVUs": 3, "maxVUs": 12}`},
		{name: "growth in a third", segment: "0:1/3", planned: 1, most: 4, duration: "40s",
			scenarios: `"a": {"executor": "constant-arrival-rate", "rate": 5, "duration": "10s", "preAllocatedVUs": 3, "maxVUs": 12}`},
		{name: "ramp alone", planned: 6, most: 6, duration: "32s",
			scenarios: `"a": {"executor": "ramping-vus", "stages": [{"duration": "1s", "target": 6}, {"duration": "1s", "target": 0}]}`},
		{name: "ramp to its end", planned: 6, most: 6, duration: "2s",
			scenarios: `"a": {"executor": "ramping-vus", "stages": [{"duration": "1s", "target": 6}], "gracefulStop": 0}, "b": {"executor": "constant-vus", "vus": 5, "duration": "1s", "startTime": "1s", "gracefulStop": 0}`},
		{name: "a peak of no length", planned: 1, most: 1, duration: "31s",
			scenarios: `"a": {"executor": "ramping-vus", "stages": [{"duration": "0s", "target": 6}, {"duration": "0s", "target": 1}, {"duration": "1s", "target": 1}]}`},
		{name: "ramp gives way", planned: 7, most: 7, duration: "1m40s",
			// Of six users five have left when the other scenario takes six.
			scenarios: `"a": {"executor": "ramping-vus", "startVUs": 0, "gracefulRampDown": "0s", "stages": [{"duration": "0s", "target": 6}, {"duration": "10s", "target": 1}, {"duration": "1m", "target": 1}]},
				"b": {"executor": "per-vu-iterations", "vus": 6, "startTime": "10s", "maxDuration": "1m"}`},
		{name: "no users here", segment: "1/2:1", planned: 0, most: 0, duration: "10m30s",
			scenarios: `"a": {"executor": "per-vu-iterations"}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			text := `{"scenarios": {` + test.scenarios + `}`
			if test.segment != "" {
				text += `, "executionSegment": "` + test.segment + `"`
			}
			r := merge(t, `{}`, text+`}`, nil, nil).Requirements()
			if r.PlannedVUs != test.planned || r.MaxVUs != test.most || r.TotalDuration.String() != test.duration {
				t.Errorf("got %+v (%s)", r, r.TotalDuration)
			}
		})
	}
}

func TestEndless(t *testing.T) {
	m := merge(t, `{}`, `{"scenarios": {"a": {"executor": "externally-controlled", "vus": 2, "maxVUs": 9},
		"b": {"executor": "constant-vus", "duration": "1m", "startTime": "24h"}}}`, nil, nil)
	if r := m.Requirements(); !r.Endless || r.MaxVUs != 10 || r.PlannedVUs != 10 {
		t.Errorf("got %+v", r)
	}
}

// The peaks of random overlapping ramps equal those found by trying every
// instant at which anything changes.
func TestRampsAgainstDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		var scenarios []Scenario
		for i := range 1 + r.IntN(3) {
			scenarios = append(scenarios, randomRamp(r, fmt.Sprint("s", i)))
		}
		share := randomShare(t, r)
		if got, want := RequirementsOf(scenarios, share).MaxVUs, peakByDefinition(scenarios, share); got != want {
			t.Fatalf("%s: got %d, want %d", jsonOf(t, scenarioMap(scenarios)), got, want)
		}
	}
}

func randomRamp(r *rand.Rand, name string) Scenario {
	s := Scenario{Name: name, Executor: RampingVUs, StartVUs: Some(r.Int64N(5))}
	s.StartTime = Some(Duration(r.IntN(10)) * Duration(time.Second))
	s.GracefulStop = Some(Duration(1+r.IntN(4)) * Duration(time.Second))
	s.GracefulRampDown = Some(Duration(r.IntN(6)) * Duration(time.Second))
	for range 1 + r.IntN(5) {
		s.Stages.V = append(s.Stages.V, Stage{Duration: Duration(r.IntN(5)) * Duration(time.Second), Target: r.Int64N(8)})
	}
	s.Stages.Set = true
	return s
}

func randomShare(t *testing.T, r *rand.Rand) segment.Striper {
	t.Helper()
	parts := 1 + r.IntN(3)
	own := r.IntN(parts)
	bounds := make([]string, parts+1)
	for i := range bounds {
		bounds[i] = fmt.Sprintf("%d/%d", i, parts)
	}
	part, err := segment.Parse(bounds[own] + ":" + bounds[own+1])
	if err != nil {
		t.Fatal(err)
	}
	seq, err := segment.ParseSequence(strings.Join(bounds, ","))
	if err != nil {
		t.Fatal(err)
	}
	share, err := segment.Locate(part, seq)
	if err != nil {
		t.Fatal(err)
	}
	return share
}

func peakByDefinition(scenarios []Scenario, whole segment.Striper) (peak int64) {
	var instants []time.Duration
	for _, s := range scenarios {
		span := s.Share(whole).span()
		instants = append(instants, span.start, span.end)
		for at := range span.rampCounts() {
			instants = append(instants, at, at+span.share.Scenario.GracefulRampDown.V.Std())
		}
	}
	for _, at := range instants {
		var sum int64
		for _, s := range scenarios {
			sum += neededAt(s.Share(whole).span(), at)
		}
		peak = max(peak, sum)
	}
	return peak
}

// neededAt is the definition: the highest count within the last
// gracefulRampDown.
func neededAt(s span, at time.Duration) int64 {
	if at < s.start || at >= s.end {
		return 0
	}
	from := at - s.share.Scenario.GracefulRampDown.V.Std()
	var counts []int64
	for step, count := range s.rampCounts() {
		if step > at {
			break
		}
		if step <= from {
			counts = nil // overtaken before the window began
		}
		counts = append(counts, count)
	}
	return slices.Max(counts)
}

// A ramp too large to plan step by step is planned at its peak.
func TestHugeRamp(t *testing.T) {
	big := Scenario{Name: "a", Executor: RampingVUs, Stages: Some([]Stage{{Duration(time.Hour), maxVUCount}, {Duration(time.Hour), 0}})}
	late := Scenario{Name: "b", Executor: ConstantVUs, VUs: Some(int64(7)), Duration: Some(Duration(time.Minute))}
	if got := RequirementsOf([]Scenario{big, late}, segment.Striper{}).MaxVUs; got != maxVUCount+7 {
		t.Errorf("got %d", got)
	}
}

// Shares of all instances add up to the scenario.
func TestSharesAddUp(t *testing.T) {
	seq, err := segment.ParseSequence("0,1/5,3/5,1")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []Scenario{
		{Executor: SharedIterations, VUs: Some(int64(7)), Iterations: Some(int64(100))},
		{Executor: PerVUIterations, VUs: Some(int64(3)), Iterations: Some(int64(4))},
		{Executor: ConstantArrivalRate, PreAllocatedVUs: Some(int64(4)), MaxVUs: Some(int64(9))},
	} {
		var vus, iterations, before, most int64
		for _, text := range []string{"0:1/5", "1/5:3/5", "3/5:1"} {
			part, _ := segment.Parse(text)
			whole, err := segment.Locate(part, seq)
			if err != nil {
				t.Fatal(err)
			}
			share := s.Share(whole)
			vus += share.Scenario.VUs.V
			before += share.Planned()
			most += share.MaxVUs()
			iterations += share.Scenario.Iterations.V
		}
		wantIterations := s.Iterations.V
		if s.Executor == PerVUIterations {
			wantIterations *= 3 // each instance's users do them all
		}
		whole := s.Share(segment.Striper{})
		if vus != s.VUs.V || iterations != wantIterations || before != whole.Planned() || most != whole.MaxVUs() {
			t.Errorf("%s: %d VUs, %d iterations, %d of %d", s.Executor, vus, iterations, before, most)
		}
	}
}

func TestDescribe(t *testing.T) {
	tests := []struct{ scenario, segment, want string }{
		{`{"executor": "shared-iterations", "vus": 2, "iterations": 5}`, "", "5 iterations shared among 2 VUs (maxDuration: 10m0s, gracefulStop: 30s)"},
		{`{"executor": "shared-iterations", "vus": 4, "iterations": 10}`, "0:1/3", "3 iterations shared among 1 VUs (maxDuration: 10m0s, gracefulStop: 30s)"},
		{`{"executor": "per-vu-iterations", "iterations": 3, "exec": "buy", "startTime": "90s", "gracefulStop": 0}`, "", "3 iterations for each of 1 VUs (maxDuration: 10m0s, exec: buy, startTime: 1m30s)"},
		{`{"executor": "constant-vus", "vus": 9, "duration": "1m"}`, "", "9 looping VUs for 1m0s (gracefulStop: 30s)"},
		{`{"executor": "ramping-vus", "stages": [{"duration": "10s", "target": 9}, {"duration": "1m", "target": 2}]}`, "", "Up to 9 looping VUs for 1m10s over 2 stages (gracefulRampDown: 30s, gracefulStop: 30s)"},
		{`{"executor": "constant-arrival-rate", "rate": 100, "timeUnit": "1m", "duration": "10s", "preAllocatedVUs": 2}`, "", "1.67 iterations/s for 10s (maxVUs: 2, gracefulStop: 30s)"},
		{`{"executor": "constant-arrival-rate", "rate": 10, "duration": "10s", "preAllocatedVUs": 4}`, "0:1/2", "5.00 iterations/s for 10s (maxVUs: 2, gracefulStop: 30s)"},
		{`{"executor": "ramping-arrival-rate", "startRate": 7, "stages": [{"duration": "10s", "target": 3}], "preAllocatedVUs": 2, "maxVUs": 5}`, "", "Up to 7.00 iterations/s for 10s over 1 stages (maxVUs: 2-5, gracefulStop: 30s)"},
		{`{"executor": "externally-controlled", "vus": 3, "maxVUs": 8}`, "", "3 looping VUs under external control until stopped (maxVUs: 8)"},
		{`{"executor": "externally-controlled", "vus": 3, "duration": "1m"}`, "", "3 looping VUs under external control for 1m0s (maxVUs: 3)"},
	}
	for _, test := range tests {
		text := `{"scenarios": {"s": ` + test.scenario + `}`
		if test.segment != "" {
			text += `, "executionSegment": "` + test.segment + `"`
		}
		m := merge(t, `{}`, text+`}`, nil, nil)
		what, facts := m.Options.Scenarios.V[0].Share(m.Share).Describe()
		if got := what + " (" + strings.Join(facts, ", ") + ")"; got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
}
