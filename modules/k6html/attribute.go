package k6html

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/dop251/goja"
	"golang.org/x/net/html"
)

// attributeMembers are the methods of all elements that read attributes.
func attributeMembers() map[string]getter {
	return map[string]getter{
		"attributes":       (*element).attributes,
		"getAttribute":     (*element).getAttribute,
		"getAttributeNode": (*element).getAttributeNode,
		"hasAttribute": func(e *element, c goja.FunctionCall) goja.Value {
			return e.value(e.named(c.Argument(0).String()) != nil)
		},
		"hasAttributes": func(e *element, _ goja.FunctionCall) goja.Value { return e.value(len(e.node.Attr) > 0) },
	}
}

func (e *element) getAttribute(c goja.FunctionCall) goja.Value {
	if a := e.named(c.Argument(0).String()); a != nil {
		return e.value(a.Val)
	}
	return goja.Undefined()
}

// named is an attribute by name, nil if there is none. Names are in lower case,
// but for some of SVG.
func (e *element) named(name string) *html.Attribute {
	lower := strings.ToLower(name)
	for i := range e.node.Attr {
		if a := &e.node.Attr[i]; a.Key == name || a.Key == lower {
			return a
		}
	}
	return nil
}

func (e *element) getAttributeNode(c goja.FunctionCall) goja.Value {
	if a := e.named(c.Argument(0).String()); a != nil {
		return e.attributeObject(*a)
	}
	return goja.Undefined()
}

// attributes maps the names of attributes to what describes them.
func (e *element) attributes(goja.FunctionCall) goja.Value {
	o := e.rt().NewObject()
	for _, a := range e.node.Attr {
		_ = o.DefineDataProperty(a.Key, e.attributeObject(a), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
	}
	return o
}

func (e *element) attributeObject(a html.Attribute) goja.Value {
	o := e.rt().NewObject()
	prefix, local, ok := strings.Cut(a.Key, ":")
	if !ok {
		prefix, local = "", a.Key
	}
	_ = o.Set("name", a.Key)
	_ = o.Set("nodeName", a.Key)
	_ = o.Set("value", a.Val)
	_ = o.Set("prefix", prefix)
	_ = o.Set("localName", local)
	_ = o.Set("namespaceURI", a.Namespace)
	_ = o.Set("ownerElement", e.doc.element(e.node))
	return o
}

// words are the parts of an attribute between spaces.
func (e *element) words(name string) goja.Value {
	text, _ := attribute(e.node, name)
	words := strings.Fields(text)
	items := make([]any, len(words))
	for i, w := range words {
		items[i] = w
	}
	return e.rt().NewArray(items...)
}

// reflectText is the text of an attribute, empty if it is missing.
func reflectText(name string) getter {
	return func(e *element, _ goja.FunctionCall) goja.Value {
		v, _ := attribute(e.node, name)
		return e.value(v)
	}
}

// reflectTextOr is the text of an attribute, or another if it is missing.
func reflectTextOr(name, missing string) getter {
	return func(e *element, _ goja.FunctionCall) goja.Value {
		if v, ok := attribute(e.node, name); ok {
			return e.value(v)
		}
		return e.value(missing)
	}
}

// reflectFlag tells whether the attribute is there.
func reflectFlag(name string) getter {
	return func(e *element, _ goja.FunctionCall) goja.Value {
		_, ok := attribute(e.node, name)
		return e.value(ok)
	}
}

// reflectNumber is an attribute as an integer, or another if it is none.
func reflectNumber(name string, missing int) getter {
	return func(e *element, _ goja.FunctionCall) goja.Value {
		text, _ := attribute(e.node, name)
		if n, err := strconv.Atoi(strings.TrimSpace(text)); err == nil {
			return e.value(n)
		}
		return e.value(missing)
	}
}

// reflectFloat is an attribute as a number, or another if it is none.
func reflectFloat(name string, missing float64) getter {
	return func(e *element, _ goja.FunctionCall) goja.Value { return e.value(e.number(name, missing)) }
}

func (e *element) number(name string, missing float64) float64 {
	text, _ := attribute(e.node, name)
	if f, err := strconv.ParseFloat(strings.TrimSpace(text), 64); err == nil {
		return f
	}
	return missing
}

// reflectAddress is an attribute as an absolute address, empty if it is missing.
func reflectAddress(name string) getter {
	return func(e *element, _ goja.FunctionCall) goja.Value { return e.value(e.address(name)) }
}

func (e *element) address(name string) string {
	v, ok := attribute(e.node, name)
	if !ok {
		return ""
	}
	return e.doc.resolve(v)
}

// reflectChoice is an attribute that takes one of some values, in lower case. The
// first counts if it is missing or another.
func reflectChoice(name string, values ...string) getter {
	return func(e *element, _ goja.FunctionCall) goja.Value {
		v, _ := attribute(e.node, name)
		if v = strings.ToLower(v); slices.Contains(values, v) {
			return e.value(v)
		}
		return e.value(values[0])
	}
}

// reflectWords are the parts of an attribute between spaces.
func reflectWords(name string) getter {
	return func(e *element, _ goja.FunctionCall) goja.Value { return e.words(name) }
}

// fixed is a text that does not depend on the element.
func fixed(text string) getter {
	return func(e *element, _ goja.FunctionCall) goja.Value { return e.value(text) }
}

// addressMembers are the parts of the address of a link.
func addressMembers() map[string]getter {
	part := func(read func(*url.URL) string) getter {
		return func(e *element, _ goja.FunctionCall) goja.Value {
			u, err := url.Parse(e.address("href"))
			if err != nil {
				return e.value("")
			}
			return e.value(read(u))
		}
	}
	after := func(mark, text string) string {
		if text == "" {
			return ""
		}
		return mark + text
	}
	return map[string]getter{
		"href":     reflectAddress("href"),
		"hash":     part(func(u *url.URL) string { return after("#", u.Fragment) }),
		"host":     part(func(u *url.URL) string { return u.Host }),
		"hostname": part((*url.URL).Hostname),
		"port":     part((*url.URL).Port),
		"pathname": part((*url.URL).EscapedPath),
		"search":   part(func(u *url.URL) string { return after("?", u.RawQuery) }),
		"protocol": part(func(u *url.URL) string {
			if u.Scheme == "" {
				return ":"
			}
			return u.Scheme + ":"
		}),
		"origin": part(func(u *url.URL) string {
			if u.Host == "" {
				return ""
			}
			return u.Scheme + "://" + u.Host
		}),
		"username": part(func(u *url.URL) string { return u.User.Username() }),
		"password": part(func(u *url.URL) string {
			p, _ := u.User.Password()
			return p
		}),
	}
}
