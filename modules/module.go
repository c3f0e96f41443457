// Package modules says what a native module of the script API is and what it
// may see of the virtual user that imports it.
//
// js/internal/runtime instantiates modules; the packages below implement them,
// one per import path. A module never sees the interpreter's host objects of
// another, nor the engine.
package modules

import (
	"fmt"
	"sort"

	"github.com/dop251/goja"
)

// Module is one importable module. One value serves the whole test run and is
// shared by all virtual users.
type Module interface {
	// Names lists the named exports.
	Names() []string
	// Instantiate binds the module to one virtual user. It must cost next to
	// nothing: exports are made when the script first reads them.
	Instantiate(*Host) Instance
}

// Instance is a module in one runtime.
type Instance interface {
	// Export makes the value of a named export; nil for an unknown name. It is
	// called once per name. "default" asks for the default export; nil then
	// means the object of all named exports.
	Export(name string) goja.Value
}

// Registry holds the modules of a run by import path. The zero value is empty.
type Registry struct {
	byPath map[string]Module
}

// Add registers m under paths. A path that is taken is a programming error.
func (r *Registry) Add(m Module, paths ...string) {
	if r.byPath == nil {
		r.byPath = make(map[string]Module)
	}
	for _, p := range paths {
		if _, taken := r.byPath[p]; taken {
			panic(fmt.Sprintf("module path %q registered twice", p))
		}
		r.byPath[p] = m
	}
}

// Lookup returns the module of a path, or nil.
func (r *Registry) Lookup(path string) Module { return r.byPath[path] }

// Paths lists all import paths, sorted.
func (r *Registry) Paths() []string {
	paths := make([]string, 0, len(r.byPath))
	for p := range r.byPath {
		paths = append(paths, p)
	}
	sort.Strings(paths)
	return paths
}

// Exports is the object a script sees for an instance: its members are made
// when they are first read.
type Exports struct {
	rt    *goja.Runtime
	inst  Instance
	names []string
	made  map[string]goja.Value
}

// NewExports makes the object of an instance.
func NewExports(rt *goja.Runtime, m Module, inst Instance) *goja.Object {
	return rt.NewDynamicObject(&Exports{rt: rt, inst: inst, names: m.Names()})
}

// Get returns a member, nil for an unknown one.
func (e *Exports) Get(name string) goja.Value {
	if v, ok := e.made[name]; ok {
		return v
	}
	if !e.Has(name) {
		return nil
	}
	v := e.inst.Export(name)
	nameFunction(e.rt, v, name)
	if e.made == nil {
		e.made = make(map[string]goja.Value, 4)
	}
	e.made[name] = v
	return v
}

// Function makes a function with a name, which stacks show.
func Function(rt *goja.Runtime, name string, f func(goja.FunctionCall) goja.Value) goja.Value {
	v := rt.ToValue(f)
	nameFunction(rt, v, name)
	return v
}

// nameFunction gives a function its name; other values it leaves alone.
func nameFunction(rt *goja.Runtime, v goja.Value, name string) {
	if _, ok := goja.AssertFunction(v); !ok {
		return
	}
	// The name of a native function can always be changed.
	_ = v.(*goja.Object).DefineDataProperty("name", rt.ToValue(name), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE)
}

// Set replaces a member, for scripts that wrap functions of a module.
func (e *Exports) Set(name string, v goja.Value) bool {
	if e.made == nil {
		e.made = make(map[string]goja.Value, 4)
	}
	if !e.Has(name) {
		e.names = append(e.names[:len(e.names):len(e.names)], name)
	}
	e.made[name] = v
	return true
}

// Has reports whether there is a member of that name.
func (e *Exports) Has(name string) bool {
	for _, n := range e.names {
		if n == name {
			return true
		}
	}
	return false
}

// Delete refuses: a module's members stay.
func (e *Exports) Delete(string) bool { return false }

// Keys lists the members.
func (e *Exports) Keys() []string { return e.names }

// GlobalsPath is where a module is registered whose exports are globals of
// every script. It cannot be imported.
const GlobalsPath = "jsload:globals"

// Patcher is what the module at GlobalsPath may be as well: it adds what the
// interpreter's own objects lack, such as Object.groupBy. A virtual user gets
// only those additions that its script may use.
type Patcher interface {
	// Patches names the additions that bundled code may use. It errs on the
	// side of yes; names that code puts together at run time escape it.
	Patches(code string) []string
}

// PatchInstance is an Instance of a Patcher.
type PatchInstance interface {
	// Patch makes an addition in the runtime.
	Patch(name string) error
}
