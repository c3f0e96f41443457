package k6http

import (
	"net/url"
	"strings"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules/conv"
	"github.com/jsload/jsload/modules/k6html"
)

// html is response.html(selector): the body as a document, or what a selector
// finds in it.
func (r *response) html(c goja.FunctionCall) goja.Value {
	return r.page().Selection(conv.OptionalString(c.Argument(0)))
}

// page is the body as a document, the same one each time.
func (r *response) page() *k6html.Document {
	if r.document != nil {
		return r.document
	}
	if !r.hasBody() {
		conv.Throwf(r.inst.rt, "the body is null so we can't transform it to HTML - this likely was because of a request error getting the response")
	}
	if r.inst.documents == nil {
		r.inst.documents = k6html.NewDocuments(r.inst.host)
	}
	r.document = r.inst.documents.New(r.text(), r.resp.URL)
	return r.document
}

// arguments reads the members of an object of named arguments; those that are
// missing, undefined or null are nil.
func (i *instance) arguments(v goja.Value, names ...string) []goja.Value {
	values := make([]goja.Value, len(names))
	if conv.IsNullish(v) {
		return values
	}
	o := v.ToObject(i.rt)
	for n, name := range names {
		if member := o.Get(name); !conv.IsNullish(member) {
			values[n] = member
		}
	}
	return values
}

func textOr(v goja.Value, missing string) string {
	if v == nil {
		return missing
	}
	return v.String()
}

// clickLink is response.clickLink({selector, params}): a request for what a link
// of the page points to.
func (r *response) clickLink(c goja.FunctionCall) goja.Value {
	a := r.inst.arguments(c.Argument(0), "selector", "params")
	href, err := r.page().Link(textOr(a[0], "a[href]"))
	if err != nil {
		conv.Throw(r.inst.rt, err)
	}
	return r.inst.send("GET", r.inst.rt.ToValue(href), nil, a[1])
}

// submitForm is response.submitForm({formSelector, submitSelector, fields,
// params}): a request with the fields of a form of the page, where those of the
// script replace others of the same name.
func (r *response) submitForm(c goja.FunctionCall) goja.Value {
	i := r.inst
	a := i.arguments(c.Argument(0), "formSelector", "submitSelector", "fields", "params")
	form, err := r.page().Form(textOr(a[0], "form"), textOr(a[1], `[type="submit"]`))
	if err != nil {
		conv.Throw(i.rt, err)
	}
	fields := i.formObject(form)
	if a[2] != nil {
		own := a[2].ToObject(i.rt)
		for _, k := range own.Keys() {
			setField(fields, k, own.Get(k))
		}
	}
	if form.Method == "GET" {
		return i.send(form.Method, i.rt.ToValue(withQuery(form.Action, i.formValues(fields))), nil, a[3])
	}
	return i.send(form.Method, i.rt.ToValue(form.Action), fields, a[3])
}

// formObject is the body that a form sends. What is chosen of a list goes as one
// text, "[1 3]", as scripts of the reference tool expect.
func (i *instance) formObject(form k6html.Form) *goja.Object {
	o := i.rt.NewObject()
	for _, f := range form.Fields {
		switch {
		case f.List:
			setField(o, f.Name, i.rt.ToValue("["+strings.Join(f.Values, " ")+"]"))
		case len(f.Values) > 0:
			setField(o, f.Name, i.rt.ToValue(f.Values[0]))
		}
	}
	return o
}

// setField sets a member whatever its name: a page chooses it.
func setField(o *goja.Object, name string, v goja.Value) {
	_ = o.DefineDataProperty(name, v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
}

// withQuery replaces the query of an address, as browsers do for forms.
func withQuery(address string, query url.Values) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	u.RawQuery = query.Encode()
	return u.String()
}
