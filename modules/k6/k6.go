// Package k6 is the module k6: check, group, sleep, fail and randomSeed.
package k6

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/conv"
)

type module struct{}

// New returns the module.
func New() modules.Module { return module{} }

// Names lists the named exports.
func (module) Names() []string { return []string{"check", "fail", "group", "randomSeed", "sleep"} }

// Instantiate binds the module to a virtual user.
func (module) Instantiate(h *modules.Host) modules.Instance { return &instance{host: h, rt: h.Runtime} }

type instance struct {
	host *modules.Host
	rt   *goja.Runtime
}

// Export makes an export.
func (i *instance) Export(name string) goja.Value {
	switch name {
	case "check":
		return i.rt.ToValue(i.check)
	case "fail":
		return i.rt.ToValue(i.fail)
	case "group":
		return i.rt.ToValue(i.group)
	case "randomSeed":
		return i.rt.ToValue(i.randomSeed)
	case "sleep":
		return i.rt.ToValue(i.sleep)
	}
	return nil
}

// sleep blocks the virtual user, and with it its event loop.
func (i *instance) sleep(c goja.FunctionCall) goja.Value {
	seconds := c.Argument(0).ToFloat()
	if math.IsNaN(seconds) || seconds <= 0 {
		return goja.Undefined()
	}
	d := time.Duration(math.MaxInt64)
	if seconds < d.Seconds() {
		d = time.Duration(seconds * float64(time.Second))
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-i.host.Context().Done():
	}
	return goja.Undefined()
}

func (i *instance) fail(c goja.FunctionCall) goja.Value {
	panic(i.rt.NewGoError(errors.New(conv.OptionalString(c.Argument(0)))))
}

func (i *instance) randomSeed(c goja.FunctionCall) goja.Value {
	i.host.Rand.Reseed(c.Argument(0).ToInteger())
	return goja.Undefined()
}

// group runs a function inside a named group and returns what it returns.
func (i *instance) group(c goja.FunctionCall) goja.Value {
	i.host.NotInInit("using group()")
	fn, ok := goja.AssertFunction(c.Argument(1))
	if !ok {
		conv.Throwf(i.rt, "group() requires a callback as a second argument")
	}
	if isAsync(c.Argument(1)) {
		conv.Throwf(i.rt, "group() does not support async functions: samples after the first await would belong to no group")
	}
	record := i.host.VU.Record
	scope, err := record.EnterGroup(c.Argument(0).String())
	if err != nil {
		conv.Throw(i.rt, err)
	}
	defer record.LeaveGroup(scope)
	v, err := fn(goja.Undefined())
	if err != nil {
		panic(conv.Thrown(i.rt, err))
	}
	return v
}

// isAsync reports an async function, whose body group and check cannot bracket.
func isAsync(v goja.Value) bool {
	o, ok := v.(*goja.Object)
	if !ok {
		return false
	}
	proto := o.Prototype()
	if proto == nil {
		return false
	}
	tag := proto.GetSymbol(goja.SymToStringTag)
	return tag != nil && tag.String() == "AsyncFunction"
}

// errAsyncCheck is the error of a check whose predicate is an async function.
var errAsyncCheck = errors.New("check() does not support async functions as predicates; await the value first")

func missingArgument(function string, n int) error {
	return fmt.Errorf("%s requires at least %d arguments", function, n)
}
