package k6html

import (
	"slices"
	"strings"

	"github.com/dop251/goja"
	"golang.org/x/net/html"
)

// formMembers are what all elements that belong to a form have.
func formMembers() map[string]getter {
	return map[string]getter{
		"form":     func(e *element, _ goja.FunctionCall) goja.Value { return e.doc.element(formOf(e.node)) },
		"labels":   (*element).labels,
		"disabled": (*element).isDisabled,
		"name":     reflectText("name"),

		"autofocus": reflectFlag("autofocus"),
	}
}

// submitMembers are what elements that send a form have: each overrides something
// of the form.
func submitMembers() map[string]getter {
	return map[string]getter{
		"formAction": func(e *element, _ goja.FunctionCall) goja.Value {
			if own := e.address("formaction"); own != "" {
				return e.value(own)
			}
			return e.value(e.ofForm("action"))
		},
		"formEnctype":    reflectChoice("formenctype", "application/x-www-form-urlencoded", "multipart/form-data", "text/plain"),
		"formMethod":     reflectChoice("formmethod", "get", "post", "dialog"),
		"formNoValidate": reflectFlag("formnovalidate"),
		"formTarget":     reflectText("formtarget"),
	}
}

// ofForm is an address that the element's form names.
func (e *element) ofForm(name string) string {
	form := formOf(e.node)
	if form == nil {
		return ""
	}
	return (&element{doc: e.doc, node: form}).address(name)
}

// formOf is the form that a control belongs to, nil if there is none.
func formOf(n *html.Node) *html.Node {
	if id, ok := attribute(n, "form"); ok {
		return byID(n, id)
	}
	return ancestor(n, "form")
}

// labels are the labels of a control: around it or naming its id.
func (e *element) labels(goja.FunctionCall) goja.Value {
	id, _ := attribute(e.node, "id")
	var list []*html.Node
	for _, l := range descendants(rootOf(e.node), "label") {
		if target, ok := attribute(l, "for"); ok && target == id && id != "" || !ok && ancestor(e.node, "label") == l {
			list = append(list, l)
		}
	}
	return e.doc.elementList(list)
}

// isDisabled is true within a disabled group as well.
func (e *element) isDisabled(goja.FunctionCall) goja.Value {
	n := e.node
	if _, own := attribute(n, "disabled"); own {
		return e.value(true)
	}
	if group := ancestor(n, "fieldset"); group != nil {
		_, ok := attribute(group, "disabled")
		return e.value(ok)
	}
	return e.value(false)
}

// controlKinds are forms and what stands in them.
func controlKinds(tag string) map[string]getter {
	switch tag {
	case "form":
		return formKind()
	case "input":
		return inputKind()
	case "button":
		return with(formMembers(), submitMembers(), map[string]getter{
			"menu": reflectText("menu"), "type": reflectChoice("type", "submit", "button", "reset", "menu"), "value": reflectText("value"),
		})
	case "select":
		return selectKind()
	case "option":
		return optionKind()
	case "optgroup":
		return map[string]getter{"disabled": reflectFlag("disabled"), "label": reflectText("label")}
	case "textarea":
		return with(formMembers(), map[string]getter{
			"autocomplete": reflectText("autocomplete"), "cols": reflectNumber("cols", 20), "rows": reflectNumber("rows", 2),
			"defaultValue": contentText, "value": contentText, "maxLength": reflectNumber("maxlength", -1), "minLength": reflectNumber("minlength", -1),
			"placeholder": reflectText("placeholder"), "readOnly": reflectFlag("readonly"), "required": reflectFlag("required"),
			"type": fixed("textarea"), "wrap": reflectText("wrap"),
			"length": func(e *element, _ goja.FunctionCall) goja.Value { return e.value(len([]rune(textOf(e.node)))) },
		})
	case "keygen":
		return with(formMembers(), map[string]getter{
			"challenge": reflectText("challenge"), "keytype": reflectTextOr("keytype", "rsa"), "type": fixed("keygen"),
		})
	}
	return labelKinds(tag)
}

// labelKinds are what describes or shows the value of a form.
func labelKinds(tag string) map[string]getter {
	switch tag {
	case "fieldset":
		return with(formMembers(), map[string]getter{"elements": (*element).controls, "type": fixed("fieldset")})
	case "label":
		return map[string]getter{
			"control": (*element).labelled, "htmlFor": reflectText("for"),
			"form": func(e *element, _ goja.FunctionCall) goja.Value { return e.doc.element(formOf(e.node)) },
		}
	case "legend":
		return map[string]getter{
			"align": reflectText("align"), "value": reflectText("value"),
			"form": func(e *element, _ goja.FunctionCall) goja.Value { return e.doc.element(formOf(e.node)) },
		}
	case "datalist":
		return map[string]getter{"options": listOf("option")}
	case "output":
		return with(formMembers(), map[string]getter{
			"defaultValue": contentText, "value": contentText, "htmlFor": reflectText("for"), "type": fixed("output"),
		})
	case "meter":
		return map[string]getter{
			"high": reflectFloat("high", 1), "low": reflectFloat("low", 0), "max": reflectFloat("max", 1), "min": reflectFloat("min", 0),
			"optimum": reflectFloat("optimum", 0.5), "value": reflectFloat("value", 0), "labels": (*element).labels,
		}
	case "progress":
		return map[string]getter{
			"max": reflectFloat("max", 1), "value": reflectFloat("value", 0), "position": (*element).position, "labels": (*element).labels,
		}
	}
	return nil
}

