package globals

import (
	"slices"
	"unicode/utf16"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules/conv"
	"github.com/jsload/jsload/vu/value"
)

// paramsClass are the class URLSearchParams and that of its iterators.
type paramsClass struct {
	*conv.Class
	iterators *conv.Class
}

// paramsObject is the Go side of a URLSearchParams.
type paramsObject struct {
	conv.Own
	inst  *instance
	of    *urlObject // the URL whose query it is, or nil
	pairs []value.Pair
}

// Get returns the one attribute, size.
func (p *paramsObject) Get(name string) goja.Value {
	if name == "size" {
		return p.inst.rt.ToValue(len(p.pairs))
	}
	return p.Own.Get(name)
}

// Has reports whether there is such an attribute.
func (p *paramsObject) Has(name string) bool { return name == "size" || p.Own.Has(name) }

// changed makes the URL follow.
func (p *paramsObject) changed() {
	if p.of != nil {
		p.of.url.SetQuery(value.FormatForm(p.pairs))
	}
}

func (i *instance) paramsClass() *paramsClass {
	if i.params != nil {
		return i.params
	}
	i.params = &paramsClass{Class: conv.NewClass(i.rt, conv.ClassSpec{
		Name:     "URLSearchParams",
		New:      func(c goja.ConstructorCall) goja.DynamicObject { return i.newParams(c.Argument(0)) },
		Method:   i.paramsMethod,
		Iterator: "entries",
	})}
	return i.params
}

// newParams takes a query, an iterable of pairs or an object.
func (i *instance) newParams(v goja.Value) *paramsObject {
	p := &paramsObject{inst: i}
	o, isObject := v.(*goja.Object)
	switch {
	case goja.IsUndefined(v):
	case !isObject:
		text := v.ToString().String()
		if text != "" && text[0] == '?' {
			text = text[1:]
		}
		p.pairs = value.ParseForm(text)
	case !conv.IsNullish(o.GetSymbol(goja.SymIterator)):
		i.rt.ForOf(o, func(pair goja.Value) bool {
			p.pairs = append(p.pairs, i.pair(pair))
			return true
		})
	default:
		for _, key := range o.Keys() {
			p.pairs = append(p.pairs, value.Pair{Name: key, Value: o.Get(key).ToString().String()})
		}
	}
	return p
}

// pair reads an iterable of two.
func (i *instance) pair(v goja.Value) value.Pair {
	var parts []string
	if o, ok := v.(*goja.Object); ok {
		i.rt.ForOf(o, func(part goja.Value) bool {
			parts = append(parts, part.ToString().String())
			return len(parts) < 3
		})
	}
	if len(parts) != 2 {
		panic(i.rt.NewTypeError("each query pair must be an iterable [name, value]"))
	}
	return value.Pair{Name: parts[0], Value: parts[1]}
}

func (i *instance) paramsMethod(name string) func(goja.FunctionCall) goja.Value {
	switch name {
	case "append", "delete", "get", "getAll", "has", "set", "sort", "toString", "forEach", "keys", "values", "entries":
		return func(c goja.FunctionCall) goja.Value {
			return conv.MustSelf[*paramsObject](i.rt, c.This, "URLSearchParams").call(name, c)
		}
	}
	return nil
}

func (p *paramsObject) call(name string, c goja.FunctionCall) goja.Value {
	switch name {
	case "append", "set", "delete":
		p.write(name, c)
		return goja.Undefined()
	case "get", "getAll", "has":
		return p.read(name, c)
	case "sort":
		slices.SortStableFunc(p.pairs, func(a, b value.Pair) int { return compareUTF16(a.Name, b.Name) })
		p.changed()
	case "toString":
		return p.inst.rt.ToValue(value.FormatForm(p.pairs))
	case "forEach":
		p.forEach(c)
	default:
		return p.iterate(name)
	}
	return goja.Undefined()
}

// text is an argument as a string; a missing one is a TypeError.
func (p *paramsObject) text(c goja.FunctionCall, n int, method string) string {
	if len(c.Arguments) <= n {
		panic(p.inst.rt.NewTypeError("URLSearchParams.%s needs %d arguments", method, n+1))
	}
	return c.Arguments[n].ToString().String()
}

