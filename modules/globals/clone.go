package globals

import (
	"reflect"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules/conv"
)

var (
	promiseType = reflect.TypeFor[*goja.Promise]()
	proxyType   = reflect.TypeFor[goja.Proxy]()
)

// refusesClone tells whether structuredClone cannot clone an object because of
// what it is: a promise, a proxy, an instance of a class written in Go.
func (i *instance) refusesClone(c goja.FunctionCall) goja.Value {
	o, ok := c.Argument(0).(*goja.Object)
	if !ok {
		return i.rt.ToValue(false)
	}
	t := o.ExportType()
	return i.rt.ToValue(t == promiseType || t == proxyType || conv.IsInstanceType(t))
}

// detach empties an ArrayBuffer that was transferred.
func (i *instance) detach(c goja.FunctionCall) goja.Value {
	if b, ok := c.Argument(0).Export().(goja.ArrayBuffer); ok {
		b.Detach()
	}
	return goja.Undefined()
}
