package native

import (
	"github.com/jsload/jsload/vu/plan"
	"github.com/jsload/jsload/vu/value"
)

// function is a pure function of the script API. Missing arguments are undefined; of a
// method the first is the receiver, which has the type of the method. Arguments that
// are not there are left out of args.
type function func(args []value.Value) (value.Value, error)

// callKey finds a function by name, and a method by the type it is on.
type callKey struct {
	name string
	on   plan.Type
}

// functions is the list of pure functions and methods, family by family. It has an
// entry for each of plan.Callees.
func functions() map[callKey]function {
	all := map[callKey]function{}
	for _, family := range []struct {
		on   plan.Type
		list map[string]function
	}{
		{plan.Any, globalFunctions()},
		{plan.String, stringMethods()},
	} {
		for name, f := range family.list {
			all[callKey{name, family.on}] = f
		}
	}
	return all
}

func (c *compiler) function(name string, on plan.Type) function {
	if c.functions == nil {
		c.functions = functions()
	}
	return c.functions[callKey{name, on}]
}

// argument is an argument, or undefined if there is none.
func argument(args []value.Value, i int) value.Value {
	if i < len(args) {
		return args[i]
	}
	return value.Undefined
}

func (c *compiler) call(e *plan.Expr) code {
	f, args, pos := c.function(e.Name, plan.Any), c.values(e.Args), e.Pos
	return typed(c.plan.TypeOf(c.f, e), func(m *machine) value.Value { return invoke(m, f, args, pos) })
}

// invoke calls a function. Its arguments lie on the machine's stack of values, so that
// a call allocates nothing.
func invoke(m *machine, f function, args []func(*machine) value.Value, pos plan.Pos) value.Value {
	base := len(m.stack)
	for _, arg := range args {
		v := arg(m)
		m.stack = append(m.stack, v)
	}
	v, err := f(m.stack[base:])
	clear(m.stack[base:])
	m.stack = m.stack[:base]
	return must(pos, v, err)
}

func (c *compiler) method(e *plan.Expr) code {
	on := c.plan.TypeOf(c.f, e.Args[0])
	if looks := bodyMethods[e.Name]; looks != nil && e.Args[0].Op == plan.OpBody && len(e.Args) == 2 {
		return c.bodyMethod(e, looks)
	}
	args, pos := c.values(e.Args), e.Pos
	if on != plan.Any {
		f := c.function(e.Name, on)
		return typed(c.plan.TypeOf(c.f, e), func(m *machine) value.Value { return invoke(m, f, args, pos) })
	}
	return c.dynamicMethod(e, args)
}

// dynamicMethod calls a method of a value whose type shows when it runs.
func (c *compiler) dynamicMethod(e *plan.Expr, args []func(*machine) value.Value) code {
	byType := map[value.Kind]function{}
	for _, m := range plan.Methods(e.Name) {
		byType[kinds[m.On]] = c.function(m.Name, m.On)
	}
	name, pos := e.Name, e.Pos
	return code{any: func(m *machine) value.Value {
		base := len(m.stack)
		of := args[0](m)
		if of.IsNullish() {
			raise(pos, noProperty(name, of))
		}
		m.stack = append(m.stack, of)
		for _, arg := range args[1:] {
			v := arg(m)
			m.stack = append(m.stack, v)
		}
		f := byType[of.Kind()]
		if f == nil {
			raise(pos, value.TypeError("Object has no member '"+name+"'"))
		}
		v, err := f(m.stack[base:])
		clear(m.stack[base:])
		m.stack = m.stack[:base]
		return must(pos, v, err)
	}}
}

var kinds = map[plan.Type]value.Kind{
	plan.String: value.KindString, plan.Number: value.KindNumber, plan.Array: value.KindArray, plan.Object: value.KindObject,
}

// bodyMethods are those that only look at the text of a body, which then is not copied.
var bodyMethods = map[string]func(body, arg string) value.Value{
	"includes":   func(body, arg string) value.Value { return value.Bool(value.Includes(body, arg, 0)) },
	"startsWith": func(body, arg string) value.Value { return value.Bool(value.StartsWith(body, arg, 0)) },
	"endsWith":   func(body, arg string) value.Value { return value.Bool(value.EndsWith(body, arg, infinity)) },
	"indexOf":    func(body, arg string) value.Value { return value.Int(value.IndexOf(body, arg, 0)) },
}

func (c *compiler) bodyMethod(e *plan.Expr, look func(body, arg string) value.Value) code {
	slot, arg, name, pos := e.Args[0].Args[0].Slot, c.expr(e.Args[1]).value(), e.Name, e.Pos
	return code{any: func(m *machine) value.Value {
		r := m.responseOf(slot)
		if !r.hasBody() {
			raise(pos, noProperty(name, value.Null))
		}
		what := value.ToString(arg(m))
		if body, ok := r.view(); ok {
			return look(body, what)
		}
		return look(r.bodyText().Text(), what)
	}}
}
