package runtime

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/conv"
)

// globals is the prototype of a runtime's global object. What it offers is made
// when a script first names it, so that a virtual user pays only for what it
// uses; whatever a script assigns lands on the global object itself.
type globals struct {
	rt   *Runtime
	made map[string]goja.Value
}

// installGlobals puts the lazy globals under the global object and sets the few
// that are read in every iteration.
func (r *Runtime) installGlobals() error {
	global := r.VM.GlobalObject()
	lazy := r.VM.NewDynamicObject(&globals{rt: r})
	if err := lazy.SetPrototype(global.Prototype()); err != nil {
		return err
	}
	if err := global.SetPrototype(lazy); err != nil {
		return err
	}
	if err := global.Set("__VU", r.Host.Number); err != nil {
		return err
	}
	if err := r.patch(); err != nil {
		return err
	}
	if err := r.guardConstructors(); err != nil {
		return err
	}
	if err := r.boundStrings(); err != nil {
		return err
	}
	return r.replaceJSONParse()
}

// patch adds to the interpreter's own objects what they lack and the script
// mentions.
func (r *Runtime) patch() error {
	if len(r.program.patches) == 0 {
		return nil
	}
	inst, ok := r.load(r.program.modules.Lookup(modules.GlobalsPath)).inst.(modules.PatchInstance)
	if !ok {
		return nil
	}
	for _, name := range r.program.patches {
		if err := inst.Patch(name); err != nil {
			return fmt.Errorf("adding %s: %w", name, err)
		}
	}
	return nil
}

// replaceJSONParse puts our reader in the place of the interpreter's, which is
// slower and ends the process on hostile nesting. Scripts that never mention
// JSON are spared the object.
func (r *Runtime) replaceJSONParse() error {
	if !r.program.usesJSON {
		return nil
	}
	json, ok := r.VM.GlobalObject().Get("JSON").(*goja.Object)
	if !ok {
		return nil
	}
	original, ok := goja.AssertFunction(json.Get("parse"))
	if !ok {
		return nil
	}
	return json.DefineDataProperty("parse", r.VM.ToValue(conv.JSONParse(r.VM, original)), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
}

// make builds the value of a global, nil for a name that is none.
func (g *globals) make(name string) goja.Value {
	r := g.rt
	switch name {
	case "console":
		return newConsole(r.VM, r.Host.Run.Log)
	case "__ENV":
		return r.VM.NewDynamicObject(&r.Env)
	case "global":
		if r.program.extended {
			return r.VM.GlobalObject()
		}
	case "setTimeout":
		return r.VM.ToValue(r.Host.Loop.SetTimeout)
	case "setInterval":
		return r.VM.ToValue(r.Host.Loop.SetInterval)
	case "clearTimeout", "clearInterval":
		return r.VM.ToValue(r.Host.Loop.Clear)
	case "open":
		return r.VM.ToValue(r.open)
	case "require":
		return r.VM.ToValue(r.require)
	}
	if m := r.globalModule(name); m != nil {
		return m.Export(name)
	}
	return nil
}

// Get returns a global; it is made on first use.
func (g *globals) Get(name string) goja.Value {
	if v, ok := g.made[name]; ok {
		return v
	}
	v := g.make(name)
	if v != nil {
		g.keep(name, v)
	}
	return v
}

func (g *globals) keep(name string, v goja.Value) {
	if g.made == nil {
		g.made = make(map[string]goja.Value, 4)
	}
	g.made[name] = v
}

// Set is reached only when the script writes to the prototype itself.
func (g *globals) Set(name string, v goja.Value) bool {
	g.keep(name, v)
	return true
}

// Has reports whether a global exists; to answer, it is made.
func (g *globals) Has(name string) bool { return g.Get(name) != nil }

// Delete removes a global.
func (g *globals) Delete(name string) bool {
	g.keep(name, nil)
	return true
}

// Keys is empty: nothing is enumerable here, as for standard globals.
func (g *globals) Keys() []string { return nil }

// globalModule returns the instance of the module that provides a global, nil
// for unknown names.
func (r *Runtime) globalModule(name string) modules.Instance {
	m := r.program.modules.Lookup(modules.GlobalsPath)
	if m == nil {
		return nil
	}
	for _, n := range m.Names() {
		if n == name {
			return r.load(m).inst
		}
	}
	return nil
}

// Env is the script's __ENV: the environment of the run, what the script wrote
// over it, and the active scenario's own variables on top.
type Env struct {
	vm       *goja.Runtime
	base     map[string]string
	keys     []string // of base, sorted
	own      map[string]goja.Value
	ownKeys  []string
	scenario map[string]string
}

// Activate begins a scenario: its variables lie over the environment's, and
// what the script had assigned before is gone.
func (e *Env) Activate(vars map[string]string) {
	e.scenario, e.own, e.ownKeys = vars, nil, nil
}

// Get returns a variable.
func (e *Env) Get(name string) goja.Value {
	if v, ok := e.own[name]; ok {
		return v
	}
	if v, ok := e.scenario[name]; ok {
		return e.vm.ToValue(v)
	}
	if v, ok := e.base[name]; ok {
		return e.vm.ToValue(v)
	}
	return nil
}

// Set keeps what the script assigns, for this virtual user only.
func (e *Env) Set(name string, v goja.Value) bool {
	if e.own == nil {
		e.own = make(map[string]goja.Value)
	}
	if _, known := e.own[name]; !known {
		if _, known := e.base[name]; !known {
			e.ownKeys = append(e.ownKeys, name)
		}
	}
	if v != nil {
		v = v.ToString()
	}
	e.own[name] = v
	return true
}

// Has reports whether a variable is set.
func (e *Env) Has(name string) bool { return e.Get(name) != nil }

// Delete removes a variable for this virtual user.
func (e *Env) Delete(name string) bool {
	if e.Has(name) {
		e.Set(name, nil)
	}
	return true
}

// Keys lists the names: the environment's sorted, then the script's own.
func (e *Env) Keys() []string {
	keys := make([]string, 0, len(e.keys)+len(e.ownKeys)+len(e.scenario))
	add := func(k string) {
		if e.Has(k) {
			keys = append(keys, k)
		}
	}
	for _, k := range e.keys {
		add(k)
	}
	for _, k := range e.ownKeys {
		add(k)
	}
	for _, k := range slices.Sorted(maps.Keys(e.scenario)) {
		if _, inBase := e.base[k]; !inBase && !slices.Contains(e.ownKeys, k) {
			keys = append(keys, k)
		}
	}
	return keys
}

// mentions reports whether source code may use an identifier. It may err on the
// side of yes.
func mentions(code, name string) bool { return strings.Contains(code, name) }
