package k6http

import (
	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules/conv"
)

// html, submitForm and clickLink read the body as a document.
func (r *response) html(goja.FunctionCall) goja.Value       { return r.noDocument() }
func (r *response) submitForm(goja.FunctionCall) goja.Value { return r.noDocument() }
func (r *response) clickLink(goja.FunctionCall) goja.Value  { return r.noDocument() }

func (r *response) noDocument() goja.Value {
	conv.Throwf(r.inst.rt, "HTML documents are not supported yet")
	return nil
}