// match tells which pairs a call means: those of a name and, if given, a value.
func (p *paramsObject) match(method string, c goja.FunctionCall) func(value.Pair) bool {
	name := p.text(c, 0, method)
	if v := c.Argument(1); !goja.IsUndefined(v) {
		text := v.ToString().String()
		return func(q value.Pair) bool { return q.Name == name && q.Value == text }
	}
	return func(q value.Pair) bool { return q.Name == name }
}

func (p *paramsObject) write(method string, c goja.FunctionCall) {
	switch method {
	case "delete":
		p.pairs = slices.DeleteFunc(p.pairs, p.match(method, c))
	case "append":
		p.pairs = append(p.pairs, value.Pair{Name: p.text(c, 0, method), Value: p.text(c, 1, method)})
	case "set":
		q := value.Pair{Name: p.text(c, 0, method), Value: p.text(c, 1, method)}
		first := slices.IndexFunc(p.pairs, func(x value.Pair) bool { return x.Name == q.Name })
		if first < 0 {
			p.pairs = append(p.pairs, q)
			break
		}
		p.pairs[first] = q
		rest := slices.DeleteFunc(p.pairs[first+1:], func(x value.Pair) bool { return x.Name == q.Name })
		p.pairs = p.pairs[:first+1+len(rest)]
	}
	p.changed()
}

func (p *paramsObject) read(method string, c goja.FunctionCall) goja.Value {
	rt := p.inst.rt
	if method == "has" {
		return rt.ToValue(slices.ContainsFunc(p.pairs, p.match(method, c)))
	}
	name := p.text(c, 0, method)
	var all []any
	for _, q := range p.pairs {
		if q.Name != name {
			continue
		}
		if method == "get" {
			return rt.ToValue(q.Value)
		}
		all = append(all, q.Value)
	}
	if method == "get" {
		return goja.Null()
	}
	return rt.NewArray(all...)
}

func (p *paramsObject) forEach(c goja.FunctionCall) {
	rt := p.inst.rt
	call, ok := goja.AssertFunction(c.Argument(0))
	if !ok {
		panic(rt.NewTypeError("URLSearchParams.forEach needs a function"))
	}
	for n := 0; n < len(p.pairs); n++ {
		q := p.pairs[n]
		if _, err := call(c.Argument(1), rt.ToValue(q.Value), rt.ToValue(q.Name), c.This); err != nil {
			conv.Throw(rt, err)
		}
	}
}

// paramsIterator walks over the pairs as they are at each step.
type paramsIterator struct {
	conv.Own
	of   *paramsObject
	what string // "keys", "values" or "entries"
	next int
}

func (p *paramsObject) iterate(what string) goja.Value {
	i := p.inst
	class := i.paramsClass()
	if class.iterators == nil {
		class.iterators = conv.NewClass(i.rt, conv.ClassSpec{
			Name:   "URLSearchParams Iterator",
			Parent: i.iteratorPrototype(),
			Method: func(name string) func(goja.FunctionCall) goja.Value {
				if name != "next" {
					return nil
				}
				return func(c goja.FunctionCall) goja.Value {
					return conv.MustSelf[*paramsIterator](i.rt, c.This, "URLSearchParams Iterator").step()
				}
			},
		})
	}
	return class.iterators.Wrap(&paramsIterator{of: p, what: what})
}

func (it *paramsIterator) step() goja.Value {
	rt := it.of.inst.rt
	o := rt.NewObject()
	if it.next >= len(it.of.pairs) {
		_ = o.Set("value", goja.Undefined())
		_ = o.Set("done", true)
		return o
	}
	q := it.of.pairs[it.next]
	it.next++
	switch it.what {
	case "keys":
		_ = o.Set("value", q.Name)
	case "values":
		_ = o.Set("value", q.Value)
	default:
		_ = o.Set("value", rt.NewArray(q.Name, q.Value))
	}
	_ = o.Set("done", false)
	return o
}

// compareUTF16 orders strings as JavaScript does, by their UTF-16 code units.
func compareUTF16(a, b string) int {
	return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
}
