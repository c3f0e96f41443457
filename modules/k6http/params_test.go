package k6http_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/jsload/jsload/modules/moduletest"
	"github.com/jsload/jsload/vu/options"
)

// TestParams goes through the params of a request.
func TestParams(t *testing.T) {
	b, _ := bench(t, moduletest.Config{})
	for _, tc := range []struct{ snippet, want string }{
		// Whatever is no params object, and null members, are as if absent.
		{`[null, undefined, 'x', 1, {}, { headers: null, tags: null, cookies: null, jar: null, redirects: null, auth: null }, { what: 1 }, { tags: 'x' }].map((p) => m.get(url, p).status).join()`, "200,200,200,200,200,200,200,200"},
		{`[{ timeout: 'soon' }, { timeout: null }, { timeout: {} }, { tags: { a: {} } }, { tags: { a: null } }, { compression: 'lzma' }, { responseType: 'blob' }, { jar: {} }, { responseCallback: 200 }].map((p) => m.get(url, p).status).join()`, "0,0,0,0,0,0,0,0,0"},
		{`m.get(url, { timeout: 'soon' }).error.startsWith('invalid timeout value')`, "true"},
		{`m.get(url, { cookies: { a: 1, b: { value: '2' }, c: { value: 3, replace: true } } }).json('Header.Cookie.0')`, "a=1; b=2; c=3"},
		{`m.get(url + '/to?url=/x', { redirects: 0 }).status + ' ' + m.get(url + '/to?url=/x', { redirects: 1 }).status + ' ' + m.get(url + '/to?url=/x', { redirects: -1 }).status`, "302 200 200"},
		{`m.post(url, 'zzzz', { compression: 'gzip' }).json('Header.Content-Encoding.0') + m.post(url, 'z', { compression: 'gzip, br' }).json('Header.Content-Encoding.0')`, "gzipgzip, br"},
		{`m.post(url, 'plain', { compression: '' }).json('Body')`, "plain"},
		{`[m.get(url + '/text/hi', { responseType: 'text' }).body, new Uint8Array(m.get(url + '/text/hi', { responseType: 'binary' }).body).join('+'), m.get(url + '/text/hi', { responseType: 'none' }).body].join()`, "hi,104+105,"},
		{`m.get(url.replace('//', '//user:pass@')).json('Header.Authorization.0')`, "Basic dXNlcjpwYXNz"},
		{`m.get(url.replace('//', '//user:pass@'), { auth: 'basic' }).json('Header.Authorization.0')`, "Basic dXNlcjpwYXNz"},
		{`m.get(url, { auth: 'ntlm' }).error`, "NTLM authentication is not supported"},
	} {
		b.Want("return "+tc.snippet, tc.want)
	}
}

func TestTimeout(t *testing.T) {
	b, _ := bench(t, moduletest.Config{})
	b.Want(`return [60, '60ms', 60.5].map((timeout) => m.get(url + '/hang', { timeout }).error_code).join()`, "1050,1050,1050")
	b.Want(`const r = m.get(url + '/hang', { timeout: 60 }); return r.error + r.status + r.body`, "request timeout0null")
	if log := b.Log(); !strings.Contains(log, `/hang\": request timeout`) {
		t.Errorf("logged %s", log)
	}
}

func TestThrow(t *testing.T) {
	b, _ := bench(t, moduletest.Config{Options: &options.Options{Throw: options.Null[bool]{Set: true, V: true}}})
	_ = b.Host.Runtime.Set("refused", refusedAddress(t))
	b.Throws("m.get(`http://${refused}/x`)", `GoError: Get "http://`+b.Text("return refused")+`/x": dial tcp `+b.Text("return refused")+": connect: connection refused")
	b.Throws("m.batch([`http://${refused}/x`])", "connection refused")
	b.Throws("return m.asyncRequest('GET', `http://${refused}/x`)", "connection refused")
	b.Throws(`m.post(url, 12)`, "unknown request body type")
	b.Throws(`return m.asyncRequest('POST', url, 12)`, "unknown request body type")
	b.Want("return m.get(`http://${refused}/x`, { throw: false }).error_code + m.get(url + '/status/500').status", "1712")
	b.Want("return m.asyncRequest('GET', null, null, { throw: false }).then((r) => r.error_code)", "1020")
	if log := b.Log(); strings.Count(log, "level=WARN") != 5 {
		t.Errorf("each failure is logged once: %s", log)
	}
}

func TestDiscard(t *testing.T) {
	b, _ := bench(t, moduletest.Config{Options: &options.Options{DiscardResponseBodies: options.Null[bool]{Set: true, V: true}}})
	b.Want(`return [m.get(url + '/text/hi').body, m.get(url + '/text/hi', { responseType: 'text' }).body, m.get(url, { responseType: 'binary' }).body.byteLength > 0, m.get(url, { responseType: 'none' }).body].join()`, ",hi,true,")
	b.Throws(`m.get(url).json()`, "the body is null so we can't transform it to JSON")
	b.Throws(`m.get(url).html()`, "the body is null so we can't transform it to HTML")
}

