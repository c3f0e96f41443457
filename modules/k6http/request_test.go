package k6http_test

import (
	"strings"
	"testing"

	"github.com/jsload/jsload/modules/moduletest"
)

// TestMethods goes through the functions that send one request.
func TestMethods(t *testing.T) {
	b, _ := bench(t, moduletest.Config{})
	for snippet, want := range map[string]string{
		`m.get(url).json('Method')`:                        "GET",
		`m.head(url).status + m.head(url).body`:            "200",
		`m.post(url, 'x').json('Method')`:                  "POST",
		`m.put(url, 'x').json('Body')`:                     "x",
		`m.patch(url, 'x').json('Method')`:                 "PATCH",
		`m.options(url, 'x').json('Method')`:               "OPTIONS",
		`m.del(url).json('Method')`:                        "DELETE",
		`m.del(url, 'body').json('Body')`:                  "body",
		`m.request('get', url).json('Method')`:             "get",
		`m.request('PURGE', url, 'b').json('Body')`:        "b",
		`m.request('GET', url, 'with').json('Body')`:       "with",
		`typeof m.delete + typeof m.SSL_3_0 + m.TLS_1_3`:   "undefinedundefinedtls1.3",
		`m.OCSP_STATUS_GOOD + m.OCSP_REASON_AA_COMPROMISE`: "goodaa_compromise",
	} {
		b.Want("return "+snippet, want)
	}
	if log := b.Log(); log != "" {
		t.Errorf("logged %s", log)
	}
	b.Want(`return m.get(url, null, 'x').status + m.head(url, {}, {}).status`, "400")
	if log := b.Log(); strings.Count(log, "level=WARN") != 2 || !strings.Contains(log, "http.get(url, params)") || !strings.Contains(log, "http.head(url, params)") {
		t.Errorf("more arguments than get and head take: logged %s", log)
	}
}

func TestInit(t *testing.T) {
	b, _ := bench(t, moduletest.Config{Init: true})
	for _, snippet := range []string{`m.get(url)`, `m.batch([url])`, `m.asyncRequest('GET', url)`, `m.cookieJar()`} {
		b.Throws(snippet, "in the init context is not supported")
	}
	b.Want(`m.setResponseCallback(m.expectedStatuses(200)); m.file('x'); new m.CookieJar(); return m.url`+"`a${1}`.url", "a1")
}

func TestHeaders(t *testing.T) {
	b, _ := bench(t, moduletest.Config{})
	for _, tc := range []struct{ snippet, want string }{
		{`JSON.stringify(m.get(url).json('Header'))`, `{}`},
		{`JSON.stringify(m.get(url, { headers: { 'x-a': 1, 'X-LIST': [1, 2], 'x-n': null, 'x-u': undefined, 'x-t': true } }).json('Header'))`,
			`{"X-A":["1"],"X-List":["1,2"],"X-N":["null"],"X-T":["true"],"X-U":["undefined"]}`},
		{`m.get(url, { headers: { host: 'other.test:81' } }).json('Host')`, "other.test:81"},
		{`m.get(url, { headers: { 'user-agent': 'me' } }).json('Header.User-Agent.0')`, "me"},
		{`m.post(url, 'text').json('Header.Content-Type') + ' ' + m.post(url, 'text').json('Length')`, "undefined 4"},
		{`m.post(url).json('Length') + ' ' + m.post(url, '').json('Chunked') + m.post(url, '').json('Length') + m.post(url, null).json('Length')`, "0 false00"},
		{`m.post(url, 'abc', { headers: { 'Content-Length': '3' } }).json('Length')`, "3"},
	} {
		b.Want("return "+tc.snippet, tc.want)
	}
	if log := b.Log(); log != "" {
		t.Errorf("logged %s", log)
	}
	b.Want(`return m.post(url, 'abc', { headers: { 'content-length': 7 } }).json('Length')`, "3")
	if log := b.Log(); !strings.Contains(log, "Content-Length: 7 is not sent: the body has 3 bytes") {
		t.Errorf("a wrong Content-Length: logged %s", log)
	}
}

func TestBodies(t *testing.T) {
	b, _ := bench(t, moduletest.Config{})
	for _, tc := range []struct{ snippet, want string }{
		{`m.post(url, { b: 'two words', a: 1, l: ['x', 'y'], n: null, t: true, f: 1.5, o: { k: 1 } }).json('Body')`, "a=1&b=two+words&f=1.5&l=x&l=y&n=&o=&t=true"},
		{`m.post(url, { a: 1 }).json('Header.Content-Type.0')`, "application/x-www-form-urlencoded"},
		{`m.post(url, { a: 1 }, { headers: { 'content-type': 'mine' } }).json('Header.Content-Type').join()`, "mine"},
		{`m.post(url, {}).json('Chunked')`, "true"},
		{`m.post(url, new Uint8Array([104, 105]).buffer).json('Body') + m.post(url, new Uint8Array([104, 105]).subarray(1)).json('Body')`, "hii"},
		{`m.post(url, 'é').json('Length')`, "2"},
		{`JSON.stringify([1, true, [1], new Date(0), new Uint16Array([1]), () => 1].map((x) => [m.post(url, x).status, m.post(url, x).error_code]))`, "[[0,0],[0,0],[0,0],[0,0],[0,0],[0,0]]"},
		{`m.post(url, 1).error`, "unknown request body type: give a string, an ArrayBuffer, a Uint8Array or an object of form fields"},
	} {
		b.Want("return "+tc.snippet, tc.want)
	}
	if log := b.Log(); !strings.Contains(log, `the form field \"o\" is an object and was sent empty`) || !strings.Contains(log, "Request Failed") {
		t.Errorf("logged %s", log)
	}
}

