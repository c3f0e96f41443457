// Package k6timers is the module k6/timers: the timers that are also globals.
package k6timers

import (
	"sync"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules"
)

type module struct {
	// deprecated is what to warn of once; empty for nothing.
	deprecated string
	warn       sync.Once
}

// New returns the module.
func New() modules.Module { return &module{} }

// NewExperimental returns the module under its old name, which warns once.
func NewExperimental() modules.Module {
	return &module{deprecated: "k6/experimental/timers is deprecated: import k6/timers, which is the same"}
}

// Names lists the named exports.
func (*module) Names() []string {
	return []string{"setTimeout", "clearTimeout", "setInterval", "clearInterval"}
}

// Instantiate binds the module to a virtual user.
func (m *module) Instantiate(h *modules.Host) modules.Instance {
	if m.deprecated != "" {
		m.warn.Do(func() { h.Run.Log.Warn(m.deprecated) })
	}
	return instance{h.Runtime}
}

type instance struct{ rt *goja.Runtime }

// Export returns the global of the same name.
func (i instance) Export(name string) goja.Value { return i.rt.GlobalObject().Get(name) }
