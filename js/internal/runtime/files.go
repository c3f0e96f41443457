package runtime

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/js/internal/source"
	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/conv"
)

// open is the script's open(): the content of a file beside the module that
// calls, as a string or, in mode "b", as an ArrayBuffer.
func (r *Runtime) open(c goja.FunctionCall) goja.Value {
	if r.Host.Stage != modules.StageInit {
		conv.Throwf(r.VM, "open() can only be called in the init context")
	}
	name := conv.OptionalString(c.Argument(0))
	file, err := r.program.files.Open(context.Background(), r.callerModule(), name)
	if err != nil {
		conv.Throw(r.VM, err)
	}
	if conv.OptionalString(c.Argument(1)) == "b" {
		return r.VM.ToValue(r.VM.NewArrayBuffer(slices.Clone(file.Data)))
	}
	return r.VM.ToValue(string(file.Data))
}

// callerFiles are the files beside the module that calls.
func (r *Runtime) callerFiles() modules.Files {
	base := r.callerModule()
	return modules.Files{Base: base, Open: func(name string) ([]byte, error) {
		file, err := r.program.files.Open(context.Background(), base, name)
		return file.Data, err
	}}
}

// callerModule is the address of the module that the running native function
// was called from.
func (r *Runtime) callerModule() string {
	stack := r.VM.CaptureCallStack(0, nil)
	base := r.program.bundle.ModuleOf(func(yield func(function, file string) bool) {
		for i := range stack {
			f := &stack[i]
			if f.SrcName() == nativeSource {
				continue
			}
			if !yield(f.FuncName(), f.Position().Filename) {
				return
			}
		}
	})
	if base == "" {
		return r.program.mainURL
	}
	return base
}

// ErrNotBundled says that the script asked for files by computed names that the
// bundle does not hold. The script is to be bundled again with them.
type ErrNotBundled struct{ URLs []string }

// Error names the files.
func (e *ErrNotBundled) Error() string {
	return fmt.Sprintf("modules %q are not in the bundle", e.URLs)
}

// require serves calls of require() whose argument is not a literal.
func (r *Runtime) require(c goja.FunctionCall) goja.Value {
	if r.Host.Stage != modules.StageInit {
		conv.Throwf(r.VM, "require() can only be called in the init context")
	}
	spec := c.Argument(0).String()
	address, builtin, err := r.program.bundle.Resolve(r.callerModule(), spec)
	if err != nil {
		conv.Throw(r.VM, err)
	}
	if builtin {
		return r.moduleObject(address)
	}
	load, ok := r.bundled[address]
	if !ok {
		if r.program.bundle.Includes(address) {
			conv.Throw(r.VM, fmt.Errorf("require(%q): the module can only be required by a literal name", spec))
		}
		r.wanted = append(r.wanted, address)
		conv.Throw(r.VM, fmt.Errorf("require(%q): %s was not found when the script was bundled", spec, address))
	}
	v, err := load(goja.Undefined())
	if err != nil {
		panic(conv.Thrown(r.VM, err))
	}
	return v
}

// keepModules receives the modules that computed names can reach, as functions
// by address.
func (r *Runtime) keepModules(c goja.FunctionCall) goja.Value {
	table := c.Argument(0).ToObject(r.VM)
	r.bundled = make(map[string]goja.Callable)
	for _, address := range table.Keys() {
		if f, ok := goja.AssertFunction(table.Get(address)); ok {
			r.bundled[address] = f
		}
	}
	return goja.Undefined()
}

// meta makes import.meta of a module.
func (r *Runtime) meta(c goja.FunctionCall) goja.Value {
	base := c.Argument(0).String()
	o := r.VM.NewObject()
	_ = o.Set("url", base)
	_ = o.Set("resolve", func(c goja.FunctionCall) goja.Value {
		address, err := source.Resolve(base, c.Argument(0).String())
		if err != nil {
			conv.Throw(r.VM, err)
		}
		return r.VM.ToValue(address)
	})
	return o
}

// notBundled adds to the outcome of the init code the wish for another bundle,
// if computed names asked for files that exist.
func (r *Runtime) notBundled(err error) error {
	var exist []string
	for _, u := range r.wanted {
		if source.IsLocal(u) && r.program.files.Exists(u) {
			exist = append(exist, u)
		}
	}
	if len(exist) == 0 {
		return err
	}
	return errors.Join(&ErrNotBundled{URLs: exist}, err)
}
