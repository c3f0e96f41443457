package k6http_test

import (
	"strings"
	"testing"

	"github.com/jsload/jsload/modules/k6http"
	"github.com/jsload/jsload/modules/moduletest"
)

// TestResponseObject checks what scripts do with the object itself.
func TestResponseObject(t *testing.T) {
	b, _ := bench(t, moduletest.Config{})
	b.Text(`res = m.get(url + '/text/hi')`)
	for _, tc := range []struct{ snippet, want string }{
		{`[res.status, res.status_text, res.proto, res.url === url + '/text/hi', res.body, res.error, res.error_code, res.remote_ip, String(res.remote_port) === host.split(':')[1], res.tls_version, res.tls_cipher_suite].join('|')`, "200|200 OK|HTTP/1.1|true|hi||0|127.0.0.1|true||"},
		{`['timings', 'headers', 'cookies', 'request', 'ocsp', 'json', 'html'].every((k) => res[k] === res[k])`, "true"},
		{`m.get(url).json === res.json`, "true"},
		{`const { status, body, ...rest } = res; return status + body + Object.keys(rest).length`, "200hi18"},
		{`const c = { ...res, status: 1 }; return c.status + c.body + (c.timings === res.timings) + typeof c.json`, "1hitruefunction"},
		{`Object.keys(res).length + ' ' + Object.entries(res).length + ' ' + ('body' in res) + ('nope' in res) + res.nope`, "20 20 truefalseundefined"},
		{`let n = 0; for (const k in res) n++; return n`, "20"},
		{`Object.keys(JSON.parse(JSON.stringify(res))).length + JSON.parse(JSON.stringify(res)).body`, "16hi"},
		{`res.constructor === Object && Object.prototype.toString.call(res) === '[object Object]' && res instanceof Object`, "true"},
		{`Object.keys(res.timings).sort().join() + Object.values(res.timings).every((v) => typeof v === 'number' && v >= 0)`, "blocked,connecting,duration,looking_up,receiving,sending,tls_handshaking,waitingtrue"},
		{`const t = res.timings; return Math.abs(t.duration - t.sending - t.waiting - t.receiving) < 1e-9`, "true"},
		{`res.status = 7; res.body = 'x'; res.timings.duration = 3; res.headers.X = 1; return res.status + res.body + res.timings.duration + res.headers.X`, "7x31"},
		{`JSON.stringify(res.ocsp)`, `{"produced_at":0,"this_update":0,"next_update":0,"revoked_at":0,"revocation_reason":"","status":""}`},
	} {
		snippet := tc.snippet
		if !strings.Contains(snippet, "return ") {
			snippet = "return " + snippet
		}
		b.Want(snippet, tc.want)
	}
	b.Throws(`res.extra = 1`, "TypeError: Cannot assign to property extra of a host object")
	b.Throws(`res.timings.extra = 1`, "TypeError: Cannot assign to property extra of a host object")
	b.Throws(`const { json } = res; json()`, "json() must be called on a response")
}

func TestHeadersAndCookies(t *testing.T) {
	b, _ := bench(t, moduletest.Config{})
	b.Text(`res = m.get(url + '/cookies')`)
	for _, tc := range []struct{ snippet, want string }{
		{`res.headers['X-Many'] + res.headers['x-many']`, "1, 2undefined"},
		{`res.headers['Set-Cookie'].split(', ').length`, "4"},
		{`Object.keys(res.cookies).join() + res.cookies.a.length`, "a,b2"},
		{`JSON.stringify(res.cookies.a[0])`, `{"name":"a","value":"1","domain":"","path":"/","http_only":true,"secure":false,"max_age":60,"expires":-6795364578871}`},
		{`JSON.stringify([res.cookies.a[1].domain, res.cookies.a[1].path, res.cookies.a[1].secure, res.cookies.b[0].expires])`, `["127.0.0.1","/x",true,1924992000000]`},
		{`Object.keys(m.get(url + '/to?url=/').cookies).length`, "0"},
		{`JSON.stringify(m.get(url, { headers: { 'X-A': '1' }, cookies: { k: 'v' } }).request.headers)`, `{"X-A":["1"],"Cookie":["k=v; a=1; b=x; hop=1"]}`},
		{`JSON.stringify(m.get(url, { cookies: { k: 'v' } }).request.cookies)`, `{"k":[{"name":"k","value":"v","replace":false}]}`},
		{`JSON.stringify(m.post(url, 'sent').request.body)`, `"sent"`},
	} {
		b.Want("return "+tc.snippet, tc.want)
	}
}

