// Package globals provides the global objects that scripts know from browsers
// and from newer JavaScript, where the interpreter has none: TextEncoder, URL,
// structuredClone, AbortController, Intl and so on, and additions to the
// interpreter's own objects such as Object.groupBy.
//
// js/internal/runtime makes each on its first use: a virtual user whose script
// names none of them pays nothing. What is in lib/ is script code of our own,
// compiled once for all virtual users; the rest is Go. Pure work is done in
// vu/value. The global crypto comes from modules/webcrypto.
package globals

import (
	"embed"
	"fmt"
	"sync"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules"
)

//go:embed lib/*.js
var sources embed.FS

// own maps the globals of this package to the library that makes them, "" for
// those written in Go.
func own() map[string]string {
	return map[string]string{
		"TextEncoder": "", "TextDecoder": "", "atob": "", "btoa": "",
		"URL": "", "URLSearchParams": "", "performance": "",
		"WeakRef": "", "FinalizationRegistry": "", "Intl": "",
		"queueMicrotask": "microtask", "structuredClone": "clone", "Iterator": "iterator", "DOMException": "domexception",
		"Event": "abort", "EventTarget": "abort", "AbortController": "abort", "AbortSignal": "abort",
	}
}

// Module is the module that provides globals. It is made with New.
type Module struct {
	own   map[string]string
	names []string
	more  map[string]modules.Module // by the name that they provide
	parts []modules.Module

	mu       sync.Mutex
	programs map[string]*goja.Program
}

// New returns the module; the exports of others are made globals too.
func New(others ...modules.Module) *Module {
	m := &Module{own: own(), more: make(map[string]modules.Module), parts: others, programs: make(map[string]*goja.Program)}
	for name := range m.own {
		m.names = append(m.names, name)
	}
	for _, o := range others {
		for _, name := range o.Names() {
			m.names = append(m.names, name)
			m.more[name] = o
		}
	}
	return m
}

// Names lists the globals.
func (m *Module) Names() []string { return m.names }

// Instantiate binds the module to a virtual user.
func (m *Module) Instantiate(h *modules.Host) modules.Instance {
	return &instance{module: m, host: h, rt: h.Runtime}
}

// program compiles a library once for all virtual users.
func (m *Module) program(name string) (*goja.Program, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if p := m.programs[name]; p != nil {
		return p, nil
	}
	code, err := sources.ReadFile("lib/" + name + ".js")
	if err != nil {
		return nil, err
	}
	p, err := goja.Compile("jsload:globals/"+name+".js", string(code), true)
	if err != nil {
		return nil, fmt.Errorf("compiling a library: %w", err)
	}
	m.programs[name] = p
	return p, nil
}

type instance struct {
	module *Module
	host   *modules.Host
	rt     *goja.Runtime

	libs  map[string]*goja.Object
	parts map[modules.Module]modules.Instance
	kept  keeper

	params         *paramsClass
	iteratorParent *goja.Object // %IteratorPrototype%
	iteratorBelow  *goja.Object // what it inherits from, while lazyHelpers are between
}

// Export makes a global.
func (i *instance) Export(name string) goja.Value {
	if part := i.module.more[name]; part != nil {
		return i.part(part).Export(name)
	}
	lib, known := i.module.own[name]
	if !known {
		return nil
	}
	if lib != "" {
		return i.library(lib).Get(name)
	}
	return i.native(name)
}

func (i *instance) part(m modules.Module) modules.Instance {
	if inst, ok := i.parts[m]; ok {
		return inst
	}
	if i.parts == nil {
		i.parts = make(map[modules.Module]modules.Instance, 1)
	}
	inst := m.Instantiate(i.host)
	i.parts[m] = inst
	return inst
}

func (i *instance) native(name string) goja.Value {
	switch name {
	case "TextEncoder":
		return i.textEncoder()
	case "TextDecoder":
		return i.textDecoder()
	case "atob":
		return i.rt.ToValue(i.atob)
	case "btoa":
		return i.rt.ToValue(i.btoa)
	case "URL":
		return i.urlClass()
	case "URLSearchParams":
		return i.paramsClass().Constructor
	case "performance":
		return i.performance()
	case "WeakRef":
		return i.weakRef()
	case "FinalizationRegistry":
		return i.finalizationRegistry()
	case "Intl":
		return i.intl()
	}
	return nil
}

// library runs a library in the runtime, once, and returns what it made.
func (i *instance) library(name string) *goja.Object {
	if o := i.libs[name]; o != nil {
		return o
	}
	o, err := i.load(name)
	if err != nil {
		panic(i.rt.NewGoError(err))
	}
	if i.libs == nil {
		i.libs = make(map[string]*goja.Object, 2)
	}
	i.libs[name] = o
	return o
}

// load runs a library: an expression that gives a function, which is called
// with what the host has for it.
func (i *instance) load(name string) (*goja.Object, error) {
	if name == "iterator" {
		if err := i.withoutLazyHelpers(); err != nil {
			return nil, err
		}
	}
	p, err := i.module.program(name)
	if err != nil {
		return nil, err
	}
	v, err := i.rt.RunProgram(p)
	if err != nil {
		return nil, err
	}
	call, ok := goja.AssertFunction(v)
	if !ok {
		return nil, fmt.Errorf("library %s is no function", name)
	}
	v, err = call(goja.Undefined(), i.hostFor(name))
	if err != nil {
		return nil, err
	}
	return v.ToObject(i.rt), nil
}

// hostFor is the object through which a library reaches Go.
func (i *instance) hostFor(name string) goja.Value {
	o := i.rt.NewObject()
	switch name {
	case "clone":
		_ = o.Set("refused", i.refusesClone)
		_ = o.Set("detach", i.detach)
	case "abort":
		_ = o.Set("after", i.after)
	case "regexp":
		_ = o.Set("rewrite", i.rewritePattern)
	default:
		return goja.Undefined()
	}
	return o
}
