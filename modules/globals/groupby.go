package globals

import (
	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules/conv"
)

// grouper collects the groups of one groupBy.
type grouper interface {
	// group returns the array of a key, nil for a new one.
	group(key goja.Value) *goja.Object
	add(key goja.Value, group *goja.Object)
}

// groupBy calls the second argument for each value of the first and puts the
// value into the group of what it returns.
func (i *instance) groupBy(c goja.FunctionCall, to grouper) {
	items, keyOf := c.Argument(0), c.Argument(1)
	call, ok := goja.AssertFunction(keyOf)
	if !ok || conv.IsNullish(items) {
		panic(i.rt.NewTypeError("groupBy needs an iterable and a function"))
	}
	n := 0
	i.rt.ForOf(items, func(item goja.Value) bool {
		key, err := call(goja.Undefined(), item, i.rt.ToValue(n))
		if err != nil {
			conv.Throw(i.rt, err)
		}
		n++
		if group := to.group(key); group != nil {
			push, _ := goja.AssertFunction(group.Get("push"))
			_, err = push(group, item)
		} else {
			to.add(key, i.rt.NewArray(item))
		}
		if err != nil {
			conv.Throw(i.rt, err)
		}
		return true
	})
}

// objectGroups are properties of an object without prototype.
type objectGroups struct{ o *goja.Object }

func (g objectGroups) group(key goja.Value) *goja.Object {
	var v goja.Value
	if s, ok := key.(*goja.Symbol); ok {
		v = g.o.GetSymbol(s)
	} else {
		v = g.o.Get(key.ToString().String())
	}
	group, _ := v.(*goja.Object)
	return group
}

func (g objectGroups) add(key goja.Value, group *goja.Object) {
	if s, ok := key.(*goja.Symbol); ok {
		_ = g.o.SetSymbol(s, group)
		return
	}
	_ = g.o.Set(key.ToString().String(), group)
}

func (i *instance) objectGroupBy(c goja.FunctionCall) goja.Value {
	o := i.rt.CreateObject(nil)
	i.groupBy(c, objectGroups{o})
	return o
}

// mapGroups are entries of a Map.
type mapGroups struct {
	o        *goja.Object
	get, set goja.Callable
}

func (g mapGroups) group(key goja.Value) *goja.Object {
	v, err := g.get(g.o, key)
	if err != nil {
		panic(err)
	}
	group, _ := v.(*goja.Object)
	return group
}

func (g mapGroups) add(key goja.Value, group *goja.Object) {
	if _, err := g.set(g.o, key, group); err != nil {
		panic(err)
	}
}

func (i *instance) mapGroupBy(c goja.FunctionCall) goja.Value {
	o, err := i.rt.New(i.rt.GlobalObject().Get("Map"))
	if err != nil {
		conv.Throw(i.rt, err)
	}
	get, _ := goja.AssertFunction(o.Get("get"))
	set, _ := goja.AssertFunction(o.Get("set"))
	i.groupBy(c, mapGroups{o, get, set})
	return o
}
