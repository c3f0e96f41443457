package k6http

import (
	"errors"
	"strconv"

	"github.com/dop251/goja"
	"github.com/tidwall/gjson"

	"github.com/jsload/jsload/modules/conv"
	"github.com/jsload/jsload/vu/client/proto"
	"github.com/jsload/jsload/vu/outcome"
)

// json is response.json(selector): the whole document, parsed once, or the part
// that a gjson path selects.
func (r *response) json(c goja.FunctionCall) goja.Value {
	if !r.hasBody() {
		conv.Throwf(r.inst.rt, "the body is null so we can't transform it to JSON - this likely was because of a request error getting the response")
	}
	if selector := c.Argument(0); !conv.IsNullish(selector) {
		return r.selected(r.text(), selector.String())
	}
	if r.parsed == nil {
		v, err := conv.ParseJSON(r.inst.rt, r.text())
		if err != nil {
			conv.Throw(r.inst.rt, syntaxError(r.resp.Body, err))
		}
		r.parsed = v
	}
	return r.parsed
}

// selected gives undefined for what is not there, or if the body is no JSON.
func (r *response) selected(body, selector string) goja.Value {
	if conv.CheckJSONDepth(body) != nil || !gjson.Valid(body) {
		return goja.Undefined()
	}
	found := gjson.Get(body, selector)
	if !found.Exists() {
		return goja.Undefined()
	}
	switch found.Type {
	case gjson.Null:
		return goja.Null()
	case gjson.Number:
		if found.Raw == "" { // computed, such as a count
			return r.number(found.Num)
		}
	}
	v, err := conv.ParseJSON(r.inst.rt, found.Raw)
	if err != nil {
		return r.inst.rt.ToValue(found.Value())
	}
	return v
}

func (r *response) number(f float64) goja.Value {
	if n := int64(f); float64(n) == f {
		return r.inst.rt.ToValue(n)
	}
	return r.inst.rt.ToValue(f)
}

// syntaxError says where a body stops being JSON.
func syntaxError(body []byte, parse error) error {
	if err := outcome.JSONError(body); err != nil && !errors.Is(parse, conv.ErrJSONDepth) {
		return err
	}
	return parse
}

// codeOf is the error code of a request that was never made.
func codeOf(err error) int {
	if e, ok := errors.AsType[*proto.Error](err); ok {
		return e.Code
	}
	return 0
}

// element is one item of an array-like object.
func element(o *goja.Object, n int) goja.Value {
	if v := o.Get(strconv.Itoa(n)); v != nil {
		return v
	}
	return goja.Undefined()
}