func formKind() map[string]getter {
	encoding := reflectChoice("enctype", "application/x-www-form-urlencoded", "multipart/form-data", "text/plain")
	return map[string]getter{
		"acceptCharset": reflectText("accept-charset"), "action": reflectAddress("action"),
		"autocomplete": reflectChoice("autocomplete", "on", "off"), "elements": (*element).controls,
		"encoding": encoding, "enctype": encoding, "method": reflectChoice("method", "get", "post", "dialog"),
		"name": reflectText("name"), "noValidate": reflectFlag("novalidate"), "target": reflectText("target"),
		"length": func(e *element, _ goja.FunctionCall) goja.Value { return e.value(len(controlsOf(e.node))) },
	}
}

// controlsOf are the controls that belong to a form or stand in a group.
func controlsOf(owner *html.Node) []*html.Node {
	tags := []string{"button", "fieldset", "input", "keygen", "object", "output", "select", "textarea"}
	if owner.Data != "form" {
		return descendants(owner, tags...)
	}
	all := descendants(rootOf(owner), tags...)
	return slices.DeleteFunc(all, func(n *html.Node) bool { return formOf(n) != owner })
}

func (e *element) controls(goja.FunctionCall) goja.Value {
	return e.doc.elementList(controlsOf(e.node))
}

// labelled is the control that a label belongs to.
func (e *element) labelled(goja.FunctionCall) goja.Value {
	if id, ok := attribute(e.node, "for"); ok {
		return e.doc.element(byID(e.node, id))
	}
	return e.doc.element(at(descendants(e.node, "button", "input", "keygen", "meter", "output", "progress", "select", "textarea"), 0))
}

// position is how far a progress has come, from 0 to 1; -1 if it is not known.
func (e *element) position(goja.FunctionCall) goja.Value {
	if _, known := attribute(e.node, "value"); !known {
		return e.value(-1)
	}
	return e.value(e.number("value", 0) / e.number("max", 1))
}

func inputKind() map[string]getter {
	return with(formMembers(), submitMembers(), map[string]getter{
		"accept": reflectText("accept"), "alt": reflectText("alt"), "autocomplete": reflectText("autocomplete"),
		"checked": reflectFlag("checked"), "defaultChecked": reflectFlag("checked"), "defaultValue": reflectText("value"),
		"dirName": reflectText("dirname"), "height": reflectNumber("height", 0), "width": reflectNumber("width", 0),
		"list": func(e *element, _ goja.FunctionCall) goja.Value {
			id, _ := attribute(e.node, "list")
			return e.doc.element(byID(e.node, id))
		},
		"max": reflectText("max"), "min": reflectText("min"), "step": reflectText("step"), "maxLength": reflectNumber("maxlength", -1),
		"minLength": reflectNumber("minlength", -1), "multiple": reflectFlag("multiple"), "pattern": reflectText("pattern"),
		"placeholder": reflectText("placeholder"), "readOnly": reflectFlag("readonly"), "required": reflectFlag("required"),
		"size": reflectNumber("size", 20), "src": reflectAddress("src"), "useMap": reflectText("usemap"),
		"type": func(e *element, _ goja.FunctionCall) goja.Value {
			kind, _ := attribute(e.node, "type")
			if kind == "" {
				kind = "text"
			}
			return e.value(strings.ToLower(kind))
		},
		"value": controlValue,
	})
}

// controlValue is the value of a control; of a list, that of the first chosen
// entry.
func controlValue(e *element, _ goja.FunctionCall) goja.Value {
	values, _ := value(e.node)
	if len(values) == 0 {
		return e.value("")
	}
	return e.value(values[0])
}

func selectKind() map[string]getter {
	options := func(e *element) []*html.Node { return descendants(e.node, "option") }
	return with(formMembers(), map[string]getter{
		"length":   func(e *element, _ goja.FunctionCall) goja.Value { return e.value(len(options(e))) },
		"multiple": reflectFlag("multiple"), "required": reflectFlag("required"), "size": reflectNumber("size", 0),
		"options":         listOf("option"),
		"selectedOptions": func(e *element, _ goja.FunctionCall) goja.Value { return e.doc.elementList(chosenOptions(e.node)) },
		"selectedIndex": func(e *element, _ goja.FunctionCall) goja.Value {
			return e.value(slices.Index(options(e), at(chosenOptions(e.node), 0)))
		},
		"type": func(e *element, _ goja.FunctionCall) goja.Value {
			if isList(e.node) {
				return e.value("select-multiple")
			}
			return e.value("select-one")
		},
		"value": controlValue,
	})
}

func optionKind() map[string]getter {
	return map[string]getter{
		"defaultSelected": reflectFlag("selected"), "disabled": reflectFlag("disabled"), "selected": reflectFlag("selected"),
		"form": func(e *element, _ goja.FunctionCall) goja.Value {
			if list := ancestor(e.node, "select"); list != nil {
				return e.doc.element(formOf(list))
			}
			return goja.Null()
		},
		"index": func(e *element, _ goja.FunctionCall) goja.Value {
			list := ancestor(e.node, "select", "datalist")
			if list == nil {
				return e.value(0)
			}
			return e.value(slices.Index(descendants(list, "option"), e.node))
		},
		"label": func(e *element, c goja.FunctionCall) goja.Value {
			if v, ok := attribute(e.node, "label"); ok {
				return e.value(v)
			}
			return e.value(strings.TrimSpace(textOf(e.node)))
		},
		"text":  func(e *element, _ goja.FunctionCall) goja.Value { return e.value(strings.TrimSpace(textOf(e.node))) },
		"value": controlValue,
	}
}
