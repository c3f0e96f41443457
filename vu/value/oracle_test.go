package value

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/dop251/goja"
)

// oracle is the engine of the script tier: what it answers is right.
type oracle struct {
	t         testing.TB
	rt        *goja.Runtime
	functions map[string]goja.Callable
	objects   map[*Object]goja.Value // so that one stays one
}

func newOracle(t testing.TB) *oracle {
	t.Helper()
	return &oracle{t: t, rt: goja.New(), functions: map[string]goja.Callable{}, objects: map[*Object]goja.Value{}}
}

// call describes what an expression over a, b, c gives.
func (o *oracle) call(expression string, args ...Value) string {
	o.t.Helper()
	f := o.functions[expression]
	if f == nil {
		v, err := o.rt.RunString("'use strict'; (function(a, b, c) { return " + expression + " })")
		if err != nil {
			o.t.Fatalf("%s: %v", expression, err)
		}
		f, _ = goja.AssertFunction(v)
		o.functions[expression] = f
	}
	clear(o.objects)
	in := make([]goja.Value, len(args))
	for i, a := range args {
		in[i] = o.value(a)
	}
	v, err := f(goja.Undefined(), in...)
	if thrown, ok := errors.AsType[*goja.Exception](err); ok {
		return "throws " + describeJS(thrown.Value())
	}
	if err != nil {
		return "fails " + err.Error()
	}
	return describeJS(v)
}

// value is the engine's form of a value.
func (o *oracle) value(v Value) goja.Value {
	switch v.Kind() {
	case KindUndefined:
		return goja.Undefined()
	case KindNull:
		return goja.Null()
	case KindBool:
		return o.rt.ToValue(v.IsTrue())
	case KindNumber:
		return o.rt.ToValue(v.Float())
	case KindString:
		return goja.StringFromUTF16(AppendUnits(nil, v.Text()))
	}
	known, ok := o.objects[v.Object()]
	if !ok {
		known = o.object(v)
		o.objects[v.Object()] = known
	}
	return known
}

func (o *oracle) object(v Value) goja.Value {
	switch v.Kind() {
	case KindArray:
		a := o.rt.NewArray()
		for i, item := range v.Items() {
			if !item.IsHole() {
				_ = a.Set(strconv.Itoa(i), o.value(item))
			}
		}
		_ = a.Set("length", len(v.Items()))
		return a
	case KindObject:
		obj := o.rt.NewObject()
		for _, key := range v.Object().Keys() {
			member, _ := v.Object().Own(key)
			_ = obj.DefineDataProperty(key, o.value(member), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
		}
		return obj
	}
	if d, ok := v.Host().(*Date); ok {
		c, _ := o.rt.New(o.rt.Get("Date"), o.rt.ToValue(d.ms))
		return c
	}
	o.t.Fatalf("no engine value of %v", v.Kind())
	return nil
}

func describeJS(v goja.Value) string {
	switch {
	case v == nil || goja.IsUndefined(v):
		return "undefined"
	case goja.IsNull(v):
		return "null"
	}
	if s, ok := v.(goja.String); ok {
		units := make([]uint16, s.Length())
		for i := range units {
			units[i] = s.CharAt(i)
		}
		return describeUnits(units)
	}
	obj, ok := v.(*goja.Object)
	if !ok {
		if b, ok := v.Export().(bool); ok {
			return strconv.FormatBool(b)
		}
		return describeNumber(v.ToFloat())
	}
	return describeObjectJS(obj)
}

func describeObjectJS(obj *goja.Object) string {
	switch obj.ClassName() {
	case "Error":
		return fmt.Sprintf("%s: %s", obj.Get("name"), obj.Get("message"))
	case "Function":
		return "function"
	case "Date":
		return "date " + describeNumber(obj.ToFloat())
	}
	var b strings.Builder
	open, end := "{", "}"
	if obj.ClassName() == "Array" {
		open, end = "["+obj.Get("length").String()+" ", "]"
	}
	b.WriteString(open)
	for _, key := range obj.Keys() {
		fmt.Fprintf(&b, "%q=%s ", key, describeJS(obj.Get(key)))
	}
	return b.String() + end
}

func describeUnits(units []uint16) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, u := range units {
		if u < 0x80 {
			b.WriteByte(byte(u))
		} else {
			fmt.Fprintf(&b, "<%04x>", u)
		}
	}
	return b.String() + `"`
}

func describeNumber(f float64) string {
	if f != f {
		return "NaN"
	}
	return fmt.Sprintf("%v(%x)", f, math.Float64bits(f))
}

// describe is describeJS of our own values.
func describe(v Value) string {
	switch v.Kind() {
	case KindUndefined, KindNull:
		return v.Kind().String()
	case KindBool:
		return strconv.FormatBool(v.IsTrue())
	case KindNumber:
		return describeNumber(v.Float())
	case KindString:
		if s := v.Text(); s != FromUnits(AppendUnits(nil, s)) {
			return fmt.Sprintf("not WTF-8: %q", s)
		}
		return describeUnits(AppendUnits(nil, v.Text()))
	case KindRef:
		return describeHost(v.Host())
	}
	var b strings.Builder
	open, end := "{", "}"
	if v.Kind() == KindArray {
		open, end = "["+strconv.Itoa(len(v.Items()))+" ", "]"
	}
	b.WriteString(open)
	for _, key := range v.Object().Keys() {
		member, _ := v.Object().Own(key)
		fmt.Fprintf(&b, "%q=%s ", key, describe(member))
	}
	return b.String() + end
}

