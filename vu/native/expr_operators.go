// Hot path.

package native

import (
	"github.com/jsload/jsload/vu/plan"
	"github.com/jsload/jsload/vu/value"
)

func operatorExprs() map[plan.Op]exprBuilder {
	return map[plan.Op]exprBuilder{
		plan.OpAdd:         (*compiler).add,
		plan.OpSub:         arithmetic(func(x, y float64) float64 { return x - y }),
		plan.OpMul:         arithmetic(value.Mul),
		plan.OpDiv:         arithmetic(func(x, y float64) float64 { return x / y }),
		plan.OpMod:         arithmetic(value.Mod),
		plan.OpPow:         arithmetic(value.Pow),
		plan.OpBitAnd:      arithmetic(value.BitAnd),
		plan.OpBitOr:       arithmetic(value.BitOr),
		plan.OpBitXor:      arithmetic(value.BitXor),
		plan.OpShiftLeft:   arithmetic(value.ShiftLeft),
		plan.OpShiftRight:  arithmetic(value.ShiftRight),
		plan.OpShiftRightU: arithmetic(value.ShiftRightUnsigned),
		plan.OpBitNot:      sign(value.BitNot),
		plan.OpNeg:         sign(func(x float64) float64 { return -x }),
		plan.OpNumber:      sign(func(x float64) float64 { return x }),
		plan.OpSame:        (*compiler).same,
		plan.OpNotSame:     negated((*compiler).same),
		plan.OpEqual:       (*compiler).equal,
		plan.OpNotEqual:    negated((*compiler).equal),
		plan.OpLess:        ordering(false, false),
		plan.OpLessEq:      ordering(true, true),
		plan.OpGreater:     ordering(true, false),
		plan.OpGreaterEq:   ordering(false, true),
		plan.OpNot:         (*compiler).not,
		plan.OpAnd:         logical(func(v value.Value) bool { return value.Truthy(v) }),
		plan.OpOr:          logical(func(v value.Value) bool { return !value.Truthy(v) }),
		plan.OpCoalesce:    logical(value.Value.IsNullish),
		plan.OpCond:        (*compiler).cond,
		plan.OpTypeOf:      (*compiler).typeOf,
	}
}

// arithmetic is an operator of two numbers. Both operands are evaluated before either
// is converted.
func arithmetic(f func(x, y float64) float64) exprBuilder {
	return func(c *compiler, e *plan.Expr) code {
		x, y := c.expr(e.Args[0]).number(), c.expr(e.Args[1]).number()
		return code{num: func(m *machine) float64 {
			a := x(m)
			return f(a, y(m))
		}}
	}
}

func sign(f func(x float64) float64) exprBuilder {
	return func(c *compiler, e *plan.Expr) code {
		x := c.expr(e.Args[0]).number()
		return code{num: func(m *machine) float64 { return f(x(m)) }}
	}
}

func (c *compiler) add(e *plan.Expr) code {
	a, b := c.expr(e.Args[0]), c.expr(e.Args[1])
	switch {
	case a.num != nil && b.num != nil:
		x, y := a.num, b.num
		return code{num: func(m *machine) float64 {
			f := x(m)
			return f + y(m)
		}}
	case c.plan.TypeOf(c.f, e) == plan.String:
		x, y := a.value(), b.value()
		return code{text: func(m *machine) string {
			v := x(m)
			return value.Add(v, y(m)).Text()
		}}
	}
	x, y := a.value(), b.value()
	return code{any: func(m *machine) value.Value {
		v := x(m)
		return value.Add(v, y(m))
	}}
}

