package modules

import (
	"slices"

	"github.com/dop251/goja"
)

// View is a read-only object whose members are computed when they are read.
type View struct {
	rt    *goja.Runtime
	names []string
	read  func(name string) goja.Value
}

// NewView makes the object. read is only asked for names.
func NewView(rt *goja.Runtime, names []string, read func(name string) goja.Value) *goja.Object {
	return rt.NewDynamicObject(&View{rt: rt, names: names, read: read})
}

// Get computes a member.
func (v *View) Get(name string) goja.Value {
	if !v.Has(name) {
		return nil
	}
	return v.read(name)
}

// Set throws.
func (v *View) Set(name string, _ goja.Value) bool {
	panic(v.rt.NewTypeError("Cannot assign to read only property '%s'", name))
}

// Has reports whether there is a member of that name.
func (v *View) Has(name string) bool { return slices.Contains(v.names, name) }

// Delete refuses.
func (v *View) Delete(string) bool { return false }

// Keys lists the members.
func (v *View) Keys() []string { return v.names }
