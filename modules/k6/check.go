package k6

import (
	"github.com/dop251/goja"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/conv"
)

// check evaluates the predicates of a table against a value and records each.
func (i *instance) check(c goja.FunctionCall) goja.Value {
	i.host.NotInInit("using check()")
	if len(c.Arguments) < 2 {
		conv.Throw(i.rt, missingArgument("check()", 2))
	}
	table := c.Arguments[1].ToObject(i.rt)
	tags := i.checkTags(c.Argument(2))
	all := true
	for _, name := range table.Keys() {
		if !i.one(name, table.Get(name), c.Arguments[0], tags) {
			all = false
		}
	}
	return i.rt.ToValue(all)
}

// one evaluates a predicate and records its outcome. A predicate that throws is
// recorded as failed; the exception goes on.
func (i *instance) one(name string, predicate, val goja.Value, tags []metrics.Tag) bool {
	if isAsync(predicate) {
		conv.Throw(i.rt, errAsyncCheck)
	}
	recorded := false
	defer func() {
		if !recorded {
			_ = i.host.VU.Record.Check(name, false, tags...)
		}
	}()
	ok := i.holds(predicate, val)
	recorded = true
	if err := i.host.VU.Record.Check(name, ok, tags...); err != nil {
		conv.Throw(i.rt, err)
	}
	return ok
}

// holds tells whether a predicate is true of a value: a function is called, any
// other value is taken as it is.
func (i *instance) holds(predicate, val goja.Value) bool {
	if call, ok := plainFunction(predicate); ok {
		return call(goja.FunctionCall{This: goja.Undefined(), Arguments: []goja.Value{val}}).ToBoolean()
	}
	fn, ok := goja.AssertFunction(predicate)
	if !ok {
		return predicate.ToBoolean()
	}
	v, err := fn(goja.Undefined(), val)
	if err != nil {
		panic(conv.Thrown(i.rt, err))
	}
	return v.ToBoolean()
}

// plainFunction is a function as the interpreter itself calls it: exceptions pass
// through the caller. That saves the wrapper that turns them into errors.
func plainFunction(v goja.Value) (func(goja.FunctionCall) goja.Value, bool) {
	o, ok := v.(*goja.Object)
	if !ok || o.ClassName() != "Function" {
		return nil, false
	}
	call, ok := o.Export().(func(goja.FunctionCall) goja.Value)
	return call, ok
}

func (i *instance) checkTags(v goja.Value) []metrics.Tag {
	if conv.IsNullish(v) {
		return nil
	}
	tags, err := modules.Tags(i.rt, v)
	if err != nil {
		conv.Throw(i.rt, err)
	}
	return tags
}
