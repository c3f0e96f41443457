package k6http_test

import (
	"strings"
	"testing"
	"time"

	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/k6"
	"github.com/jsload/jsload/modules/moduletest"
	"github.com/jsload/jsload/vu/options"
)

// TestBatchForms goes through the ways to write the requests of a batch.
func TestBatchForms(t *testing.T) {
	b, _ := bench(t, moduletest.Config{})
	for _, tc := range []struct{ snippet, want string }{
		{"m.batch([url + '/a', m.url`${url}/${1}`, ['post', url, 'x'], ['GET', url, 'kept'], { url: url + '/o' }, { method: 'post', url, body: 'y' }, { method: 'get', url, body: 'dropped' }, { method: 'head', url, body: 'dropped' }]).map((r) => r.request.method + r.request.body).join()",
			"GET,GET,postx,GETkept,GET,POSTy,GET,HEAD"},
		{`JSON.stringify(Object.entries(m.batch({ one: url + '/1', two: ['GET', url + '/2', null, { headers: { 'X-A': '1' } }] })).map(([k, r]) => [k, r.json('Path'), r.json('Header.X-A')]))`, `[["one","/1",null],["two","/2",["1"]]]`},
		{`Array.isArray(m.batch([])) + ' ' + m.batch([]).length + JSON.stringify(m.batch({}))`, "true 0{}"},
		// A request that cannot be read ends the list: it is the last of the results.
		{`m.batch([url, 'http://[::1', url]).map((r) => r.status + '/' + r.error_code).join()`, "200/0,0/1020"},
		{`m.batch([url, null, url]).map((r) => r.status + '/' + r.error_code).join()`, "200/0,0/1020"},
		{`[[['GET']], [{}]].map((l) => m.batch(l)[0].error_code).join()`, "0,0"},
	} {
		b.Want("return "+tc.snippet, tc.want)
	}
	for _, arg := range []string{"null", "undefined", "'x'", "12"} {
		b.Throws("m.batch("+arg+")", "needs an array or an object")
	}
	b.Throws(`m.batch([[url, null, null, { throw: true }]])`, "made by http.url")
}

// TestBatchLimits checks how many requests run at once.
func TestBatchLimits(t *testing.T) {
	for _, tc := range []struct{ batch, perHost, most int64 }{{20, 6, 6}, {3, 6, 3}, {20, 1, 1}, {0, 2, 2}} {
		set := func(n int64) options.Null[int64] { return options.Null[int64]{Set: true, V: n} }
		b, running := bench(t, moduletest.Config{Options: &options.Options{Batch: set(tc.batch), BatchPerHost: set(tc.perHost)}})
		b.Want(`return m.batch(Array.from({ length: 12 }, () => url + '/pause')).length`, "12")
		if most := running.most.Load(); most != tc.most {
			t.Errorf("batch %d, batchPerHost %d: %d requests at once, want %d", tc.batch, tc.perHost, most, tc.most)
		}
	}
}

// TestBatchCookies: what one request of a batch is given is not sent with another.
func TestBatchCookies(t *testing.T) {
	b, _ := bench(t, moduletest.Config{Options: &options.Options{Batch: options.Null[int64]{Set: true, V: 1}}})
	b.Want(`m.cookieJar().set(url, 'old', '1');
		return m.batch([url + '/cookies', url + '/', url + '/to?url=/']).map((r) => r.request.headers.Cookie).join()`, "old=1,old=1,old=1")
	b.Want(`return m.get(url).json('Header.Cookie.0').split('; ').sort().join()`, "a=1,b=x,hop=1,old=1")
}

