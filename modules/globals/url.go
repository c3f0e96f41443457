package globals

import (
	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules/conv"
	"github.com/jsload/jsload/vu/value"
)

// urlObject is the Go side of a URL.
type urlObject struct {
	conv.Own
	inst   *instance
	url    *value.URL
	params *goja.Object // made when searchParams is first read
}

// Get returns an attribute.
func (o *urlObject) Get(name string) goja.Value {
	if name == "searchParams" {
		return o.searchParams()
	}
	if text, ok := o.attribute(name); ok {
		return o.inst.rt.ToValue(text)
	}
	return o.Own.Get(name)
}

func (o *urlObject) attribute(name string) (text string, ok bool) {
	u := o.url
	switch name {
	case "href":
		return u.Href(), true
	case "origin":
		return u.Origin(), true
	case "protocol":
		return u.Protocol(), true
	case "username":
		return u.Username(), true
	case "password":
		return u.Password(), true
	case "host":
		return u.Host(), true
	case "hostname":
		return u.Hostname(), true
	case "port":
		return u.Port(), true
	case "pathname":
		return u.Pathname(), true
	case "search":
		return u.Search(), true
	case "hash":
		return u.Hash(), true
	}
	return "", false
}

// Has reports whether there is such an attribute.
func (o *urlObject) Has(name string) bool {
	if _, ok := o.attribute(name); ok || name == "searchParams" {
		return true
	}
	return o.Own.Has(name)
}

// Set changes an attribute.
func (o *urlObject) Set(name string, v goja.Value) bool {
	if !o.Has(name) || o.Own.Has(name) {
		return o.Own.Set(name, v)
	}
	if name == "origin" || name == "searchParams" {
		panic(o.inst.rt.NewTypeError("Cannot set property %s of a URL, which has only a getter", name))
	}
	o.set(name, v.ToString().String())
	return true
}

func (o *urlObject) set(name, text string) {
	u := o.url
	switch name {
	case "href":
		o.url = o.inst.parseURL(text, nil)
		o.queryChanged()
	case "protocol":
		u.SetProtocol(text)
	case "username":
		u.SetUsername(text)
	case "password":
		u.SetPassword(text)
	case "host":
		u.SetHost(text)
	case "hostname":
		u.SetHostname(text)
	case "port":
		u.SetPort(text)
	case "pathname":
		u.SetPathname(text)
	case "search":
		u.SetSearch(text)
		o.queryChanged()
	case "hash":
		u.SetHash(text)
	}
}

// queryChanged makes searchParams follow.
func (o *urlObject) queryChanged() {
	if o.params == nil {
		return
	}
	if p, ok := conv.Self[*paramsObject](o.params); ok {
		p.pairs = value.ParseForm(o.url.Query())
	}
}

func (o *urlObject) searchParams() goja.Value {
	if o.params == nil {
		o.params = o.inst.paramsClass().Wrap(&paramsObject{inst: o.inst, of: o, pairs: value.ParseForm(o.url.Query())})
	}
	return o.params
}

func (i *instance) urlClass() goja.Value {
	class := conv.NewClass(i.rt, conv.ClassSpec{
		Name: "URL",
		New: func(c goja.ConstructorCall) goja.DynamicObject {
			if len(c.Arguments) == 0 {
				panic(i.rt.NewTypeError("URL needs an argument"))
			}
			return &urlObject{inst: i, url: i.parseURL(c.Argument(0).ToString().String(), c.Argument(1))}
		},
		Method: func(name string) func(goja.FunctionCall) goja.Value {
			if name == "toString" || name == "toJSON" {
				return func(c goja.FunctionCall) goja.Value {
					return i.rt.ToValue(conv.MustSelf[*urlObject](i.rt, c.This, "URL").url.Href())
				}
			}
			return nil
		},
	})
	_ = class.Constructor.Set("canParse", func(c goja.FunctionCall) goja.Value {
		_, err := parseWithBase(c.Argument(0).ToString().String(), c.Argument(1))
		return i.rt.ToValue(err == nil)
	})
	_ = class.Constructor.Set("parse", func(c goja.FunctionCall) goja.Value {
		u, err := parseWithBase(c.Argument(0).ToString().String(), c.Argument(1))
		if err != nil {
			return goja.Null()
		}
		return class.Wrap(&urlObject{inst: i, url: u})
	})
	return class.Constructor
}

// parseURL parses or raises a TypeError.
func (i *instance) parseURL(text string, base goja.Value) *value.URL {
	u, err := parseWithBase(text, base)
	if err != nil {
		panic(i.rt.NewTypeError("Invalid URL: %s", shortened(text)))
	}
	return u
}

func parseWithBase(text string, base goja.Value) (*value.URL, error) {
	if base == nil || goja.IsUndefined(base) {
		return value.ParseURL(text, nil)
	}
	b, err := value.ParseURL(base.ToString().String(), nil)
	if err != nil {
		return nil, err
	}
	return value.ParseURL(text, b)
}

// shortened keeps messages readable when what they quote is huge.
func shortened(s string) string {
	const most = 200
	if len(s) <= most {
		return s
	}
	return s[:most] + "..."
}
