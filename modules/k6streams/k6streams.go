// Package k6streams is the module k6/experimental/streams: streams by the Streams
// standard, without byte streams and pipes. They are script code of our own in
// lib/, compiled when the first script uses them; a virtual user whose script does
// not pays nothing.
package k6streams

import (
	_ "embed"
	"fmt"
	"sync"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/conv"
)

//go:embed lib/streams.js
var source string

type module struct {
	program func() (*goja.Program, error)
}

// New returns the module.
func New() modules.Module {
	return &module{program: sync.OnceValues(func() (*goja.Program, error) {
		return goja.Compile("jsload:streams.js", source, true)
	})}
}

// Names lists the named exports.
func (*module) Names() []string {
	return []string{"CountQueuingStrategy", "ReadableStream", "ReadableStreamDefaultReader", "WritableStream", "WritableStreamDefaultWriter"}
}

// Instantiate binds the module to a virtual user.
func (m *module) Instantiate(h *modules.Host) modules.Instance {
	return &instance{module: m, rt: h.Runtime}
}

type instance struct {
	*module
	rt      *goja.Runtime
	classes *goja.Object // nil until the first is needed
}

// Export makes an export; all of them are made with the first.
func (i *instance) Export(name string) goja.Value {
	if name == "default" {
		return nil
	}
	if i.classes == nil {
		classes, err := i.load()
		if err != nil {
			conv.Throw(i.rt, err)
		}
		i.classes = classes
	}
	return i.classes.Get(name)
}

func (i *instance) load() (*goja.Object, error) {
	program, err := i.program()
	if err != nil {
		return nil, fmt.Errorf("compiling a library: %w", err)
	}
	v, err := i.rt.RunProgram(program)
	if err != nil {
		return nil, err
	}
	library, ok := goja.AssertFunction(v)
	if !ok {
		return nil, fmt.Errorf("the library is no function but %s", v)
	}
	classes, err := library(goja.Undefined())
	if err != nil {
		return nil, err
	}
	return classes.ToObject(i.rt), nil
}