func describeHost(h Host) string {
	switch h := h.(type) {
	case *ErrorData:
		return h.name + ": " + h.message
	case *Function:
		return "function"
	case *Date:
		return "date " + describeNumber(h.ms)
	}
	return h.Class()
}

// result describes the answer of an operation that may throw.
func result(v Value, err error) string {
	if thrown, ok := errors.AsType[*Exception](err); ok {
		return "throws " + describe(thrown.Value)
	}
	if err != nil {
		return "fails " + err.Error()
	}
	return describe(v)
}

// operation is one thing that both can do: an expression over a, b, c and its
// counterpart.
type operation struct {
	expression string
	ours       func(a, b, c Value) (Value, error)
}

// agree compares one operation on one list of operands.
func (o *oracle) agree(op operation, args ...Value) {
	o.t.Helper()
	want := o.call(op.expression, args...)
	var in [3]Value
	copy(in[:], args)
	if got := result(op.ours(in[0], in[1], in[2])); got != want {
		o.t.Errorf("%s on %s: got %s, want %s", op.expression, describe(Array(args...)), got, want)
	}
}

func pure(f func(a, b, c Value) Value) func(a, b, c Value) (Value, error) {
	return func(a, b, c Value) (Value, error) { return f(a, b, c), nil }
}

func num1(f func(x float64) float64) func(a, b, c Value) (Value, error) {
	return pure(func(a, _, _ Value) Value { return Number(f(ToNumber(a))) })
}

func num2(f func(x, y float64) float64) func(a, b, c Value) (Value, error) {
	return pure(func(a, b, _ Value) Value { return Number(f(ToNumber(a), ToNumber(b))) })
}

func str(s string, err error) (Value, error) { return Str(s), err }

// nastyNumbers are where number formats and conversions break.
func nastyNumbers() []float64 {
	list := []float64{
		0, math.Copysign(0, -1), 1, -1, 2, 3, 7, 10, 31, 32, 33, 63, 64, 100, 255, 0.1, 0.5, -0.5, 1.5, 2.5, -2.5, 0.05, 1.005, 1.45, 8.345, 25, 35, 250, 99.95, 999.5,
		1e-6, 1e-7, 1.5e-7, 123456789012345680000, 1e21, 1e20, 123e18, 1.7976931348623157e308, 5e-324, 2.2250738585072014e-308,
		1 << 31, 1<<31 - 1, -1 << 31, 1 << 32, 1<<32 - 1, 1 << 53, 1<<53 - 1, 1<<53 + 2, -(1 << 53), 1 << 62, 1 << 63, -(1 << 63), 1 << 64, 1e19, 4294967296.5,
		0.1 + 0.2, 1. / 3, 2. / 3, 0.000001234, 12345.6789, 0.9999999999999999, 0.30000000000000004, 4.35, 1e100, 1.2e-10, 123.456, -123.456,
		math.NaN(), math.Inf(1), math.Inf(-1), math.Pi, math.E, 1700000000000, 1700000000123, 8.64e15, 8.64e15 + 1,
	}
	for i := range 40 {
		list = append(list, math.Ldexp(1, i*3-60), math.Ldexp(1+float64(i)/64, i-20))
	}
	return list
}

// nastyStrings are texts of ASCII, of wide characters and of halves.
func nastyStrings() []string {
	return []string{
		"", " ", "a", "abc", "0", "1", "-0", "+1", "1.0", "1.5", " 12 ", "0x10", "0X1f", "-0x10", "0x-5", "0b101", "0o17", "0x", "1e3", "1e", "1e1000", "-1e1000", ".5", "5.", ".", "-", "+", "1_000",
		"Infinity", "-Infinity", "+Infinity", "infinity", "inf", "nan", "NaN", "12px", "  0x1g", "9007199254740993", "12345678901234567890", "0x8000000000000000", "00012", "\t\n1\v\f\r", "1 2",
		"true", "null", "undefined", "é", "ÀÉß", "日本語", "a😀b", "😀", "😀😀", "\u00a012\u00a0", "\ufeff7", "\u2028x", "İ", "ΑΣ", "ǆ", "ﬁ", "e\u0301", "\u0345Σ", "a,b,,c", "aXbXc", "$&", "$1", "ab$$c", "$", "$`$'", "abcabc", "aaa",
		FromUnits([]uint16{0xD83D}), FromUnits([]uint16{0xDE00}), FromUnits([]uint16{'a', 0xD83D, 'b'}), FromUnits([]uint16{0xDE00, 0xD83D}), FromUnits([]uint16{0xD83D, 0xD83D, 0xDE00}), "\U0001F600\ue000",
		"2024-01-02", "Tue, 02 Jan 2024 03:04:05 GMT", `{"a":1}`, "__proto__", "length", "\u0085 1", "\x00", "1\x00", "a\u0000b",
	}
}

func nastyValues() []Value {
	list := []Value{Undefined, Null, True, False}
	for _, f := range nastyNumbers()[:60] {
		list = append(list, Number(f))
	}
	for _, s := range nastyStrings() {
		list = append(list, Str(s))
	}
	o := NewObject(0)
	o.Define("b", Int(1))
	o.Define("2", Str("x"))
	o.Define("1", Null)
	return append(list, Array(), Array(Int(1)), Array(Str("1.5")), Array(Null, Undefined, Array(Int(2), Str("é"))), Array(hole, Int(1)), Of(NewObject(0)), Of(o))
}
