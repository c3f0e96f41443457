package k6http

import (
	"net/http"
	"slices"
	"strings"
	"unsafe"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/conv"
	"github.com/jsload/jsload/modules/k6html"
	"github.com/jsload/jsload/vu/outcome"
)

// response is the object a script gets for an exchange. Members are made when
// they are read, and are the same object each time.
type response struct {
	*exchange
	inst *instance

	body, headers, cookies, timings, request, ocsp, parsed goja.Value
	// document is the body as HTML, nil until it is asked for.
	document *k6html.Document
	// written holds what the script assigned to members.
	written map[string]goja.Value
}

var responseKeys = []string{
	"remote_ip", "remote_port", "url", "status", "status_text", "proto", "headers", "cookies", "body", "timings",
	"tls_version", "tls_cipher_suite", "ocsp", "error", "error_code", "request",
	"json", "html", "submitForm", "clickLink",
}

// object makes the response object.
func (i *instance) object(r *exchange) goja.Value {
	r.view.exchange, r.view.inst = r, i
	return i.rt.NewDynamicObject(&r.view)
}

// Get returns a member.
func (r *response) Get(key string) goja.Value {
	if v, ok := r.written[key]; ok {
		return v
	}
	rt, x := r.inst.rt, &r.resp.Exchange
	switch key {
	case "status":
		return rt.ToValue(x.Status)
	case "body":
		return r.once(&r.body, r.makeBody)
	case "headers":
		return r.once(&r.headers, r.makeHeaders)
	case "timings":
		return r.once(&r.timings, r.makeTimings)
	case "cookies":
		return r.once(&r.cookies, r.makeCookies)
	case "request":
		return r.once(&r.request, r.makeRequest)
	case "ocsp":
		return r.once(&r.ocsp, r.makeOCSP)
	case "url":
		return rt.ToValue(r.url())
	case "status_text":
		return rt.ToValue(x.StatusText)
	case "proto":
		return rt.ToValue(x.Proto)
	case "remote_ip":
		return rt.ToValue(x.RemoteIP)
	case "remote_port":
		return rt.ToValue(x.RemotePort)
	case "tls_version":
		return rt.ToValue(x.TLSVersion)
	case "tls_cipher_suite":
		return rt.ToValue(x.TLSCipher)
	case "error":
		return rt.ToValue(r.errorText())
	case "error_code":
		return rt.ToValue(r.errorCode())
	case "json", "html", "submitForm", "clickLink":
		return r.inst.method(key)
	}
	return nil
}

func (r *response) once(slot *goja.Value, make1 func() goja.Value) goja.Value {
	if *slot == nil {
		*slot = make1()
	}
	return *slot
}

// Set replaces a member; there are no others.
func (r *response) Set(key string, v goja.Value) bool {
	if !r.Has(key) {
		panic(r.inst.rt.NewTypeError("Cannot assign to property %s of a host object", key))
	}
	if r.written == nil {
		r.written = make(map[string]goja.Value)
	}
	r.written[key] = v
	return true
}

// Has reports whether there is a member of that name.
func (r *response) Has(key string) bool { return slices.Contains(responseKeys, key) }

// Delete refuses.
func (r *response) Delete(string) bool { return false }

// Keys lists the members.
func (r *response) Keys() []string { return responseKeys }

func (r *response) url() string {
	if r.paramErr != nil {
		return r.req.URL
	}
	return r.resp.URL
}

func (r *response) errorText() string {
	switch {
	case r.paramErr != nil:
		return r.paramErr.Error()
	case r.resp.Err != nil:
		return r.resp.Err.Text
	}
	return ""
}

func (r *response) errorCode() int {
	if r.paramErr != nil {
		return codeOf(r.paramErr)
	}
	return r.resp.ErrorCode()
}

// makeBody gives null where there is no body, else text or an ArrayBuffer over
// the bytes that came.
func (r *response) makeBody() goja.Value {
	switch {
	case r.kind == asNone || r.resp.Body == nil:
		return goja.Null()
	case r.kind == asBinary:
		return r.inst.rt.ToValue(r.inst.rt.NewArrayBuffer(r.resp.Body))
	}
	return r.inst.rt.ToValue(r.text())
}

