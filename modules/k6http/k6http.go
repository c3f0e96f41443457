// Package k6http is the module k6/http: it reads what a script asks for, lets the
// virtual user's client do it, records each exchange, and shows the response.
//
// The protocol, cookies, redirects and authentication are vu/client's; which tags
// a sample carries is vu/record's.
package k6http

import (
	"errors"
	"slices"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/conv"
	"github.com/jsload/jsload/modules/k6html"
	"github.com/jsload/jsload/vu/outcome"
)

type module struct{}

// New returns the module.
func New() modules.Module { return module{} }

// Names lists the named exports.
func (module) Names() []string {
	names := []string{
		"asyncRequest", "batch", "CookieJar", "cookieJar", "del", "expectedStatuses", "file", "get", "head",
		"options", "patch", "post", "put", "request", "setResponseCallback", "url",
	}
	for _, c := range constants {
		names = append(names, c.name)
	}
	return names
}

// Instantiate binds the module to a virtual user.
func (module) Instantiate(h *modules.Host) modules.Instance {
	return &instance{host: h, rt: h.Runtime, callback: outcome.Default()}
}

// constants are the exported texts.
var constants = [...]struct{ name, value string }{
	{"TLS_1_0", "tls1.0"},
	{"TLS_1_1", "tls1.1"},
	{"TLS_1_2", "tls1.2"},
	{"TLS_1_3", "tls1.3"},
	{"OCSP_STATUS_GOOD", "good"},
	{"OCSP_STATUS_REVOKED", "revoked"},
	{"OCSP_STATUS_SERVER_FAILED", "server_failed"},
	{"OCSP_STATUS_UNKNOWN", "unknown"},
	{"OCSP_REASON_UNSPECIFIED", "unspecified"},
	{"OCSP_REASON_KEY_COMPROMISE", "key_compromise"},
	{"OCSP_REASON_CA_COMPROMISE", "ca_compromise"},
	{"OCSP_REASON_AFFILIATION_CHANGED", "affiliation_changed"},
	{"OCSP_REASON_SUPERSEDED", "superseded"},
	{"OCSP_REASON_CESSATION_OF_OPERATION", "cessation_of_operation"},
	{"OCSP_REASON_CERTIFICATE_HOLD", "certificate_hold"},
	{"OCSP_REASON_REMOVE_FROM_CRL", "remove_from_crl"},
	{"OCSP_REASON_PRIVILEGE_WITHDRAWN", "privilege_withdrawn"},
	{"OCSP_REASON_AA_COMPROMISE", "aa_compromise"},
}

// instance is the module in one virtual user.
type instance struct {
	host *modules.Host
	rt   *goja.Runtime
	// callback judges responses unless a request brings its own; nil judges none.
	callback *outcome.Statuses
	// methods are the functions of response objects, made on first use and
	// shared by all of them.
	methods map[string]goja.Value
	// documents makes the HTML documents of bodies; nil until one is asked for.
	documents *k6html.Documents
}

// Export makes an export.
func (i *instance) Export(name string) goja.Value {
	if f := i.verb(name); f != nil {
		return i.rt.ToValue(f)
	}
	switch name {
	case "request":
		return i.rt.ToValue(i.request)
	case "asyncRequest":
		return i.rt.ToValue(i.asyncRequest)
	case "batch":
		return i.rt.ToValue(i.batch)
	case "CookieJar":
		return i.rt.ToValue(i.newCookieJar)
	case "cookieJar":
		return i.rt.ToValue(i.cookieJar)
	case "expectedStatuses":
		return i.rt.ToValue(i.expectedStatuses)
	case "setResponseCallback":
		return i.rt.ToValue(i.setResponseCallback)
	case "file":
		return i.rt.ToValue(i.file)
	case "url":
		return i.rt.ToValue(i.url)
	}
	for _, c := range constants {
		if c.name == name {
			return i.rt.ToValue(c.value)
		}
	}
	return nil
}

