package conv

import "github.com/dop251/goja"

// DeepFreeze freezes an object and all it refers to.
func DeepFreeze(rt *goja.Runtime, v goja.Value) {
	o, ok := v.(*goja.Object)
	if !ok {
		return
	}
	freeze, ok := goja.AssertFunction(rt.GlobalObject().Get("Object").ToObject(rt).Get("freeze"))
	if ok {
		deepFreeze(freeze, o)
	}
}

func deepFreeze(freeze goja.Callable, o *goja.Object) {
	for _, k := range o.Keys() {
		if child, ok := o.Get(k).(*goja.Object); ok {
			deepFreeze(freeze, child)
		}
	}
	if _, err := freeze(goja.Undefined(), o); err != nil {
		panic(err)
	}
}
