package k6http

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/conv"
	"github.com/jsload/jsload/vu/client"
)

// cookieJar is a jar as a script sees it.
type cookieJar struct {
	rt   *goja.Runtime
	jar  *client.Jar
	made map[string]goja.Value
}

// Jar is the jar itself, for modules that take one in their params.
func (j *cookieJar) Jar() *client.Jar { return j.jar }

var jarKeys = []string{"clear", "cookiesForURL", "delete", "set"}

// cookieJar is http.cookieJar: the virtual user's own jar.
func (i *instance) cookieJar(goja.FunctionCall) goja.Value {
	i.host.NotInInit("getting the VU's cookie jar")
	return i.rt.NewDynamicObject(&cookieJar{rt: i.rt, jar: i.host.VU.Client.Jar()})
}

// newCookieJar is the class http.CookieJar.
func (i *instance) newCookieJar(goja.ConstructorCall) *goja.Object {
	return i.rt.NewDynamicObject(&cookieJar{rt: i.rt, jar: &client.Jar{}})
}

// Get returns a method.
func (j *cookieJar) Get(key string) goja.Value {
	if v, ok := j.made[key]; ok {
		return v
	}
	call := map[string]func(*cookieJar, goja.FunctionCall) goja.Value{
		"clear": (*cookieJar).clear, "cookiesForURL": (*cookieJar).cookiesForURL,
		"delete": (*cookieJar).remove, "set": (*cookieJar).set,
	}[key]
	if call == nil {
		return nil
	}
	v := modules.Function(j.rt, key, func(c goja.FunctionCall) goja.Value { return call(j, c) })
	if j.made == nil {
		j.made = make(map[string]goja.Value)
	}
	j.made[key] = v
	return v
}

// Set refuses.
func (j *cookieJar) Set(string, goja.Value) bool { return false }

// Has reports whether there is a method of that name.
func (j *cookieJar) Has(key string) bool { return slices.Contains(jarKeys, key) }

// Delete refuses.
func (j *cookieJar) Delete(string) bool { return false }

// Keys lists the methods.
func (j *cookieJar) Keys() []string { return jarKeys }

func (j *cookieJar) address(v goja.Value) *url.URL {
	u, err := url.Parse(v.String())
	if err != nil {
		conv.Throw(j.rt, fmt.Errorf("invalid URL: %w", err))
	}
	return u
}

func (j *cookieJar) cookiesForURL(c goja.FunctionCall) goja.Value {
	o := j.rt.NewObject()
	byName := map[string][]any{}
	var order []string
	for _, cookie := range j.jar.Cookies(j.address(c.Argument(0))) {
		if byName[cookie.Name] == nil {
			order = append(order, cookie.Name)
		}
		byName[cookie.Name] = append(byName[cookie.Name], cookie.Value)
	}
	for _, name := range order {
		_ = o.Set(name, j.rt.NewArray(byName[name]...))
	}
	return o
}

func (j *cookieJar) clear(c goja.FunctionCall) goja.Value {
	j.jar.Clear(j.address(c.Argument(0)))
	return goja.Undefined()
}

func (j *cookieJar) remove(c goja.FunctionCall) goja.Value {
	j.jar.Delete(j.address(c.Argument(0)), c.Argument(1).String())
	return goja.Undefined()
}

func (j *cookieJar) set(c goja.FunctionCall) goja.Value {
	u := j.address(c.Argument(0))
	cookie := &http.Cookie{Name: c.Argument(1).String(), Value: c.Argument(2).String()}
	if !conv.IsNullish(c.Argument(3)) {
		j.attributes(cookie, c.Argument(3).ToObject(j.rt))
	}
	j.jar.Set(u, cookie)
	return j.rt.ToValue(true)
}

func (j *cookieJar) attributes(cookie *http.Cookie, o *goja.Object) {
	for _, k := range o.Keys() {
		v := o.Get(k)
		if conv.IsNullish(v) {
			continue
		}
		switch k {
		case "domain":
			cookie.Domain = v.String()
		case "path":
			cookie.Path = v.String()
		case "secure":
			cookie.Secure = v.ToBoolean()
		case "http_only":
			cookie.HttpOnly = v.ToBoolean()
		case "max_age":
			cookie.MaxAge = int(v.ToInteger())
		case "expires":
			t, err := time.Parse(time.RFC1123, v.String())
			if err != nil {
				conv.Throw(j.rt, fmt.Errorf("unable to parse \"expires\" date string %q, it has to be in the form of RFC 1123: %w", v.String(), err))
			}
			cookie.Expires = t
		}
	}
}
