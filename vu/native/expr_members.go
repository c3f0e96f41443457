package native

import (
	"fmt"
	"math"

	"github.com/jsload/jsload/vu/plan"
	"github.com/jsload/jsload/vu/value"
)

func memberExprs() map[plan.Op]exprBuilder {
	return map[plan.Op]exprBuilder{
		plan.OpGet:   (*compiler).get,
		plan.OpChain: (*compiler).chain,
		plan.OpIndex: (*compiler).index,
	}
}

func (c *compiler) get(e *plan.Expr) code {
	v, name, pos := c.expr(e.Args[0]).value(), e.Name, e.Pos
	return code{any: func(m *machine) value.Value {
		of := v(m)
		if of.IsNullish() {
			raise(pos, noProperty(name, of))
		}
		return property(of, name)
	}}
}

// noProperty is the exception for reading a property of undefined or null. The script
// tier calls both undefined.
func noProperty(name string, _ value.Value) error {
	return value.TypeError(fmt.Sprintf("Cannot read property '%s' of undefined", name))
}

func (c *compiler) chain(e *plan.Expr) code {
	v, name := c.expr(e.Args[0]).value(), e.Name
	return code{any: func(m *machine) value.Value {
		of := v(m)
		if of.IsNullish() {
			return value.Undefined
		}
		return property(of, name)
	}}
}

func (c *compiler) index(e *plan.Expr) code {
	v, key, pos := c.expr(e.Args[0]).value(), c.expr(e.Args[1]).value(), e.Pos
	return code{any: func(m *machine) value.Value {
		of := v(m)
		k := key(m)
		if of.IsNullish() {
			raise(pos, noProperty(value.ToString(k), of))
		}
		return element(of, k)
	}}
}

// property is the property of a value that is neither undefined nor null. Names that
// values inherit functions under are not in plans.
func property(of value.Value, name string) value.Value {
	if of.IsString() {
		if name == "length" {
			return value.Int(value.Length(of.Text()))
		}
		return value.Undefined
	}
	if o := of.Object(); o != nil {
		v, _ := o.Own(name)
		return v
	}
	return value.Undefined
}

// element is the property that a computed key names.
func element(of, key value.Value) value.Value {
	if i := key.Float(); key.IsNumber() && i >= 0 && i == math.Trunc(i) && i < 1<<31 {
		switch of.Kind() {
		case value.KindArray:
			if items := of.Items(); int(i) < len(items) && !items[int(i)].IsHole() {
				return items[int(i)]
			}
			return value.Undefined
		case value.KindString:
			return value.StringIndex(of.Text(), int(i))
		}
	}
	return property(of, value.ToString(key))
}