// TestBodyKinds checks where there is a body and where there is none.
func TestBodyKinds(t *testing.T) {
	b, _ := bench(t, moduletest.Config{})
	for path, want := range map[string]string{"/status/204": "null", "/status/304": "null", "/status/404": "status", "/text/a": "a"} {
		b.Want("return String(m.get(url + '"+path+"').body)", want)
	}
	b.Want(`return JSON.stringify(m.head(url + '/text/a').body)`, `""`)
	for _, tc := range []struct{ answer, status, body string }{
		{"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\na\xff\xc3", "200/0", "a\ufffd\ufffd"},
		{"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npart", "0/1000", "part"},
		{"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc", "0/1701", "null"},
		{"HTTP/1.1 600 Odd\r\nContent-Length: 2\r\n\r\nok", "600/1600", "ok"},
		{"rubbish\r\n\r\n", "0/1000", "null"},
		{"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n", "threw", "101"},
	} {
		_ = b.Host.Runtime.Set("raw", rawServer(t, tc.answer))
		b.Want(`try { const r = m.get(raw); return r.status + '/' + r.error_code + ' ' + r.body } catch (e) { return 'threw ' + /101/.exec(e.message)[0] }`, tc.status+" "+tc.body)
	}
}

// TestBodiesDoNotMix checks that each response keeps what came for it.
func TestBodiesDoNotMix(t *testing.T) {
	b, _ := bench(t, moduletest.Config{})
	b.Want(`
		const text = (r) => String.fromCharCode(...new Uint8Array(r.body));
		const old = []; for (let i = 0; i < 20; i++) old.push(m.get(url + '/text/old' + i));
		const all = m.batch(Array.from({ length: 150 }, (_, i) => ['GET', url + '/text/body' + i, null, { responseType: 'binary' }]));
		for (let i = 0; i < 20; i++) m.get(url + '/text/later' + i);
		const wrong = all.filter((r, i) => text(r) !== 'body' + i || !r.url.endsWith('/text/body' + i) || r.headers['Content-Length'] !== String(('body' + i).length));
		return wrong.length + ' ' + old.filter((r, i) => r.body !== 'old' + i).length;`, "0 0")
}

func TestJSON(t *testing.T) {
	b, _ := bench(t, moduletest.Config{})
	_ = b.Host.Runtime.Set("doc", rawServer(t, "HTTP/1.1 200 OK\r\n\r\n"+`{"z":1,"a":{"b":[10,{"c":"x"},null]},"f":1.5,"big":12345678901234567890,"dot.key":true,"e":""}`))
	_ = b.Host.Runtime.Set("bad", rawServer(t, "HTTP/1.1 200 OK\r\n\r\n{\n\"a\": nope}"))
	_ = b.Host.Runtime.Set("deep", rawServer(t, "HTTP/1.1 200 OK\r\n\r\n"+strings.Repeat("[", 200_000)))
	b.Text(`res = m.get(doc)`)
	for _, tc := range []struct{ snippet, want string }{
		{`Object.keys(res.json()).join() + (res.json() === res.json())`, "z,a,f,big,dot.key,etrue"},
		{`JSON.stringify(['z', 'a.b.0', 'a.b.#', 'a.b.1.c', 'a.b.2', 'f', 'dot\\.key', 'e', 'none', 'a.none', 'a'].map((s) => res.json(s)))`, `[1,10,3,"x",null,1.5,true,"",null,null,{"b":[10,{"c":"x"},null]}]`},
		{`[res.json('none'), res.json(null).z, res.json(undefined).z, m.get(bad).json('a')].join()`, ",1,1,"},
		{`m.get(deep).json('a')`, "undefined"},
		{`const r = m.get(doc, { responseType: 'binary' }); new Uint8Array(r.body)[0] = 91; return r.json('z')`, "undefined"},
	} {
		snippet := tc.snippet
		if !strings.Contains(snippet, "return ") {
			snippet = "return " + snippet
		}
		b.Want(snippet, tc.want)
	}
	b.Throws(`m.get(bad).json()`, "cannot parse json due to an error at line 2, character 7 , error: ")
	b.Throws(`m.get(deep).json()`, "nested deeper than")
}

