package runtime

import (
	"context"
	"encoding/hex"
	"log/slog"
	"strconv"
	"strings"

	"github.com/dop251/goja"
)

// console is the script's console object: five functions that write log
// records with the attribute source=console.
type console struct {
	vm  *goja.Runtime
	log *slog.Logger
}

var consoleLevels = [...]struct {
	name  string
	level slog.Level
}{
	{"log", slog.LevelInfo},
	{"debug", slog.LevelDebug},
	{"info", slog.LevelInfo},
	{"warn", slog.LevelWarn},
	{"error", slog.LevelError},
}

// newConsole makes the object for one runtime.
func newConsole(vm *goja.Runtime, log *slog.Logger) *goja.Object {
	c := &console{vm: vm, log: log}
	o := vm.NewObject()
	for _, l := range consoleLevels {
		level := l.level
		_ = o.Set(l.name, func(call goja.FunctionCall) goja.Value {
			c.write(level, call.Arguments)
			return goja.Undefined()
		})
	}
	return o
}

func (c *console) write(level slog.Level, args []goja.Value) {
	ctx := context.Background()
	if !c.log.Enabled(ctx, level) {
		return
	}
	var b strings.Builder
	for i, a := range args {
		if i > 0 {
			b.WriteByte(' ')
		}
		f := formatter{vm: c.vm, b: &b}
		f.top(a)
	}
	c.log.LogAttrs(ctx, level, b.String(), slog.String("source", "console"))
}

// maxConsoleDepth bounds the rendering of hostile nesting; no real value is so deep.
const maxConsoleDepth = 500

// formatter renders values as the console shows them.
type formatter struct {
	vm   *goja.Runtime
	b    *strings.Builder
	path []*goja.Object // objects being rendered, to find cycles
}

// top renders an argument: strings as they are, all else as within an object.
func (f *formatter) top(v goja.Value) {
	if v == nil || goja.IsUndefined(v) {
		f.b.WriteString("undefined")
		return
	}
	if s, ok := v.(goja.String); ok {
		f.b.WriteString(s.String())
		return
	}
	f.value(v)
}

func (f *formatter) value(v goja.Value) {
	if goja.IsUndefined(v) || goja.IsNull(v) {
		f.b.WriteString("null")
		return
	}
	o, isObject := v.(*goja.Object)
	if !isObject {
		f.primitive(v)
		return
	}
	for _, p := range f.path {
		if p == o {
			f.b.WriteString("[Circular]")
			return
		}
	}
	if len(f.path) > maxConsoleDepth {
		f.b.WriteString("[Object]")
		return
	}
	f.path = append(f.path, o)
	f.object(o)
	f.path = f.path[:len(f.path)-1]
}

func (f *formatter) primitive(v goja.Value) {
	if s, ok := v.(goja.String); ok {
		f.b.WriteByte('"')
		f.b.WriteString(s.String())
		f.b.WriteByte('"')
		return
	}
	if x, ok := v.Export().(float64); ok && x == 0 {
		f.b.WriteByte('0') // also for -0
		return
	}
	f.b.WriteString(v.String())
}

func (f *formatter) object(o *goja.Object) {
	if _, callable := goja.AssertFunction(o); callable {
		f.b.WriteString("[object Function]")
		return
	}
	if buffer, ok := o.Export().(goja.ArrayBuffer); ok {
		f.buffer(buffer.Bytes())
		return
	}
	switch o.ClassName() {
	case "Error":
		f.b.WriteString(o.String())
	case "Date":
		f.date(o)
	case "Array":
		f.array(o, "")
	case "Map", "Set", "Promise", "RegExp", "Number", "Boolean":
		f.members(o)
	default:
		if name := typedArrayName(o); name != "" {
			f.array(o, name+"("+strconv.FormatInt(o.Get("length").ToInteger(), 10)+") ")
			return
		}
		f.members(o)
	}
}

func (f *formatter) date(o *goja.Object) {
	toISO, ok := goja.AssertFunction(o.Get("toISOString"))
	if ok {
		if v, err := toISO(o); err == nil {
			f.b.WriteString(`"` + v.String() + `"`)
			return
		}
	}
	f.b.WriteString("null") // an invalid date
}

func (f *formatter) array(o *goja.Object, prefix string) {
	f.b.WriteString(prefix)
	n := o.Get("length").ToInteger()
	if n == 0 {
		f.b.WriteString("[]")
		return
	}
	f.b.WriteString("[ ")
	for i := int64(0); i < n; i++ {
		if i > 0 {
			f.b.WriteString(", ")
		}
		v := o.Get(strconv.FormatInt(i, 10))
		if v == nil {
			v = goja.Null()
		}
		f.value(v)
	}
	f.b.WriteString(" ]")
}

func (f *formatter) members(o *goja.Object) {
	first := true
	for _, k := range o.Keys() {
		if first {
			f.b.WriteString("{ ")
			first = false
		} else {
			f.b.WriteString(", ")
		}
		f.b.WriteString(k)
		f.b.WriteString(": ")
		v := o.Get(k)
		if v == nil {
			v = goja.Null()
		}
		f.value(v)
	}
	if first {
		f.b.WriteString("{}")
		return
	}
	f.b.WriteString(" }")
}

func (f *formatter) buffer(data []byte) {
	f.b.WriteString("ArrayBuffer { [Uint8Contents]: <")
	for i, x := range data {
		if i > 0 {
			f.b.WriteByte(' ')
		}
		f.b.WriteString(hex.EncodeToString([]byte{x}))
	}
	f.b.WriteString(">, byteLength: " + strconv.Itoa(len(data)) + " }")
}

var typedArrays = [...]string{
	"Uint8Array", "Int8Array", "Uint8ClampedArray", "Uint16Array", "Int16Array", "Uint32Array",
	"Int32Array", "Float32Array", "Float64Array", "BigInt64Array", "BigUint64Array",
}

// typedArrayName returns the class of a typed array, empty for anything else.
func typedArrayName(o *goja.Object) string {
	if o.ExportType() == nil {
		return ""
	}
	tag := o.GetSymbol(goja.SymToStringTag)
	if tag == nil {
		return ""
	}
	name := tag.String()
	for _, t := range typedArrays {
		if name == t {
			return t
		}
	}
	return ""
}
