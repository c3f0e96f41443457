// Package k6csv is the module k6/experimental/csv: CSV files that k6/experimental/fs
// opened, whole as an array that all virtual users share, or record by record.
package k6csv

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/conv"
	"github.com/jsload/jsload/modules/k6fs"
)

type module struct{}

// New returns the module.
func New() modules.Module { return module{} }

// Names lists the named exports.
func (module) Names() []string { return []string{"parse", "Parser"} }

// Instantiate binds the module to a virtual user.
func (module) Instantiate(h *modules.Host) modules.Instance {
	return &instance{host: h, rt: h.Runtime}
}

type instance struct {
	host *modules.Host
	rt   *goja.Runtime
}

// Export makes an export.
func (i *instance) Export(name string) goja.Value {
	switch name {
	case "parse":
		return i.rt.ToValue(i.parse)
	case "Parser":
		return conv.NewClass(i.rt, conv.ClassSpec{Name: "Parser", New: i.newParser, Method: i.parserMethod}).Constructor
	}
	return nil
}

// arguments are what parse and Parser are called with.
func (i *instance) arguments(file, opts goja.Value) (*k6fs.File, settings, error) {
	s := settings{delimiter: ",", to: math.MaxInt}
	f, ok := k6fs.Of(file)
	if !ok {
		return nil, s, errors.New("the first argument must be a File that k6/experimental/fs opened")
	}
	if conv.IsNullish(opts) {
		return f, s, nil
	}
	o, ok := opts.(*goja.Object)
	if !ok {
		return nil, s, errors.New("the options must be an object")
	}
	if err := s.read(o); err != nil {
		return nil, s, err
	}
	return f, s, s.check()
}

// read takes the options that are there.
func (s *settings) read(o *goja.Object) error {
	for _, key := range o.Keys() {
		v := o.Get(key)
		if conv.IsNullish(v) {
			continue
		}
		var ok bool
		switch key {
		case "delimiter":
			s.delimiter, ok = v.Export().(string)
		case "skipFirstLine":
			s.skipFirst, ok = v.Export().(bool)
		case "asObjects":
			s.asObjects, ok = v.Export().(bool)
		case "fromLine":
			s.from, ok = whole(v)
		case "toLine":
			s.to, ok = whole(v)
		default:
			continue
		}
		if !ok {
			return fmt.Errorf("the option %s cannot be %s", key, v)
		}
	}
	return nil
}

func whole(v goja.Value) (int, bool) {
	n, ok := v.Export().(int64)
	return int(n), ok
}

// parse gives a promise of all records. The first virtual user to ask finds them.
func (i *instance) parse(c goja.FunctionCall) goja.Value {
	promise, resolve, reject := i.rt.NewPromise()
	f, s, err := i.arguments(c.Argument(0), c.Argument(1))
	if err != nil {
		_ = reject(conv.NewError(i.rt, "TypeError", err.Error()))
		return i.rt.ToValue(promise)
	}
	v, err := i.host.Run.Shared.Load(fmt.Sprintf("k6/experimental/csv:%+v:%s", s, f.Path()), func() (any, error) {
		return newTable(f.Data(), s)
	})
	if err != nil {
		_ = reject(i.rt.NewGoError(fmt.Errorf("%s: %w", f.Path(), err)))
		return i.rt.ToValue(promise)
	}
	_ = resolve(i.rt.NewDynamicArray(&array{rt: i.rt, table: v.(*table)}))
	return i.rt.ToValue(promise)
}

// parser is an instance of the class Parser.
type parser struct {
	conv.Own
	path    string
	records *records
}

func (i *instance) newParser(c goja.ConstructorCall) goja.DynamicObject {
	f, s, err := i.arguments(c.Argument(0), c.Argument(1))
	if err != nil {
		panic(conv.NewError(i.rt, "TypeError", err.Error()))
	}
	return &parser{path: f.Path(), records: newRecords(f.Data(), s)}
}

func (i *instance) parserMethod(name string) func(goja.FunctionCall) goja.Value {
	if name != "next" {
		return nil
	}
	return func(c goja.FunctionCall) goja.Value {
		p := conv.MustSelf[*parser](i.rt, c.This, "Parser")
		promise, resolve, reject := i.rt.NewPromise()
		if v, err := i.next(p); err == nil {
			_ = resolve(v)
		} else {
			_ = reject(i.rt.NewGoError(fmt.Errorf("%s: %w", p.path, err)))
		}
		return i.rt.ToValue(promise)
	}
}

// next gives {done, value}; behind the last record value is an empty array.
func (i *instance) next(p *parser) (goja.Value, error) {
	fields, err := p.records.next(nil)
	if err != nil && err != io.EOF {
		return nil, err
	}
	done := err == io.EOF
	var value *goja.Object
	if columns := p.records.columns; columns != nil && !done {
		value = object(i.rt, columns, fields)
	} else {
		value = list(i.rt, fields)
	}
	o := i.rt.NewObject()
	_ = o.Set("done", done)
	_ = o.Set("value", value)
	return o, nil
}
