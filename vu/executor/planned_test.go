package executor

import (
	"testing"
	"time"

	"github.com/jsload/jsload/vu/options"
	"github.com/jsload/jsload/vu/segment"
)

func stages(of ...any) options.Null[[]options.Stage] {
	var all []options.Stage
	for i := 0; i < len(of); i += 2 {
		all = append(all, options.Stage{Duration: options.Duration(of[i].(time.Duration)), Target: int64(of[i+1].(int))})
	}
	return options.Some(all)
}

// What options plan with is what the executors take.
func TestPlannedVUs(t *testing.T) {
	const s = time.Second
	half := must(segment.Locate(must(segment.Parse("1/2:1")), must(segment.ParseSequence("0,1/2,1"))))
	third := must(segment.Locate(must(segment.Parse("0:1/3")), segment.Sequence{}))
	constant := func(vus int64, start, d time.Duration) options.Scenario {
		return options.Scenario{Executor: options.ConstantVUs, VUs: num(vus), Duration: dur(d), StartTime: dur(start)}
	}
	overlap := []options.Scenario{constant(3, 0, 10*s), constant(4, 20*s, 10*s),
		{Executor: options.PerVUIterations, VUs: num(5), MaxDuration: dur(5 * s), StartTime: dur(35 * s)}}
	after := []options.Scenario{constant(3, 0, 10*s), constant(4, 10*s, 10*s)}
	after[0].GracefulStop, after[1].GracefulStop = dur(0), dur(3*s)
	ramp := []options.Scenario{{Executor: options.RampingVUs, StartVUs: num(1), Stages: stages(10*s, 9, 10*s, 3, 60*s, 6, 5*s, 0), GracefulRampDown: dur(5 * s), GracefulStop: dur(2 * s)}}
	arrival := []options.Scenario{
		{Executor: options.ConstantArrivalRate, Rate: num(5), Duration: dur(10 * s), PreAllocatedVUs: num(7), MaxVUs: num(20)},
		{Executor: options.RampingArrivalRate, StartRate: num(1), Stages: stages(5*s, 3, 7*s, 0), PreAllocatedVUs: num(2), StartTime: dur(time.Minute), GracefulStop: dur(11 * s)}}
	// 10 VUs go at 10 s and are needed until 12 s; another scenario takes 4.
	down := func(start time.Duration) []options.Scenario {
		return []options.Scenario{
			{Executor: options.RampingVUs, StartVUs: num(10), Stages: stages(10*s, 10, 0*s, 2, 20*s, 2), GracefulRampDown: dur(2 * s)},
			constant(4, start, s)}
	}
	tests := []struct {
		name          string
		scenarios     []options.Scenario
		share         segment.Striper
		planned, most int64
		length        time.Duration
	}{
		{"overlap", overlap, segment.Striper{}, 12, 12, 70 * s},
		{"overlap in a half", overlap, half, 5, 5, 70 * s},
		{"overlap in a third", overlap, third, 4, 4, 70 * s},
		{"after", after, segment.Striper{}, 4, 4, 23 * s},
		{"ramp", ramp, segment.Striper{}, 9, 9, 87 * s},
		{"ramp in a half", ramp, half, 4, 4, 87 * s},
		{"arrival", arrival, segment.Striper{}, 7, 20, 83 * s},
		{"arrival in a half", arrival, half, 3, 10, 83 * s},
		{"arrival in a third", arrival, third, 2, 7, 83 * s},
		{"before the ramp is down", down(11 * s), segment.Striper{}, 14, 14, 60 * s},
		{"after the ramp is down", down(12 * s), segment.Striper{}, 10, 10, 60 * s},
		{"shared", []options.Scenario{
			{Executor: options.SharedIterations, VUs: num(6), Iterations: num(100), MaxDuration: dur(90 * s), GracefulStop: dur(s)},
			{Executor: options.SharedIterations, VUs: num(2), Iterations: num(5), StartTime: dur(91 * s)}}, segment.Striper{}, 6, 6, 721 * s},
		{"nothing", nil, segment.Striper{}, 0, 0, 0},
	}
	for _, tt := range tests {
		want := options.Requirements{PlannedVUs: tt.planned, MaxVUs: tt.most, TotalDuration: tt.length}
		if got := options.RequirementsOf(tt.scenarios, tt.share); got != want {
			t.Errorf("%s: %+v, want %d, %d, %v", tt.name, got, tt.planned, tt.most, tt.length)
		}
	}
	got := options.RequirementsOf([]options.Scenario{{Executor: options.ExternallyControlled, VUs: num(3), MaxVUs: num(12)}, constant(1, 0, s)}, segment.Striper{})
	if !got.Endless || got.PlannedVUs != 13 || got.MaxVUs != 13 {
		t.Errorf("without end: %+v", got)
	}
}
