package k6html

import (
	"fmt"

	"github.com/PuerkitoBio/goquery"
	"github.com/dop251/goja"
	"golang.org/x/net/html"

	"github.com/jsload/jsload/modules/conv"
)

// walkMethod are the methods that lead to related nodes, which a selector may
// narrow down.
func walkMethod(name string) selectionMethod {
	step := map[string]func(*goquery.Selection) *goquery.Selection{
		"children": (*goquery.Selection).Children, "contents": (*goquery.Selection).Contents,
		"next": (*goquery.Selection).Next, "nextAll": (*goquery.Selection).NextAll,
		"parent": (*goquery.Selection).Parent, "parents": (*goquery.Selection).Parents,
		"prev": (*goquery.Selection).Prev, "prevAll": (*goquery.Selection).PrevAll,
		"siblings": (*goquery.Selection).Siblings,
		"first":    (*goquery.Selection).First, "last": (*goquery.Selection).Last, "end": (*goquery.Selection).End,
	}[name]
	if step == nil {
		return nil
	}
	narrowed := name != "first" && name != "last" && name != "end" && name != "contents"
	return func(s *selection, c goja.FunctionCall) goja.Value {
		found := step(s.nodes())
		if narrowed && !conv.IsNullish(c.Argument(0)) {
			found = s.filtered(found, c.Argument(0))
		}
		return s.wrap(found)
	}
}

// untilMethod are the methods that go on in one direction until they come to a
// node that the first argument means. The second narrows the result down.
func untilMethod(name string) selectionMethod {
	var until func(*goquery.Selection, ...*html.Node) *goquery.Selection
	var matching func(*goquery.Selection, matcher) *goquery.Selection
	switch name {
	case "nextUntil":
		until, matching = (*goquery.Selection).NextUntilNodes, (*goquery.Selection).NextUntilMatcher
	case "prevUntil":
		until, matching = (*goquery.Selection).PrevUntilNodes, (*goquery.Selection).PrevUntilMatcher
	case "parentsUntil":
		until, matching = (*goquery.Selection).ParentsUntilNodes, (*goquery.Selection).ParentsUntilMatcher
	default:
		return nil
	}
	return func(s *selection, c goja.FunctionCall) goja.Value {
		var found *goquery.Selection
		if end := c.Argument(0); isText(end) {
			found = matching(s.nodes(), s.doc.docs.matcher(end.String()))
		} else {
			found = until(s.nodes(), s.given(end)...)
		}
		if !conv.IsNullish(c.Argument(1)) {
			found = s.filtered(found, c.Argument(1))
		}
		return s.wrap(found)
	}
}

// narrowMethod are the methods that take some nodes of the selection, test them,
// or look below or around them.
func narrowMethod(name string) selectionMethod {
	switch name {
	case "add":
		return (*selection).add
	case "closest":
		return (*selection).closest
	case "eq":
		return (*selection).eq
	case "filter":
		return func(s *selection, c goja.FunctionCall) goja.Value {
			return s.wrap(s.filtered(s.nodes(), c.Argument(0)))
		}
	case "find":
		return (*selection).find
	case "has":
		return (*selection).has
	case "is":
		return (*selection).is
	case "not":
		return (*selection).not
	case "single":
		return (*selection).single
	case "slice":
		return (*selection).slice
	}
	return nil
}

func isText(v goja.Value) bool {
	_, ok := v.(goja.String)
	return ok
}

// given are the nodes that an argument names which is neither a selector nor a
// function: those of a selection or an element, none if it is missing.
func (s *selection) given(v goja.Value) []*html.Node {
	if conv.IsNullish(v) {
		return nil
	}
	nodes := nodesOf(v)
	if nodes == nil && selectionOf(v) == nil {
		conv.Throw(s.rt(), fmt.Errorf("%s is neither a selector, a selection nor an element", v))
	}
	return nodes
}

