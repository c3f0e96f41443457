package plan

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/jsload/jsload/vu/value"
)

// Const is a value that is part of a plan: undefined, null, a boolean, a number, a
// string, or an array or object of such. It is shared by all virtual users and never
// changed.
//
// In JSON it is itself where JSON has the same, and otherwise an object with one
// member that says what it is: {"undefined":true}, {"number":"NaN"},
// {"bytes":"base64"} for text that is not UTF-8, {"object":[name, value, ...]} for
// every object, because the order of members counts.
type Const struct{ value.Value }

// maxDepth bounds the nesting of constants and of steps and expressions.
const maxDepth = 200

// MarshalJSON implements json.Marshaler.
func (c Const) MarshalJSON() ([]byte, error) { return appendConst(nil, c.Value, 0) }

func appendConst(b []byte, v value.Value, depth int) (_ []byte, err error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("a constant is nested deeper than %d levels", maxDepth)
	}
	switch v.Kind() {
	case value.KindUndefined:
		return append(b, `{"undefined":true}`...), nil
	case value.KindNull:
		return append(b, "null"...), nil
	case value.KindBool:
		return strconv.AppendBool(b, v.IsTrue()), nil
	case value.KindNumber:
		return appendNumber(b, v.Float()), nil
	case value.KindString:
		return appendText(b, v.Text())
	case value.KindArray:
		return appendArray(b, v, depth)
	case value.KindObject:
		return appendObject(b, v, depth)
	}
	return nil, fmt.Errorf("a value of kind %s cannot be part of a plan", v.Kind())
}

func appendNumber(b []byte, f float64) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) || f == 0 && math.Signbit(f) {
		return fmt.Appendf(b, `{"number":%q}`, strconv.FormatFloat(f, 'g', -1, 64))
	}
	return strconv.AppendFloat(b, f, 'g', -1, 64)
}

func appendText(b []byte, s string) ([]byte, error) {
	if !utf8.ValidString(s) {
		return fmt.Appendf(b, `{"bytes":%q}`, base64.StdEncoding.EncodeToString([]byte(s))), nil
	}
	text, err := json.Marshal(s)
	return append(b, text...), err
}

func appendArray(b []byte, v value.Value, depth int) (_ []byte, err error) {
	b = append(b, '[')
	for i, item := range v.Items() {
		if i > 0 {
			b = append(b, ',')
		}
		if item.IsHole() {
			return nil, fmt.Errorf("an array with missing elements cannot be part of a plan")
		}
		if b, err = appendConst(b, item, depth+1); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

func appendObject(b []byte, v value.Value, depth int) (_ []byte, err error) {
	b = append(b, `{"object":[`...)
	for i, key := range v.Object().Keys() {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendText(b, key); err != nil {
			return nil, err
		}
		b = append(b, ',')
		item, _ := v.Object().Own(key)
		if b, err = appendConst(b, item, depth+1); err != nil {
			return nil, err
		}
	}
	return append(b, `]}`...), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (c *Const) UnmarshalJSON(text []byte) error {
	v, err := readConst(text, 0)
	c.Value = v
	return err
}

func readConst(text []byte, depth int) (value.Value, error) {
	text = bytes.TrimSpace(text)
	if depth > maxDepth || len(text) == 0 {
		return value.Undefined, fmt.Errorf("a constant is empty or nested deeper than %d levels", maxDepth)
	}
	switch text[0] {
	case '[':
		items, err := readConsts(text, depth)
		return value.Array(items...), err
	case '{':
		return readTagged(text, depth)
	}
	var plain any
	if err := json.Unmarshal(text, &plain); err != nil {
		return value.Undefined, err
	}
	switch x := plain.(type) {
	case bool:
		return value.Bool(x), nil
	case float64:
		return value.Number(x), nil
	case string:
		return value.Str(x), nil
	}
	return value.Null, nil
}

func readConsts(text []byte, depth int) ([]value.Value, error) {
	var raw []json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		return nil, err
	}
	items := make([]value.Value, len(raw))
	for i := range raw {
		var err error
		if items[i], err = readConst(raw[i], depth+1); err != nil {
			return nil, err
		}
	}
	return items, nil
}

func readTagged(text []byte, depth int) (value.Value, error) {
	var tagged struct {
		Number *string         `json:"number"`
		Bytes  *string         `json:"bytes"`
		Object json.RawMessage `json:"object"`
	}
	if err := json.Unmarshal(text, &tagged); err != nil {
		return value.Undefined, err
	}
	switch {
	case tagged.Number != nil:
		f, err := strconv.ParseFloat(*tagged.Number, 64)
		return value.Number(f), err
	case tagged.Bytes != nil:
		b, err := base64.StdEncoding.DecodeString(*tagged.Bytes)
		return value.Str(string(b)), err
	case tagged.Object != nil:
		return readObject(tagged.Object, depth)
	}
	return value.Undefined, nil
}

func readObject(text []byte, depth int) (value.Value, error) {
	items, err := readConsts(text, depth)
	if err != nil {
		return value.Undefined, err
	}
	if len(items)%2 != 0 {
		return value.Undefined, fmt.Errorf("an object of a plan has %d names and values", len(items))
	}
	o := value.NewObject(len(items) / 2)
	for i := 0; i < len(items); i += 2 {
		if !items[i].IsString() {
			return value.Undefined, fmt.Errorf("the name of a member of a plan is a %s", items[i].Kind())
		}
		o.Define(items[i].Text(), items[i+1])
	}
	return value.Of(o), nil
}
