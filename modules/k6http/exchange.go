package k6http

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/conv"
	"github.com/jsload/jsload/vu/client"
	"github.com/jsload/jsload/vu/client/proto"
	"github.com/jsload/jsload/vu/options"
	"github.com/jsload/jsload/vu/outcome"
)

// responseType is what becomes of a body.
type responseType uint8

const (
	asText responseType = iota
	asBinary
	asNone
)

// exchange is one call of the script: what it asked for and what came back. It
// is also what the response object reads from.
type exchange struct {
	req  client.Request
	resp client.Response

	name     string // of the name tag, empty if none was given
	tags     []metrics.Tag
	kind     responseType
	callback *outcome.Statuses
	throw    bool
	host     string // of the address, in a batch
	// paramErr is why the request was never made.
	paramErr error

	// view is the response object and room the place of the one exchange that most
	// calls make: all of a call is one allocation.
	view response
	room [1]proto.Exchange
}

func (i *instance) newExchange() *exchange {
	r := &exchange{callback: i.callback}
	r.resp.Exchanges = r.room[:0]
	if o := i.host.Run.Options; o != nil {
		if debugs(o) {
			r.req.OnExchange = i.dumper(o.HTTPDebug.V == "full")
		}
		r.throw = o.Throw.V
		if o.DiscardResponseBodies.V {
			r.kind = asNone
		}
	}
	return r
}

// thrown is the exception that a script gets for what came back, nil for none: an
// error if it wants exceptions, a switch of protocols always.
func (r *exchange) thrown() error {
	switch {
	case r.resp.Err == nil && r.resp.Status == http.StatusSwitchingProtocols:
		return outcome.ErrSwitch
	case r.resp.Err != nil && r.throw:
		return outcome.Failure(&r.req, &r.resp)
	}
	return nil
}

// parse reads the arguments of a call.
func (i *instance) parse(r *exchange, method string, url, body, params goja.Value) error {
	r.req.Method = method
	// The params come first: whether a bad address throws stands in them.
	if !conv.IsNullish(params) {
		if err := i.parseParams(r, params.ToObject(i.rt)); err != nil {
			return err
		}
	}
	if err := i.parseURL(r, url); err != nil {
		return err
	}
	if !conv.IsNullish(body) {
		if err := i.parseBody(r, body); err != nil {
			return err
		}
	}
	r.req.Discard = r.kind == asNone
	i.warnLength(r)
	return nil
}

// warnLength tells a script whose Content-Length is wrong that it is not sent.
func (i *instance) warnLength(r *exchange) {
	for _, f := range r.req.Header {
		if strings.EqualFold(f.Name, "Content-Length") && f.Value != strconv.Itoa(len(r.req.Body)) {
			i.host.Run.Log.Warn(fmt.Sprintf("the header Content-Length: %s is not sent: the body has %d bytes", f.Value, len(r.req.Body)))
		}
	}
}

// parseURL takes a string or what http.url made.
func (i *instance) parseURL(r *exchange, v goja.Value) error {
	if s, ok := v.(goja.String); ok {
		r.req.URL = s.String()
		return nil
	}
	if o, ok := v.(*goja.Object); ok {
		if u, ok := o.Export().(*taggedURL); ok {
			r.req.URL = u.url
			if r.name == "" {
				r.name = u.name
			}
			return nil
		}
	}
	return &proto.Error{Code: proto.CodeInvalidURL, Text: fmt.Sprintf("invalid URL: %s is neither a string nor made by http.url", v)}
}

// parseParams reads the params object of a call.
func (i *instance) parseParams(r *exchange, params *goja.Object) error {
	for _, key := range params.Keys() {
		if err := i.parseParam(r, key, params.Get(key)); err != nil {
			return err
		}
	}
	return nil
}

func (i *instance) parseParam(r *exchange, key string, v goja.Value) (err error) {
	if v == nil || goja.IsUndefined(v) {
		return nil
	}
	switch key {
	case "responseCallback":
		return i.paramCallback(r, v)
	case "timeout":
		r.req.Timeout, err = timeout(v)
		return err
	}
	if goja.IsNull(v) {
		return nil
	}
	switch key {
	case "headers":
		i.paramHeaders(r, v.ToObject(i.rt))
	case "cookies":
		i.paramCookies(r, v.ToObject(i.rt))
	case "tags":
		return i.paramTags(r, v)
	case "jar":
		return paramJar(r, v)
	case "redirects":
		paramRedirects(r, v)
	case "auth":
		r.req.Auth = authOf(v.String())
	case "compression":
		r.req.Compression, err = client.ParseEncodings(v.String())
	case "responseType":
		r.kind, err = kindOf(v.String())
	case "throw":
		r.throw = v.ToBoolean()
	case "protocol":
		r.req.Protocol, err = proto.ParseProtocol(v.String())
	}
	return err
}

