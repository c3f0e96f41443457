package options

import (
	"slices"
	"strings"
)

// scenarios decodes the scenarios object in its order. Scenarios with problems
// are kept, so that the rest of them is judged too.
func (d *decoder) scenarios(path string, n node) ([]Scenario, bool) {
	if n.kind != kindObject {
		d.bad(path, "write { name: { executor: ... } }", "must be an object, not %s", n.kind)
		return nil, false
	}
	scenarios := make([]Scenario, 0, len(n.items))
	for i, name := range n.keys {
		s := Scenario{Name: name}
		d.scenario(&s, path+"."+name, n.items[i])
		scenarios = append(scenarios, s)
	}
	return scenarios, true
}

func (d *decoder) scenario(s *Scenario, path string, n node) {
	if n.kind != kindObject {
		d.bad(path, "", "must be an object, not %s", n.kind)
		return
	}
	d.executor(s, path, n.member("executor"))
	fields := scenarioFields(s.Executor)
	for i, key := range n.keys {
		at := slices.IndexFunc(fields, func(f scenarioField) bool { return f.key == key })
		switch {
		case key == "executor":
		case at >= 0 && n.items[i].kind != kindNull:
			fields[at].decode(s, d, path+"."+key, n.items[i])
		case at < 0 && s.Executor != "":
			d.unknownField(path, key, n.items[i], s.Executor)
		}
	}
}

// executor takes the executor's name; an unknown one is left empty.
func (d *decoder) executor(s *Scenario, path string, n node) {
	switch {
	case n.kind == kindNull:
		d.bad(path, "one of "+strings.Join(Executors(), ", "), "the executor is missing")
	case n.kind != kindString:
		d.bad(path+".executor", "", "must be a string, not %s", n.kind)
	case !slices.Contains(Executors(), n.text):
		p := problemAt(path, didYouMean(n.text, Executors()), "unknown executor type '%s'", n.text)
		p.Path += ".executor"
		d.problems = append(d.problems, p)
	default:
		s.Executor = n.text
	}
}

// unknownField reports a field that the scenario's executor does not have.
func (d *decoder) unknownField(path, key string, value node, executor string) {
	var names []string
	for _, f := range scenarioFields(executor) {
		names = append(names, f.key)
	}
	hint := didYouMean(key, names)
	switch {
	case key == "duration" && slices.Contains(names, "maxDuration"):
		hint = executor + " has maxDuration"
	case hint == "" && value.kind != kindNull:
		hint = executor + " has " + strings.Join(names, ", ")
	}
	p := problemAt(path, hint, "json: unknown field %q", key)
	p.Path += "." + key
	d.problems = append(d.problems, p)
}

// scenarioField is one field of a scenario: how it is decoded and encoded.
type scenarioField struct {
	key    string
	decode func(s *Scenario, d *decoder, path string, n node)
	encode func(s *Scenario) any
}

// fieldOf makes the field of one member of Scenario.
func fieldOf[T any](key string, of func(*Scenario) *Null[T], decode func(d *decoder, path string, n node) (T, bool)) scenarioField {
	return scenarioField{
		key: key,
		decode: func(s *Scenario, d *decoder, path string, n node) {
			if v, ok := decode(d, path, n); ok {
				*of(s) = Some(v)
			}
		},
		encode: func(s *Scenario) any { return *of(s) },
	}
}

// scenarioFields returns the fields an executor has, in the order they print.
// Without an executor it is those that all have.
func scenarioFields(executor string) []scenarioField {
	common := []scenarioField{
		fieldOf("startTime", func(s *Scenario) *Null[Duration] { return &s.StartTime }, (*decoder).duration),
		fieldOf("gracefulStop", func(s *Scenario) *Null[Duration] { return &s.GracefulStop }, (*decoder).duration),
		fieldOf("env", func(s *Scenario) *Null[map[string]string] { return &s.Env }, (*decoder).stringMap),
		fieldOf("exec", func(s *Scenario) *Null[string] { return &s.Exec }, (*decoder).text),
		fieldOf("tags", func(s *Scenario) *Null[map[string]string] { return &s.Tags }, (*decoder).stringMap),
		{key: "options", decode: decodeScenarioOptions, encode: encodeScenarioOptions},
	}
	return append(common, executorFields(executor)...)
}

