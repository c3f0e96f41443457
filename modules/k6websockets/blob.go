package k6websockets

import (
	"strconv"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules/conv"
)

// blob is bytes with a type. It never changes.
type blob struct {
	*instance
	data []byte
	kind string
}

// blobs makes the class Blob.
func (i *instance) blobs() *goja.Object {
	if i.blobClass == nil {
		i.blobClass = i.class("Blob", i.newBlob, blobMethods())
	}
	return i.blobClass
}

func blobMethods() []method {
	return []method{
		{"arrayBuffer", ofBlob(func(b *blob, _ goja.FunctionCall) goja.Value { return b.resolved(b.buffer()) })},
		{"bytes", ofBlob(func(b *blob, _ goja.FunctionCall) goja.Value { return b.resolved(b.octets()) })},
		{"text", ofBlob(func(b *blob, _ goja.FunctionCall) goja.Value { return b.resolved(b.rt.ToValue(string(b.data))) })},
		{"slice", ofBlob((*blob).slice)},
	}
}

// ofBlob makes a method of a function.
func ofBlob(f func(*blob, goja.FunctionCall) goja.Value) func(*goja.Runtime, goja.FunctionCall) goja.Value {
	return func(rt *goja.Runtime, c goja.FunctionCall) goja.Value {
		b := blobOf(c.This)
		if b == nil {
			panic(rt.NewTypeError("the receiver is no Blob"))
		}
		return f(b, c)
	}
}

// blobOf is the blob that a script's object stands for; nil if it is none.
func blobOf(v goja.Value) *blob {
	o, ok := v.(*goja.Object)
	if !ok {
		return nil
	}
	b, _ := o.Export().(*blob)
	return b
}

// Get returns a property.
func (b *blob) Get(name string) goja.Value {
	switch name {
	case "size":
		return b.rt.ToValue(len(b.data))
	case "type":
		return b.rt.ToValue(b.kind)
	}
	return nil
}

// Set refuses.
func (b *blob) Set(string, goja.Value) bool { return false }

// Has reports whether there is a property of that name.
func (b *blob) Has(name string) bool { return name == "size" || name == "type" }

// Delete refuses.
func (b *blob) Delete(string) bool { return false }

// Keys is empty, as in the standard class.
func (b *blob) Keys() []string { return nil }

// newBlob is new Blob([parts], {type}).
func (i *instance) newBlob(c goja.ConstructorCall) *goja.Object {
	b := &blob{instance: i}
	if parts := c.Argument(0); !goja.IsUndefined(parts) {
		list, ok := parts.(*goja.Object)
		if !ok || list.ClassName() != "Array" {
			panic(i.rt.NewTypeError("the parts of a Blob must be an array"))
		}
		for n := range int(list.Get("length").ToInteger()) {
			b.data = append(b.data, part(list.Get(strconv.Itoa(n)))...)
		}
	}
	if options, ok := c.Argument(1).(*goja.Object); ok {
		b.kind = conv.OptionalString(options.Get("type"))
	}
	return i.object(b, c.This.Prototype())
}

// part is what one part contributes: bytes as they are, anything else as text.
func part(v goja.Value) []byte {
	if b := blobOf(v); b != nil {
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

// blob makes the script's object of bytes.
func (i *instance) blob(data []byte, kind string) *goja.Object {
	return i.object(&blob{i, data, kind}, i.blobs().Get("prototype").(*goja.Object))
}

// object makes the script's object of ours.
func (i *instance) object(ours goja.DynamicObject, prototype *goja.Object) *goja.Object {
	o := i.rt.NewDynamicObject(ours)
	_ = o.SetPrototype(prototype)
	return o
}

// slice is blob.slice(start, end, type); negative positions count from the end.
func (b *blob) slice(c goja.FunctionCall) goja.Value {
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
	return b.blob(b.data[from:max(from, to)], conv.OptionalString(c.Argument(2)))
}

func (i *instance) resolved(v goja.Value) goja.Value {
	promise, resolve, _ := i.rt.NewPromise()
	_ = resolve(v)
	return i.rt.ToValue(promise)
}

// buffer is a copy of the bytes, which scripts may change.
func (b *blob) buffer() goja.Value {
	return b.rt.ToValue(b.rt.NewArrayBuffer(append([]byte(nil), b.data...)))
}

func (b *blob) octets() goja.Value {
	o, err := b.rt.New(b.rt.GlobalObject().Get("Uint8Array"), b.buffer())
	if err != nil {
		conv.Throw(b.rt, err)
	}
	return o
}
