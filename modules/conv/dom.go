package conv

import "github.com/dop251/goja"

// DOMException makes the error that web APIs raise: an instance of the global
// DOMException with one of its names, such as "DataError". Where there is no
// such global, it is an Error with that name.
func DOMException(rt *goja.Runtime, name, text string) *goja.Object {
	if ctor := rt.GlobalObject().Get("DOMException"); ctor != nil {
		if o, err := rt.New(ctor, rt.ToValue(text), rt.ToValue(name)); err == nil {
			return o
		}
	}
	o := NewError(rt, "Error", text)
	_ = o.DefineDataProperty("name", rt.ToValue(name), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	return o
}
