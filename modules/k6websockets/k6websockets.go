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
	// self is the hidden member that leads from a script's object to ours.
	self *goja.Symbol
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

// class makes a constructor with its prototype.
func (i *instance) class(name string, construct func(goja.ConstructorCall) *goja.Object) (class, prototype *goja.Object) {
	class = i.rt.ToValue(construct).(*goja.Object)
	_ = class.DefineDataProperty("name", i.rt.ToValue(name), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	return class, class.Get("prototype").(*goja.Object)
}

// hide puts our side of an object into it.
func (i *instance) hide(o *goja.Object, ours any) {
	_ = o.DefineDataPropertySymbol(i.symbol(), i.rt.ToValue(ours), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE)
}

// hidden is our side of a script's object, nil if it is not one of ours.
func (i *instance) hidden(v goja.Value) any {
	o, ok := v.(*goja.Object)
	if !ok {
		return nil
	}
	ours := o.GetSymbol(i.symbol())
	if ours == nil {
		return nil
	}
	return ours.Export()
}

func (i *instance) symbol() *goja.Symbol {
	if i.self == nil {
		i.self = goja.NewSymbol("jsload")
	}
	return i.self
}

// accessor defines a property of a prototype; set is nil for a read-only one.
func (i *instance) accessor(prototype *goja.Object, name string, get, set func(goja.FunctionCall) goja.Value) {
	var setter goja.Value
	if set != nil {
		setter = i.rt.ToValue(set)
	}
	_ = prototype.DefineAccessorProperty(name, i.rt.ToValue(get), setter, goja.FLAG_TRUE, goja.FLAG_TRUE)
}
