package options

import (
	"fmt"
	"math/big"
	"time"
)

// Describe says in words what an instance does of a scenario, such as
// "2 iterations for each of 2 VUs", with the facts that go with it, such as
// "maxDuration: 10m0s".
func (s Share) Describe() (what string, facts []string) {
	what, facts = s.work()
	c := &s.Scenario
	if c.Exec.V != DefaultScenario {
		facts = append(facts, "exec: "+c.Exec.V)
	}
	if c.StartTime.V > 0 {
		facts = append(facts, "startTime: "+c.StartTime.V.String())
	}
	if c.GracefulStop.V > 0 {
		facts = append(facts, "gracefulStop: "+c.GracefulStop.V.String())
	}
	return what, facts
}

// work says what is particular to the executor.
func (s Share) work() (what string, facts []string) {
	c := &s.Scenario
	duration, endless := c.RegularDuration()
	switch c.Executor {
	case SharedIterations:
		return fmt.Sprintf("%d iterations shared among %d VUs", c.Iterations.V, c.VUs.V), []string{"maxDuration: " + c.MaxDuration.V.String()}
	case PerVUIterations:
		return fmt.Sprintf("%d iterations for each of %d VUs", c.Iterations.V, c.VUs.V), []string{"maxDuration: " + c.MaxDuration.V.String()}
	case RampingVUs:
		return fmt.Sprintf("Up to %d looping VUs for %s over %d stages", s.MaxVUs(), duration, len(c.Stages.V)),
			[]string{"gracefulRampDown: " + c.GracefulRampDown.V.String()}
	case ConstantArrivalRate:
		return fmt.Sprintf("%s iterations/s for %s", s.perSecond(c.Rate.V), duration), []string{s.userRange()}
	case RampingArrivalRate:
		return fmt.Sprintf("Up to %s iterations/s for %s over %d stages", s.perSecond(s.highestRate()), duration, len(c.Stages.V)),
			[]string{s.userRange()}
	case ExternallyControlled:
		return s.controlled(duration, endless), []string{fmt.Sprintf("maxVUs: %d", c.MaxVUs.V)}
	default:
		return fmt.Sprintf("%d looping VUs for %s", c.VUs.V, duration), nil
	}
}

func (s Share) controlled(duration time.Duration, endless bool) string {
	if endless {
		return fmt.Sprintf("%d looping VUs under external control until stopped", s.Scenario.VUs.V)
	}
	return fmt.Sprintf("%d looping VUs under external control for %s", s.Scenario.VUs.V, duration)
}

// perSecond gives this instance's part of a rate per timeUnit as text, per
// second.
func (s Share) perSecond(rate int64) string {
	num, den := s.Iterations.Share()
	if den == 0 {
		return "0.00"
	}
	r := new(big.Rat).SetFrac(new(big.Int).SetUint64(num), new(big.Int).SetUint64(den))
	r.Mul(r, new(big.Rat).SetFrac(big.NewInt(rate), big.NewInt(int64(s.Scenario.TimeUnit.V))))
	return r.Mul(r, big.NewRat(int64(time.Second), 1)).FloatString(2)
}

func (s Share) highestRate() int64 {
	highest := s.Scenario.StartRate.V
	for _, stage := range s.Scenario.Stages.V {
		highest = max(highest, stage.Target)
	}
	return highest
}

func (s Share) userRange() string {
	before, most := s.Scenario.PreAllocatedVUs.V, s.Scenario.MaxVUs.V
	if before == most {
		return fmt.Sprintf("maxVUs: %d", most)
	}
	return fmt.Sprintf("maxVUs: %d-%d", before, most)
}
