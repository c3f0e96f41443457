// Hot path.

package native

import (
	"github.com/jsload/jsload/vu/plan"
	"github.com/jsload/jsload/vu/value"
)

func coreExprs() map[plan.Op]exprBuilder {
	return map[plan.Op]exprBuilder{
		plan.OpConst:  (*compiler).constant,
		plan.OpSlot:   (*compiler).slot,
		plan.OpModule: (*compiler).moduleSlot,
		plan.OpData:   func(*compiler, *plan.Expr) code { return fixed(value.Undefined) },
		plan.OpVU: func(*compiler, *plan.Expr) code {
			return code{num: func(m *machine) float64 { return float64(m.id.InInstance) }}
		},
		plan.OpIter: func(*compiler, *plan.Expr) code {
			return code{num: func(m *machine) float64 { return float64(m.iteration) }}
		},
		plan.OpEnv:    (*compiler).variable,
		plan.OpText:   (*compiler).template,
		plan.OpArray:  (*compiler).array,
		plan.OpObject: (*compiler).object,
		plan.OpCall:   (*compiler).call,
		plan.OpMethod: (*compiler).method,
		plan.OpRandom: func(*compiler, *plan.Expr) code {
			return code{num: func(m *machine) float64 { return m.random.Float64() }}
		},
	}
}

// fixed is the code of a constant.
func fixed(v value.Value) code {
	c := code{fixed: v, isFixed: true, any: func(*machine) value.Value { return v }}
	switch v.Kind() {
	case value.KindBool:
		c.flag = func(*machine) bool { return v.IsTrue() }
	case value.KindNumber:
		f := v.Float()
		c.num = func(*machine) float64 { return f }
	case value.KindString:
		s := v.Text()
		c.text = func(*machine) string { return s }
	}
	return c
}

func (c *compiler) constant(e *plan.Expr) code { return fixed(e.Const.Value) }

func (c *compiler) slot(e *plan.Expr) code {
	slot := e.Slot
	return typed(c.f.Slots[slot].Type, func(m *machine) value.Value { return m.slots[slot] })
}

func (c *compiler) moduleSlot(e *plan.Expr) code {
	slot := e.Slot
	return typed(c.plan.Module[slot].Type, func(m *machine) value.Value { return m.module[slot] })
}

// typed is the code of a value that is known to have a type.
func typed(t plan.Type, v func(m *machine) value.Value) code {
	c := code{any: v}
	switch t {
	case plan.Bool:
		c.flag = func(m *machine) bool { return v(m).IsTrue() }
	case plan.Number:
		c.num = func(m *machine) float64 { return v(m).Float() }
	case plan.String:
		c.text = func(m *machine) string { return v(m).Text() }
	}
	return c
}

func (c *compiler) variable(e *plan.Expr) code {
	name := e.Name
	return code{any: func(m *machine) value.Value {
		if v, ok := m.env[name]; ok {
			return v
		}
		return m.factory.env[name]
	}}
}

// template joins texts. Its result is the only thing it allocates.
func (c *compiler) template(e *plan.Expr) code {
	parts := c.values(e.Args)
	return code{text: func(m *machine) string {
		// The parts may use the machine's buffer themselves: it is taken while they do.
		b := m.text[:0]
		m.text = nil
		for _, part := range parts {
			b = value.AppendString(b, part(m))
		}
		m.text = b
		return string(b)
	}}
}

func (c *compiler) array(e *plan.Expr) code {
	items := c.values(e.Args)
	return code{any: func(m *machine) value.Value {
		list := make([]value.Value, len(items))
		for i, item := range items {
			list[i] = item(m)
		}
		return value.Array(list...)
	}}
}

func (c *compiler) object(e *plan.Expr) code {
	parts := make([]func(*machine) value.Value, 0, len(e.Args)/2)
	names := make([]func(*machine) string, 0, len(e.Args)/2)
	for i := 0; i < len(e.Args); i += 2 {
		names = append(names, c.expr(e.Args[i]).string())
		parts = append(parts, c.expr(e.Args[i+1]).value())
	}
	return code{any: func(m *machine) value.Value {
		o := value.NewObject(len(parts))
		for i, part := range parts {
			name := names[i](m)
			o.Define(name, part(m))
		}
		return value.Of(o)
	}}
}
