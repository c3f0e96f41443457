// Package k6html is the module k6/html: documents that a script looks at with CSS
// selectors, as jQuery does, and element by element, as the DOM does.
//
// Scripts import it, and k6http uses it for the bodies of responses. It reads
// documents only: nothing can be changed in them, and nothing in them runs.
package k6html

import (
	"fmt"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/conv"
)

type module struct{}

// New returns the module.
func New() modules.Module { return module{} }

// Names lists the named exports.
func (module) Names() []string { return []string{"parseHTML"} }

// Instantiate binds the module to a virtual user.
func (module) Instantiate(h *modules.Host) modules.Instance {
	return &instance{docs: NewDocuments(h)}
}

type instance struct{ docs *Documents }

// Export makes an export.
func (i *instance) Export(name string) goja.Value {
	if name == "parseHTML" {
		return i.docs.rt.ToValue(i.parseHTML)
	}
	return nil
}

// parseHTML is html.parseHTML(text): a selection that holds the document.
func (i *instance) parseHTML(c goja.FunctionCall) goja.Value {
	text, ok := conv.StringOrBytes(c.Argument(0))
	if !ok {
		text = []byte(c.Argument(0).String())
	}
	return i.docs.New(string(text), "").Selection("")
}

// Documents makes the documents of one runtime and the objects that a script
// sees of them.
type Documents struct {
	host *modules.Host
	rt   *goja.Runtime
	// selections is the prototype of selections, elements that of each kind of
	// element by tag name; both made on first use.
	selections *goja.Object
	elements   map[string]*goja.Object
	// selectors are those that were used before, compiled.
	selectors map[string]matcher
}

// NewDocuments binds to a virtual user. It costs next to nothing.
func NewDocuments(h *modules.Host) *Documents { return &Documents{host: h, rt: h.Runtime} }

// prototype is an object of methods that are made when they are first read.
type prototype struct {
	make1 func(name string) goja.Value
	names []string
	made  map[string]goja.Value
}

// Get returns a method, nil if there is none of that name.
func (p *prototype) Get(name string) goja.Value {
	if v, ok := p.made[name]; ok {
		return v
	}
	v := p.make1(name)
	if v != nil {
		p.Set(name, v)
	}
	return v
}

// Set replaces a method.
func (p *prototype) Set(name string, v goja.Value) bool {
	if p.made == nil {
		p.made = make(map[string]goja.Value)
	}
	p.made[name] = v
	return true
}

// Has reports whether there is a method of that name.
func (p *prototype) Has(name string) bool { return p.Get(name) != nil }

// Delete refuses.
func (p *prototype) Delete(string) bool { return false }

// Keys lists the methods.
func (p *prototype) Keys() []string { return p.names }

// bare are the members that an object has none of its own of: all are found on
// its prototype.
type bare struct{}

// Get finds nothing.
func (bare) Get(string) goja.Value { return nil }

// Set refuses.
func (bare) Set(string, goja.Value) bool { return false }

// Has is always false.
func (bare) Has(string) bool { return false }

// Delete has nothing to delete.
func (bare) Delete(string) bool { return true }

// Keys is empty.
func (bare) Keys() []string { return nil }

// wrongReceiver raises the error for a method that was taken from its object.
func (d *Documents) wrongReceiver(kind, name string) {
	panic(d.rt.NewTypeError(fmt.Sprintf("%s.%s() must be called on a %s", kind, name, kind)))
}
