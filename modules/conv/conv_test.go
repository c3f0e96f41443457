package conv

import (
	"errors"
	"fmt"
	"testing"

	"github.com/dop251/goja"
)

// TestThrow checks that exceptions of a script keep their identity on the way
// through Go and that Go errors become GoErrors.
func TestThrow(t *testing.T) {
	rt := goja.New()
	_ = rt.Set("through", func(c goja.FunctionCall) goja.Value {
		f, _ := goja.AssertFunction(c.Argument(0))
		if _, err := f(goja.Undefined()); err != nil {
			Throw(rt, fmt.Errorf("wrapped: %w", err))
		}
		return goja.Undefined()
	})
	_ = rt.Set("fails", func(goja.FunctionCall) goja.Value { Throwf(rt, "no"); return nil })
	for snippet, want := range map[string]string{
		`const mine = new RangeError('x'); try { through(() => { throw mine }) } catch (e) { e === mine }`: "true",
		`try { through(() => { throw 'text' }) } catch (e) { e }`:                                          "text",
		`try { fails() } catch (e) { e.name + e.message + (e instanceof Error) }`:                          "GoErrornotrue",
	} {
		v, err := rt.RunString(snippet)
		if err != nil || v.String() != want {
			t.Errorf("%s: got %v, %v, want %s", snippet, v, err, want)
		}
	}
	stop := errors.New("stop")
	_ = rt.Set("stop", func(goja.FunctionCall) goja.Value { rt.Interrupt(stop); return goja.Undefined() })
	_, err := rt.RunString(`try { through(() => { stop(); for (;;) {} }) } catch { 'caught' }`)
	if !errors.Is(err, stop) {
		t.Errorf("an interruption ended as %v", err)
	}
}

func TestNewError(t *testing.T) {
	rt := goja.New()
	if e := NewError(rt, "TypeError", "t"); e.Get("name").String() != "TypeError" || e.Get("message").String() != "t" {
		t.Errorf("got %v", e)
	}
	if e := NewError(rt, "NoSuchClass", "t"); e.Get("message").String() != "t" {
		t.Errorf("got %v", e)
	}
}

func TestBytes(t *testing.T) {
	rt := goja.New()
	for snippet, want := range map[string]string{
		`new Uint8Array([1, 2, 3]).buffer`: "[1 2 3]", `new Uint8Array([1, 2, 3]).subarray(1)`: "[2 3]", `new Uint16Array([258])`: "[2 1]",
		`new DataView(new ArrayBuffer(4), 1, 2)`: "[0 0]", `new Float32Array(0)`: "[]", `new Int8Array([-1])`: "[255]",
		`'text'`: "none", `1`: "none", `null`: "none", `undefined`: "none", `[1]`: "none", `({})`: "none", `({ buffer: new ArrayBuffer(1) })`: "none",
		`({ buffer: new ArrayBuffer(1), byteOffset: 1, byteLength: 5 })`: "none", `({ buffer: new ArrayBuffer(1), byteOffset: -1, byteLength: 1 })`: "none",
	} {
		v, err := rt.RunString(snippet)
		if err != nil {
			t.Fatal(err)
		}
		got := "none"
		if b, ok := Bytes(v); ok {
			got = fmt.Sprintf("%v", b)
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", snippet, got, want)
		}
	}
	if b, ok := StringOrBytes(rt.ToValue("é")); !ok || string(b) != "é" {
		t.Errorf("a string gives %v", b)
	}
	if _, ok := Bytes(nil); ok {
		t.Error("nothing has bytes")
	}
}

func TestOptionalString(t *testing.T) {
	rt := goja.New()
	for want, values := range map[string][]goja.Value{"": {nil, goja.Undefined(), goja.Null(), rt.ToValue("")}, "5": {rt.ToValue(5), rt.ToValue("5")}} {
		for _, v := range values {
			if got := OptionalString(v); got != want {
				t.Errorf("%v: got %q", v, got)
			}
		}
	}
}

func TestDeepFreeze(t *testing.T) {
	rt := goja.New()
	v, err := rt.RunString(`o = { a: { b: [1, { c: 1 }] }, n: null, s: 'x' }`)
	if err != nil {
		t.Fatal(err)
	}
	DeepFreeze(rt, v)
	DeepFreeze(rt, rt.ToValue("text"))
	if v, _ := rt.RunString(`[o, o.a, o.a.b, o.a.b[1]].every(Object.isFrozen)`); !v.ToBoolean() {
		t.Error("something can still be changed")
	}
}
