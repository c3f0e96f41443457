// Package conv turns Go values and errors into what a script sees, and back.
//
// Every native module calls it; it knows goja and nothing of the modules.
package conv

import (
	"errors"

	"github.com/dop251/goja"
)

// Throw raises err as an exception of the script: a GoError, as errors of
// native functions have always been called there. It does not return.
//
// An error that already is an exception keeps its identity.
func Throw(rt *goja.Runtime, err error) {
	panic(Thrown(rt, err))
}

// Thrown is the value that Throw raises.
func Thrown(rt *goja.Runtime, err error) any {
	if ex, ok := errors.AsType[*goja.Exception](err); ok {
		return ex.Value()
	}
	if in, ok := errors.AsType[*goja.InterruptedError](err); ok {
		return in
	}
	return rt.NewGoError(err)
}

// Throwf raises a GoError with a text.
func Throwf(rt *goja.Runtime, text string) {
	Throw(rt, errors.New(text))
}

// NewError makes an error object of a standard class, such as "TypeError".
func NewError(rt *goja.Runtime, class, text string) *goja.Object {
	ctor := rt.GlobalObject().Get(class)
	o, err := rt.New(ctor, rt.ToValue(text))
	if err != nil {
		return rt.NewGoError(errors.New(text))
	}
	return o
}

// IsNullish reports undefined, null and a missing argument.
func IsNullish(v goja.Value) bool {
	return v == nil || goja.IsUndefined(v) || goja.IsNull(v)
}

// Bytes returns the content of an ArrayBuffer, a typed array or a DataView,
// not copied. ok is false for anything else.
func Bytes(v goja.Value) (b []byte, ok bool) {
	if IsNullish(v) {
		return nil, false
	}
	switch x := v.Export().(type) {
	case goja.ArrayBuffer:
		return x.Bytes(), true
	case []byte:
		return x, true
	}
	o, isObject := v.(*goja.Object)
	if !isObject {
		return nil, false
	}
	buf, isBuffer := exportOf(o.Get("buffer")).(goja.ArrayBuffer)
	if !isBuffer {
		return nil, false
	}
	off, n := o.Get("byteOffset"), o.Get("byteLength")
	if off == nil || n == nil {
		return nil, false
	}
	all := buf.Bytes()
	from, size := off.ToInteger(), n.ToInteger()
	if from < 0 || size < 0 || from+size > int64(len(all)) {
		return nil, false
	}
	return all[from : from+size], true
}

func exportOf(v goja.Value) any {
	if v == nil {
		return nil
	}
	return v.Export()
}

// StringOrBytes returns the content of a string (as UTF-8), an ArrayBuffer or a
// typed array. ok is false for anything else.
func StringOrBytes(v goja.Value) (b []byte, ok bool) {
	if s, isString := v.(goja.String); isString {
		return []byte(s.String()), true
	}
	return Bytes(v)
}

// OptionalString is the text of an argument, empty if it is missing, undefined
// or null.
func OptionalString(v goja.Value) string {
	if IsNullish(v) {
		return ""
	}
	return v.String()
}
