package options

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// maxVUCount is the most users a scenario may ask for. The least a user can
// take, plain Go without JavaScript, is about leastVUMemory bytes.
const (
	maxVUCount    = 100_000_000
	leastVUMemory = 4 << 10
)

// check judges every scenario.
func (m *merger) check(exports []string) {
	for i := range m.options.Scenarios.V {
		written := &m.options.Scenarios.V[i]
		s := written.WithDefaults()
		c := checker{m, &s, written}
		c.common(exports)
		switch s.Executor {
		case SharedIterations:
			c.sharedIterations()
		case PerVUIterations:
			c.perVUIterations()
		case ConstantVUs:
			c.constantVUs()
		case RampingVUs:
			c.rampingVUs()
		case ConstantArrivalRate:
			c.constantArrivalRate()
		case RampingArrivalRate:
			c.rampingArrivalRate()
		case ExternallyControlled:
			c.externallyControlled()
		}
	}
}

// checker judges one scenario.
type checker struct {
	m       *merger
	s       *Scenario // with defaults
	written *Scenario // as the user wrote it
}

// bad reports a problem of a field, unless decoding it has failed already.
func (c checker) bad(field, hint, format string, args ...any) {
	path := "scenarios." + c.s.Name + "." + field
	for _, p := range c.m.problems {
		if p.Path == path || strings.HasPrefix(p.Path, path+"[") {
			return
		}
	}
	c.m.problems = append(c.m.problems, Problem{
		Path: path, Message: "executor " + c.s.Name + ": " + fmt.Sprintf(format, args...), Hint: hint,
	})
}

func (c checker) common(exports []string) {
	if c.s.Name == "" || strings.ContainsFunc(c.s.Name, notInScenarioName) {
		c.bad("name", "", "the scenario name should contain only numbers, latin letters, underscores, and dashes")
	}
	exec := c.s.Exec.V
	switch {
	case exec == "":
		c.bad("exec", "", "the name of the function in exec must not be empty")
	case exports != nil && !slices.Contains(exports, exec):
		hint := didYouMean(exec, exports)
		if hint == "" && len(exports) > 0 {
			hint = "the script exports " + strings.Join(exports, ", ")
		}
		c.bad("exec", hint, "function '%s' not found in exports", exec)
	}
	c.notNegative("startTime", c.s.StartTime.V)
	c.notNegative("gracefulStop", c.s.GracefulStop.V)
	if c.s.Browser != "" && c.s.Browser != "chromium" {
		c.bad("options.browser.type", "the only type is chromium", "unknown browser type '%s'", c.s.Browser)
	}
}

func notInScenarioName(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_')
}

func (c checker) notNegative(field string, d Duration) {
	if d < 0 {
		c.bad(field, "", "the %s must not be negative, but is %s", field, d)
	}
}

// atLeastSecond judges a duration that bounds a whole scenario.
func (c checker) atLeastSecond(field string, d Duration) {
	if d.Std() < time.Second {
		c.bad(field, "", "the %s must be at least 1s, but is %s", field, d)
	}
}

// users judges a number of users that must be at least least.
func (c checker) users(field string, n, least int64) bool {
	switch {
	case n < least && least > 0:
		c.bad(field, "", "the number of VUs (%s) must be more than 0, but is %d", field, n)
	case n < least:
		c.bad(field, "", "the number of VUs (%s) must not be negative, but is %d", field, n)
	case n > maxVUCount:
		c.bad(field, "", "the number of VUs (%s) must be at most %d: %d of them would take at least %d GiB of memory",
			field, maxVUCount, n, n/(1<<30/leastVUMemory))
	default:
		return true
	}
	return false
}

func (c checker) missing(field string) {
	c.bad(field, "", "the %s is missing", field)
}

