// Package k6websockets is the module k6/websockets: the standard WebSocket class,
// whose sockets live on the event loop of the virtual user, and Blob.
//
// The connection is vu/client/ws's, its metrics are modules/internal/wsession's.
package k6websockets

import (
	"sync"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/vu/client/ws"
)

type module struct {
	shared ws.Shared
	// deprecated is the warning that the first import gives; empty means none.
	deprecated string
	warn       sync.Once
}

// New returns the module.
func New() modules.Module { return &module{} }

// NewExperimental returns the module under its old name, which warns once.
func NewExperimental() modules.Module {
	return &module{deprecated: "k6/experimental/websockets is deprecated: import k6/websockets, which is the same"}
}

// Names lists the named exports.
func (*module) Names() []string { return []string{"Blob", "WebSocket"} }

// Instantiate binds the module to a virtual user.
func (m *module) Instantiate(h *modules.Host) modules.Instance {
	if m.deprecated != "" {
		m.warn.Do(func() { h.Run.Log.Warn(m.deprecated) })
	}
	return &instance{module: m, host: h, rt: h.Runtime}
}

// instance is the module in one virtual user.
type instance struct {
	*module
	host *modules.Host
	rt   *goja.Runtime
	// open are the sockets of the running iteration that are not closed; nil if
	// it has made none.
	open map[*socket]struct{}

	socketClass, blobClass *goja.Object
}

// Export makes an export.
func (i *instance) Export(name string) goja.Value {
	switch name {
	case "WebSocket":
		return i.sockets()
	case "Blob":
		return i.blobs()
	}
	return nil
}

// class makes a constructor whose prototype makes its members when they are first
// read: a class made of native functions would cost each virtual user 20 KB.
func (i *instance) class(name string, construct func(goja.ConstructorCall) *goja.Object, methods []method) *goja.Object {
	class := i.rt.ToValue(construct).(*goja.Object)
	_ = class.DefineDataProperty("name", i.rt.ToValue(name), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	p := &prototype{rt: i.rt, methods: methods, members: map[string]goja.Value{"constructor": class}}
	_ = class.Set("prototype", i.rt.NewDynamicObject(p))
	return class
}

// method is a function of a class.
type method struct {
	name string
	call func(*goja.Runtime, goja.FunctionCall) goja.Value
}

// prototype is the prototype of a class. Scripts may change it.
type prototype struct {
	rt      *goja.Runtime
	methods []method
	members map[string]goja.Value // made or assigned
}

// Get makes a member.
func (p *prototype) Get(name string) goja.Value {
	if v, ok := p.members[name]; ok {
		return v
	}
	for _, m := range p.methods {
		if m.name == name {
			v := modules.Function(p.rt, name, func(c goja.FunctionCall) goja.Value { return m.call(p.rt, c) })
			p.members[name] = v
			return v
		}
	}
	return nil
}

// Set replaces or adds a member.
func (p *prototype) Set(name string, v goja.Value) bool {
	p.members[name] = v
	return true
}

// Has reports whether there is a member of that name.
func (p *prototype) Has(name string) bool { return p.Get(name) != nil }

// Delete removes a member.
func (p *prototype) Delete(name string) bool {
	p.members[name] = nil
	return true
}

// Keys is empty: as in standard classes nothing is enumerable.
func (p *prototype) Keys() []string { return nil }