// TestRedirects checks which request a response shows and that reaching the limit
// is told once, unless the limit was set.
func TestRedirects(t *testing.T) {
	b, _ := bench(t, moduletest.Config{Tap: true})
	b.Want(`const r = m.post(url + '/to?url=/there', 'body', { tags: { name: 'n' } }); return [r.url.replace(url, ''), r.json('Method'), r.json('Body'), r.request.method, r.request.body, r.request.url.replace(url, '')].join()`,
		"/there,GET,,POST,body,/to?url=/there")
	if got := b.Samples(b.Host.Run.Builtin.HTTPReqs); len(got) != 2 || !strings.Contains(got[0], "method=POST") || !strings.Contains(got[1], "method=GET") {
		t.Errorf("a sample per hop: %q", got)
	}
	b.Want(`return m.post(url + '/to?code=307&url=/there', 'body').json('Body') + m.get(url + '/cookies').status + m.get(url).json('Header.Cookie').length`, "body2001")
	if log := b.Log(); log != "" {
		t.Errorf("logged %s", log)
	}
	b.Want(`return m.get(url + '/loop').status + ' ' + m.get(url + '/loop', { redirects: 2 }).status`, "302 302")
	if log := b.Log(); strings.Count(log, "stopped after 10 redirects") != 1 {
		t.Errorf("logged %s", log)
	}
}

// TestCallbacks checks that a callback holds for the virtual user until another is
// set.
func TestCallbacks(t *testing.T) {
	b, _ := bench(t, moduletest.Config{Tap: true})
	failed := b.Host.Run.Builtin.HTTPReqFailed
	judged := func(snippet string) string {
		b.Text(snippet)
		var all []string
		for _, s := range b.Samples(failed) {
			all = append(all, strings.Fields(s)[1])
		}
		return strings.Join(all, "")
	}
	for _, tc := range []struct{ snippet, want string }{
		{`[200, 302, 399, 400, 404, 500].forEach((s) => m.get(url + '/status/' + s))`, "000111"},
		{`m.setResponseCallback(m.expectedStatuses(404, { min: 500, max: 502 })); m.get(url + '/status/404')`, "0"},
		{`m.get(url); m.get(url + '/status/500'); m.get(url + '/status/503')`, "101"},
		{`m.get(url, { responseCallback: m.expectedStatuses(200) })`, "0"},
		{`m.setResponseCallback(null); m.get(url)`, ""},
		{`m.setResponseCallback(m.expectedStatuses({ min: 200, max: 399 })); m.get(url)`, "0"},
	} {
		if got := judged(tc.snippet); got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.snippet, got, tc.want)
		}
	}
	b.Throws(`m.expectedStatuses()`, "no arguments")
	b.Throws(`m.expectedStatuses(200, '404')`, "argument number 2 to expectedStatuses must be an integer")
	b.Throws(`m.expectedStatuses({ min: 1 })`, "integers min and max")
	b.Throws(`m.expectedStatuses(200.5)`, "must be an integer")
	b.Throws(`m.setResponseCallback()`, "unsupported responseCallback")
	b.Throws(`m.setResponseCallback(() => true)`, "unsupported responseCallback")
}

func TestThrottle(t *testing.T) {
	over := errors.New("the scenario ends before the turn")
	n := 0
	b, _ := bench(t, moduletest.Config{Throttle: func(context.Context) error {
		if n++; n > 4 {
			return over
		}
		return nil
	}})
	b.Text(`m.get(url); m.batch([url, url]); return m.asyncRequest('GET', url)`)
	if n != 4 {
		t.Errorf("%d turns for 4 requests", n)
	}
	b.Throws(`m.get(url)`, over.Error())
	b.Throws(`m.batch([url])`, over.Error())
	b.Throws(`return m.asyncRequest('GET', url)`, over.Error())
}

func TestJars(t *testing.T) {
	b, _ := bench(t, moduletest.Config{})
	for _, tc := range []struct{ snippet, want string }{
		{`m.cookieJar().set(url, 'a', 'one') + ' ' + m.get(url).json('Header.Cookie.0')`, "true a=one"},
		{`m.get(url, { cookies: { a: 'two' } }).json('Header.Cookie.0')`, "a=two; a=one"},
		{`m.get(url, { cookies: { a: { value: 'two', replace: true } } }).json('Header.Cookie.0')`, "a=two"},
		{`const j = new m.CookieJar(); j.set(url, 'own', '1'); return m.get(url, { jar: j }).json('Header.Cookie.0') + JSON.stringify(m.cookieJar().cookiesForURL(url))`, `own=1{"a":["one"]}`},
		{`m.cookieJar().set(url, 'p', '1', { path: '/deep', domain: '127.0.0.1', expires: 'Wed, 01 Jan 2031 00:00:00 GMT', max_age: 60, http_only: true, secure: true }); return JSON.stringify(m.cookieJar().cookiesForURL(url + '/deep/x'))`, `{"p":["1"],"a":["one"]}`},
		{`m.cookieJar().delete(url + '/deep/', 'p'); m.cookieJar().delete(url, 'none'); return JSON.stringify(m.cookieJar().cookiesForURL(url + '/deep/x'))`, `{"a":["one"]}`},
		{`m.cookieJar().clear(url); return JSON.stringify(m.cookieJar().cookiesForURL(url))`, `{}`},
		{`Object.keys(m.cookieJar()).join()`, "clear,cookiesForURL,delete,set"},
	} {
		snippet := tc.snippet
		if !strings.Contains(snippet, "return ") {
			snippet = "return " + snippet
		}
		b.Want(snippet, tc.want)
	}
	b.Throws(`m.cookieJar().set(url, 'a', 'b', { expires: 'tomorrow' })`, `unable to parse "expires"`)
	b.Throws(`m.cookieJar().cookiesForURL('http://[')`, "invalid URL")
	b.Text(`m.cookieJar().set(url, 'kept', 'not')`)
	b.EndIteration()
	b.Want(`return JSON.stringify(m.cookieJar().cookiesForURL(url))`, "{}")
}