// TestAsync checks promises, and that samples carry the tags of where the request
// was asked for.
func TestAsync(t *testing.T) {
	b, _ := bench(t, moduletest.Config{Tap: true})
	k := k6.New()
	_ = b.Host.Runtime.Set("k6", modules.NewExports(b.Host.Runtime, k, k.Instantiate(b.Host)))
	b.Want(`const p = m.asyncRequest('GET', url); return (p instanceof Promise) + typeof p.then`, "truefunction")
	b.Samples()
	b.Want(`let p; k6.group('asked', () => { p = m.asyncRequest('POST', url, 'x', { tags: { name: 'n' } }) });
		return k6.group('other', () => p.then((r) => r.json('Body')))`, "x")
	if got := b.Samples(b.Host.Run.Builtin.HTTPReqs); len(got) != 1 || !strings.Contains(got[0], "group=::asked,") {
		t.Errorf("samples %q", got)
	}
	b.Want(`const order = []; const slow = m.asyncRequest('GET', url + '/pause').then(() => order.push('slow')); order.push('sync');
		return m.asyncRequest('GET', url).then(() => slow).then(() => order.join())`, "sync,slow")
	b.Want(`const bytes = new Uint8Array([65, 66]); const p = m.asyncRequest('POST', url, bytes); bytes[0] = 67; return p.then((r) => r.json('Body'))`, "AB")
	b.Want(`return m.asyncRequest('GET', 'nowhere').then((r) => r.status + ' ' + r.error_code)`, "0 1000")
	b.Want(`const p = m.asyncRequest('GET', url); m.cookieJar().set(url, 'late', '1'); return p.then((r) => String(r.json('Header.Cookie')))`, "undefined")
	b.Want(`return Promise.all(Array.from({ length: 50 }, (_, i) => m.asyncRequest('GET', url + '/text/' + i))).then((all) => all.every((r, i) => r.body === String(i)))`, "true")
}

// TestInterruption checks that a running request ends with the activation.
func TestInterruption(t *testing.T) {
	b, r := bench(t, moduletest.Config{})
	go func() {
		for r.now.Load() == 0 {
			time.Sleep(time.Millisecond)
		}
		b.Cancel()
	}()
	b.Want(`return m.get(url + '/hang', { timeout: '50s' }).status`, "0")
}

// TestHTTPDebug checks the log of exchanges.
func TestHTTPDebug(t *testing.T) {
	for _, tc := range []struct {
		mode          string
		want, without []string
	}{
		{"full", []string{"POST /text/hi HTTP/1.1", "X-A: 1", "sent body", "HTTP/1.1 200 OK", "hi", "source=http-debug", "vu=1", "iter=0", "request_id=", "scenario=default"}, nil},
		{"headers", []string{"POST /text/hi HTTP/1.1", "HTTP/1.1 200 OK"}, []string{"sent body"}},
		{"false", nil, []string{"POST"}},
		{"", nil, []string{"POST"}},
	} {
		b, _ := bench(t, moduletest.Config{Options: &options.Options{HTTPDebug: options.Null[string]{Set: true, V: tc.mode}}})
		b.Text(`m.post(url + '/text/hi', 'sent body', { headers: { 'X-A': '1' } })`)
		log := b.Log()
		for _, w := range tc.want {
			if !strings.Contains(log, w) {
				t.Errorf("%s: the log lacks %q: %s", tc.mode, w, log)
			}
		}
		for _, w := range tc.without {
			if strings.Contains(log, w) {
				t.Errorf("%s: the log has %q: %s", tc.mode, w, log)
			}
		}
		if tc.mode == "full" {
			b.Text(`m.get(url + '/to?url=/x'); m.batch([url]); return m.asyncRequest('GET', url)`)
			if log := b.Log(); strings.Count(log, "Request:") != 4 || strings.Count(log, "Response:") != 4 {
				t.Errorf("an entry per exchange: %s", log)
			}
			_ = b.Host.Runtime.Set("refused", "http://"+refusedAddress(t))
			b.Text(`m.get(refused)`)
			if log := b.Log(); !strings.Contains(log, "No response: dial: connection refused") {
				t.Errorf("a failure: %s", log)
			}
		}
	}
}