// makeHeaders joins fields of the same name, in the order of the answer.
func (r *response) makeHeaders() goja.Value {
	o := r.inst.rt.NewObject()
	joined := map[string]string{}
	var order []string
	for name, value := range r.resp.Header.All() {
		name = http.CanonicalHeaderKey(name)
		if old, ok := joined[name]; ok {
			joined[name] = old + ", " + value
			continue
		}
		joined[name] = value
		order = append(order, name)
	}
	for _, name := range order {
		_ = o.Set(name, joined[name])
	}
	return o
}

// makeCookies lists the cookies that the final answer set, by name.
func (r *response) makeCookies() goja.Value {
	rt := r.inst.rt
	byName := map[string][]any{}
	var order []string
	for _, c := range r.resp.Cookies() {
		if byName[c.Name] == nil {
			order = append(order, c.Name)
		}
		byName[c.Name] = append(byName[c.Name], cookieObject(rt, c))
	}
	o := rt.NewObject()
	for _, name := range order {
		_ = o.Set(name, rt.NewArray(byName[name]...))
	}
	return o
}

func cookieObject(rt *goja.Runtime, c *http.Cookie) *goja.Object {
	o := rt.NewObject()
	_ = o.Set("name", c.Name)
	_ = o.Set("value", c.Value)
	_ = o.Set("domain", c.Domain)
	_ = o.Set("path", c.Path)
	_ = o.Set("http_only", c.HttpOnly)
	_ = o.Set("secure", c.Secure)
	_ = o.Set("max_age", c.MaxAge)
	// The zero time stands for a cookie without expiry. In milliseconds it
	// overflows to the number that scripts know.
	_ = o.Set("expires", c.Expires.UnixNano()/1e6)
	return o
}

var timingKeys = []string{"duration", "blocked", "looking_up", "connecting", "tls_handshaking", "sending", "waiting", "receiving"}

func (r *response) makeTimings() goja.Value {
	rt, t := r.inst.rt, r.resp.Timings
	return rt.NewDynamicObject(&timings{rt: rt, ns: [...]int64{
		t.Duration(), t.Blocked, 0, t.Connecting, t.TLSHandshaking, t.Sending, t.Waiting, t.Receiving,
	}})
}

// timings is the object of the phases of a request, in milliseconds.
type timings struct {
	rt      *goja.Runtime
	ns      [8]int64 // in the order of timingKeys
	written map[string]goja.Value
}

// Get returns a phase.
func (t *timings) Get(key string) goja.Value {
	if v, ok := t.written[key]; ok {
		return v
	}
	if n := slices.Index(timingKeys, key); n >= 0 {
		return t.rt.ToValue(float64(t.ns[n]) / 1e6)
	}
	return nil
}

// Set replaces a phase.
func (t *timings) Set(key string, v goja.Value) bool {
	if !t.Has(key) {
		panic(t.rt.NewTypeError("Cannot assign to property %s of a host object", key))
	}
	if t.written == nil {
		t.written = make(map[string]goja.Value)
	}
	t.written[key] = v
	return true
}

// Has reports whether there is a phase of that name.
func (t *timings) Has(key string) bool { return slices.Contains(timingKeys, key) }

// Delete refuses.
func (t *timings) Delete(string) bool { return false }

// Keys lists the phases.
func (t *timings) Keys() []string { return timingKeys }

// makeRequest shows the request as it was first sent.
func (r *response) makeRequest() goja.Value {
	rt, sent := r.inst.rt, &r.resp.Sent
	o, headers, cookies := rt.NewObject(), rt.NewObject(), rt.NewObject()
	for _, f := range sent.Header {
		_ = headers.Set(f.Name, rt.NewArray(f.Value))
	}
	for _, c := range r.req.Cookies {
		one := rt.NewObject()
		_ = one.Set("name", c.Name)
		_ = one.Set("value", c.Value)
		_ = one.Set("replace", c.Replace)
		_ = cookies.Set(c.Name, rt.NewArray(one))
	}
	url := sent.URL
	if url == "" {
		url = r.req.URL
	}
	_ = o.Set("method", r.req.Method)
	_ = o.Set("url", url)
	_ = o.Set("headers", headers)
	_ = o.Set("body", string(sent.Body))
	_ = o.Set("cookies", cookies)
	return o
}

