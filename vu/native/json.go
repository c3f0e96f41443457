package native

import (
	"errors"

	"github.com/tidwall/gjson"

	"github.com/jsload/jsload/vu/outcome"
	"github.com/jsload/jsload/vu/value"
)

var errNoBody = errors.New("the body is null so we can't transform it to JSON - this likely was because of a request error getting the response")

// json is response.json(selector).
func (r *response) json(selector value.Value) (value.Value, error) {
	if !r.hasBody() {
		return value.Undefined, errNoBody
	}
	if !selector.IsNullish() {
		return r.selected(value.ToString(selector)), nil
	}
	if !r.parsed {
		if outcome.TooDeep(r.Body) || !gjson.ValidBytes(r.Body) {
			return value.Undefined, outcome.JSONError(r.Body)
		}
		r.whole, r.parsed = jsonValue(gjson.ParseBytes(r.Body)), true
	}
	return r.whole, nil
}

// selected gives undefined for what is not there, or if the body is no JSON.
func (r *response) selected(selector string) value.Value {
	if outcome.TooDeep(r.Body) || !gjson.ValidBytes(r.Body) {
		return value.Undefined
	}
	found := gjson.GetBytes(r.Body, selector)
	if !found.Exists() {
		return value.Undefined
	}
	return jsonValue(found)
}

// jsonValue makes a value of a part of a valid document.
func jsonValue(r gjson.Result) value.Value {
	switch r.Type {
	case gjson.Null:
		return value.Null
	case gjson.True:
		return value.True
	case gjson.False:
		return value.False
	case gjson.Number:
		return value.Number(r.Num)
	case gjson.String:
		return value.Str(value.Clean(r.Str))
	}
	if r.IsArray() {
		var items []value.Value
		r.ForEach(func(_, item gjson.Result) bool {
			items = append(items, jsonValue(item))
			return true
		})
		return value.Array(items...)
	}
	o := value.NewObject(0)
	r.ForEach(func(key, item gjson.Result) bool {
		o.Define(value.Clean(key.Str), jsonValue(item))
		return true
	})
	return value.Of(o)
}