// verb returns the function of a method, nil for other exports.
func (i *instance) verb(name string) func(goja.FunctionCall) goja.Value {
	switch name {
	case "get":
		return func(c goja.FunctionCall) goja.Value { return i.bodyless("GET", "get", c) }
	case "head":
		return func(c goja.FunctionCall) goja.Value { return i.bodyless("HEAD", "head", c) }
	case "post", "put", "patch", "options", "del":
		method := map[string]string{"post": "POST", "put": "PUT", "patch": "PATCH", "options": "OPTIONS", "del": "DELETE"}[name]
		return func(c goja.FunctionCall) goja.Value {
			return i.send(method, c.Argument(0), c.Argument(1), c.Argument(2))
		}
	}
	return nil
}

func (i *instance) bodyless(method, function string, c goja.FunctionCall) goja.Value {
	if len(c.Arguments) > 2 {
		i.host.Run.Log.Warn("http." + function + "(url, params) takes no body: the third argument is ignored; did you mean http.request?")
	}
	return i.send(method, c.Argument(0), nil, c.Argument(1))
}

// request is http.request: the method is sent as it is written.
func (i *instance) request(c goja.FunctionCall) goja.Value {
	return i.send(c.Argument(0).String(), c.Argument(1), c.Argument(2), c.Argument(3))
}

// send performs a request and blocks the virtual user until it is over.
func (i *instance) send(method string, url, body, params goja.Value) goja.Value {
	i.host.NotInInit("making http requests")
	r := i.newExchange()
	if err := i.parse(r, method, url, body, params); err != nil {
		return i.refuse(r, err)
	}
	if err := i.throttle(); err != nil {
		conv.Throw(i.rt, err)
	}
	i.host.VU.Client.Do(&r.req, &r.resp)
	i.record(r)
	if err := r.thrown(); err != nil {
		conv.Throw(i.rt, err)
	}
	return i.object(r)
}

// throttle waits for the turn that the rps option gives.
func (i *instance) throttle() error {
	if i.host.Run.Throttle == nil {
		return nil
	}
	return i.host.Run.Throttle(i.host.Context())
}

// asyncRequest performs a request on another goroutine and gives a promise.
func (i *instance) asyncRequest(c goja.FunctionCall) goja.Value {
	i.host.NotInInit("making http requests")
	promise, resolve, reject := i.rt.NewPromise()
	r := i.newExchange()
	if err := i.parse(r, c.Argument(0).String(), c.Argument(1), c.Argument(2), c.Argument(3)); err != nil {
		if r.throw {
			_ = reject(i.rt.NewGoError(err))
		} else {
			_ = resolve(i.refuse(r, err))
		}
		return i.rt.ToValue(promise)
	}
	if _, isText := c.Argument(2).(goja.String); !isText {
		r.req.Body = slices.Clone(r.req.Body) // the script may write to its buffer meanwhile
	}
	client, ctx, throttle := i.host.VU.Client, i.host.Context(), i.host.Run.Throttle
	client.HoldCookies(&r.req)
	base := i.host.VU.Record.Tags()
	done := i.host.Loop.Register()
	go func() {
		var refused error
		if throttle != nil {
			refused = throttle(ctx)
		}
		if refused == nil {
			client.Do(&r.req, &r.resp)
		}
		done(func() error {
			if refused != nil {
				return reject(i.rt.NewGoError(refused))
			}
			i.host.VU.Record.Under(base, func() { i.record(r) })
			if err := r.thrown(); err != nil {
				return reject(i.rt.NewGoError(err))
			}
			return resolve(i.object(r))
		})
	}()
	return i.rt.ToValue(promise)
}

// errUnknownBody is the error for a body that is neither text, bytes nor a form.
var errUnknownBody = errors.New("unknown request body type: give a string, an ArrayBuffer, a Uint8Array or an object of form fields")
