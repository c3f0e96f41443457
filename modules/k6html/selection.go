package k6html

import (
	"slices"

	"github.com/PuerkitoBio/goquery"
	"github.com/dop251/goja"
	"golang.org/x/net/html"

	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/conv"
)

// selection is a list of nodes of a document. It has no members of its own.
type selection struct {
	bare
	doc *Document
	// found is nil for the document itself until something is asked of it.
	found *goquery.Selection
	// paired makes attr give [value, whether it is there]: so it is in the
	// predicates of filter, is and not, where scripts have come to expect it.
	paired bool
}

// object is the selection as a script sees it.
func (d *Document) object(s *selection) goja.Value {
	o := d.docs.rt.NewDynamicObject(s)
	_ = o.SetPrototype(d.docs.selectionPrototype())
	return o
}

// wrap is what a method returns that leads from one selection to another.
func (s *selection) wrap(found *goquery.Selection) goja.Value {
	return s.doc.object(&selection{doc: s.doc, found: found, paired: s.paired})
}

func (s *selection) rt() *goja.Runtime { return s.doc.docs.rt }

// nodes is the goquery selection underneath.
func (s *selection) nodes() *goquery.Selection {
	if s.found == nil {
		root, err := s.doc.parsed()
		if err != nil {
			conv.Throw(s.rt(), err)
		}
		s.found = root
	}
	return s.found
}

// selectionMethod is a method of a selection. Arguments past the given ones are
// undefined.
type selectionMethod func(*selection, goja.FunctionCall) goja.Value

var selectionNames = []string{
	"add", "attr", "children", "closest", "contents", "data", "each", "end", "eq", "filter", "find", "first", "get",
	"has", "html", "index", "is", "last", "map", "next", "nextAll", "nextUntil", "not", "parent", "parents",
	"parentsUntil", "prev", "prevAll", "prevUntil", "serialize", "serializeArray", "serializeObject", "siblings",
	"single", "size", "slice", "text", "toArray", "val",
}

func (d *Documents) selectionPrototype() *goja.Object {
	if d.selections == nil {
		d.selections = d.rt.NewDynamicObject(&prototype{names: selectionNames, make1: d.selectionFunction})
	}
	return d.selections
}

// selectionFunction makes a method of all selections: its receiver is its this.
func (d *Documents) selectionFunction(name string) goja.Value {
	call := methodOf(name)
	if call == nil {
		return nil
	}
	return modules.Function(d.rt, name, func(c goja.FunctionCall) goja.Value {
		s := selectionOf(c.This)
		if s == nil {
			d.wrongReceiver("Selection", name)
		}
		return call(s, c)
	})
}

func selectionOf(v goja.Value) *selection {
	o, ok := v.(*goja.Object)
	if !ok {
		return nil
	}
	s, _ := o.Export().(*selection)
	return s
}

// methodOf returns a method, nil for an unknown name.
func methodOf(name string) selectionMethod {
	for _, find := range [...]func(string) selectionMethod{readMethod, walkMethod, untilMethod, narrowMethod} {
		if m := find(name); m != nil {
			return m
		}
	}
	return nil
}

// readMethod are the methods that lead out of the selection.
func readMethod(name string) selectionMethod {
	switch name {
	case "attr":
		return (*selection).attr
	case "data":
		return (*selection).data
	case "each":
		return (*selection).each
	case "get":
		return (*selection).get
	case "html":
		return (*selection).html
	case "index":
		return (*selection).index
	case "map":
		return (*selection).mapped
	case "serialize":
		return (*selection).serialize
	case "serializeArray":
		return (*selection).serializeArray
	case "serializeObject":
		return (*selection).serializeObject
	case "size":
		return (*selection).size
	case "text":
		return (*selection).text
	case "toArray":
		return (*selection).toArray
	case "val":
		return (*selection).val
	}
	return nil
}

func (s *selection) attr(c goja.FunctionCall) goja.Value {
	value, ok := s.nodes().Attr(c.Argument(0).String())
	switch {
	case s.paired:
		return s.rt().NewArray(value, ok)
	case ok:
		return s.rt().ToValue(value)
	}
	return c.Argument(1)
}

func (s *selection) size(goja.FunctionCall) goja.Value { return s.rt().ToValue(s.nodes().Length()) }

func (s *selection) text(goja.FunctionCall) goja.Value { return s.rt().ToValue(s.nodes().Text()) }

func (s *selection) html(goja.FunctionCall) goja.Value {
	text, err := s.nodes().Html()
	if err != nil {
		conv.Throw(s.rt(), err)
	}
	return s.rt().ToValue(text)
}

// each calls a function with the position and the element of each node.
func (s *selection) each(c goja.FunctionCall) goja.Value {
	call := s.callback(c.Argument(0), "each")
	for n, node := range s.nodes().Nodes {
		call(n, s.doc.element(node))
	}
	return c.This
}

// mapped is map: what a function returns for the position and the selection of
// each node.
func (s *selection) mapped(c goja.FunctionCall) goja.Value {
	call := s.callback(c.Argument(0), "map")
	nodes := s.nodes().Nodes
	results := make([]any, len(nodes))
	for n := range nodes {
		results[n] = call(n, s.wrap(s.nodes().Eq(n)))
	}
	return s.rt().NewArray(results...)
}

// callback is an argument that must be a function.
func (s *selection) callback(v goja.Value, method string) func(n int, of goja.Value) goja.Value {
	f, ok := goja.AssertFunction(v)
	if !ok {
		conv.Throwf(s.rt(), method+"() needs a function")
	}
	return func(n int, of goja.Value) goja.Value {
		v, err := f(goja.Undefined(), s.rt().ToValue(n), of)
		if err != nil {
			panic(err)
		}
		return v
	}
}

func (s *selection) toArray(goja.FunctionCall) goja.Value {
	items := make([]any, s.nodes().Length())
	for n := range items {
		items[n] = s.wrap(s.nodes().Eq(n))
	}
	return s.rt().NewArray(items...)
}

// get returns the element at a position, counted from the end if negative, or
// all elements.
func (s *selection) get(c goja.FunctionCall) goja.Value {
	nodes := s.nodes().Nodes
	if len(c.Arguments) == 0 {
		return s.doc.elementList(nodes)
	}
	n := int(c.Argument(0).ToInteger())
	if n < 0 {
		n += len(nodes)
	}
	if n < 0 || n >= len(nodes) {
		return goja.Undefined()
	}
	return s.doc.element(nodes[n])
}

// index is the position of the first node among its siblings, among what a
// selector finds, or of a given node in the selection; -1 if it is not there.
func (s *selection) index(c goja.FunctionCall) goja.Value {
	found, n := s.nodes(), -1
	switch of := c.Argument(0); {
	case conv.IsNullish(of):
		n = found.Index()
	case nodesOf(of) != nil:
		n = found.IndexOfNode(nodesOf(of)[0])
	case found.Length() > 0:
		all, err := s.doc.parsed()
		if err != nil {
			conv.Throw(s.rt(), err)
		}
		n = slices.Index(all.FindMatcher(s.doc.docs.matcher(of.String())).Nodes, found.Nodes[0])
	}
	return s.rt().ToValue(n)
}

// nodesOf are the nodes of a selection or an element; nil for anything else and
// for an empty selection.
func nodesOf(v goja.Value) []*html.Node {
	if e := elementOf(v); e != nil {
		return []*html.Node{e.node}
	}
	if s := selectionOf(v); s != nil {
		return s.nodes().Nodes
	}
	return nil
}
