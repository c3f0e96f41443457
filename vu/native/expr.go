// Hot path: values of known type are computed without making a Value.

package native

import (
	"github.com/jsload/jsload/vu/plan"
	"github.com/jsload/jsload/vu/value"
)

// code is a compiled expression. It has the closure for its type, and the methods make
// one for what the user of the value wants. any is there if no other is.
type code struct {
	any  func(m *machine) value.Value
	num  func(m *machine) float64
	flag func(m *machine) bool
	text func(m *machine) string
	// fixed is the value of a constant, isFixed that it is one.
	fixed   value.Value
	isFixed bool
}

// value computes the value whatever its type.
func (c code) value() func(m *machine) value.Value {
	switch {
	case c.any != nil:
		return c.any
	case c.num != nil:
		num := c.num
		return func(m *machine) value.Value { return value.Number(num(m)) }
	case c.flag != nil:
		flag := c.flag
		return func(m *machine) value.Value { return value.Bool(flag(m)) }
	}
	text := c.text
	return func(m *machine) value.Value { return value.Str(text(m)) }
}

// number computes the value converted to a number.
func (c code) number() func(m *machine) float64 {
	if c.num != nil {
		return c.num
	}
	v := c.value()
	return func(m *machine) float64 { return value.ToNumber(v(m)) }
}

// truth computes whether the value counts as true.
func (c code) truth() func(m *machine) bool {
	switch {
	case c.flag != nil:
		return c.flag
	case c.num != nil:
		num := c.num
		return func(m *machine) bool { f := num(m); return f != 0 && f == f }
	case c.text != nil:
		text := c.text
		return func(m *machine) bool { return text(m) != "" }
	}
	v := c.any
	return func(m *machine) bool { return value.Truthy(v(m)) }
}

// string computes the value converted to a text.
func (c code) string() func(m *machine) string {
	if c.text != nil {
		return c.text
	}
	v := c.value()
	return func(m *machine) string { return value.ToString(v(m)) }
}

// exprBuilder compiles an expression.
type exprBuilder func(c *compiler, e *plan.Expr) code

// exprBuilders is the list of operations, family by family, each with its builder.
func exprBuilders() map[plan.Op]exprBuilder {
	all := map[plan.Op]exprBuilder{}
	for _, family := range []map[plan.Op]exprBuilder{coreExprs(), operatorExprs(), memberExprs(), responseExprs()} {
		for op, build := range family {
			all[op] = build
		}
	}
	return all
}

func (c *compiler) expr(e *plan.Expr) code {
	if c.builders == nil {
		c.builders = exprBuilders()
	}
	return c.builders[e.Op](c, e)
}

// values compiles arguments.
func (c *compiler) values(args []*plan.Expr) []func(m *machine) value.Value {
	list := make([]func(m *machine) value.Value, len(args))
	for i, a := range args {
		list[i] = c.expr(a).value()
	}
	return list
}