func (c checker) sharedIterations() {
	vus, iterations := c.s.VUs.V, c.s.Iterations.V
	if c.users("vus", vus, 1) && iterations < vus {
		c.bad("iterations", "", "the number of iterations (%d) can't be less than the number of VUs (%d)", iterations, vus)
	}
	c.atLeastSecond("maxDuration", c.s.MaxDuration.V)
}

func (c checker) perVUIterations() {
	c.users("vus", c.s.VUs.V, 1)
	if n := c.s.Iterations.V; n <= 0 {
		c.bad("iterations", "", "the number of iterations must be more than 0, but is %d", n)
	}
	c.atLeastSecond("maxDuration", c.s.MaxDuration.V)
}

func (c checker) constantVUs() {
	c.users("vus", c.s.VUs.V, 1)
	c.duration()
}

// duration judges a duration that must be given.
func (c checker) duration() {
	if !c.s.Duration.Set {
		c.missing("duration")
		return
	}
	c.atLeastSecond("duration", c.s.Duration.V)
}

// stages judges the stages of either ramp.
func (c checker) stages() {
	if len(c.s.Stages.V) == 0 {
		c.bad("stages", "write stages: [{ duration: '30s', target: 10 }]", "at least one stage is needed in stages")
	}
	for i, stage := range c.s.Stages.V {
		field := fmt.Sprintf("stages[%d]", i)
		if stage.Duration < 0 {
			c.bad(field+".duration", "", "the duration of stage %d must not be negative, but is %s", i+1, stage.Duration)
		}
		if stage.Target < 0 {
			c.bad(field+".target", "", "the target of stage %d must not be negative, but is %d", i+1, stage.Target)
		}
	}
}

func (c checker) rampingVUs() {
	c.stages()
	highest := c.s.StartVUs.V
	c.users("startVUs", highest, 0)
	for i, stage := range c.s.Stages.V {
		if stage.Target > maxVUCount {
			c.users(fmt.Sprintf("stages[%d].target", i), stage.Target, 0)
		}
		highest = max(highest, stage.Target)
	}
	if highest == 0 && len(c.s.Stages.V) > 0 {
		c.bad("stages", "", "either startVUs or the target of a stage must be more than 0")
	}
	c.notNegative("gracefulRampDown", c.s.GracefulRampDown.V)
}

// arrivals judges what both arrival rates have.
func (c checker) arrivals() {
	if c.s.TimeUnit.V <= 0 {
		c.bad("timeUnit", "", "the timeUnit must be more than 0, but is %s", c.s.TimeUnit.V)
	}
	if !c.s.PreAllocatedVUs.Set {
		c.missing("preAllocatedVUs")
		return
	}
	before := c.s.PreAllocatedVUs.V
	if !c.users("preAllocatedVUs", before, 0) || !c.written.MaxVUs.Set {
		return
	}
	if most := c.s.MaxVUs.V; c.users("maxVUs", most, 0) && most < before {
		c.bad("maxVUs", "", "maxVUs (%d) must not be less than preAllocatedVUs (%d)", most, before)
	}
}

func (c checker) constantArrivalRate() {
	switch {
	case !c.s.Rate.Set:
		c.missing("rate")
	case c.s.Rate.V <= 0:
		c.bad("rate", "", "the rate must be more than 0, but is %d", c.s.Rate.V)
	}
	c.duration()
	c.arrivals()
}

func (c checker) rampingArrivalRate() {
	if c.s.StartRate.V < 0 {
		c.bad("startRate", "", "the startRate must not be negative, but is %d", c.s.StartRate.V)
	}
	c.stages()
	c.arrivals()
}

func (c checker) externallyControlled() {
	c.notNegative("duration", c.s.Duration.V)
	if !c.users("vus", c.s.VUs.V, 0) || !c.users("maxVUs", c.s.MaxVUs.V, 1) {
		return
	}
	if c.s.MaxVUs.V < c.s.VUs.V {
		c.bad("maxVUs", "", "maxVUs (%d) must not be less than vus (%d)", c.s.MaxVUs.V, c.s.VUs.V)
	}
}