func TestPages(t *testing.T) {
	b, _ := bench(t, moduletest.Config{})
	b.Text(`res = m.get(url + '/page')`)
	for _, tc := range []struct{ snippet, want string }{
		{`res.html().find('a').size() + res.html('a').eq(1).text()`, "2l"},
		{`m.get(url + '/page', { responseType: 'binary' }).html('a').size()`, "2"},
		{`res.html('a').get(1).href() === url + '/link?x=1#f'`, "true"},
		{`res.clickLink().url.replace(url, '')`, "/link?x=1#f"},
		{`res.clickLink({ selector: '#none, a[href]', params: { headers: { 'X-A': '1' } } }).json('Header.X-A.0')`, "1"},
		{`res.submitForm({ formSelector: 'form' }).json('Body')`, "__proto__=p&go=1&m=%5B1+3%5D&q=a+b&u=v"},
		{`res.submitForm({ formSelector: 'form[method]', fields: { u: 'w', more: [1, 2], __proto__x: 1 }, params: { headers: { 'X-A': '2' } } }).json('Body')`, "__proto__=p&__proto__x=1&go=1&m=%5B1+3%5D&more=1&more=2&u=w"},
		{`res.submitForm({ formSelector: 'form[method]', submitSelector: '#none' }).json('Path')`, "/send"},
		{`res.submitForm({ formSelector: '#g', fields: { q: 'é' } }).url.replace(url, '')`, "/page?q=%C3%A9"},
		{`const f = res.submitForm({ formSelector: '#g' }); return f.request.method + JSON.stringify(f.request.body)`, `GET""`},
	} {
		snippet := tc.snippet
		if !strings.Contains(snippet, "return ") {
			snippet = "return " + snippet
		}
		b.Want(snippet, tc.want)
	}
	b.Throws(`res.clickLink({ selector: '#no' })`, "has no href")
	b.Throws(`res.clickLink({ selector: '#none' })`, "no element matches the selector")
	b.Throws(`res.submitForm({ formSelector: '#none' })`, "no form matches the selector")
}

// TestErrorCodes checks the codes that a script meets most, and what is logged.
func TestErrorCodes(t *testing.T) {
	b, _ := bench(t, moduletest.Config{Tap: true})
	refused := refusedAddress(t)
	_ = b.Host.Runtime.Set("refused", "http://u:secret@"+refused+"/x")
	b.Want(`const r = m.get(refused); return [r.status, r.error, r.error_code, r.body, r.status_text, r.proto, JSON.stringify(r.headers), JSON.stringify(r.cookies), r.remote_ip, r.remote_port, r.timings.duration].join('|')`,
		"0|dial: connection refused|1212||||{}|{}||0|0")
	want := `msg="Request Failed" error="Get \"http://****:****@` + refused + `/x\": dial tcp ` + refused + `: connect: connection refused"`
	if log := b.Log(); !strings.Contains(log, want) {
		t.Errorf("logged %s\nwant %s", log, want)
	}
	if got := b.Samples(b.Host.Run.Builtin.HTTPReqs); len(got) != 1 || !strings.Contains(got[0], "error=dial: connection refused,error_code=1212,expected_response=false") {
		t.Errorf("samples %q", got)
	}
	b.Want(`const r = m.get(url + '/status/404'); return JSON.stringify(r.error) + r.error_code`, `""1404`)
	b.Want(`const r = m.post(url, 12); return r.error_code + r.url + r.request.method + r.timings.duration`, "0"+b.Text("return url")+"POST0")
	if got := b.Samples(b.Host.Run.Builtin.HTTPReqs); len(got) != 1 {
		t.Errorf("a request that was never made has a sample: %q", got)
	}
}

func TestModule(t *testing.T) {
	b := moduletest.New(t, k6http.New(), moduletest.Config{})
	b.Want(`return Object.keys(m).filter((k) => m[k] === undefined).join()`, "")
	b.Want(`return Object.keys(m).filter((k) => typeof m[k] === 'function').sort().join()`,
		"CookieJar,asyncRequest,batch,cookieJar,del,expectedStatuses,file,get,head,options,patch,post,put,request,setResponseCallback,url")
}
