package target

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/valyala/fasthttp"
)

// Echo is what /echo answers.
type Echo struct {
	Method string `json:"method"`
	// URL is the request target as it was sent.
	URL   string            `json:"url"`
	Path  string            `json:"path"`
	Query map[string]string `json:"query"`
	Proto string            `json:"proto"`
	// Headers holds names as they were sent; values of repeated ones are joined
	// with ", ".
	Headers map[string]string `json:"headers"`
	// RawHeaders holds every header line in the order of the wire.
	RawHeaders [][2]string `json:"rawHeaders"`
	// Body is the body when it is valid UTF-8, BodyBase64 otherwise.
	Body       string `json:"body"`
	BodyBase64 string `json:"bodyBase64,omitempty"`
}

func echo(ctx *fasthttp.RequestCtx) {
	e := Echo{
		Method:     string(ctx.Method()),
		URL:        string(ctx.RequestURI()),
		Path:       string(ctx.Path()),
		Query:      map[string]string{},
		Proto:      string(ctx.Request.Header.Protocol()),
		Headers:    map[string]string{},
		RawHeaders: [][2]string{},
	}
	for k, v := range ctx.QueryArgs().All() {
		e.Query[string(k)] = string(v)
	}
	for k, v := range ctx.Request.Header.AllInOrder() {
		name, value := string(k), string(v)
		e.RawHeaders = append(e.RawHeaders, [2]string{name, value})
		if before, ok := e.Headers[name]; ok {
			value = before + ", " + value
		}
		e.Headers[name] = value
	}
	body := ctx.Request.Body()
	if utf8.Valid(body) {
		e.Body = string(body)
	} else {
		e.BodyBase64 = base64.StdEncoding.EncodeToString(body)
	}
	writeJSON(ctx, e)
}

func status(ctx *fasthttp.RequestCtx, arg []byte) {
	code, ok := decimal(arg, 999)
	if !ok || code < 200 {
		refuse(ctx, fasthttp.StatusBadRequest, "/status/{code}: code is 200 to 999")
		return
	}
	ctx.SetStatusCode(code)
	if code == fasthttp.StatusNoContent || code == fasthttp.StatusNotModified {
		return
	}
	ctx.SetContentType(textPlain)
	ctx.SetBodyString(strconv.Itoa(code))
}

// redirect answers n redirects in a row, then 200.
func redirect(ctx *fasthttp.RequestCtx, arg []byte) {
	n, ok := decimal(arg, 1000)
	code := ctx.QueryArgs().GetUintOrZero("code")
	if code == 0 {
		code = fasthttp.StatusFound
	}
	if !ok || code < 300 || code > 399 {
		refuse(ctx, fasthttp.StatusBadRequest, "/redirect/{n}?code=302: n is at most 1000, code a 3xx status")
		return
	}
	ctx.SetContentType(textPlain)
	if n == 0 {
		ctx.SetBodyString("ok")
		return
	}
	to := fmt.Sprintf("/redirect/%d", n-1)
	if query := ctx.QueryArgs().QueryString(); len(query) > 0 {
		to += "?" + string(query)
	}
	ctx.SetStatusCode(code)
	ctx.Response.Header.Set("Location", to)
}

// cookies shows the cookies of the request and sets those named in the query.
func cookies(ctx *fasthttp.RequestCtx) {
	sent := map[string]string{}
	for k, v := range ctx.Request.Header.Cookies() {
		sent[string(k)] = string(v)
	}
	for k, v := range ctx.QueryArgs().All() {
		ctx.Response.Header.Add("Set-Cookie", string(k)+"="+string(v)+"; Path=/")
	}
	writeJSON(ctx, map[string]any{"cookies": sent})
}

// packedBodies are the bodies of the routes that compress.
type packedBodies map[route][]byte

// packBodies compresses one document of about 8 KB in each way.
func packBodies() packedBodies {
	plain := []byte(`{"compressed":true,"items":[`)
	for i := range 200 {
		if i > 0 {
			plain = append(plain, ',')
		}
		plain = fmt.Appendf(plain, `{"id":%d,"name":"item %d","even":%t}`, i, i, i%2 == 0)
	}
	plain = append(plain, "]}"...)
	return packedBodies{
		routeGzip:    fasthttp.AppendGzipBytes(nil, plain),
		routeDeflate: fasthttp.AppendDeflateBytes(nil, plain),
		routeBrotli:  fasthttp.AppendBrotliBytes(nil, plain),
		routeZstd:    fasthttp.AppendZstdBytes(nil, plain),
	}
}

// compressed answers a compressed document, whatever the client accepts.
func (s *rich) compressed(ctx *fasthttp.RequestCtx, r route) {
	ctx.SetContentType("application/json")
	ctx.Response.Header.Set("Content-Encoding", r.String()[1:])
	ctx.Response.SetBodyRaw(s.packed()[r])
}