func timeout(v goja.Value) (time.Duration, error) {
	if s, ok := v.(goja.String); ok {
		d, err := options.ParseDuration(s.String())
		if err != nil {
			return 0, fmt.Errorf("invalid timeout value: %w", err)
		}
		return d.Std(), nil
	}
	switch x := v.Export().(type) {
	case int64:
		return time.Duration(x) * time.Millisecond, nil
	case float64:
		return time.Duration(x * float64(time.Millisecond)), nil
	}
	return 0, fmt.Errorf("invalid timeout value: %s is neither a number of milliseconds nor a string such as '5s'", v)
}

func (i *instance) paramHeaders(r *exchange, headers *goja.Object) {
	keys := headers.Keys()
	r.req.Header = make([]proto.Field, 0, len(keys)+1)
	for _, k := range keys {
		r.req.Header = append(r.req.Header, proto.Field{Name: k, Value: headers.Get(k).String()})
	}
}

func (i *instance) paramCookies(r *exchange, cookies *goja.Object) {
	for _, name := range cookies.Keys() {
		c := client.Cookie{Name: name}
		v := cookies.Get(name)
		if o, ok := v.(*goja.Object); ok {
			if value := o.Get("value"); value != nil {
				c.Value = value.String()
			}
			if replace := o.Get("replace"); replace != nil {
				c.Replace = replace.ToBoolean()
			}
		} else if !conv.IsNullish(v) {
			c.Value = v.String()
		}
		r.req.Cookies = append(r.req.Cookies, c)
	}
}

func (i *instance) paramTags(r *exchange, v goja.Value) error {
	tags, err := modules.Tags(i.rt, v)
	for _, t := range tags {
		if t.Key == "name" {
			r.name = t.Value
			continue
		}
		r.tags = append(r.tags, t)
	}
	return err
}

func paramJar(r *exchange, v goja.Value) error {
	o, ok := v.(*goja.Object)
	if ok {
		if j, ok := o.Export().(*cookieJar); ok {
			r.req.Jar = j.jar
			return nil
		}
	}
	return fmt.Errorf("invalid jar: %s is no CookieJar", v)
}

// paramRedirects takes the limit of redirects; a negative one means the run's.
func paramRedirects(r *exchange, v goja.Value) {
	switch n := int(v.ToInteger()); {
	case n == 0:
		r.req.Redirects = -1
	case n > 0:
		r.req.Redirects = n
	}
}

func (i *instance) paramCallback(r *exchange, v goja.Value) error {
	s, err := callbackOf(v)
	r.callback = s
	return err
}

func authOf(name string) client.Auth {
	switch name {
	case "digest":
		return client.Digest
	case "ntlm":
		return client.NTLM
	}
	return client.Basic
}

func kindOf(name string) (responseType, error) {
	switch name {
	case "text", "":
		return asText, nil
	case "binary":
		return asBinary, nil
	case "none":
		return asNone, nil
	}
	return asText, fmt.Errorf("invalid responseType %q: use text, binary or none", name)
}

// refuse is what a call gives whose arguments are wrong: an exception if the
// script wants one, else a warning and a response with status 0.
func (i *instance) refuse(r *exchange, err error) goja.Value {
	if r.throw {
		conv.Throw(i.rt, err)
	}
	r.paramErr = err
	i.warnFailed(err)
	return i.object(r)
}

func (i *instance) warnFailed(err error) { outcome.Warn(i.host.Run.Log, err) }

// record makes a sample of each exchange and logs a failure.
func (i *instance) record(r *exchange) {
	o := i.host.Run.Options
	outcome.Record(i.host.VU.Record, i.host.Run.Log, &r.req, &r.resp,
		&outcome.Call{Name: r.name, Tags: r.tags, Statuses: r.callback}, o != nil && o.MaxRedirects.Set)
}
