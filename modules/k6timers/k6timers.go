// Package k6timers is the module k6/timers: the timers that are also globals.
package k6timers

import (
	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules"
)

type module struct{}

// New returns the module.
func New() modules.Module { return module{} }

// Names lists the named exports.
func (module) Names() []string {
	return []string{"setTimeout", "clearTimeout", "setInterval", "clearInterval"}
}

// Instantiate binds the module to a virtual user.
func (module) Instantiate(h *modules.Host) modules.Instance { return instance{h.Runtime} }

type instance struct{ rt *goja.Runtime }

// Export returns the global of the same name.
func (i instance) Export(name string) goja.Value { return i.rt.GlobalObject().Get(name) }
