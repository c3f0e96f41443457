package runtime

import (
	"math"

	"github.com/dop251/goja"
)

// maxString is how long a string may be made by one call, in UTF-16 units: that of
// other engines. Beyond it the process would end for want of memory.
const maxString = 1<<29 - 24

// boundStrings makes the methods that lengthen strings throw a RangeError where
// the interpreter would try to allocate whatever was asked for.
func (r *Runtime) boundStrings() error {
	if len(r.program.growing) == 0 {
		return nil
	}
	prototype := r.VM.Get("String").ToObject(r.VM).Get("prototype").ToObject(r.VM)
	for _, name := range r.program.growing {
		original := prototype.Get(name)
		call, _ := goja.AssertFunction(original)
		bounded := r.VM.ToValue(func(c goja.FunctionCall) goja.Value {
			r.boundLength(name, c)
			v, err := call(c.This, c.Arguments...)
			if err != nil {
				panic(err)
			}
			return v
		}).ToObject(r.VM)
		for _, member := range []string{"name", "length"} {
			value := original.ToObject(r.VM).Get(member)
			if err := bounded.DefineDataProperty(member, value, goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE); err != nil {
				return err
			}
		}
		if err := prototype.DefineDataProperty(name, bounded, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE); err != nil {
			return err
		}
	}
	return nil
}

func (r *Runtime) boundLength(name string, c goja.FunctionCall) {
	text, ok := c.This.(goja.String)
	n, isNumber := c.Argument(0).Export().(int64)
	if f, ok := c.Argument(0).Export().(float64); ok && !math.IsInf(f, 0) {
		n, isNumber = int64(min(max(f, -1), 1<<53)), true
	}
	if !ok || !isNumber {
		return // the interpreter converts, and few know that it does
	}
	if name == "repeat" && n > 0 && text.Length() > 0 && n > maxString/int64(text.Length()) || name != "repeat" && n > maxString {
		rangeError, _ := r.VM.New(r.VM.Get("RangeError"), r.VM.ToValue("Invalid string length"))
		panic(rangeError)
	}
}
