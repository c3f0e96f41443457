// Package wsession is what the modules k6/ws and k6/websockets have in common:
// how the parameters of a connection are read, and which metrics and tags a
// session leaves.
//
// Only these two modules call it. The connection itself is vu/client/ws's.
package wsession

import (
	"fmt"
	"log/slog"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/conv"
	"github.com/jsload/jsload/vu/client"
	"github.com/jsload/jsload/vu/client/proto"
	"github.com/jsload/jsload/vu/client/ws"
)

// Params are the parameters of a connection.
type Params struct {
	Header []proto.Field
	Tags   []metrics.Tag
	// Name is the name tag among them, which then is not in Tags; empty if there
	// is none.
	Name    string
	Jar     *client.Jar
	Deflate bool
}

// Parse reads the params object of a script; undefined and null mean none. The
// jar is the virtual user's unless the script gives one.
func Parse(h *modules.Host, v goja.Value) (Params, error) {
	p := Params{Jar: h.VU.Client.Jar()}
	if conv.IsNullish(v) {
		return p, nil
	}
	o := v.ToObject(h.Runtime)
	for _, key := range o.Keys() {
		if err := p.parse(h.Runtime, key, o.Get(key)); err != nil {
			return p, err
		}
	}
	return p, nil
}

func (p *Params) parse(rt *goja.Runtime, key string, v goja.Value) error {
	if key == "compression" && !goja.IsUndefined(v) {
		return p.parseCompression(v)
	}
	if conv.IsNullish(v) {
		return nil
	}
	switch key {
	case "headers":
		p.parseHeaders(v.ToObject(rt))
	case "tags":
		return p.parseTags(rt, v)
	case "jar":
		return p.parseJar(v)
	}
	return nil
}

func (p *Params) parseCompression(v goja.Value) error {
	if s, ok := v.(goja.String); !ok || s.String() != "deflate" {
		return fmt.Errorf("unsupported compression algorithm %q: only 'deflate' is known", v.String())
	}
	p.Deflate = true
	return nil
}

func (p *Params) parseHeaders(headers *goja.Object) {
	for _, k := range headers.Keys() {
		p.Header = append(p.Header, proto.Field{Name: k, Value: headers.Get(k).String()})
	}
}

func (p *Params) parseTags(rt *goja.Runtime, v goja.Value) error {
	tags, err := modules.Tags(rt, v)
	for _, t := range tags {
		if t.Key == "name" {
			p.Name = t.Value
			continue
		}
		p.Tags = append(p.Tags, t)
	}
	return err
}

func (p *Params) parseJar(v goja.Value) error {
	if o, ok := v.(*goja.Object); ok {
		if j, ok := o.Export().(interface{ Jar() *client.Jar }); ok {
			p.Jar = j.Jar()
			return nil
		}
	}
	return fmt.Errorf("invalid jar: %s is no CookieJar", v)
}

// Request is the connection that the script asked for.
func (p *Params) Request(url string, protocols []string) *ws.Request {
	return &ws.Request{URL: url, Header: p.Header, Protocols: protocols, Jar: p.Jar, Deflate: p.Deflate}
}

// LogFailure writes the record of a connection that was not made.
func LogFailure(h *modules.Host, url string, err error) {
	h.Run.Log.Warn("WebSocket connection failed", slog.String("url", masked(url)), slog.String("error", err.Error()))
}
