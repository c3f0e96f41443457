package runtime

import (
	"github.com/dop251/goja"

	"github.com/jsload/jsload/js/internal/bundle"
)

// checkedSource gives back what is to be compiled, and throws where the
// interpreter's parser would end the process.
func (r *Runtime) checkedSource(c goja.FunctionCall) goja.Value {
	for _, v := range c.Arguments {
		r.checkSource(v)
	}
	return c.Argument(0)
}

func (r *Runtime) checkSource(v goja.Value) {
	if text, ok := v.(goja.String); ok && bundle.TooDeep(text.String()) {
		syntax, _ := r.VM.New(r.VM.Get("SyntaxError"), r.VM.ToValue("this source nests too deeply to be compiled"))
		panic(syntax)
	}
}

// guardedEval is eval called by another name: it sees global names only.
func (r *Runtime) guardedEval(c goja.FunctionCall) goja.Value {
	r.checkSource(c.Argument(0))
	eval, _ := goja.AssertFunction(r.VM.Get("eval"))
	v, err := eval(goja.Undefined(), c.Arguments...)
	if err != nil {
		panic(err)
	}
	return v
}

// functionKinds give the constructors that compile their arguments.
var functionKinds = [...]string{"(function () {})", "(function* () {})", "(async function () {})"}

// guardConstructors puts the same look before Function and its kin.
func (r *Runtime) guardConstructors() error {
	if !r.program.usesConstructors {
		return nil
	}
	for _, kind := range functionKinds {
		f, err := r.VM.RunString(kind)
		if err != nil {
			return err
		}
		prototype := f.ToObject(r.VM).Prototype()
		original := prototype.Get("constructor").ToObject(r.VM)
		guarded, err := r.guardedConstructor(original)
		if err != nil {
			return err
		}
		if err := prototype.DefineDataProperty("constructor", guarded, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE); err != nil {
			return err
		}
		if global := r.VM.GlobalObject(); global.Get("Function") == original {
			if err := global.Set("Function", guarded); err != nil {
				return err
			}
		}
	}
	return nil
}

// guardedConstructor stands in for a constructor; a proxy would not do, since the
// interpreter refuses instanceof with one.
func (r *Runtime) guardedConstructor(original *goja.Object) (*goja.Object, error) {
	construct, _ := goja.AssertConstructor(original)
	guarded := r.VM.ToValue(func(c goja.ConstructorCall) *goja.Object {
		for _, v := range c.Arguments {
			r.checkSource(v)
		}
		o, err := construct(c.NewTarget, c.Arguments...)
		if err != nil {
			panic(err)
		}
		return o
	}).ToObject(r.VM)
	for _, name := range []string{"name", "length"} {
		if err := guarded.DefineDataProperty(name, original.Get(name), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE); err != nil {
			return nil, err
		}
	}
	err := guarded.DefineDataProperty("prototype", original.Get("prototype"), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE)
	return guarded, err
}
