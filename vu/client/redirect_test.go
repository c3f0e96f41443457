package client

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jsload/jsload/vu/client/proto"
)

// recorder is a server that notes what it was asked.
type recorder struct {
	*httptest.Server
	mu   sync.Mutex
	seen []string
}

// newRecorder serves /r?code=&to= as a redirect, /r/loop as one to itself and
// everything else as 200. Of each request it notes the line, the given header
// fields and the body.
func newRecorder(t *testing.T, fields ...string) *recorder {
	rec := new(recorder)
	rec.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		line := r.Method + " " + r.URL.Path
		for _, f := range fields {
			if v, ok := r.Header[f]; ok {
				line += fmt.Sprintf(" %s=%s", f, strings.Join(v, "|"))
			}
		}
		if len(body) > 0 {
			line += " " + string(body)
		}
		rec.mu.Lock()
		rec.seen = append(rec.seen, line)
		rec.mu.Unlock()
		for _, c := range r.URL.Query()["c"] {
			w.Header().Add("Set-Cookie", c)
		}
		code := http.StatusFound
		fmt.Sscan(r.URL.Query().Get("code"), &code)
		switch to := r.URL.Query().Get("to"); {
		case r.URL.Path == "/r/loop":
			w.Header().Set("Location", "/r/loop")
			w.WriteHeader(302)
		case r.URL.Path == "/r/nolocation":
			w.WriteHeader(302)
		case to != "":
			w.Header().Set("Location", to)
			w.WriteHeader(code)
		}
	}))
	t.Cleanup(rec.Close)
	return rec
}

// take returns what was seen since the last call.
func (r *recorder) take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	seen := r.seen
	r.seen = nil
	return seen
}

