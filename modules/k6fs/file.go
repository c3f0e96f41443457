package k6fs

import (
	"math"
	"path"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules/conv"
)

// File is an open file of one virtual user.
type File struct {
	conv.Own
	rt     *goja.Runtime
	path   string
	data   []byte // shared by all virtual users
	offset int
}

// Of returns the File behind a script's value, and whether it is one.
func Of(v goja.Value) (*File, bool) { return conv.Self[*File](v) }

// Path returns the full path.
func (f *File) Path() string { return f.path }

// Data returns the whole content, which must not be changed.
func (f *File) Data() []byte { return f.data }

// Get returns a property.
func (f *File) Get(name string) goja.Value {
	if name == "path" {
		return f.rt.ToValue(f.path)
	}
	return f.Own.Get(name)
}

// Has reports whether there is a property of that name.
func (f *File) Has(name string) bool { return name == "path" || f.Own.Has(name) }

// Set adds a property; the path stays.
func (f *File) Set(name string, v goja.Value) bool { return name != "path" && f.Own.Set(name, v) }

// Keys lists the properties.
func (f *File) Keys() []string { return append([]string{"path"}, f.Own.Keys()...) }

// read fills a Uint8Array from the current position on. It gives the number of
// bytes, and null at the end of the file.
func (f *File) read(c goja.FunctionCall) (any, error) {
	o, ok := c.Argument(0).(*goja.Object)
	if !ok || !isUint8Array(o) {
		return nil, typeError("read() needs a Uint8Array to read into")
	}
	into, ok := conv.Bytes(o)
	if !ok {
		return nil, typeError("read() needs a Uint8Array to read into")
	}
	if f.offset >= len(f.data) {
		return goja.Null(), nil
	}
	n := copy(into, f.data[f.offset:])
	f.offset += n
	return n, nil
}

func isUint8Array(o *goja.Object) bool {
	tag := o.GetSymbol(goja.SymToStringTag)
	return tag != nil && tag.String() == "Uint8Array"
}

// seek moves the position, which stays within the file, and gives it.
func (f *File) seek(c goja.FunctionCall) (any, error) {
	offset, ok := integer(c.Argument(0))
	if !ok {
		return nil, typeError("seek() needs an offset that is a whole number")
	}
	from := 0
	switch mode, ok := integer(c.Argument(1)); {
	case ok && mode == seekStart:
	case ok && mode == seekCurrent:
		from = f.offset
	case ok && mode == seekEnd:
		from = len(f.data)
	default:
		return nil, typeError("seek() needs one of SeekMode.Start, SeekMode.Current and SeekMode.End")
	}
	if offset < -from {
		return nil, typeError("cannot seek to before the start of the file")
	}
	if offset > len(f.data)-from {
		return nil, typeError("cannot seek to beyond the end of the file")
	}
	f.offset = from + offset
	return f.offset, nil
}

// integer reads a whole number.
func integer(v goja.Value) (int, bool) {
	if conv.IsNullish(v) {
		return 0, false
	}
	switch n := v.Export().(type) {
	case int64:
		return int(n), true
	case float64:
		return int(n), n == math.Trunc(n) && math.Abs(n) < 1<<53
	}
	return 0, false
}

// stat tells of the file.
func (f *File) stat(goja.FunctionCall) (any, error) {
	o := f.rt.NewObject()
	_ = o.Set("name", path.Base(f.path))
	_ = o.Set("size", len(f.data))
	return o, nil
}
