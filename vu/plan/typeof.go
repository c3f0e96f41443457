package plan

import (
	"sync"

	"github.com/jsload/jsload/vu/value"
)

var infos = sync.OnceValue(func() map[Op]OpInfo {
	m := map[Op]OpInfo{}
	for _, i := range Ops() {
		m[i.Op] = i
	}
	return m
})

// Info describes an operation; ok is false if there is none of that name.
func (op Op) Info() (_ OpInfo, ok bool) {
	i, ok := infos()[op]
	return i, ok
}

var steps = sync.OnceValue(func() map[StepOp]StepInfo {
	m := map[StepOp]StepInfo{}
	for _, i := range Steps() {
		m[i.Op] = i
	}
	return m
})

// Info describes a step; ok is false if there is none of that name.
func (op StepOp) Info() (_ StepInfo, ok bool) {
	i, ok := steps()[op]
	return i, ok
}

// TypeOf is what is known of the value of an expression of a valid plan.
func (p *Plan) TypeOf(f *Function, e *Expr) Type {
	arg := func(i int) Type { return p.TypeOf(f, e.Args[i]) }
	switch e.Op {
	case OpConst:
		return typeOfConst(e.Const.Value)
	case OpSlot:
		return f.Slots[e.Slot].Type
	case OpModule:
		return p.Module[e.Slot].Type
	case OpAdd:
		return typeOfSum(arg(0), arg(1))
	case OpAnd, OpOr, OpCoalesce:
		return join(arg(0), arg(1))
	case OpCond:
		return join(arg(1), arg(2))
	case OpCall:
		c, _ := Lookup(e.Name, Any)
		return c.Result
	case OpMethod:
		c, _ := Lookup(e.Name, arg(0))
		if arg(0) == Any {
			return Any
		}
		return c.Result
	}
	i, _ := e.Op.Info()
	return i.Result
}

// join is the type of a value that is one of two.
func join(a, b Type) Type {
	if a == b {
		return a
	}
	return Any
}

func typeOfSum(a, b Type) Type {
	switch {
	case a == String || b == String:
		return String
	case a == Number && b == Number:
		return Number
	}
	return Any
}

func typeOfConst(v value.Value) Type {
	switch v.Kind() {
	case value.KindUndefined:
		return Undef
	case value.KindNull:
		return Null
	case value.KindBool:
		return Bool
	case value.KindNumber:
		return Number
	case value.KindString:
		return String
	case value.KindArray:
		return Array
	case value.KindObject:
		return Object
	}
	return Any
}
