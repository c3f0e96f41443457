package k6html

import (
	"slices"

	"github.com/dop251/goja"
	"golang.org/x/net/html"
)

// tableKinds are tables and their parts.
func tableKinds(tag string) map[string]getter {
	switch tag {
	case "table":
		first := func(tag string) getter {
			return func(e *element, _ goja.FunctionCall) goja.Value { return e.doc.element(at(parts(e.node, tag), 0)) }
		}
		return map[string]getter{
			"caption": first("caption"), "tHead": first("thead"), "tFoot": first("tfoot"),
			"tBodies": func(e *element, _ goja.FunctionCall) goja.Value { return e.doc.elementList(parts(e.node, "tbody")) },
			"rows":    func(e *element, _ goja.FunctionCall) goja.Value { return e.doc.elementList(rows(e.node)) },
			"border":  reflectText("border"), "sortable": reflectFlag("sortable"), "width": reflectText("width"),
		}
	case "thead", "tbody", "tfoot":
		return map[string]getter{
			"rows": func(e *element, _ goja.FunctionCall) goja.Value { return e.doc.elementList(parts(e.node, "tr")) },
		}
	case "tr":
		return map[string]getter{
			"cells":           func(e *element, _ goja.FunctionCall) goja.Value { return e.doc.elementList(parts(e.node, "td", "th")) },
			"rowIndex":        (*element).rowIndex,
			"sectionRowIndex": (*element).sectionRowIndex,
		}
	case "td", "th":
		return map[string]getter{
			"abbr": reflectText("abbr"), "cellIndex": (*element).cellIndex, "colSpan": reflectNumber("colspan", 1),
			"headers": reflectText("headers"), "rowSpan": reflectNumber("rowspan", 1), "scope": reflectText("scope"),
			"sorted": reflectText("sorted"),
		}
	case "col", "colgroup":
		return map[string]getter{"span": reflectNumber("span", 1), "width": reflectText("width")}
	case "caption":
		return map[string]getter{"align": reflectText("align")}
	}
	return nil
}

// parts are the children of a node with one of those tags.
func parts(n *html.Node, tags ...string) []*html.Node {
	var list []*html.Node
	for _, c := range elements(n) {
		if slices.Contains(tags, c.Data) {
			list = append(list, c)
		}
	}
	return list
}

// rows are the rows of a table in the order of the DOM: those of the head, of the
// bodies, of the foot.
func rows(table *html.Node) []*html.Node {
	var head, body, foot []*html.Node
	for _, c := range elements(table) {
		switch c.Data {
		case "thead":
			head = append(head, parts(c, "tr")...)
		case "tfoot":
			foot = append(foot, parts(c, "tr")...)
		case "tbody":
			body = append(body, parts(c, "tr")...)
		case "tr":
			body = append(body, c)
		}
	}
	return slices.Concat(head, body, foot)
}

// rowIndex is -1 outside a table.
func (e *element) rowIndex(goja.FunctionCall) goja.Value {
	table := ancestor(e.node, "table")
	if table == nil {
		return e.value(-1)
	}
	return e.value(slices.Index(rows(table), e.node))
}

func (e *element) sectionRowIndex(goja.FunctionCall) goja.Value {
	if e.node.Parent == nil {
		return e.value(-1)
	}
	return e.value(slices.Index(parts(e.node.Parent, "tr"), e.node))
}

func (e *element) cellIndex(goja.FunctionCall) goja.Value {
	if e.node.Parent == nil {
		return e.value(-1)
	}
	return e.value(slices.Index(parts(e.node.Parent, "td", "th"), e.node))
}
