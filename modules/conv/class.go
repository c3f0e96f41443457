package conv

import (
	"reflect"
	"slices"

	"github.com/dop251/goja"
)

// ClassSpec describes a class of the script API that is written in Go. Its
// instances are Go values (goja.DynamicObject) rather than objects full of
// members, and its methods are made when a script first reads them: a class
// costs a virtual user about 2 KB and an instance 200 bytes.
type ClassSpec struct {
	Name string
	// New makes the Go side of an instance; nil if scripts cannot construct it.
	New func(goja.ConstructorCall) goja.DynamicObject
	// Method returns a method, nil for an unknown name. It is called once a name.
	Method func(name string) func(goja.FunctionCall) goja.Value
	// Iterator names the method that also is [Symbol.iterator], if any.
	Iterator string
	// Parent is the prototype that instances inherit from beyond this class;
	// nil means Object.prototype.
	Parent *goja.Object
}

// Class is a class in one runtime.
type Class struct {
	// Constructor is what scripts know by the name of the class.
	Constructor *goja.Object
	// Prototype is the prototype of its instances.
	Prototype *goja.Object

	rt *goja.Runtime
}

// NewClass makes a class.
func NewClass(rt *goja.Runtime, spec ClassSpec) *Class {
	c := &Class{rt: rt}
	c.Constructor = rt.ToValue(func(call goja.ConstructorCall) *goja.Object {
		if spec.New == nil {
			panic(rt.NewTypeError("Illegal constructor"))
		}
		if call.NewTarget == nil { // the class itself, not one derived from it
			return c.Wrap(spec.New(call))
		}
		o := rt.NewDynamicObject(spec.New(call))
		_ = o.SetPrototype(call.This.Prototype())
		return o
	}).(*goja.Object)
	_ = c.Constructor.DefineDataProperty("name", rt.ToValue(spec.Name), goja.FLAG_TRUE, goja.FLAG_FALSE, goja.FLAG_FALSE)
	methods := &lazyMethods{rt: rt, spec: spec}
	methods.keep("constructor", c.Constructor)
	c.Prototype = rt.NewDynamicObject(methods)
	_ = c.Prototype.SetPrototype(symbols(rt, spec, methods))
	_ = c.Constructor.Set("prototype", c.Prototype)
	return c
}

// symbols is the object below the prototype: it carries what a dynamic object
// cannot, properties named by symbols.
func symbols(rt *goja.Runtime, spec ClassSpec, methods *lazyMethods) *goja.Object {
	o := rt.NewObject()
	if spec.Parent != nil {
		_ = o.SetPrototype(spec.Parent)
	}
	_ = o.DefineDataPropertySymbol(goja.SymToStringTag, rt.ToValue(spec.Name), goja.FLAG_TRUE, goja.FLAG_FALSE, goja.FLAG_FALSE)
	if spec.Iterator != "" {
		_ = o.DefineDataPropertySymbol(goja.SymIterator, methods.Get(spec.Iterator), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	}
	return o
}

// Wrap makes an instance of the class.
func (c *Class) Wrap(d goja.DynamicObject) *goja.Object {
	o := c.rt.NewDynamicObject(d)
	_ = o.SetPrototype(c.Prototype)
	return o
}

// lazyMethods is the prototype of a class.
type lazyMethods struct {
	rt   *goja.Runtime
	spec ClassSpec
	made map[string]goja.Value // a nil value: removed, or not there
}

func (m *lazyMethods) keep(name string, v goja.Value) {
	if m.made == nil {
		m.made = make(map[string]goja.Value, 2)
	}
	m.made[name] = v
}

// Get returns a method; it is made on first use.
func (m *lazyMethods) Get(name string) goja.Value {
	if v, ok := m.made[name]; ok {
		return v
	}
	f := m.spec.Method(name)
	if f == nil {
		return nil
	}
	v := m.rt.ToValue(f)
	_ = v.(*goja.Object).DefineDataProperty("name", m.rt.ToValue(name), goja.FLAG_TRUE, goja.FLAG_FALSE, goja.FLAG_FALSE)
	m.keep(name, v)
	return v
}

// Set replaces a method, for scripts that wrap them.
func (m *lazyMethods) Set(name string, v goja.Value) bool { m.keep(name, v); return true }

// Has reports whether there is a method of that name.
func (m *lazyMethods) Has(name string) bool { return m.Get(name) != nil }

// Delete removes a method.
func (m *lazyMethods) Delete(name string) bool { m.keep(name, nil); return true }

// Keys is empty: methods are not enumerable.
func (m *lazyMethods) Keys() []string { return nil }

// Own keeps what a script adds to an instance of a Class. Embedded, it makes
// the instance a goja.DynamicObject. The zero value is empty.
type Own struct {
	values map[string]goja.Value
	keys   []string
}

// Get returns a property that was added.
func (o *Own) Get(name string) goja.Value { return o.values[name] }

// Set adds or changes a property.
func (o *Own) Set(name string, v goja.Value) bool {
	if o.values == nil {
		o.values = make(map[string]goja.Value, 2)
	}
	if _, ok := o.values[name]; !ok {
		o.keys = append(o.keys, name)
	}
	o.values[name] = v
	return true
}

// Has reports whether a property was added.
func (o *Own) Has(name string) bool { return o.values[name] != nil }

// Delete removes a property that was added.
func (o *Own) Delete(name string) bool {
	if i := slices.Index(o.keys, name); i >= 0 {
		o.keys = slices.Delete(o.keys, i, i+1)
		delete(o.values, name)
	}
	return true
}

// Keys lists what was added, in order.
func (o *Own) Keys() []string { return o.keys }

// Self returns the Go side of an instance, and whether v is one.
func Self[T goja.DynamicObject](v goja.Value) (T, bool) {
	o, ok := v.(*goja.Object)
	if !ok {
		var none T
		return none, false
	}
	self, ok := o.Export().(T)
	return self, ok
}

// MustSelf is Self for the receiver of a method; anything else is a TypeError.
func MustSelf[T goja.DynamicObject](rt *goja.Runtime, v goja.Value, class string) T {
	self, ok := Self[T](v)
	if !ok {
		panic(rt.NewTypeError("Illegal invocation: the receiver is no %s", class))
	}
	return self
}

// isInstance marks the instances of classes: those that embed Own.
func (o *Own) isInstance() {}

// IsInstanceType tells whether a type is that of the instances of a Class.
func IsInstanceType(t reflect.Type) bool {
	return t != nil && t.Implements(reflect.TypeFor[interface{ isInstance() }]())
}
