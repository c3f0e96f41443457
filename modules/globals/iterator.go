package globals

import (
	"slices"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules/conv"
)

// helperNames are the methods that iterators get from the library.
var helperNames = [...]string{
	"map", "filter", "take", "drop", "flatMap", "reduce", "toArray", "forEach", "some", "every", "find",
}

// lazyHelpers stands below %IteratorPrototype% until a script first reads one of
// the methods of iterators: only then is the library run, which costs 40 KB.
type lazyHelpers struct{ inst *instance }

// Get loads the library if it has the method.
func (h lazyHelpers) Get(name string) goja.Value {
	if !slices.Contains(helperNames[:], name) {
		return nil
	}
	h.inst.library("iterator")
	return h.inst.iteratorPrototype().Get(name)
}

// Has loads the library if it has the method.
func (h lazyHelpers) Has(name string) bool { return h.Get(name) != nil }

// Set refuses: assignments go to the iterators themselves.
func (h lazyHelpers) Set(string, goja.Value) bool { return false }

// Delete has nothing to remove.
func (h lazyHelpers) Delete(string) bool { return true }

// Keys is empty: the methods are not enumerable.
func (h lazyHelpers) Keys() []string { return nil }

// addIteratorHelpers makes iterators load the library when it is needed.
func (i *instance) addIteratorHelpers() error {
	if i.libs["iterator"] != nil {
		return nil
	}
	proto := i.iteratorPrototype()
	i.iteratorBelow = proto.Prototype()
	lazy := i.rt.NewDynamicObject(lazyHelpers{i})
	if err := lazy.SetPrototype(i.iteratorBelow); err != nil {
		return err
	}
	return proto.SetPrototype(lazy)
}

// withoutLazyHelpers undoes addIteratorHelpers before the library runs.
func (i *instance) withoutLazyHelpers() error {
	if i.iteratorBelow == nil {
		return nil
	}
	return i.iteratorPrototype().SetPrototype(i.iteratorBelow)
}

// iteratorPrototype is %IteratorPrototype%, which all iterators inherit from.
func (i *instance) iteratorPrototype() *goja.Object {
	if i.iteratorParent == nil {
		values, ok := goja.AssertFunction(i.rt.NewArray().GetSymbol(goja.SymIterator))
		if !ok {
			panic(i.rt.NewTypeError("arrays have no iterator"))
		}
		it, err := values(i.rt.NewArray())
		if err != nil {
			conv.Throw(i.rt, err)
		}
		i.iteratorParent = it.ToObject(i.rt).Prototype().Prototype()
	}
	return i.iteratorParent
}
