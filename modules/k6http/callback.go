package k6http

import (
	"errors"
	"fmt"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules/conv"
	"github.com/jsload/jsload/vu/outcome"
)

// expectedStatuses is http.expectedStatuses: numbers and {min, max}.
func (i *instance) expectedStatuses(c goja.FunctionCall) goja.Value {
	if len(c.Arguments) == 0 {
		conv.Throwf(i.rt, "no arguments passed to expectedStatuses")
	}
	s := &outcome.Statuses{}
	for n, a := range c.Arguments {
		r, err := rangeOf(a)
		if err != nil {
			conv.Throw(i.rt, fmt.Errorf("argument number %d to expectedStatuses %w", n+1, err))
		}
		s.Ranges = append(s.Ranges, r)
	}
	return i.rt.NewDynamicObject(&callbackObject{s})
}

func rangeOf(v goja.Value) (outcome.Range, error) {
	if n, ok := integer(v); ok {
		return outcome.Range{Min: n, Max: n}, nil
	}
	o, ok := v.(*goja.Object)
	if !ok {
		return outcome.Range{}, errors.New("must be an integer or an object with min and max")
	}
	low, lowOK := integer(o.Get("min"))
	high, highOK := integer(o.Get("max"))
	if !lowOK || !highOK {
		return outcome.Range{}, errors.New("must be an integer or an object with integers min and max")
	}
	return outcome.Range{Min: low, Max: high}, nil
}

func integer(v goja.Value) (int, bool) {
	if conv.IsNullish(v) {
		return 0, false
	}
	n, ok := v.Export().(int64)
	return int(n), ok
}

// setResponseCallback is http.setResponseCallback: it holds for the virtual user
// from then on.
func (i *instance) setResponseCallback(c goja.FunctionCall) goja.Value {
	s, err := callbackOf(c.Argument(0))
	if err != nil {
		conv.Throw(i.rt, err)
	}
	i.callback = s
	return goja.Undefined()
}

// callbackOf reads a callback: null, or what expectedStatuses made.
func callbackOf(v goja.Value) (*outcome.Statuses, error) {
	if goja.IsNull(v) {
		return nil, nil
	}
	if o, ok := v.(*goja.Object); ok {
		if c, ok := o.Export().(*callbackObject); ok {
			return c.Statuses, nil
		}
	}
	return nil, fmt.Errorf("unsupported responseCallback: give http.expectedStatuses(...) or null")
}

// callbackObject is a callback as a script holds it: opaque.
type callbackObject struct{ *outcome.Statuses }

// Get, Set, Has, Delete and Keys make the object empty.
func (*callbackObject) Get(string) goja.Value { return nil }

// Set refuses.
func (*callbackObject) Set(string, goja.Value) bool { return false }

// Has is always false.
func (*callbackObject) Has(string) bool { return false }

// Delete does nothing.
func (*callbackObject) Delete(string) bool { return true }

// Keys is empty.
func (*callbackObject) Keys() []string { return nil }
