package k6html

import (
	"maps"
	"slices"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"github.com/dop251/goja"
	"golang.org/x/net/html"

	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/conv"
)

// element is one node of a document as the DOM shows it, except that what are
// properties there are methods here. It has no members of its own.
type element struct {
	bare
	doc  *Document
	node *html.Node
}

// getter is a method of an element.
type getter func(*element, goja.FunctionCall) goja.Value

// element is a node as a script sees it; null if there is none.
func (d *Document) element(n *html.Node) goja.Value {
	if n == nil {
		return goja.Null()
	}
	o := d.docs.rt.NewDynamicObject(&element{doc: d, node: n})
	_ = o.SetPrototype(d.docs.elementPrototype(n))
	return o
}

func (d *Document) elementList(nodes []*html.Node) goja.Value {
	items := make([]any, len(nodes))
	for i, n := range nodes {
		items[i] = d.element(n)
	}
	return d.docs.rt.NewArray(items...)
}

func elementOf(v goja.Value) *element {
	o, ok := v.(*goja.Object)
	if !ok {
		return nil
	}
	e, _ := o.Export().(*element)
	return e
}

// elementPrototype is what elements of the node's kind have in common. Kinds
// inherit from one prototype of all elements.
func (d *Documents) elementPrototype(n *html.Node) *goja.Object {
	kind := ""
	if n.Type == html.ElementNode {
		kind = n.Data
	}
	if p, ok := d.elements[kind]; ok {
		return p
	}
	members := kindMembers(kind)
	if kind != "" && members == nil {
		return d.elementPrototype(&html.Node{Type: html.TextNode})
	}
	if d.elements == nil {
		d.elements = make(map[string]*goja.Object)
	}
	if kind == "" {
		members = elementMembers()
	}
	p := d.rt.NewDynamicObject(&prototype{
		names: slices.Sorted(maps.Keys(members)),
		make1: func(name string) goja.Value { return d.elementFunction(name, members[name]) },
	})
	d.elements[kind] = p
	if kind != "" {
		_ = p.SetPrototype(d.elementPrototype(&html.Node{Type: html.TextNode}))
	}
	return p
}

func (d *Documents) elementFunction(name string, call getter) goja.Value {
	if call == nil {
		return nil
	}
	return modules.Function(d.rt, name, func(c goja.FunctionCall) goja.Value {
		e := elementOf(c.This)
		if e == nil {
			d.wrongReceiver("Element", name)
		}
		return call(e, c)
	})
}

func (e *element) rt() *goja.Runtime { return e.doc.docs.rt }

func (e *element) value(v any) goja.Value { return e.rt().ToValue(v) }

func (e *element) selection() *goquery.Selection {
	return goquery.NewDocumentFromNode(e.node).Selection
}

// elementMembers are the methods that all elements have.
func elementMembers() map[string]getter {
	members := map[string]getter{
		"selection": func(e *element, _ goja.FunctionCall) goja.Value {
			return e.doc.object(&selection{doc: e.doc, found: e.selection()})
		},
		"nodeName":  func(e *element, _ goja.FunctionCall) goja.Value { return e.value(nodeName(e.node)) },
		"nodeType":  func(e *element, _ goja.FunctionCall) goja.Value { return e.value(nodeType(e.node)) },
		"nodeValue": (*element).nodeValue,
		"toString":  func(e *element, _ goja.FunctionCall) goja.Value { return e.value("[object " + nodeName(e.node) + "]") },

		"textContent": func(e *element, _ goja.FunctionCall) goja.Value { return e.value(textOf(e.node)) },
		"innerHTML":   (*element).innerHTML,

		"ownerDocument":   func(e *element, _ goja.FunctionCall) goja.Value { return e.doc.element(rootOf(e.node)) },
		"isSameNode":      func(e *element, c goja.FunctionCall) goja.Value { return e.value(e.same(c.Argument(0))) },
		"isEqualNode":     (*element).isEqualNode,
		"contains":        (*element).contains,
		"matches":         (*element).matches,
		"querySelector":   (*element).querySelector,
		"hasChildNodes":   func(e *element, _ goja.FunctionCall) goja.Value { return e.value(e.node.FirstChild != nil) },
		"childNodes":      (*element).childNodes,
		"children":        func(e *element, _ goja.FunctionCall) goja.Value { return e.doc.elementList(elements(e.node)) },
		"parentElement":   (*element).parentElement,
		"namespaceURI":    func(e *element, _ goja.FunctionCall) goja.Value { return e.value(namespaceURI(e.node)) },
		"lang":            (*element).lang,
		"className":       reflectText("class"),
		"id":              reflectText("id"),
		"title":           reflectText("title"),
		"dir":             reflectText("dir"),
		"hidden":          reflectFlag("hidden"),
		"accessKey":       reflectText("accesskey"),
		"tabIndex":        reflectNumber("tabindex", 0),
		"contentEditable": reflectText("contenteditable"),
		"classList": func(e *element, _ goja.FunctionCall) goja.Value {
			return e.words("class")
		},
		"childElementCount": func(e *element, _ goja.FunctionCall) goja.Value { return e.value(len(elements(e.node))) },
		"isDefaultNamespace": func(e *element, c goja.FunctionCall) goja.Value {
			return e.value(c.Argument(0).String() == namespaceURI(e.node))
		},
		"querySelectorAll": func(e *element, c goja.FunctionCall) goja.Value {
			return e.doc.elementList(e.selection().FindMatcher(e.doc.docs.matcher(c.Argument(0).String())).Nodes)
		},
		"getElementsByTagName":   (*element).byTagName,
		"getElementsByClassName": (*element).byClassName,
	}
	maps.Copy(members, attributeMembers())
	maps.Copy(members, neighbourMembers())
	return members
}

