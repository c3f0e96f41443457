package k6html

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"github.com/dop251/goja"
	"golang.org/x/net/html"
)

// Form is what a form would submit.
type Form struct {
	// Method is in upper case.
	Method string
	// Action is the absolute address, if the document has one.
	Action string
	// Fields are in document order; of equal names each is there.
	Fields []Field
}

// Field is one control of a form with its values: several for a list of which
// several may be chosen, else one.
type Field struct {
	Name   string
	Values []string
	// List is true for the values of a list of which several may be chosen.
	List bool
}

// Form reads the forms that formSelector finds: the method and the address of the
// first, the fields of all, and the first button that submitSelector finds in
// them.
func (d *Document) Form(formSelector, submitSelector string) (Form, error) {
	forms := d.find(formSelector)
	if forms.Length() == 0 {
		return Form{}, fmt.Errorf("%w %q", errNoForm, formSelector)
	}
	f := Form{
		Method: strings.ToUpper(forms.AttrOr("method", "GET")),
		Action: d.resolve(forms.AttrOr("action", "")),
		Fields: fields(forms),
	}
	button := forms.FindMatcher(d.docs.matcher(submitSelector))
	if name := button.AttrOr("name", ""); name != "" {
		f.Fields = append(f.Fields, Field{Name: name, Values: []string{button.AttrOr("value", "")}})
	}
	return f, nil
}

// fields are the controls in or of the nodes that have a name and a value to
// send. Check boxes and radio buttons are left out, disabled controls are not:
// scripts of the reference tool rely on both.
func fields(s *goquery.Selection) []Field {
	var list []Field
	seen := make(map[*html.Node]bool)
	for _, top := range s.Nodes {
		for n := range withDescendants(top) {
			if seen[n] {
				continue // a form within a form that is not closed
			}
			if name, _ := attribute(n, "name"); name != "" && submits(n) {
				seen[n] = true
				values, _ := value(n)
				list = append(list, Field{Name: name, Values: values, List: isList(n)})
			}
		}
	}
	return list
}

// submits reports a control whose value is sent whatever is pressed.
func submits(n *html.Node) bool {
	switch n.Data {
	case "select", "textarea", "keygen":
		return true
	case "input":
		kind, _ := attribute(n, "type")
		switch strings.ToLower(kind) {
		case "checkbox", "radio", "submit", "button", "reset", "image", "file":
			return false
		}
		return true
	}
	return false
}

// isList reports a list of which several entries may be chosen.
func isList(n *html.Node) bool {
	_, multiple := attribute(n, "multiple")
	return n.Data == "select" && multiple
}

// value is the value of a control: one text, or those that are chosen of a list.
// ok is false for what has none.
func value(n *html.Node) (values []string, ok bool) {
	text, given := attribute(n, "value")
	switch n.Data {
	case "input":
		if kind, _ := attribute(n, "type"); !given && (kind == "checkbox" || kind == "radio") {
			text = "on"
		}
		return []string{text}, true
	case "button":
		return []string{text}, true
	case "textarea":
		return []string{textOf(n)}, true
	case "option":
		return []string{optionValue(n)}, true
	case "select":
		return selected(n), true
	}
	return []string{text}, given
}

func optionValue(n *html.Node) string {
	if v, ok := attribute(n, "value"); ok {
		return v
	}
	return strings.TrimSpace(textOf(n))
}

// selected are the values of the chosen options. A list of which one can be
// chosen has always one, the first if nothing else is said.
func selected(n *html.Node) []string {
	chosen := chosenOptions(n)
	values := make([]string, len(chosen))
	for i, o := range chosen {
		values[i] = optionValue(o)
	}
	return values
}

func chosenOptions(n *html.Node) []*html.Node {
	var all, chosen []*html.Node
	for o := range withDescendants(n) {
		if o.Data != "option" {
			continue
		}
		all = append(all, o)
		if _, ok := attribute(o, "selected"); ok {
			chosen = append(chosen, o)
		}
	}
	if isList(n) {
		return chosen
	}
	if len(chosen) > 0 {
		return chosen[len(chosen)-1:] // the last one wins
	}
	return all[:min(1, len(all))]
}

// val is the value of the first control: a text, or a list of texts; undefined
// for what has none.
func (s *selection) val(goja.FunctionCall) goja.Value {
	nodes := s.nodes().Nodes
	if len(nodes) == 0 {
		return goja.Undefined()
	}
	values, ok := value(nodes[0])
	if !ok {
		return goja.Undefined()
	}
	return fieldValue(s.rt(), Field{Values: values, List: isList(nodes[0])})
}

func fieldValue(rt *goja.Runtime, f Field) goja.Value {
	if f.List {
		items := make([]any, len(f.Values))
		for i, v := range f.Values {
			items[i] = v
		}
		return rt.NewArray(items...)
	}
	if len(f.Values) == 0 { // a list without options
		return goja.Undefined()
	}
	return rt.ToValue(f.Values[0])
}

// serialize writes the fields as a form is sent, sorted by name.
func (s *selection) serialize(goja.FunctionCall) goja.Value {
	form := url.Values{}
	for _, f := range fields(s.nodes()) {
		form[f.Name] = append(form[f.Name], f.Values...)
	}
	return s.rt().ToValue(form.Encode())
}

// serializeArray lists the fields as {name, value}.
func (s *selection) serializeArray(goja.FunctionCall) goja.Value {
	list := fields(s.nodes())
	items := make([]any, len(list))
	for i, f := range list {
		o := s.rt().NewObject()
		_ = o.Set("name", f.Name)
		_ = o.Set("value", fieldValue(s.rt(), f))
		items[i] = o
	}
	return s.rt().NewArray(items...)
}

// serializeObject maps names to values. Of equal names the last counts.
func (s *selection) serializeObject(goja.FunctionCall) goja.Value {
	o := s.rt().NewObject()
	for _, f := range fields(s.nodes()) {
		_ = o.DefineDataProperty(f.Name, fieldValue(s.rt(), f), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
	}
	return o
}