func wantSeen(t *testing.T, r *recorder, want ...string) {
	t.Helper()
	if got := r.take(); !slices.Equal(got, want) {
		t.Errorf("server saw\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestRedirectMethods(t *testing.T) {
	server := newRecorder(t, "Content-Type", "X-Keep")
	c := newClient(t, Config{MaxRedirects: 10})
	send := func(method string, code int) {
		t.Helper()
		req := Request{
			Method: method, URL: fmt.Sprintf("%s/r?code=%d&to=/end", server.URL, code),
			Header: []proto.Field{{Name: "content-type", Value: "text/plain"}, {Name: "X-Keep", Value: "k"}},
		}
		if method != "HEAD" {
			req.Body = []byte("body")
		}
		resp := do(c, req)
		if resp.Err != nil || resp.Status != 200 || resp.URL != server.URL+"/end" || len(resp.Exchanges) != 2 {
			t.Errorf("%s %d: %d %s %v", method, code, resp.Status, resp.URL, resp.Err)
		}
		if resp.Sent.Method != method || resp.Exchanges[0].Status != code || resp.Exchanges[1].URL != server.URL+"/end" {
			t.Errorf("%s %d: %+v", method, code, resp.Exchanges)
		}
	}
	for _, code := range []int{301, 302, 303} {
		send("POST", code)
		wantSeen(t, server, "POST /r Content-Type=text/plain X-Keep=k body", "GET /end X-Keep=k")
		send("PUT", code)
		wantSeen(t, server, "PUT /r Content-Type=text/plain X-Keep=k body", "GET /end X-Keep=k")
		send("HEAD", code)
		wantSeen(t, server, "HEAD /r Content-Type=text/plain X-Keep=k", "HEAD /end X-Keep=k")
	}
	for _, code := range []int{307, 308} {
		send("POST", code)
		wantSeen(t, server, "POST /r Content-Type=text/plain X-Keep=k body", "POST /end Content-Type=text/plain X-Keep=k body")
		send("HEAD", code)
		wantSeen(t, server, "HEAD /r Content-Type=text/plain X-Keep=k", "HEAD /end Content-Type=text/plain X-Keep=k")
	}
}

func TestRedirectLimits(t *testing.T) {
	server := newRecorder(t)
	c := newClient(t, Config{MaxRedirects: 10})
	for _, tt := range []struct{ redirects, exchanges int }{{0, 11}, {-1, 1}, {3, 4}} {
		resp := do(c, Request{URL: server.URL + "/r/loop", Redirects: tt.redirects})
		if resp.Err != nil || resp.Status != 302 || len(resp.Exchanges) != tt.exchanges || !resp.RedirectLimit {
			t.Errorf("limit %d: %d after %d exchanges, %v", tt.redirects, resp.Status, len(resp.Exchanges), resp.Err)
		}
	}
	resp := do(c, Request{URL: server.URL + "/r/nolocation"})
	if resp.Err != nil || resp.Status != 302 || resp.RedirectLimit {
		t.Errorf("no location: %d %v", resp.Status, resp.Err)
	}
	resp = do(c, Request{URL: server.URL + "/r?to=http%3A%2F%2F%5Bbad"})
	if resp.Err == nil || resp.Err.Code != 1000 || resp.Status != 0 || len(resp.Exchanges) != 1 || resp.Exchanges[0].Err == nil {
		t.Errorf("bad location: %d %v", resp.Status, resp.Err)
	}
	resp = do(c, Request{URL: server.URL + "/page/../r?to=../get%3Fz=1"})
	if resp.URL != server.URL+"/get?z=1" {
		t.Errorf("relative location led to %s", resp.URL)
	}
}

func TestRedirectAcrossHosts(t *testing.T) {
	server := newRecorder(t, "Authorization", "Cookie", "X-Any", "Referer")
	hosts := []HostMapping{
		{Pattern: "*.test", IP: netip.MustParseAddr("127.0.0.1")},
		{Pattern: "blocked.example", IP: netip.MustParseAddr("127.0.0.1")},
	}
	c := newClient(t, Config{MaxRedirects: 10, Hosts: hosts, BlockHostnames: []string{"*.example"}})
	port := server.URL[strings.LastIndexByte(server.URL, ':'):]
	header := []proto.Field{{Name: "Authorization", Value: "Bearer x"}, {Name: "Cookie", Value: "own=1"}, {Name: "X-Any", Value: "1"}}

	first := "http://a.test" + port + "/r?to="
	do(c, Request{URL: first + "http://b.test" + port + "/get", Header: header})
	wantSeen(t, server,
		"GET /r Authorization=Bearer x Cookie=own=1 X-Any=1",
		"GET /get X-Any=1 Referer="+first+"http://b.test"+port+"/get")
	do(c, Request{URL: first + "http://sub.a.test" + port + "/get", Header: header})
	wantSeen(t, server,
		"GET /r Authorization=Bearer x Cookie=own=1 X-Any=1",
		"GET /get Authorization=Bearer x Cookie=own=1 X-Any=1 Referer="+first+"http://sub.a.test"+port+"/get")

	resp := do(c, Request{URL: first + "http://blocked.example/x"})
	if resp.Err == nil || resp.Err.Code != proto.CodeBlockedHost || resp.URL != "http://blocked.example/x" || len(resp.Exchanges) != 2 {
		t.Errorf("%s: %v", resp.URL, resp.Err)
	}
	resp = do(c, Request{URL: first + "ftp://b.test/x"})
	if resp.Err == nil || resp.Err.Code != proto.CodeGeneric || len(resp.Exchanges) != 2 {
		t.Errorf("%v", resp.Err)
	}
}

func TestCookiesOnEveryHop(t *testing.T) {
	server := newRecorder(t, "Cookie")
	c := newClient(t, Config{MaxRedirects: 10})
	do(c, Request{URL: server.URL + "/r?c=a%3D1&c=b%3D1&to=/r%3Fc%3Da%253D2%26to%3D/end"})
	wantSeen(t, server, "GET /r", "GET /r Cookie=a=1; b=1", "GET /end Cookie=a=2; b=1")

	do(c, Request{URL: server.URL + "/x", Cookies: []Cookie{{Name: "a", Value: "mine"}}})
	do(c, Request{URL: server.URL + "/x", Cookies: []Cookie{{Name: "a", Value: "mine", Replace: true}}})
	do(c, Request{URL: server.URL + "/x", Header: []proto.Field{{Name: "cookie", Value: "hand=1"}}})
	do(c, Request{URL: server.URL + "/x", Cookies: []Cookie{{Name: "sp", Value: "a b"}, {Name: "sc", Value: "a;b"}, {Name: "q", Value: `x"y`}}})
	wantSeen(t, server, "GET /x Cookie=a=mine; a=2; b=1", "GET /x Cookie=a=mine; b=1", "GET /x Cookie=hand=1; a=2; b=1",
		`GET /x Cookie=sp="a b"; sc=ab; q=xy; a=2; b=1`)

	do(c, Request{URL: server.URL + "/r?c=hand%3Dset&to=/end", Header: []proto.Field{{Name: "Cookie", Value: "hand=1; other=2"}}})
	wantSeen(t, server, "GET /r Cookie=hand=1; other=2; a=2; b=1", "GET /end Cookie=other=2; a=2; b=1; hand=set")

	var own Jar
	do(c, Request{URL: server.URL + "/x?c=j%3D1", Jar: &own})
	do(c, Request{URL: server.URL + "/x", Jar: &own})
	wantSeen(t, server, "GET /x", "GET /x Cookie=j=1")

	c.EndIteration()
	do(c, Request{URL: server.URL + "/x"})
	wantSeen(t, server, "GET /x")
}

func TestCredentials(t *testing.T) {
	server := newRecorder(t, "Authorization")
	c := newClient(t, Config{MaxRedirects: 10})
	with := strings.Replace(server.URL, "//", "//u:p@", 1)
	resp := do(c, Request{URL: with + "/r?to=/end"})
	masked := strings.Replace(server.URL, "//", "//****:****@", 1)
	if resp.URL != with+"/end" || resp.Exchanges[0].URL != masked+"/r?to=/end" || resp.Exchanges[1].URL != masked+"/end" {
		t.Errorf("%s, %s, %s", resp.URL, resp.Exchanges[0].URL, resp.Exchanges[1].URL)
	}
	do(c, Request{URL: strings.Replace(server.URL, "//", "//only@", 1) + "/x"})
	do(c, Request{URL: with + "/x", Header: []proto.Field{{Name: "authorization", Value: "Bearer own"}}})
	wantSeen(t, server, "GET /r Authorization=Basic dTpw", "GET /end Authorization=Basic dTpw",
		"GET /x Authorization=Basic b25seTo=", "GET /x Authorization=Bearer own")
}
