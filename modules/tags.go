package modules

import (
	"errors"
	"fmt"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/metrics"
)

// Tags reads a script's object of tags. Values are strings, numbers or booleans.
func Tags(rt *goja.Runtime, v goja.Value) ([]metrics.Tag, error) {
	if v == nil || goja.IsUndefined(v) || goja.IsNull(v) {
		return nil, nil
	}
	o := v.ToObject(rt)
	keys := o.Keys()
	tags := make([]metrics.Tag, 0, len(keys))
	for _, k := range keys {
		text, err := TagValue(o.Get(k))
		if err != nil {
			return nil, fmt.Errorf("tag %q: %w", k, err)
		}
		tags = append(tags, metrics.Tag{Key: k, Value: text})
	}
	return tags, nil
}

var errTagValue = errors.New("only String, Boolean and Number types are accepted as a value")

// TagValue is the text of one tag value.
func TagValue(v goja.Value) (string, error) {
	if v == nil || goja.IsUndefined(v) || goja.IsNull(v) {
		return "", errTagValue
	}
	if _, isObject := v.(*goja.Object); isObject {
		return "", errTagValue
	}
	return v.String(), nil
}
