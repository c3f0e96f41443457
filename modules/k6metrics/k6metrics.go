// Package k6metrics is the module k6/metrics: metrics that a script makes.
package k6metrics

import (
	"fmt"
	"math"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/conv"
)

type module struct{}

// New returns the module.
func New() modules.Module { return module{} }

// Names lists the named exports.
func (module) Names() []string { return []string{"Counter", "Gauge", "Rate", "Trend"} }

// Instantiate binds the module to a virtual user.
func (module) Instantiate(h *modules.Host) modules.Instance {
	return &instance{host: h, rt: h.Runtime}
}

type instance struct {
	host *modules.Host
	rt   *goja.Runtime
}

// Export makes an export.
func (i *instance) Export(name string) goja.Value {
	kinds := map[string]metrics.Kind{
		"Counter": metrics.Counter, "Gauge": metrics.Gauge, "Rate": metrics.Rate, "Trend": metrics.Trend,
	}
	kind, ok := kinds[name]
	if !ok {
		return nil
	}
	return i.rt.ToValue(func(c goja.ConstructorCall) *goja.Object { return i.construct(kind, c) })
}

func (i *instance) construct(kind metrics.Kind, c goja.ConstructorCall) *goja.Object {
	if i.host.Stage != modules.StageInit {
		conv.Throwf(i.rt, "metrics must be declared in the init context")
	}
	contains := metrics.Default
	if c.Argument(1).ToBoolean() {
		contains = metrics.Time
	}
	m, err := i.host.Run.Metrics.New(c.Argument(0).String(), kind, contains)
	if err != nil {
		conv.Throw(i.rt, err)
	}
	custom := &custom{instance: i, metric: m}
	_ = c.This.DefineDataProperty("name", i.rt.ToValue(m.Name), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_TRUE)
	_ = c.This.DefineDataProperty("add", i.rt.ToValue(custom.add), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
	return nil
}

// custom is one metric of a script in one runtime.
type custom struct {
	*instance
	metric *metrics.Metric
}

// add records a value. A value that is no number is refused with a warning and
// false, or an exception if the throw option is on.
func (m *custom) add(c goja.FunctionCall) goja.Value {
	m.host.NotInInit("adding values to a metric")
	v, ok := number(c.Argument(0))
	if !ok {
		m.refuse(c.Argument(0))
		return m.rt.ToValue(false)
	}
	tags, err := modules.Tags(m.rt, c.Argument(1))
	if err != nil {
		conv.Throw(m.rt, err)
	}
	m.host.VU.Record.Add(m.metric, v, tags...)
	return m.rt.ToValue(true)
}

func (m *custom) refuse(v goja.Value) {
	err := fmt.Errorf("'%s' is an invalid value for metric '%s', a number or a boolean value is expected", text(v), m.metric.Name)
	if o := m.host.Run.Options; o != nil && o.Throw.Or(false) {
		conv.Throw(m.rt, err)
	}
	m.host.Run.Log.Warn(err.Error())
}

func text(v goja.Value) string {
	if v == nil {
		return "undefined"
	}
	return v.String()
}

// number is the value of a sample: null and undefined are none, all else
// converts as JavaScript does.
func number(v goja.Value) (f float64, ok bool) {
	if conv.IsNullish(v) {
		return 0, false
	}
	f = v.ToFloat()
	return f, !math.IsNaN(f)
}
