package k6html

import (
	"iter"
	"strings"

	"golang.org/x/net/html"
)

// attribute returns an attribute of a node and whether it has it. Names are in
// lower case.
func attribute(n *html.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name && a.Namespace == "" {
			return a.Val, true
		}
	}
	return "", false
}

// withDescendants yields a node and all below it, in document order.
func withDescendants(top *html.Node) iter.Seq[*html.Node] {
	return func(yield func(*html.Node) bool) {
		for n := top; n != nil; n = following(top, n) {
			if !yield(n) {
				return
			}
		}
	}
}

// following is the node after n in document order, nil at the end of top.
func following(top, n *html.Node) *html.Node {
	if n.FirstChild != nil {
		return n.FirstChild
	}
	for n != top {
		if n.NextSibling != nil {
			return n.NextSibling
		}
		n = n.Parent
	}
	return nil
}

// textOf is the text of a node and all below it.
func textOf(top *html.Node) string {
	var b strings.Builder
	for n := range withDescendants(top) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
	}
	return b.String()
}

// ancestor is the nearest node above n with that tag, nil if there is none.
func ancestor(n *html.Node, tags ...string) *html.Node {
	for p := n.Parent; p != nil; p = p.Parent {
		for _, tag := range tags {
			if p.Type == html.ElementNode && p.Data == tag {
				return p
			}
		}
	}
	return nil
}

// elements are the children of a node that are elements.
func elements(n *html.Node) []*html.Node {
	var list []*html.Node
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			list = append(list, c)
		}
	}
	return list
}

// descendants are the elements below a node with one of those tags.
func descendants(top *html.Node, tags ...string) []*html.Node {
	var list []*html.Node
	for n := range withDescendants(top) {
		if n == top || n.Type != html.ElementNode {
			continue
		}
		for _, tag := range tags {
			if n.Data == tag {
				list = append(list, n)
			}
		}
	}
	return list
}

// rootOf is the document that a node stands in.
func rootOf(n *html.Node) *html.Node {
	for n.Parent != nil {
		n = n.Parent
	}
	return n
}

// byID is the first element with an id in the document of n, nil if none.
func byID(n *html.Node, id string) *html.Node {
	if id == "" {
		return nil
	}
	for e := range withDescendants(rootOf(n)) {
		if got, ok := attribute(e, "id"); ok && got == id {
			return e
		}
	}
	return nil
}

// sibling goes from n in one direction to the next element, nil if there is none.
func sibling(n *html.Node, step func(*html.Node) *html.Node) *html.Node {
	for n = step(n); n != nil && n.Type != html.ElementNode; n = step(n) {
	}
	return n
}

func nextOf(n *html.Node) *html.Node { return n.NextSibling }
func prevOf(n *html.Node) *html.Node { return n.PrevSibling }
