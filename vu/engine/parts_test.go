package engine

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jsload/jsload/metrics/threshold"
	"github.com/jsload/jsload/vu"
	"github.com/jsload/jsload/vu/options"
)

// judge binds thresholds by target.
func (b *bench) judge(definitions map[string][]threshold.Definition) {
	b.t.Helper()
	set, err := threshold.NewSet(definitions, false)
	if err == nil {
		err = set.Bind(b.config.Store.Registry(), b.config.Store)
	}
	if err != nil {
		b.t.Fatal(err)
	}
	b.config.Thresholds = set
}

// ramp is a scenario of one VU that loops through stages of 10 s.
func ramp(name string, start time.Duration, stages int) options.Scenario {
	list := make([]options.Stage, stages)
	for i := range list {
		list[i] = options.Stage{Duration: options.Duration(10 * time.Second), Target: 1}
	}
	return options.Scenario{Name: name, Executor: options.RampingVUs, StartVUs: num(1), Stages: options.Some(list), StartTime: dur(start)}
}

// counting makes each iteration, of a second, count once.
func (b *bench) counting() {
	b.iterate = func(u *unit) error {
		err := u.sleep(time.Second)
		u.record.Add(b.cc, 1)
		return err
	}
}

func observed(r Result) []float64 {
	var all []float64
	for _, v := range r.Verdicts {
		all = append(all, v.Observed)
	}
	return all
}

func TestThresholdsOnPartsOfTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, ramp("s", 5*time.Second, 3))
		b.counting()
		b.config.Teardown = b.hook("teardown", time.Minute, nil)
		b.judge(map[string][]threshold.Definition{"cc": {
			{Source: "count>0"},
			{Source: "count>0", ExcludeStages: []int{0}},
			{Source: "count>0", ExcludeStages: []int{0, 2}},
			{Source: "rate>0.9", Window: 15 * time.Second},
			{Source: "count>0", Window: 15 * time.Second},
			{Source: "count>0", Window: 15 * time.Second, ExcludeStages: []int{2}},
			{Source: "count>0", Window: time.Hour},
		}})
		r := b.run(0)
		got := observed(r)
		// The instants of stages and of samples fall together, so one more or less.
		for i, want := range []float64{30, 20, 10, 1, 15, 5, 30} {
			slack := 1.0
			if i == 3 {
				slack = 0.1
			}
			if got[i] < want-slack || got[i] > want+slack {
				t.Errorf("rule %d: %v, want about %v", i, got[i], want)
			}
		}
		if label := r.Verdicts[5].Rule.Label(); label != "last 15s, without stage 2" {
			t.Errorf("label %q", label)
		}
	})
}

// A bad window ends the test although the whole is good.
func TestWindowAborts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, constant(1, time.Hour))
		began := time.Now()
		b.iterate = func(u *unit) error {
			err := u.sleep(time.Second)
			u.record.Check("fine", time.Since(began) < 100*time.Second)
			return err
		}
		b.judge(map[string][]threshold.Definition{"checks": {
			{Source: "rate>0.5"}, {Source: "rate>0.5", Window: 20 * time.Second, AbortOnFail: true},
		}})
		r := b.run(vu.ExitThresholds)
		if at := r.Duration.Round(time.Second); at < 108*time.Second || at > 115*time.Second || !r.Verdicts[0].OK {
			t.Errorf("ended after %v, the whole is %t", at, r.Verdicts[0].OK)
		}
	})
}

func TestStagesThatAreNotThere(t *testing.T) {
	for _, tt := range []struct {
		metric    string
		stages    []int
		scenarios []options.Scenario
		want      string
	}{
		{"cc", []int{0}, []options.Scenario{constant(1, time.Second)}, "no scenario has stages"},
		{"cc", []int{3}, []options.Scenario{ramp("a", 0, 3)}, "there is no stage 3: scenario a has the stages 0 to 2"},
		{"cc", []int{-1}, []options.Scenario{ramp("a", 0, 3)}, "there is no stage -1"},
		{"cc", []int{0}, []options.Scenario{ramp("a", 0, 3), ramp("b", 0, 1)}, "the scenarios a and b have stages; name one, as in cc{scenario:a}"},
		{"cc{scenario:c}", []int{0}, []options.Scenario{ramp("a", 0, 3)}, "there is no scenario c with stages"},
		{"cc{scenario:b}", []int{1}, []options.Scenario{ramp("a", 0, 3), ramp("b", 0, 1)}, "there is no stage 1: scenario b has the stages 0 to 0"},
	} {
		b := newBench(t, tt.scenarios...)
		b.judge(map[string][]threshold.Definition{tt.metric: {{Source: "count>0", ExcludeStages: tt.stages}}})
		if r := Run(t.Context(), b.config); r.Code != vu.ExitConfig || !strings.Contains(r.Err.Error(), tt.want) {
			t.Errorf("%s, %v: %v", tt.metric, tt.stages, r.Err)
		}
	}
}

// With setup aside, rates refer to the scenarios.
func TestSetupAsideMeasuresTheScenarios(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, constant(1, 10*time.Second))
		b.counting()
		b.config.SetupAside = true
		b.config.Setup, b.config.Teardown = b.hook("setup", time.Minute/2, nil), b.hook("teardown", time.Minute/2, nil)
		b.judge(map[string][]threshold.Definition{"cc": {{Source: "rate==1"}}})
		if r := b.run(0); r.Duration != 10*time.Second || b.config.Live.Elapsed() != 70*time.Second {
			t.Errorf("duration %v of %v", r.Duration, b.config.Live.Elapsed())
		}
	})
}
