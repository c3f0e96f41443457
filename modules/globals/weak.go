package globals

import (
	"runtime"
	"sync"
	"time"
	"weak"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules/conv"
)

// WeakRef and FinalizationRegistry are as honest as the language allows: a
// target is what Go's garbage collector says is alive, so when (and whether) it
// goes is as unpredictable as in a browser. Within one job a target that was
// seen stays, and cleanup callbacks run as jobs of the virtual user, but never
// keep an iteration waiting.

// keeper holds what WeakRefs have shown until the running job ends.
type keeper struct{ targets []*goja.Object }

func (i *instance) keep(o *goja.Object) {
	i.kept.targets = append(i.kept.targets, o)
	if len(i.kept.targets) > 1 {
		return // the job that lets go is queued already
	}
	p, resolve, _ := i.rt.NewPromise()
	then, ok := goja.AssertFunction(i.rt.ToValue(p).ToObject(i.rt).Get("then"))
	if !ok {
		i.kept.targets = nil
		return
	}
	_ = resolve(goja.Undefined())
	_, _ = then(i.rt.ToValue(p), i.rt.ToValue(func(goja.FunctionCall) goja.Value {
		i.kept.targets = nil
		return goja.Undefined()
	}))
}

type weakRefObject struct {
	conv.Own
	target weak.Pointer[goja.Object]
}

func (i *instance) weakRef() goja.Value {
	return conv.NewClass(i.rt, conv.ClassSpec{
		Name: "WeakRef",
		New: func(c goja.ConstructorCall) goja.DynamicObject {
			o, ok := c.Argument(0).(*goja.Object)
			if !ok {
				panic(i.rt.NewTypeError("WeakRef: the target must be an object"))
			}
			i.keep(o)
			return &weakRefObject{target: weak.Make(o)}
		},
		Method: func(name string) func(goja.FunctionCall) goja.Value {
			if name != "deref" {
				return nil
			}
			return func(c goja.FunctionCall) goja.Value {
				o := conv.MustSelf[*weakRefObject](i.rt, c.This, "WeakRef").target.Value()
				if o == nil {
					return goja.Undefined()
				}
				i.keep(o)
				return o
			}
		},
	}).Constructor
}

// registryObject is the Go side of a FinalizationRegistry.
type registryObject struct {
	conv.Own
	inst     *instance
	callback goja.Callable

	mu    sync.Mutex // the garbage collector reports on a goroutine of its own
	cells map[uint64]registryCell
	last  uint64
}

type registryCell struct {
	held  goja.Value
	token weak.Pointer[goja.Object]
}

func (i *instance) finalizationRegistry() goja.Value {
	return conv.NewClass(i.rt, conv.ClassSpec{
		Name: "FinalizationRegistry",
		New: func(c goja.ConstructorCall) goja.DynamicObject {
			callback, ok := goja.AssertFunction(c.Argument(0))
			if !ok {
				panic(i.rt.NewTypeError("FinalizationRegistry: the cleanup callback must be a function"))
			}
			return &registryObject{inst: i, callback: callback, cells: make(map[uint64]registryCell)}
		},
		Method: func(name string) func(goja.FunctionCall) goja.Value {
			switch name {
			case "register", "unregister":
				return func(c goja.FunctionCall) goja.Value {
					r := conv.MustSelf[*registryObject](i.rt, c.This, "FinalizationRegistry")
					if name == "register" {
						return r.register(c)
					}
					return r.unregister(c)
				}
			}
			return nil
		},
	}).Constructor
}

func (r *registryObject) register(c goja.FunctionCall) goja.Value {
	target, ok := c.Argument(0).(*goja.Object)
	if !ok || target.SameAs(c.Argument(1)) {
		panic(r.inst.rt.NewTypeError("FinalizationRegistry.register: the target must be an object other than the held value"))
	}
	cell := registryCell{held: c.Argument(1)}
	if token, ok := c.Argument(2).(*goja.Object); ok {
		cell.token = weak.Make(token)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last++
	r.cells[r.last] = cell
	runtime.AddCleanup(target, collected, collectedCell{weak.Make(r), r.last})
	return goja.Undefined()
}

// collectedCell names a cell without keeping its registry.
type collectedCell struct {
	registry weak.Pointer[registryObject]
	id       uint64
}

// collected runs on the goroutine of the garbage collector.
func collected(c collectedCell) {
	r := c.registry.Value()
	if r == nil {
		return
	}
	r.inst.host.Loop.Post(func() error {
		r.mu.Lock()
		cell, ok := r.cells[c.id]
		delete(r.cells, c.id)
		r.mu.Unlock()
		if !ok {
			return nil // unregistered meanwhile
		}
		_, err := r.callback(goja.Undefined(), cell.held)
		return err
	})
}

func (r *registryObject) unregister(c goja.FunctionCall) goja.Value {
	token, ok := c.Argument(0).(*goja.Object)
	if !ok {
		panic(r.inst.rt.NewTypeError("FinalizationRegistry.unregister: the token must be an object"))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	found := false
	for id, cell := range r.cells {
		if cell.token == weak.Make(token) {
			delete(r.cells, id)
			found = true
		}
	}
	return r.inst.rt.ToValue(found)
}

// after calls a function once some milliseconds have passed, on the loop of the
// virtual user. It keeps neither an iteration waiting nor its argument alive:
// after(ms, owner, function of owner).
func (i *instance) after(c goja.FunctionCall) goja.Value {
	owner, ok := c.Argument(1).(*goja.Object)
	call, callable := goja.AssertFunction(c.Argument(2))
	if !ok || !callable {
		panic(i.rt.NewTypeError("after needs an object and a function"))
	}
	ref, loop := weak.Make(owner), i.host.Loop
	time.AfterFunc(time.Duration(c.Argument(0).ToFloat()*float64(time.Millisecond)), func() {
		loop.Post(func() error {
			o := ref.Value()
			if o == nil {
				return nil
			}
			_, err := call(goja.Undefined(), o)
			return err
		})
	})
	return goja.Undefined()
}
