package k6websockets

import (
	"strconv"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules/conv"
)

// blob is bytes with a type. It never changes.
type blob struct {
	data []byte
	kind string
}

// blobHandle hides a blob's fields from the script.
type blobHandle struct{ b *blob }

// blobs makes the class Blob.
func (i *instance) blobs() *goja.Object {
	if i.blobClass != nil {
		return i.blobClass
	}
	class, prototype := i.class("Blob", i.newBlob)
	i.blobClass = class
	i.accessor(prototype, "size", i.ofBlob(func(b *blob, _ goja.FunctionCall) goja.Value { return i.rt.ToValue(len(b.data)) }), nil)
	i.accessor(prototype, "type", i.ofBlob(func(b *blob, _ goja.FunctionCall) goja.Value { return i.rt.ToValue(b.kind) }), nil)
	for name, f := range map[string]func(*blob, goja.FunctionCall) goja.Value{
		"arrayBuffer": func(b *blob, _ goja.FunctionCall) goja.Value { return i.resolved(i.buffer(b.data)) },
		"bytes":       func(b *blob, _ goja.FunctionCall) goja.Value { return i.resolved(i.octets(b.data)) },
		"text":        func(b *blob, _ goja.FunctionCall) goja.Value { return i.resolved(i.rt.ToValue(string(b.data))) },
		"slice":       i.slice,
	} {
		_ = prototype.Set(name, i.ofBlob(f))
	}
	return class
}

// ofBlob makes a method of a function.
func (i *instance) ofBlob(f func(*blob, goja.FunctionCall) goja.Value) func(goja.FunctionCall) goja.Value {
	return func(c goja.FunctionCall) goja.Value {
		b := i.blobOf(c.This)
		if b == nil {
			panic(i.rt.NewTypeError("the receiver is no Blob"))
		}
		return f(b, c)
	}
}

func (i *instance) blobOf(v goja.Value) *blob {
	if h, ok := i.hidden(v).(*blobHandle); ok {
		return h.b
	}
	return nil
}

// newBlob is new Blob([parts], {type}).
func (i *instance) newBlob(c goja.ConstructorCall) *goja.Object {
	b := &blob{}
	if parts := c.Argument(0); !goja.IsUndefined(parts) {
		list, ok := parts.(*goja.Object)
		if !ok || list.ClassName() != "Array" {
			panic(i.rt.NewTypeError("the parts of a Blob must be an array"))
		}
		for n := range int(list.Get("length").ToInteger()) {
			b.data = append(b.data, i.part(list.Get(strconv.Itoa(n)))...)
		}
	}
	if options, ok := c.Argument(1).(*goja.Object); ok {
		b.kind = conv.OptionalString(options.Get("type"))
	}
	i.hide(c.This, &blobHandle{b})
	return nil
}

// part is what one part contributes: bytes as they are, anything else as text.
func (i *instance) part(v goja.Value) []byte {
	if b := i.blobOf(v); b != nil {
		return b.data
	}
	if data, ok := conv.Bytes(v); ok {
		return data
	}
	if v == nil {
		v = goja.Undefined()
	}
	return []byte(v.String())
}

// wrap makes the script's object of a blob.
func (i *instance) wrap(b *blob) *goja.Object {
	o := i.rt.CreateObject(i.blobs().Get("prototype").(*goja.Object))
	i.hide(o, &blobHandle{b})
	return o
}

// slice is blob.slice(start, end, type); negative positions count from the end.
func (i *instance) slice(b *blob, c goja.FunctionCall) goja.Value {
	n := int64(len(b.data))
	position := func(v goja.Value, missing int64) int64 {
		if goja.IsUndefined(v) {
			return missing
		}
		at := v.ToInteger()
		if at < 0 {
			at = max(at+n, 0)
		}
		return min(at, n)
	}
	from, to := position(c.Argument(0), 0), position(c.Argument(1), n)
	return i.wrap(&blob{data: b.data[from:max(from, to)], kind: conv.OptionalString(c.Argument(2))})
}

func (i *instance) resolved(v goja.Value) goja.Value {
	promise, resolve, _ := i.rt.NewPromise()
	_ = resolve(v)
	return i.rt.ToValue(promise)
}

// buffer is a copy of bytes, which scripts may change.
func (i *instance) buffer(data []byte) goja.Value {
	return i.rt.ToValue(i.rt.NewArrayBuffer(append([]byte(nil), data...)))
}

func (i *instance) octets(data []byte) goja.Value {
	o, err := i.rt.New(i.rt.GlobalObject().Get("Uint8Array"), i.buffer(data))
	if err != nil {
		conv.Throw(i.rt, err)
	}
	return o
}