// neighbourMembers lead to the nodes around an element.
func neighbourMembers() map[string]getter {
	to := func(step func(*html.Node) *html.Node) getter {
		return func(e *element, _ goja.FunctionCall) goja.Value { return e.doc.element(step(e.node)) }
	}
	return map[string]getter{
		"parentNode":      to(func(n *html.Node) *html.Node { return n.Parent }),
		"firstChild":      to(func(n *html.Node) *html.Node { return n.FirstChild }),
		"lastChild":       to(func(n *html.Node) *html.Node { return n.LastChild }),
		"nextSibling":     to(nextOf),
		"previousSibling": to(prevOf),
		"nextElementSibling": to(func(n *html.Node) *html.Node {
			return sibling(n, nextOf)
		}),
		"previousElementSibling": to(func(n *html.Node) *html.Node {
			return sibling(n, prevOf)
		}),
		"firstElementChild": to(func(n *html.Node) *html.Node {
			return at(elements(n), 0)
		}),
		"lastElementChild": to(func(n *html.Node) *html.Node {
			return at(elements(n), len(elements(n))-1)
		}),
	}
}

func at(nodes []*html.Node, i int) *html.Node {
	if i < 0 || i >= len(nodes) {
		return nil
	}
	return nodes[i]
}

func nodeName(n *html.Node) string {
	switch n.Type {
	case html.TextNode:
		return "#text"
	case html.CommentNode:
		return "#comment"
	case html.DocumentNode:
		return "#document"
	}
	return n.Data
}

// nodeType is the DOM's number for the type of a node.
func nodeType(n *html.Node) int {
	switch n.Type {
	case html.TextNode:
		return 3
	case html.CommentNode:
		return 8
	case html.DocumentNode:
		return 9
	case html.DoctypeNode:
		return 10
	}
	return 1
}

func (e *element) nodeValue(goja.FunctionCall) goja.Value {
	if e.node.Type == html.TextNode || e.node.Type == html.CommentNode {
		return e.value(e.node.Data)
	}
	return goja.Null()
}

func namespaceURI(n *html.Node) string {
	switch n.Namespace {
	case "svg":
		return "http://www.w3.org/2000/svg"
	case "math":
		return "http://www.w3.org/1998/Math/MathML"
	}
	return "http://www.w3.org/1999/xhtml"
}

func (e *element) innerHTML(goja.FunctionCall) goja.Value {
	text, err := e.selection().Html()
	if err != nil {
		conv.Throw(e.rt(), err)
	}
	return e.value(text)
}

func (e *element) same(v goja.Value) bool {
	nodes := nodesOf(v)
	return len(nodes) > 0 && nodes[0] == e.node
}

// isEqualNode compares what two nodes hold.
func (e *element) isEqualNode(c goja.FunctionCall) goja.Value {
	nodes := nodesOf(c.Argument(0))
	if len(nodes) == 0 {
		return e.value(false)
	}
	mine, err1 := goquery.OuterHtml(e.selection())
	other, err2 := goquery.OuterHtml(goquery.NewDocumentFromNode(nodes[0]).Selection)
	return e.value(err1 == nil && err2 == nil && mine == other)
}

func (e *element) contains(c goja.FunctionCall) goja.Value {
	for _, n := range nodesOf(c.Argument(0)) {
		for ; n != nil; n = n.Parent {
			if n == e.node {
				return e.value(true)
			}
		}
	}
	return e.value(false)
}

func (e *element) matches(c goja.FunctionCall) goja.Value {
	return e.value(e.doc.docs.matcher(c.Argument(0).String()).Match(e.node))
}

func (e *element) querySelector(c goja.FunctionCall) goja.Value {
	m := goquery.SingleMatcher(e.doc.docs.matcher(c.Argument(0).String()))
	return e.doc.element(at(e.selection().FindMatcher(m).Nodes, 0))
}

func (e *element) byTagName(c goja.FunctionCall) goja.Value {
	name := strings.ToLower(c.Argument(0).String())
	return e.below(func(n *html.Node) bool { return name == "*" || n.Data == name })
}

func (e *element) byClassName(c goja.FunctionCall) goja.Value {
	wanted := strings.Fields(c.Argument(0).String())
	return e.below(func(n *html.Node) bool {
		class, _ := attribute(n, "class")
		has := strings.Fields(class)
		for _, w := range wanted {
			if !slices.Contains(has, w) {
				return false
			}
		}
		return len(wanted) > 0
	})
}

// below lists the elements below e that pass a test.
func (e *element) below(test func(*html.Node) bool) goja.Value {
	var list []*html.Node
	for n := range withDescendants(e.node) {
		if n != e.node && n.Type == html.ElementNode && test(n) {
			list = append(list, n)
		}
	}
	return e.doc.elementList(list)
}

func (e *element) childNodes(goja.FunctionCall) goja.Value {
	return e.doc.elementList(slices.Collect(e.node.ChildNodes()))
}

func (e *element) parentElement(goja.FunctionCall) goja.Value {
	if p := e.node.Parent; p != nil && p.Type == html.ElementNode {
		return e.doc.element(p)
	}
	return goja.Null()
}

// lang is the language of the element: its own or that of the nearest element
// above that says one.
func (e *element) lang(goja.FunctionCall) goja.Value {
	for n := e.node; n != nil; n = n.Parent {
		if v, ok := attribute(n, "lang"); ok {
			return e.value(v)
		}
	}
	return e.value("")
}
