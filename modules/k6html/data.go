package k6html

import (
	"strconv"
	"strings"

	"github.com/dop251/goja"
	"golang.org/x/net/html"

	"github.com/jsload/jsload/modules/conv"
)

// data is the value of one data- attribute of the first node, or an object of all
// of them. Names are given in either spelling: long-name or longName.
func (s *selection) data(c goja.FunctionCall) goja.Value {
	nodes := s.nodes().Nodes
	if len(nodes) == 0 {
		return goja.Undefined()
	}
	if key := c.Argument(0); !conv.IsNullish(key) {
		return s.dataValue(nodes[0], "data-"+dashed(key.String()))
	}
	all := s.rt().NewObject()
	for _, a := range nodes[0].Attr {
		if name, ok := strings.CutPrefix(a.Key, "data-"); ok && name != "" {
			_ = all.Set(camel(name), s.typed(a.Val))
		}
	}
	return all
}

func (s *selection) dataValue(n *html.Node, name string) goja.Value {
	text, ok := attribute(n, name)
	if !ok {
		return goja.Undefined()
	}
	return s.typed(text)
}

// typed reads a text as what it looks like: true, false, null, a number that is
// written in the usual way, JSON, or else text.
func (s *selection) typed(text string) goja.Value {
	switch text {
	case "true", "false":
		return s.rt().ToValue(text == "true")
	case "null":
		return goja.Null()
	case "":
		return s.rt().ToValue("")
	}
	if text[0] == '{' || text[0] == '[' {
		if v, err := conv.ParseJSON(s.rt(), text); err == nil {
			return v
		}
		return s.rt().ToValue(text)
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil {
		if number := s.rt().ToValue(f); number.String() == text {
			return number
		}
	}
	return s.rt().ToValue(text)
}

// dashed writes longName as long-name.
func dashed(name string) string {
	var b strings.Builder
	for _, r := range name {
		if 'A' <= r && r <= 'Z' {
			b.WriteByte('-')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// camel writes long-name as longName. A dash before anything but a small letter
// stays.
func camel(name string) string {
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		if name[i] == '-' && i+1 < len(name) && 'a' <= name[i+1] && name[i+1] <= 'z' {
			i++
			b.WriteByte(name[i] - 'a' + 'A')
			continue
		}
		b.WriteByte(name[i])
	}
	return b.String()
}
