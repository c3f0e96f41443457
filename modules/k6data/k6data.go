// Package k6data is the module k6/data: SharedArray, an array that is made once
// and read by every virtual user without a copy of its own.
package k6data

import (
	"errors"
	"fmt"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/conv"
)

type module struct{}

// New returns the module.
func New() modules.Module { return module{} }

// Names lists the named exports.
func (module) Names() []string { return []string{"SharedArray"} }

// Instantiate binds the module to a virtual user.
func (module) Instantiate(h *modules.Host) modules.Instance { return &instance{host: h} }

type instance struct{ host *modules.Host }

// Export makes an export.
func (i *instance) Export(name string) goja.Value {
	if name == "SharedArray" {
		return i.host.Runtime.ToValue(i.sharedArray)
	}
	return nil
}

// elements are the JSON texts of an array's elements.
type elements []string

func (i *instance) sharedArray(c goja.ConstructorCall) *goja.Object {
	rt := i.host.Runtime
	if i.host.Stage != modules.StageInit {
		conv.Throwf(rt, "new SharedArray must be called in the init context")
	}
	name := c.Argument(0).String()
	if name == "" {
		conv.Throwf(rt, "empty name provided to SharedArray's constructor")
	}
	fn, ok := goja.AssertFunction(c.Argument(1))
	if !ok {
		conv.Throwf(rt, "a function is expected as the second argument of SharedArray's constructor")
	}
	v, err := i.load(name, fn)
	if err != nil {
		conv.Throw(rt, err)
	}
	shared := rt.NewDynamicArray(&sharedArray{rt: rt, items: v})
	if proto := c.This.Prototype(); proto != nil {
		if err := i.inherit(shared, c.This); err != nil {
			conv.Throw(rt, err)
		}
	}
	return shared
}

// load returns the elements, of which the first runtime to ask makes the texts. An
// exception belongs to the runtime that it came from: one that waited for another
// in vain calls the function itself.
func (i *instance) load(name string, fn goja.Callable) (elements, error) {
	for {
		here := false
		v, err := i.host.Run.Shared.Load("k6/data.SharedArray:"+name, func() (any, error) {
			here = true
			return i.collect(fn)
		})
		if err == nil {
			return v.(elements), nil
		}
		if here {
			return nil, err
		}
	}
}

// inherit makes instanceof hold: the constructor's prototype goes between the
// array and Array.prototype.
func (i *instance) inherit(array, this *goja.Object) error {
	proto := this.Prototype()
	base := array.Prototype()
	if proto == base {
		return nil
	}
	if proto.Prototype() != base {
		if err := proto.SetPrototype(base); err != nil {
			return err
		}
	}
	return array.SetPrototype(proto)
}

// collect runs the script's function and takes its elements as JSON.
func (i *instance) collect(fn goja.Callable) (elements, error) {
	rt := i.host.Runtime
	v, err := fn(goja.Undefined())
	if err != nil {
		return nil, err
	}
	o, ok := v.(*goja.Object)
	if !ok || o.ClassName() != "Array" {
		if ok {
			if _, promise := o.Export().(*goja.Promise); promise {
				return nil, errors.New("SharedArray's constructor does not support async functions")
			}
		}
		return nil, errors.New("only arrays can be made into SharedArray")
	}
	stringify, _ := goja.AssertFunction(rt.GlobalObject().Get("JSON").ToObject(rt).Get("stringify"))
	n := int(o.Get("length").ToInteger())
	items := make(elements, n)
	for k := range items {
		text, err := stringify(goja.Undefined(), element(o, k))
		if err != nil {
			return nil, err
		}
		items[k] = text.String()
	}
	return items, nil
}

func element(o *goja.Object, k int) goja.Value {
	if v := o.Get(fmt.Sprint(k)); v != nil {
		return v
	}
	return goja.Undefined()
}

// sharedArray is the view of one runtime on the shared elements.
type sharedArray struct {
	rt    *goja.Runtime
	items elements
}

// Len is the number of elements.
func (a *sharedArray) Len() int { return len(a.items) }

// Get returns a fresh, deeply frozen copy of an element.
func (a *sharedArray) Get(i int) goja.Value {
	if i < 0 || i >= len(a.items) {
		return goja.Undefined()
	}
	v, err := conv.ParseJSON(a.rt, a.items[i])
	if err != nil {
		panic(conv.NewError(a.rt, "SyntaxError", fmt.Sprintf("element %d of the SharedArray is not valid JSON: %s", i, a.items[i])))
	}
	conv.DeepFreeze(a.rt, v)
	return v
}

// Set always throws.
func (a *sharedArray) Set(int, goja.Value) bool {
	panic(a.rt.NewTypeError("SharedArray is immutable"))
}

// SetLen always throws.
func (a *sharedArray) SetLen(int) bool {
	panic(a.rt.NewTypeError("SharedArray is immutable"))
}