func executorFields(executor string) []scenarioField {
	var (
		vus          = fieldOf("vus", func(s *Scenario) *Null[int64] { return &s.VUs }, (*decoder).integer)
		iterations   = fieldOf("iterations", func(s *Scenario) *Null[int64] { return &s.Iterations }, (*decoder).integer)
		duration     = fieldOf("duration", func(s *Scenario) *Null[Duration] { return &s.Duration }, (*decoder).duration)
		maxDuration  = fieldOf("maxDuration", func(s *Scenario) *Null[Duration] { return &s.MaxDuration }, (*decoder).duration)
		startVUs     = fieldOf("startVUs", func(s *Scenario) *Null[int64] { return &s.StartVUs }, (*decoder).integer)
		stages       = fieldOf("stages", func(s *Scenario) *Null[[]Stage] { return &s.Stages }, (*decoder).stages)
		rampDown     = fieldOf("gracefulRampDown", func(s *Scenario) *Null[Duration] { return &s.GracefulRampDown }, (*decoder).duration)
		rate         = fieldOf("rate", func(s *Scenario) *Null[int64] { return &s.Rate }, decodeRate)
		startRate    = fieldOf("startRate", func(s *Scenario) *Null[int64] { return &s.StartRate }, decodeRate)
		timeUnit     = fieldOf("timeUnit", func(s *Scenario) *Null[Duration] { return &s.TimeUnit }, (*decoder).duration)
		preAllocated = fieldOf("preAllocatedVUs", func(s *Scenario) *Null[int64] { return &s.PreAllocatedVUs }, (*decoder).integer)
		maxVUs       = fieldOf("maxVUs", func(s *Scenario) *Null[int64] { return &s.MaxVUs }, (*decoder).integer)
	)
	switch executor {
	case SharedIterations, PerVUIterations:
		return []scenarioField{vus, iterations, maxDuration}
	case ConstantVUs:
		return []scenarioField{vus, duration}
	case RampingVUs:
		return []scenarioField{startVUs, stages, rampDown}
	case ConstantArrivalRate:
		return []scenarioField{duration, rate, timeUnit, preAllocated, maxVUs}
	case RampingArrivalRate:
		return []scenarioField{startRate, timeUnit, stages, preAllocated, maxVUs}
	case ExternallyControlled:
		return []scenarioField{vus, duration, maxVUs}
	default:
		return nil
	}
}

// decodeRate is integer with a hint for fractions, which are common in rates.
func decodeRate(d *decoder, path string, n node) (int64, bool) {
	before := len(d.problems)
	v, ok := d.integer(path, n)
	if !ok && len(d.problems) > before && strings.HasSuffix(path, ".rate") {
		d.problems[before].Hint = rateHint(n.text)
	}
	return v, ok
}

func decodeScenarioOptions(s *Scenario, d *decoder, path string, n node) {
	if n.kind != kindObject {
		d.bad(path, "", "must be an object, not %s", n.kind)
		return
	}
	raw, err := n.MarshalJSON()
	if err != nil {
		d.bad(path, "", "%v", err)
		return
	}
	s.Options = raw
	s.Browser = n.member("browser").member("type").text
}

func encodeScenarioOptions(s *Scenario) any {
	if s.Options == nil {
		return nil
	}
	return s.Options
}

// MarshalJSON gives every field that the scenario's executor has, null if
// unset.
func (s Scenario) MarshalJSON() ([]byte, error) {
	var o object
	o.add("executor", s.Executor)
	for _, field := range scenarioFields(s.Executor) {
		value := field.encode(&s)
		if value == nil {
			continue
		}
		o.add(field.key, value)
	}
	return o.MarshalJSON()
}
