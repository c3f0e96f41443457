// Hot path: reading a response makes no objects of it.

package native

import (
	"net/http"

	"github.com/jsload/jsload/vu/plan"
	"github.com/jsload/jsload/vu/value"
)

func responseExprs() map[plan.Op]exprBuilder {
	return map[plan.Op]exprBuilder{
		plan.OpStatus:     responseNumber(func(r *response) float64 { return float64(r.Status) }),
		plan.OpErrorCode:  responseNumber((*response).errorCode),
		plan.OpRemotePort: responseNumber(func(r *response) float64 { return float64(r.RemotePort) }),
		plan.OpError:      responseText((*response).errorText),
		plan.OpURL:        responseText(func(r *response) string { return r.address }),
		plan.OpStatusText: responseText(func(r *response) string { return value.Clean(r.StatusText) }),
		plan.OpProto:      responseText(func(r *response) string { return r.Proto }),
		plan.OpRemoteIP:   responseText(func(r *response) string { return r.RemoteIP }),
		plan.OpTLSVersion: responseText(func(r *response) string { return r.TLSVersion }),
		plan.OpTLSCipher:  responseText(func(r *response) string { return r.TLSCipher }),
		plan.OpTiming:     (*compiler).timing,
		plan.OpHeader:     (*compiler).header,
		plan.OpBody:       (*compiler).body,
		plan.OpJSON:       (*compiler).json,
	}
}

// responseOf reads the response of a slot.
func (m *machine) responseOf(slot int) *response {
	if r := m.responses[slot]; r != nil {
		return r
	}
	return &response{} // only plans of unknown origin read before they request
}

func responseNumber(f func(*response) float64) exprBuilder {
	return func(_ *compiler, e *plan.Expr) code {
		slot := e.Args[0].Slot
		return code{num: func(m *machine) float64 { return f(m.responseOf(slot)) }}
	}
}

func responseText(f func(*response) string) exprBuilder {
	return func(_ *compiler, e *plan.Expr) code {
		slot := e.Args[0].Slot
		return code{text: func(m *machine) string { return f(m.responseOf(slot)) }}
	}
}

func (c *compiler) timing(e *plan.Expr) code {
	slot, phase := e.Args[0].Slot, 0
	for i, name := range plan.Timings() {
		if name == e.Name {
			phase = i
		}
	}
	return code{num: func(m *machine) float64 { return m.responseOf(slot).phase(phase) }}
}

// header reads one field. Scripts see the names in canonical form only.
func (c *compiler) header(e *plan.Expr) code {
	slot, name := e.Args[0].Slot, e.Name
	if http.CanonicalHeaderKey(name) != name {
		return fixed(value.Undefined)
	}
	return code{any: func(m *machine) value.Value { return m.responseOf(slot).headerField(name) }}
}

func (c *compiler) body(e *plan.Expr) code {
	slot := e.Args[0].Slot
	return code{any: func(m *machine) value.Value { return m.responseOf(slot).bodyText() }}
}

func (c *compiler) json(e *plan.Expr) code {
	slot, pos := e.Args[0].Slot, e.Pos
	selector := func(*machine) value.Value { return value.Undefined }
	if len(e.Args) > 1 {
		selector = c.expr(e.Args[1]).value()
	}
	return code{any: func(m *machine) value.Value {
		s := selector(m)
		v, err := m.responseOf(slot).json(s)
		return must(pos, v, err)
	}}
}
