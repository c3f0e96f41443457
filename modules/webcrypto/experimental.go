package webcrypto

import (
	"sync"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules"
)

// experimental is the module that scripts imported before crypto was a global.
type experimental struct{ warn sync.Once }

// NewExperimental returns the module under its old name, which warns once. Its
// one export is the global crypto.
func NewExperimental() modules.Module { return &experimental{} }

// Names lists the one export.
func (*experimental) Names() []string { return []string{"crypto"} }

// Instantiate binds the module to a virtual user.
func (m *experimental) Instantiate(h *modules.Host) modules.Instance {
	m.warn.Do(func() {
		h.Run.Log.Warn("k6/experimental/webcrypto is deprecated: the global crypto is the same and needs no import")
	})
	return alias{h.Runtime}
}

type alias struct{ rt *goja.Runtime }

// Export returns the global.
func (a alias) Export(name string) goja.Value {
	if name != "crypto" {
		return nil
	}
	return a.rt.GlobalObject().Get(name)
}
