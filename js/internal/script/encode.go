package script

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/dop251/goja"
)

// encodeData turns what setup returned into JSON, by the rules that scripts
// know: undefined members become null, dates their RFC 3339 text; a function, a
// number that is not finite and a cycle are errors.
func encodeData(v goja.Value) ([]byte, error) {
	e := dataEncoder{}
	if err := e.value(v, "setup()"); err != nil {
		return nil, fmt.Errorf("setup() must return data that can be written as JSON: %w", err)
	}
	return e.out, nil
}

type dataEncoder struct {
	out  []byte
	path []*goja.Object
}

func (e *dataEncoder) value(v goja.Value, at string) error {
	if v == nil || goja.IsUndefined(v) || goja.IsNull(v) {
		e.out = append(e.out, "null"...)
		return nil
	}
	if o, ok := v.(*goja.Object); ok {
		return e.object(o, at)
	}
	switch x := v.Export().(type) {
	case bool:
		e.out = strconv.AppendBool(e.out, x)
	case int64:
		e.out = strconv.AppendInt(e.out, x, 10)
	case float64:
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("%s is %s", at, v)
		}
		return e.marshal(x)
	case string:
		return e.marshal(x)
	default:
		return e.marshal(v.String())
	}
	return nil
}

func (e *dataEncoder) marshal(x any) error {
	b, err := json.Marshal(x)
	e.out = append(e.out, b...)
	return err
}

func (e *dataEncoder) object(o *goja.Object, at string) error {
	for _, p := range e.path {
		if p == o {
			return fmt.Errorf("%s refers back to an object that contains it", at)
		}
	}
	if _, callable := goja.AssertFunction(o); callable {
		return fmt.Errorf("%s is a function", at)
	}
	e.path = append(e.path, o)
	defer func() { e.path = e.path[:len(e.path)-1] }()
	switch x := o.Export().(type) {
	case time.Time:
		return e.marshal(x.UTC())
	case []byte:
		return e.marshal(base64.StdEncoding.EncodeToString(x))
	case *goja.Promise:
		return errors.New(at + " is a promise")
	}
	if o.ClassName() == "Array" {
		return e.array(o, at)
	}
	return e.members(o, at)
}

func (e *dataEncoder) array(o *goja.Object, at string) error {
	e.out = append(e.out, '[')
	for i := range int(o.Get("length").ToInteger()) {
		if i > 0 {
			e.out = append(e.out, ',')
		}
		k := strconv.Itoa(i)
		if err := e.value(o.Get(k), at+"["+k+"]"); err != nil {
			return err
		}
	}
	e.out = append(e.out, ']')
	return nil
}

func (e *dataEncoder) members(o *goja.Object, at string) error {
	e.out = append(e.out, '{')
	for i, k := range o.Keys() {
		if i > 0 {
			e.out = append(e.out, ',')
		}
		if err := e.marshal(k); err != nil {
			return err
		}
		e.out = append(e.out, ':')
		if err := e.value(o.Get(k), at+"."+k); err != nil {
			return err
		}
	}
	e.out = append(e.out, '}')
	return nil
}
