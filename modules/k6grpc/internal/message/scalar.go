package message

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/dop251/goja"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// scalar reads a value that is no message.
func scalar(fd protoreflect.FieldDescriptor, v goja.Value) (protoreflect.Value, error) {
	switch fd.Kind() {
	case protoreflect.BoolKind:
		if b, ok := v.Export().(bool); ok && !isObject(v) {
			return protoreflect.ValueOfBool(b), nil
		}
	case protoreflect.StringKind:
		if s, ok := v.(goja.String); ok {
			return protoreflect.ValueOfString(s.String()), nil
		}
	case protoreflect.BytesKind:
		return binary(v)
	case protoreflect.EnumKind:
		return enum(fd.Enum(), v)
	case protoreflect.FloatKind, protoreflect.DoubleKind:
		return float(fd.Kind(), v)
	default:
		return integerValue(fd.Kind(), v)
	}
	return protoreflect.Value{}, mismatch(fd.Kind(), v)
}

func isObject(v goja.Value) bool { _, ok := v.(*goja.Object); return ok }

func mismatch(kind protoreflect.Kind, v goja.Value) error {
	return fmt.Errorf("%s is no %s", describe(v), kind)
}

// binary reads base64 in any of its forms, or takes a buffer.
func binary(v goja.Value) (protoreflect.Value, error) {
	if b, ok := bytesOf(v); ok {
		return protoreflect.ValueOfBytes(b), nil
	}
	s, ok := v.(goja.String)
	if !ok {
		return protoreflect.Value{}, mismatch(protoreflect.BytesKind, v)
	}
	b, err := decodeBase64(s.String())
	if err != nil {
		return protoreflect.Value{}, errors.New("the bytes are neither base64 nor an ArrayBuffer")
	}
	return protoreflect.ValueOfBytes(b), nil
}

func decodeBase64(s string) ([]byte, error) {
	coding := base64.StdEncoding
	if strings.ContainsAny(s, "-_") {
		coding = base64.URLEncoding
	}
	if len(s)%4 != 0 {
		coding = coding.WithPadding(base64.NoPadding)
	}
	return coding.DecodeString(s)
}

// enum reads the name of a value, or its number.
func enum(ed protoreflect.EnumDescriptor, v goja.Value) (protoreflect.Value, error) {
	if goja.IsNull(v) && isNullValue(ed) {
		return protoreflect.ValueOfEnum(0), nil
	}
	if s, ok := v.(goja.String); ok {
		if value := ed.Values().ByName(protoreflect.Name(s.String())); value != nil {
			return protoreflect.ValueOfEnum(value.Number()), nil
		}
		return protoreflect.Value{}, fmt.Errorf("%s has no value %s", ed.FullName(), describe(v))
	}
	n, err := integerValue(protoreflect.Int32Kind, v)
	if err != nil {
		return n, fmt.Errorf("%s has no value %s", ed.FullName(), describe(v))
	}
	return protoreflect.ValueOfEnum(protoreflect.EnumNumber(n.Int())), nil
}

// float reads a number, or a text that stands for one.
func float(kind protoreflect.Kind, v goja.Value) (protoreflect.Value, error) {
	f, ok := number(v)
	if s, text := v.(goja.String); text {
		f, ok = parseFloat(s.String())
	}
	if !ok {
		return protoreflect.Value{}, mismatch(kind, v)
	}
	if kind == protoreflect.DoubleKind {
		return protoreflect.ValueOfFloat64(f), nil
	}
	if math.IsInf(float64(float32(f)), 0) && !math.IsInf(f, 0) {
		return protoreflect.Value{}, mismatch(kind, v)
	}
	return protoreflect.ValueOfFloat32(float32(f)), nil
}

func number(v goja.Value) (float64, bool) {
	if isObject(v) {
		return 0, false
	}
	switch x := v.Export().(type) {
	case int64:
		return float64(x), true
	case float64:
		return x, true
	}
	return 0, false
}

func parseFloat(s string) (float64, bool) {
	switch s {
	case "NaN":
		return math.NaN(), true
	case "Infinity":
		return math.Inf(1), true
	case "-Infinity":
		return math.Inf(-1), true
	}
	if !isJSONNumber(s) {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil
}

// isJSONNumber excludes what Go reads as a number and JSON does not.
func isJSONNumber(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	if digits == "" || digits[0] < '0' || digits[0] > '9' || (len(digits) > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9') {
		return false
	}
	if strings.Contains(digits, "._") || strings.HasSuffix(digits, ".") || strings.Contains(digits, ".e") || strings.Contains(digits, ".E") {
		return false
	}
	return strings.Trim(digits, "0123456789.eE+-") == ""
}

// integerValue reads a number without a fraction, or a text that stands for one.
func integerValue(kind protoreflect.Kind, v goja.Value) (protoreflect.Value, error) {
	if isObject(v) {
		return protoreflect.Value{}, mismatch(kind, v)
	}
	text := ""
	switch x := v.Export().(type) {
	case int64:
		text = strconv.FormatInt(x, 10)
	case float64:
		text = plainFloat(x)
	case *big.Int:
		text = x.String()
	case string:
		text = wholeNumber(x)
	}
	n, err := integer(kind, text)
	if err != nil {
		return n, mismatch(kind, v)
	}
	return n, nil
}

// wholeNumber writes a number such as 1e3 or 5.0 with its digits alone. Anything
// else is returned as it is.
func wholeNumber(s string) string {
	if !strings.ContainsAny(s, ".eE") || !isJSONNumber(s) {
		return s
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		return plainFloat(f)
	}
	return s
}

// plainFloat writes a whole number with all of its digits, any other in a form
// that is no integer.
func plainFloat(f float64) string {
	if f == math.Trunc(f) && math.Abs(f) <= 1<<64 {
		return strconv.FormatFloat(f, 'f', 0, 64)
	}
	return strconv.FormatFloat(f, 'e', -1, 64)
}

// integer parses digits as an integer of a kind.
func integer(kind protoreflect.Kind, text string) (protoreflect.Value, error) {
	if !isJSONNumber(text) {
		return protoreflect.Value{}, strconv.ErrSyntax
	}
	switch kind {
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		n, err := strconv.ParseInt(text, 10, 32)
		return protoreflect.ValueOfInt32(int32(n)), err
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		n, err := strconv.ParseInt(text, 10, 64)
		return protoreflect.ValueOfInt64(n), err
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		n, err := strconv.ParseUint(unsigned(text), 10, 32)
		return protoreflect.ValueOfUint32(uint32(n)), err
	default:
		n, err := strconv.ParseUint(unsigned(text), 10, 64)
		return protoreflect.ValueOfUint64(n), err
	}
}

// unsigned lets minus zero pass.
func unsigned(text string) string {
	if text == "-0" {
		return "0"
	}
	return text
}
