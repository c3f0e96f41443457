// Package k6execution is the module k6/execution: what a script may know of the
// scenario, the instance, the virtual user and the test that it runs in.
package k6execution

import (
	"errors"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/conv"
	"github.com/jsload/jsload/vu"
)

type module struct{}

// New returns the module.
func New() modules.Module { return module{} }

// Names lists the named exports.
func (module) Names() []string { return []string{"instance", "scenario", "test", "vu"} }

// Instantiate binds the module to a virtual user.
func (module) Instantiate(h *modules.Host) modules.Instance { return &instance{host: h, rt: h.Runtime} }

type instance struct {
	host *modules.Host
	rt   *goja.Runtime

	metrics, tags, metadata, options goja.Value // made on first use
}

// Export makes an export.
func (i *instance) Export(name string) goja.Value {
	switch name {
	case "instance":
		return modules.NewView(i.rt, []string{"currentTestRunDuration", "iterationsCompleted", "iterationsInterrupted", "vusActive", "vusInitialized"}, i.instanceMember)
	case "scenario":
		return modules.NewView(i.rt, []string{"name", "executor", "startTime", "progress", "iterationInInstance", "iterationInTest"}, i.scenarioMember)
	case "test":
		return modules.NewView(i.rt, []string{"abort", "fail", "options"}, i.testMember)
	case "vu":
		return modules.NewView(i.rt, []string{"idInInstance", "idInTest", "iterationInInstance", "iterationInScenario", "metrics", "tags"}, i.vuMember)
	}
	return nil
}

var (
	errScenario = errors.New("getting scenario information outside of the VU context is not supported")
	errInstance = errors.New("getting instance information is not supported in teardown() and handleSummary()")
	errVU       = errors.New("getting VU information in the init context is not supported")
	errOptions  = errors.New("getting test options in the init context is not supported")
)

func (i *instance) scenarioMember(name string) goja.Value {
	v := i.host.VU
	if v == nil || v.Scenario == nil {
		conv.Throw(i.rt, errScenario)
	}
	switch s := v.Scenario; name {
	case "name":
		return i.rt.ToValue(s.Name)
	case "executor":
		return i.rt.ToValue(s.Executor)
	case "startTime":
		return i.rt.ToValue(s.Start.UnixMilli())
	case "progress":
		return i.rt.ToValue(s.Progress())
	case "iterationInInstance":
		return i.rt.ToValue(v.Iteration.InInstance)
	default:
		return i.rt.ToValue(v.Iteration.InTest)
	}
}

func (i *instance) instanceMember(name string) goja.Value {
	if i.host.Stage == modules.StageTeardown || i.host.Stage == modules.StageSummary {
		conv.Throw(i.rt, errInstance)
	}
	var s modules.Stats
	if i.host.Run.Stats != nil {
		s = i.host.Run.Stats()
	}
	switch name {
	case "currentTestRunDuration":
		return i.rt.ToValue(float64(s.Elapsed.Microseconds()) / 1000)
	case "iterationsCompleted":
		return i.rt.ToValue(s.Complete)
	case "iterationsInterrupted":
		return i.rt.ToValue(s.Interrupted)
	case "vusActive":
		return i.rt.ToValue(s.VUsActive)
	default:
		return i.rt.ToValue(s.VUsPrepared)
	}
}

func (i *instance) vuMember(name string) goja.Value {
	v := i.host.VU
	if v == nil {
		conv.Throw(i.rt, errVU)
	}
	switch name {
	case "idInInstance":
		return i.rt.ToValue(v.ID.InInstance)
	case "idInTest":
		return i.rt.ToValue(v.ID.InTest)
	case "iterationInInstance":
		return i.rt.ToValue(v.IterationInInstance)
	case "iterationInScenario":
		return i.rt.ToValue(v.IterationInScenario)
	case "metrics":
		return once(&i.metrics, func() goja.Value {
			return modules.NewView(i.rt, []string{"metadata", "tags"}, i.metricsMember)
		})
	default:
		return i.metricsMember("tags")
	}
}

func (i *instance) metricsMember(name string) goja.Value {
	if name == "metadata" {
		return once(&i.metadata, func() goja.Value { return i.rt.NewDynamicObject(&metadata{i}) })
	}
	return once(&i.tags, func() goja.Value { return i.rt.NewDynamicObject(&tags{i}) })
}

func (i *instance) testMember(name string) goja.Value {
	switch name {
	case "abort":
		return i.rt.ToValue(i.abort)
	case "fail":
		return i.rt.ToValue(i.fail)
	default:
		if i.host.VU == nil {
			conv.Throw(i.rt, errOptions)
		}
		return once(&i.options, i.testOptions)
	}
}

// abort stops the whole test. No script can catch it: the interpreter itself is
// interrupted.
func (i *instance) abort(c goja.FunctionCall) goja.Value {
	reason := "test aborted"
	if m := conv.OptionalString(c.Argument(0)); m != "" {
		reason += ": " + m
	}
	a := &vu.Abort{Code: vu.ExitAborted, Message: reason}
	i.rt.Interrupt(a)
	return goja.Undefined()
}

// fail marks the test as failed; it goes on to its end.
func (i *instance) fail(c goja.FunctionCall) goja.Value {
	if i.host.VU == nil || i.host.Run.MarkFailed == nil {
		conv.Throwf(i.rt, "test.fail() in the init context is not supported")
	}
	i.host.Run.MarkFailed(conv.OptionalString(c.Argument(0)))
	return goja.Undefined()
}

// testOptions are the options of the test, deeply frozen.
func (i *instance) testOptions() goja.Value {
	text, err := i.host.Run.Options.ScriptJSON()
	if err != nil {
		conv.Throw(i.rt, err)
	}
	v, err := conv.ParseJSON(i.rt, string(text))
	if err != nil {
		conv.Throw(i.rt, err)
	}
	conv.DeepFreeze(i.rt, v)
	return v
}

// once makes a value on first use.
func once(slot *goja.Value, make1 func() goja.Value) goja.Value {
	if *slot == nil {
		*slot = make1()
	}
	return *slot
}
