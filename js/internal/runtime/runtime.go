package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/conv"
	"github.com/jsload/jsload/modules/loop"
)

// maxCallStack ends runaway recursion before it costs noticeable memory. Deeper
// limits make the unwinding of recursion through native functions quadratic.
const maxCallStack = 2000

// InitTimeout bounds the init code of one runtime.
const InitTimeout = 60 * time.Second

// Runtime is one goja runtime with the script's modules evaluated in it. It is
// used by one goroutine at a time.
type Runtime struct {
	VM   *goja.Runtime
	Host *modules.Host
	Env  Env

	program *Program
	loaded  map[modules.Module]loadedModule
	bundled map[string]goja.Callable // modules that computed names can reach
	wanted  []string                 // modules that computed names asked for in vain
	broken  bool                     // the interpreter's state cannot be trusted any more
	exports map[string]goja.Value
}

// Start makes a runtime and runs the script's init code in it. number is __VU.
func (p *Program) Start(ctx context.Context, run *modules.Run, number uint64) (*Runtime, error) {
	r := &Runtime{VM: goja.New(), program: p}
	r.VM.SetMaxCallStackSize(maxCallStack)
	r.Env = Env{vm: r.VM, base: p.env, keys: p.envKeys}
	r.Host = &modules.Host{Runtime: r.VM, Run: run, Number: number, Rand: modules.NewRandom(run.Seed, number, run.SeedFixed)}
	r.VM.SetRandSource(r.Host.Rand.Float64)
	r.Host.Loop = loop.New(r.VM, r.timerStopped)
	r.Host.Files = r.callerFiles
	if err := r.installGlobals(); err != nil {
		return nil, err
	}
	if err := r.notBundled(r.runInit(ctx)); err != nil {
		return nil, err
	}
	if p.bundle.ReadsOptions && run.Options != nil {
		return r, r.showOptions()
	}
	return r, nil
}

// showOptions puts the options of the test, whatever they were set by, into the
// object that the script exports, for scripts that look there.
func (r *Runtime) showOptions() error {
	exported, ok := r.exports["options"].(*goja.Object)
	if !ok {
		return nil
	}
	text, err := r.Host.Run.Options.ScriptJSON()
	if err != nil {
		return err
	}
	v, err := conv.ParseJSON(r.VM, string(text))
	if err != nil {
		return err
	}
	all := v.ToObject(r.VM)
	for _, name := range all.Keys() {
		if value := all.Get(name); !goja.IsNull(value) {
			_ = exported.Set(name, value) // a frozen object stays as it is
		}
	}
	return nil
}

func (r *Runtime) timerStopped(kind string, id int) {
	r.Host.Run.Log.Warn(fmt.Sprintf("%s %d was stopped because the VU iteration was interrupted", kind, id))
}

// runInit evaluates the modules. A bundle with top-level await gives a promise.
func (r *Runtime) runInit(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, InitTimeout, errInitTimeout)
	defer cancel()
	_, err := r.Run(ctx, func() (goja.Value, error) {
		wrapper, err := r.VM.RunProgram(r.program.compiled)
		if err != nil {
			return nil, err
		}
		call, ok := goja.AssertFunction(wrapper)
		if !ok {
			return nil, errors.New("the bundle is not a function")
		}
		return call(goja.Undefined(), r.hostObject())
	})
	if err == nil {
		return nil
	}
	var in *Interrupted
	if errors.As(err, &in) && errors.Is(in.Cause, errInitTimeout) {
		return &Exception{Text: timeoutError("the init code", InitTimeout, in.Where).Error(), Where: in.Where}
	}
	return err
}

var errInitTimeout = errors.New("init timeout")

// RunActive is Run under a hold of StopWith that the caller keeps.
func (r *Runtime) RunActive(ctx context.Context, start func() (goja.Value, error)) (goja.Value, error) {
	return r.run(ctx, start)
}

// Run calls start, then runs the event loop until all that it began has ended,
// and returns the outcome of its result. When ctx ends, the script is stopped
// and the error says where it was. All errors are explained (Program.Explain).
func (r *Runtime) Run(ctx context.Context, start func() (goja.Value, error)) (goja.Value, error) {
	stop := r.StopWith(ctx)
	defer stop()
	return r.run(ctx, start)
}

