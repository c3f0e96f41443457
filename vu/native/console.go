package native

import (
	"context"
	"log/slog"

	"github.com/jsload/jsload/vu/plan"
	"github.com/jsload/jsload/vu/value"
)

// console emits the printing of a line at a level.
func (c *compiler) console(s *plan.Step) {
	args, level := c.values(s.Args), slog.LevelInfo
	switch s.Name {
	case "debug":
		level = slog.LevelDebug
	case "warn":
		level = slog.LevelWarn
	case "error":
		level = slog.LevelError
	}
	c.emit(func(m *machine) wait {
		line := make([]value.Value, len(args))
		for i, arg := range args {
			line[i] = arg(m)
		}
		log := m.factory.cfg.Log
		if log.Enabled(context.Background(), level) {
			log.LogAttrs(context.Background(), level, consoleLine(line), slog.String("source", "console"))
		}
		return goOn
	})
}

// consoleLine is the text of a call of the console: texts as they are, all else as
// within an object.
func consoleLine(args []value.Value) string {
	f := formatter{}
	for i, a := range args {
		if i > 0 {
			f.b = append(f.b, ' ')
		}
		switch {
		case a.IsUndefined():
			f.b = append(f.b, "undefined"...)
		case a.IsString():
			f.b = append(f.b, value.WellFormed(a.Text())...)
		default:
			f.value(a)
		}
	}
	return string(f.b)
}

// maxConsoleDepth bounds the rendering of hostile nesting.
const maxConsoleDepth = 500

// formatter renders values as the console shows them.
type formatter struct {
	b    []byte
	path []*value.Object // being rendered, to find cycles
}

func (f *formatter) add(s string) { f.b = append(f.b, s...) }

func (f *formatter) value(v value.Value) {
	switch {
	case v.IsNullish() || v.IsHole():
		f.add("null")
	case v.IsString():
		f.add(`"` + value.WellFormed(v.Text()) + `"`)
	case v.IsNumber() && v.Float() == 0:
		f.add("0") // also for -0
	case !v.IsObject():
		f.b = value.AppendString(f.b, v)
	default:
		f.object(v)
	}
}

func (f *formatter) object(v value.Value) {
	o := v.Object()
	for _, p := range f.path {
		if p == o {
			f.add("[Circular]")
			return
		}
	}
	if len(f.path) > maxConsoleDepth {
		f.add("[Object]")
		return
	}
	f.path = append(f.path, o)
	switch v.Kind() {
	case value.KindArray:
		f.array(v.Items())
	case value.KindObject:
		f.members(o)
	default:
		f.b = value.AppendString(f.b, v)
	}
	f.path = f.path[:len(f.path)-1]
}

func (f *formatter) array(items []value.Value) {
	if len(items) == 0 {
		f.add("[]")
		return
	}
	f.add("[ ")
	for i, item := range items {
		if i > 0 {
			f.add(", ")
		}
		f.value(item)
	}
	f.add(" ]")
}

func (f *formatter) members(o *value.Object) {
	start := "{ "
	for _, k := range o.Keys() {
		f.add(start + value.WellFormed(k) + ": ")
		start = ", "
		v, _ := o.Own(k)
		f.value(v)
	}
	if start == "{ " {
		f.add("{}")
		return
	}
	f.add(" }")
}