// predicate is an argument that is a function: it is called with a position and
// the selection of one node. ok is false for another argument.
func (s *selection) predicate(v goja.Value) (test func(int, *goquery.Selection) bool, ok bool) {
	if _, ok := goja.AssertFunction(v); !ok {
		return nil, false
	}
	call := s.callback(v, "")
	return func(n int, of *goquery.Selection) bool {
		return call(n, s.doc.object(&selection{doc: s.doc, found: of, paired: true})).ToBoolean()
	}, true
}

// filtered keeps the nodes that an argument means.
func (s *selection) filtered(found *goquery.Selection, v goja.Value) *goquery.Selection {
	if isText(v) {
		return found.FilterMatcher(s.doc.docs.matcher(v.String()))
	}
	if test, ok := s.predicate(v); ok {
		return found.FilterFunction(test)
	}
	return found.FilterNodes(s.given(v)...)
}

func (s *selection) add(c goja.FunctionCall) goja.Value {
	if v := c.Argument(0); !isText(v) {
		return s.wrap(s.nodes().AddNodes(s.given(v)...))
	}
	return s.wrap(s.nodes().AddMatcher(s.doc.docs.matcher(c.Argument(0).String())))
}

func (s *selection) closest(c goja.FunctionCall) goja.Value {
	if v := c.Argument(0); !isText(v) {
		return s.wrap(s.nodes().ClosestNodes(s.given(v)...))
	}
	return s.wrap(s.nodes().ClosestMatcher(s.doc.docs.matcher(c.Argument(0).String())))
}

func (s *selection) eq(c goja.FunctionCall) goja.Value {
	return s.wrap(s.nodes().Eq(int(c.Argument(0).ToInteger())))
}

func (s *selection) find(c goja.FunctionCall) goja.Value {
	if v := c.Argument(0); !isText(v) {
		return s.wrap(s.nodes().FindNodes(s.given(v)...))
	}
	return s.wrap(s.nodes().FindMatcher(s.doc.docs.matcher(c.Argument(0).String())))
}

func (s *selection) has(c goja.FunctionCall) goja.Value {
	if v := c.Argument(0); !isText(v) {
		return s.wrap(s.nodes().HasNodes(s.given(v)...))
	}
	return s.wrap(s.nodes().HasMatcher(s.doc.docs.matcher(c.Argument(0).String())))
}

func (s *selection) is(c goja.FunctionCall) goja.Value {
	v := c.Argument(0)
	if isText(v) {
		return s.rt().ToValue(s.nodes().IsMatcher(s.doc.docs.matcher(v.String())))
	}
	if test, ok := s.predicate(v); ok {
		return s.rt().ToValue(s.nodes().IsFunction(test))
	}
	return s.rt().ToValue(s.nodes().IsNodes(s.given(v)...))
}

func (s *selection) not(c goja.FunctionCall) goja.Value {
	v := c.Argument(0)
	if isText(v) {
		return s.wrap(s.nodes().NotMatcher(s.doc.docs.matcher(v.String())))
	}
	if test, ok := s.predicate(v); ok {
		return s.wrap(s.nodes().NotFunction(test))
	}
	return s.wrap(s.nodes().NotNodes(s.given(v)...))
}

// single is the first node that a selector finds.
func (s *selection) single(c goja.FunctionCall) goja.Value {
	m := s.doc.docs.matcher(c.Argument(0).String())
	return s.wrap(s.nodes().FindMatcher(goquery.SingleMatcher(m)))
}

// slice takes the nodes from one position up to another, both counted from the
// end if negative.
func (s *selection) slice(c goja.FunctionCall) goja.Value {
	size := s.nodes().Length()
	from, to := clamp(c.Argument(0).ToInteger(), size), size
	if !conv.IsNullish(c.Argument(1)) {
		to = clamp(c.Argument(1).ToInteger(), size)
	}
	return s.wrap(s.nodes().Slice(from, max(from, to)))
}

// clamp turns a position that may be negative or too large into one within size.
func clamp(n int64, size int) int {
	if n < 0 {
		n += int64(size)
	}
	return int(min(max(n, 0), int64(size)))
}