func (r *response) makeOCSP() goja.Value {
	s := r.resp.Stapled()
	o := r.inst.rt.NewObject()
	_ = o.Set("produced_at", s.ProducedAt)
	_ = o.Set("this_update", s.ThisUpdate)
	_ = o.Set("next_update", s.NextUpdate)
	_ = o.Set("revoked_at", s.RevokedAt)
	_ = o.Set("revocation_reason", s.Reason)
	_ = o.Set("status", s.Status)
	return o
}

// method returns a function that all responses share; it finds the response by
// its this.
func (i *instance) method(name string) goja.Value {
	if f, ok := i.methods[name]; ok {
		return f
	}
	call := map[string]func(*response, goja.FunctionCall) goja.Value{
		"json": (*response).json, "html": (*response).html,
		"submitForm": (*response).submitForm, "clickLink": (*response).clickLink,
	}[name]
	f := modules.Function(i.rt, name, func(c goja.FunctionCall) goja.Value {
		r := responseOf(c.This)
		if r == nil {
			conv.Throwf(i.rt, name+"() must be called on a response")
		}
		return call(r, c)
	})
	if i.methods == nil {
		i.methods = make(map[string]goja.Value, 4)
	}
	i.methods[name] = f
	return f
}

func responseOf(v goja.Value) *response {
	o, ok := v.(*goja.Object)
	if !ok {
		return nil
	}
	r, _ := o.Export().(*response)
	return r
}

// hasBody tells whether there is a body to read.
func (r *response) hasBody() bool { return r.kind != asNone && r.resp.Body != nil }

// text is the body as text, whatever the script asked for. It shares the bytes
// unless the script can write to them: they belong to this response alone, and
// nothing else changes them.
func (r *response) text() string {
	if r.kind == asBinary {
		return string(r.resp.Body)
	}
	return unsafe.String(unsafe.SliceData(r.resp.Body), len(r.resp.Body))
}

// taggedURL is what http.url makes: an address with the template it came from.
type taggedURL struct {
	rt        *goja.Runtime
	name, url string
}

var urlKeys = []string{"clean", "clean_url", "getURL", "name", "url"}

// url is the template tag http.url.
func (i *instance) url(c goja.FunctionCall) goja.Value {
	parts, ok := c.Argument(0).(*goja.Object)
	if !ok {
		conv.Throwf(i.rt, "http.url is a template tag: write http.url`...`")
	}
	var name, address strings.Builder
	for n := range int(parts.Get("length").ToInteger()) {
		part := element(parts, n).String()
		name.WriteString(part)
		address.WriteString(part)
		if n+1 < len(c.Arguments) {
			name.WriteString("${}")
			address.WriteString(c.Arguments[n+1].String())
		}
	}
	return i.rt.NewDynamicObject(&taggedURL{rt: i.rt, name: name.String(), url: address.String()})
}

// Get returns a member.
func (u *taggedURL) Get(key string) goja.Value {
	switch key {
	case "name":
		return u.rt.ToValue(u.name)
	case "url":
		return u.rt.ToValue(u.url)
	case "clean_url":
		return u.rt.ToValue(outcome.CleanURL(u.url))
	case "clean":
		return u.rt.ToValue(func(goja.FunctionCall) goja.Value { return u.rt.ToValue(outcome.CleanURL(u.url)) })
	case "getURL":
		return u.rt.ToValue(func(goja.FunctionCall) goja.Value { return u.rt.ToValue(u.url) })
	}
	return nil
}

// Set refuses.
func (u *taggedURL) Set(string, goja.Value) bool { return false }

// Has reports whether there is a member of that name.
func (u *taggedURL) Has(key string) bool { return slices.Contains(urlKeys, key) }

// Delete refuses.
func (u *taggedURL) Delete(string) bool { return false }

// Keys lists the members.
func (u *taggedURL) Keys() []string { return urlKeys }

var _ modules.Instance = (*instance)(nil)