func TestMultipart(t *testing.T) {
	b, _ := bench(t, moduletest.Config{})
	b.Want(`return m.post(url + '/multipart', { z: 'last?', f: m.file('data', 'a"b.txt', 'text/x'), g: m.file(new Uint8Array([65]).buffer), l: ['x'], n: 1 }).body.replace(/\d{16,}/, 'STAMP')`,
		"z|||last?\nf|a\"b.txt|text/x|data\ng|STAMP|application/octet-stream|A\nl|||\nn|||1\n")
	b.Want(`const f = m.file('d', 'n', 'c'); return f.data + f.filename + f.content_type + Object.keys(f)`, "dncdata,filename,content_type")
	b.Want(`return m.post(url + '/multipart', { f: m.file('x') }, { headers: { 'Content-Type': 'multipart/form-data' } }).status`, "400")
	b.Throws(`m.file(12)`, "http.file needs a string")
	// Within one seed a form is the same from run to run.
	c, _ := bench(t, moduletest.Config{})
	form := `return m.post(url, { f: m.file('x', 'y') }).request.body`
	d, _ := bench(t, moduletest.Config{})
	if x, y := c.Text(form), d.Text(form); x != y {
		t.Errorf("two runs of a seed send %q and %q", x, y)
	}
}

func TestAddresses(t *testing.T) {
	b, _ := bench(t, moduletest.Config{})
	for _, tc := range []struct{ snippet, want string }{
		{`m.get(url + '/é x?q=ü#frag').json('Path')`, "/%C3%A9%20x"},
		{`m.get(url + '/a#frag').url.replace(url, '')`, "/a#frag"},
		{`['', 'x', '/r', 'ftp://h/', null, undefined, 12, {}, 'http://[::1'].map((u) => m.get(u).error_code).join()`, "1000,1000,1000,1000,1020,1020,1020,1020,1020"},
		{`m.get('').error`, `unsupported protocol scheme ""`},
		{"const u = m.url`${url}/u/${7}`; [m.get(u).json('Path'), u.name, u.url.endsWith('/u/7'), Object.keys(u).sort()].join(' ')", "/u/7 ${}/u/${} true clean,clean_url,getURL,name,url"},
		{"m.url`http://u:p@h/`.clean_url + m.url`http://u:p@h/`.clean() + m.url`http://h/`.getURL()", "http://****:****@h/http://****:****@h/http://h/"},
	} {
		i := strings.LastIndex(tc.snippet, "; ") + 1
		b.Want(tc.snippet[:i]+"return "+tc.snippet[i:], tc.want)
	}
	b.Throws(`m.url('http://x')`, "template tag")
}

func TestTags(t *testing.T) {
	b, _ := bench(t, moduletest.Config{Tap: true})
	reqs := b.Host.Run.Builtin.HTTPReqs
	for _, tc := range []struct{ snippet, want string }{
		{`m.get(url + '/a#f')`, "expected_response=true,group=,method=GET,name=URL/a#f,proto=HTTP/1.1,scenario=default,status=200,url=URL/a#f"},
		{"m.get(m.url`${url}/a/${1}`)", "name=${}/a/${},"},
		{"m.get(m.url`${url}/a/${1}`, { tags: { name: 'mine', n: 5 } })", "n=5,name=mine,"},
		{`m.get(url.replace('//', '//user:secret@'))`, "url=http://****:****@HOST"},
		{`m.get(url + '/status/404')`, "error_code=1404,expected_response=false"},
		{`m.get(url + '/status/404', { responseCallback: m.expectedStatuses(404) })`, "expected_response=true"},
	} {
		b.Text(tc.snippet)
		got := strings.Join(b.Samples(reqs), "\n")
		got = strings.ReplaceAll(got, b.Text("return url"), "URL")
		got = strings.ReplaceAll(got, b.Text("return host"), "HOST")
		if !strings.Contains(got, tc.want) {
			t.Errorf("%s\n got %s\nwant %s", tc.snippet, got, tc.want)
		}
	}
	b.Text(`m.get(url, { responseCallback: null })`)
	if got := strings.Join(b.Samples(), "\n"); strings.Contains(got, "expected_response") || strings.Contains(got, "http_req_failed") {
		t.Errorf("without a callback: %s", got)
	}
}