// StopWith interrupts the script when ctx ends. The returned function undoes
// it and clears an interruption that came too late, waiting for one that is on
// its way: it must not hit what runs next. It is called once.
func (r *Runtime) StopWith(ctx context.Context) (undo func()) {
	done := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(done)
		r.VM.Interrupt(&stopped{cause: context.Cause(ctx)})
	})
	return func() {
		if !stop() {
			<-done
		}
		r.VM.ClearInterrupt()
	}
}

func (r *Runtime) run(ctx context.Context, start func() (goja.Value, error)) (result goja.Value, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = r.recovered(p)
		}
	}()
	err = r.Host.Loop.Run(ctx, func() error {
		var err error
		result, err = start()
		return err
	})
	if err == nil {
		result, err = loop.Settled(result)
	}
	if _, overflow := errors.AsType[*goja.StackOverflowError](err); overflow {
		r.broken = true
	}
	if err != nil && ctx.Err() != nil && err == context.Cause(ctx) {
		return nil, &Interrupted{Cause: err}
	}
	return result, r.program.Explain(err)
}

// Broken reports that a stack overflow or a panic left the interpreter in a state
// that must not be used again.
func (r *Runtime) Broken() bool { return r.broken }

// recovered turns a panic of a native function into an error; anything a script
// threw has been caught before.
func (r *Runtime) recovered(p any) error {
	r.broken = true
	if err, ok := p.(error); ok {
		return r.program.Explain(err)
	}
	if v, ok := p.(goja.Value); ok {
		return &Exception{Text: valueText(v)}
	}
	return &Exception{Text: fmt.Sprintf("internal error: %v", p)}
}

// hostObject is what the bundle's wrapper is called with.
func (r *Runtime) hostObject() *goja.Object {
	o := r.VM.NewObject()
	_ = o.Set("module", func(c goja.FunctionCall) goja.Value { return r.moduleObject(c.Argument(0).String()) })
	_ = o.Set("register", r.register)
	_ = o.Set("require", r.require)
	_ = o.Set("modules", r.keepModules)
	_ = o.Set("meta", r.meta)
	_ = o.Set("source", r.checkedSource)
	_ = o.Set("eval", r.guardedEval)
	return o
}

// register receives the exports of the main module.
func (r *Runtime) register(c goja.FunctionCall) goja.Value {
	o := c.Argument(0).ToObject(r.VM)
	r.exports = make(map[string]goja.Value, 4)
	for _, k := range o.Keys() {
		r.exports[k] = o.Get(k)
	}
	return goja.Undefined()
}

// Exported returns an export of the main module, nil if there is none.
func (r *Runtime) Exported(name string) goja.Value { return r.exports[name] }

// ExportNames lists the exports, sorted.
func (r *Runtime) ExportNames() []string { return slices.Sorted(maps.Keys(r.exports)) }

// JSON is what JSON.stringify gives for a value, "null" where it gives nothing.
func (r *Runtime) JSON(v goja.Value) ([]byte, error) {
	o, ok := v.(*goja.Object)
	if !ok {
		return json.Marshal(v.Export())
	}
	text, err := o.MarshalJSON()
	return text, r.program.Explain(err)
}

// loadedModule is a module as this runtime has it: once, whatever name it was
// imported by.
type loadedModule struct {
	inst   modules.Instance
	object *goja.Object
}

func (r *Runtime) load(m modules.Module) loadedModule {
	if l, ok := r.loaded[m]; ok {
		return l
	}
	inst := m.Instantiate(r.Host)
	l := loadedModule{inst: inst, object: modules.NewExports(r.VM, m, inst)}
	if r.loaded == nil {
		r.loaded = make(map[modules.Module]loadedModule, 4)
	}
	r.loaded[m] = l
	return l
}

func (r *Runtime) moduleObject(path string) goja.Value {
	m := r.program.modules.Lookup(path)
	if m == nil {
		conv.Throw(r.VM, fmt.Errorf("module %q is not known", path))
	}
	return r.load(m).object
}

// SetIteration sets __ITER, which scripts read in every iteration if at all.
func (r *Runtime) SetIteration(n uint64) {
	if r.program.usesIter {
		_ = r.VM.GlobalObject().Set("__ITER", n)
	}
}