// same is ===, without making values of numbers and texts.
func (c *compiler) same(e *plan.Expr) code {
	a, b := c.expr(e.Args[0]), c.expr(e.Args[1])
	switch {
	case a.num != nil && b.isFixed && b.num != nil:
		x, want := a.num, b.fixed.Float()
		return code{flag: func(m *machine) bool { return x(m) == want }}
	case a.num != nil && b.num != nil:
		x, y := a.num, b.num
		return code{flag: func(m *machine) bool { f := x(m); return f == y(m) }}
	case a.text != nil && b.text != nil:
		x, y := a.text, b.text
		return code{flag: func(m *machine) bool { s := x(m); return s == y(m) }}
	}
	x, y := a.value(), b.value()
	return code{flag: func(m *machine) bool {
		v := x(m)
		return value.StrictEquals(v, y(m))
	}}
}

func (c *compiler) equal(e *plan.Expr) code {
	a, b := c.expr(e.Args[0]), c.expr(e.Args[1])
	if a.num != nil && b.num != nil || a.text != nil && b.text != nil {
		return c.same(e)
	}
	x, y := a.value(), b.value()
	return code{flag: func(m *machine) bool {
		v := x(m)
		return value.LooseEquals(v, y(m))
	}}
}

func negated(build exprBuilder) exprBuilder {
	return func(c *compiler, e *plan.Expr) code {
		flag := build(c, e).flag
		return code{flag: func(m *machine) bool { return !flag(m) }}
	}
}

// ordering is one of < <= > >=. All are made of less: swapped compares b with a, and
// not denies the outcome.
func ordering(swapped, not bool) exprBuilder {
	return func(c *compiler, e *plan.Expr) code {
		a, b := c.expr(e.Args[0]), c.expr(e.Args[1])
		if a.num != nil && b.num != nil {
			return numericOrder(a.num, b.num, swapped, not)
		}
		x, y := a.value(), b.value()
		return code{flag: func(m *machine) bool {
			v := x(m)
			w := y(m)
			if swapped {
				v, w = w, v
			}
			less, ordered := value.Less(v, w)
			return ordered && less != not
		}}
	}
}

func numericOrder(x, y func(m *machine) float64, swapped, not bool) code {
	switch {
	case !swapped && !not:
		return code{flag: func(m *machine) bool { f := x(m); return f < y(m) }}
	case swapped && !not:
		return code{flag: func(m *machine) bool { f := x(m); return f > y(m) }}
	case swapped:
		return code{flag: func(m *machine) bool { f := x(m); return f <= y(m) }}
	}
	return code{flag: func(m *machine) bool { f := x(m); return f >= y(m) }}
}

func (c *compiler) not(e *plan.Expr) code {
	holds := c.expr(e.Args[0]).truth()
	return code{flag: func(m *machine) bool { return !holds(m) }}
}

// logical is an operator that looks at the second operand only if the first asks for
// it.
func logical(second func(first value.Value) bool) exprBuilder {
	return func(c *compiler, e *plan.Expr) code {
		a, b := c.expr(e.Args[0]), c.expr(e.Args[1])
		if a.flag != nil && b.flag != nil && e.Op != plan.OpCoalesce {
			x, y, on := a.flag, b.flag, e.Op == plan.OpAnd
			return code{flag: func(m *machine) bool {
				if x(m) == on {
					return y(m)
				}
				return !on
			}}
		}
		x, y := a.value(), b.value()
		return typed(c.plan.TypeOf(c.f, e), func(m *machine) value.Value {
			if v := x(m); !second(v) {
				return v
			}
			return y(m)
		})
	}
}

func (c *compiler) cond(e *plan.Expr) code {
	holds, a, b := c.expr(e.Args[0]).truth(), c.expr(e.Args[1]).value(), c.expr(e.Args[2]).value()
	return typed(c.plan.TypeOf(c.f, e), func(m *machine) value.Value {
		if holds(m) {
			return a(m)
		}
		return b(m)
	})
}

func (c *compiler) typeOf(e *plan.Expr) code {
	v := c.expr(e.Args[0]).value()
	return code{text: func(m *machine) string { return value.TypeOf(v(m)) }}
}
