package client

import (
	"bufio"
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/jsload/jsload/vu/client/proto"
	"github.com/jsload/jsload/vu/client/proto/transporttest"
)

// echoHead answers every request with its own head, byte for byte, and body.
func echoHead(_ int, nc net.Conn, r *bufio.Reader) {
	for {
		var head strings.Builder
		length := 0
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				return
			}
			head.WriteString(line)
			fmt.Sscanf(line, "Content-Length: %d", &length)
			if line == "\r\n" {
				break
			}
		}
		body := make([]byte, length)
		io.ReadFull(r, body)
		fmt.Fprintf(nc, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s%s", head.Len()+length, head.String(), body)
	}
}

func TestRequestBytes(t *testing.T) {
	base := transporttest.RawServer(t, echoHead)
	host := strings.TrimPrefix(base, "http://")
	c := newClient(t, Config{UserAgent: "ua/1"})
	f := func(pairs ...string) (h []proto.Field) {
		for i := 0; i < len(pairs); i += 2 {
			h = append(h, proto.Field{Name: pairs[i], Value: pairs[i+1]})
		}
		return h
	}
	start := func(line string) string { return line + " HTTP/1.1\r\nHost: " + host + "\r\nUser-Agent: ua/1\r\n" }
	tests := []struct {
		name string
		req  Request
		want string
	}{
		{"get", Request{URL: base + "/get"}, start("GET /get") + "\r\n"},
		{"post nothing", Request{Method: "POST", URL: base + "/"}, start("POST /") + "Content-Length: 0\r\n\r\n"},
		{"put nothing", Request{Method: "PUT", URL: base + "/"}, start("PUT /") + "Content-Length: 0\r\n\r\n"},
		{"delete nothing", Request{Method: "DELETE", URL: base + "/"}, start("DELETE /") + "\r\n"},
		{"delete with body", Request{Method: "DELETE", URL: base + "/", Body: []byte("b")}, start("DELETE /") + "Content-Length: 1\r\n\r\nb"},
		{"method as written", Request{Method: "get", URL: base + "/"}, start("get /") + "\r\n"},
		{"names", Request{URL: base + "/", Header: f("x-LOWER-Case", "1", "ACCEPT", "a/b", "accept-language", "en")},
			start("GET /") + "X-Lower-Case: 1\r\nAccept: a/b\r\nAccept-Language: en\r\n\r\n"},
		{"last of equal names", Request{URL: base + "/", Header: f("CONTENT-TYPE", "a/b", "X", "1", "content-type", "c/d")},
			start("GET /") + "Content-Type: c/d\r\nX: 1\r\n\r\n"},
		{"padded value", Request{URL: base + "/", Header: f("X-C", "  padded  ")}, start("GET /") + "X-C: padded\r\n\r\n"},
		{"bytes above ASCII", Request{URL: base + "/", Header: f("X-B", "é")}, start("GET /") + "X-B: é\r\n\r\n"},
		{"host", Request{URL: base + "/", Header: f("host", "virtual.test:81")}, "GET / HTTP/1.1\r\nHost: virtual.test:81\r\nUser-Agent: ua/1\r\n\r\n"},
		{"own user agent", Request{URL: base + "/", Header: f("user-agent", "mine")}, "GET / HTTP/1.1\r\nHost: " + host + "\r\nUser-Agent: mine\r\n\r\n"},
		{"no user agent", Request{URL: base + "/", Header: f("user-agent", "")}, "GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n"},
		{"framing is ours", Request{Method: "POST", URL: base + "/", Body: []byte("b"), Header: f("content-length", "9", "transfer-encoding", "chunked")},
			start("POST /") + "Content-Length: 1\r\n\r\nb"},
		{"empty chunked", Request{Method: "POST", URL: base + "/", Chunked: true}, start("POST /") + "Transfer-Encoding: chunked\r\n\r\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c.pool.closeIdle()
			resp := do(c, tt.req)
			if resp.Err != nil || string(resp.Body) != tt.want {
				t.Errorf("sent %q, want %q (%v)", resp.Body, tt.want, resp.Err)
			}
		})
	}
}

func TestURLForms(t *testing.T) {
	base := transporttest.RawServer(t, echoHead)
	c := newClient(t, Config{})
	tests := []struct{ url, line, full string }{
		{"/a?b=c d", "/a?b=c d", "/a?b=c d"},
		{"/a b", "/a%20b", "/a%20b"},
		{"/é?q=ü", "/%C3%A9?q=ü", "/%C3%A9?q=ü"},
		{"/a#frag", "/a", "/a#frag"},
		{"/a?x=%20&y=+", "/a?x=%20&y=+", "/a?x=%20&y=+"},
		{"/a?a[]=1&a[]=2", "/a?a[]=1&a[]=2", "/a?a[]=1&a[]=2"},
		{"/a%2Fb", "/a%2Fb", "/a%2Fb"},
		{"//a", "//a", "//a"},
		{"/a?e=", "/a?e=", "/a?e="},
		{"?q=1", "/?q=1", "?q=1"},
		{"", "/", ""},
	}
	for _, tt := range tests {
		resp := do(c, Request{URL: base + tt.url})
		line, _, _ := strings.Cut(string(resp.Body), " HTTP/1.1\r\n")
		if line != "GET "+tt.line || resp.URL != base+tt.full || resp.Sent.URL != base+tt.full {
			t.Errorf("%s: sent %q, URL %s", tt.url, line, resp.URL)
		}
		if want, _, _ := strings.Cut(base+tt.full, "#"); resp.Exchanges[0].URL != want {
			t.Errorf("%s: metrics see %s", tt.url, resp.Exchanges[0].URL)
		}
	}
	n := c.network
	idn, err := n.target("http://Bücher.Example:81/")
	if err != nil || idn.host != "xn--Bcher-kva.Example:81" || idn.addr != "xn--bcher-kva.example:81" {
		t.Errorf("international name: %+v %v", idn, err)
	}
	v6, err := n.target("http://[fe80::1%25lo]/")
	if err != nil || v6.host != "[fe80::1]" || v6.addr != "[fe80::1%lo]:80" {
		t.Errorf("IPv6 zone: %+v %v", v6, err)
	}
}

func TestSentHeader(t *testing.T) {
	base := transporttest.RawServer(t, echoHead)
	c := newClient(t, Config{UserAgent: "ua"})
	resp := do(c, Request{
		Method: "POST", URL: base + "/post?q=1", Body: []byte("a=b"),
		Header:  []proto.Field{{Name: "x-a", Value: "1"}},
		Cookies: []Cookie{{Name: "k", Value: "v"}},
	})
	want := []proto.Field{{Name: "User-Agent", Value: "ua"}, {Name: "X-A", Value: "1"}, {Name: "Cookie", Value: "k=v"}}
	if !slices.Equal(resp.Sent.Header, want) || string(resp.Sent.Body) != "a=b" || resp.Sent.Method != "POST" {
		t.Errorf("%+v", resp.Sent)
	}
}

func TestRefusedRequests(t *testing.T) {
	c := newClient(t, Config{})
	for _, req := range []Request{
		{Header: []proto.Field{{Name: "bad name", Value: "1"}}},
		{Header: []proto.Field{{Name: "", Value: "1"}}},
		{Header: []proto.Field{{Name: "X-A", Value: "line\nbreak"}}},
		{Header: []proto.Field{{Name: "Host", Value: "a\r\nb"}}},
		{Method: "BAD METHOD"},
		{Auth: NTLM},
	} {
		req.URL = "http://127.0.0.1:1/"
		resp := do(c, req)
		if resp.Err == nil || resp.Err.Code != proto.CodeGeneric || len(resp.Exchanges) != 1 || resp.Body != nil {
			t.Errorf("%+v: %v", req, resp.Err)
		}
	}
}

func TestContentCodings(t *testing.T) {
	text := []byte(strings.Repeat("encoded é\n", 100))
	c := newClient(t, Config{})
	for _, list := range []string{"gzip", "deflate", "br", "zstd", "gzip, br", "zstd,deflate,gzip"} {
		encodings, err := ParseEncodings(list)
		if err != nil {
			t.Fatal(err)
		}
		encoded, err := encode(text, encodings)
		if err != nil {
			t.Fatal(err)
		}
		url := transporttest.RawServer(t, transporttest.Always(fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Encoding: %s\r\nContent-Length: %d\r\n\r\n%s", list, len(encoded), encoded), false))
		resp := do(c, Request{URL: url})
		if resp.Err != nil || !bytes.Equal(resp.Body, text) || resp.Header.First("content-encoding") != list {
			t.Errorf("%s: %v %q", list, resp.Err, resp.Body)
		}
		if resp := do(c, Request{URL: url, Discard: true}); resp.Err != nil || resp.Body != nil || resp.BodyLen != int64(len(encoded)) {
			t.Errorf("%s discarded: %v %q", list, resp.Err, resp.Body)
		}
		sent := do(c, Request{Method: "POST", URL: transporttest.RawServer(t, echoHead), Body: text, Compression: encodings})
		if _, body, _ := bytes.Cut(sent.Body, []byte("\r\n\r\n")); !bytes.Equal(body, encoded) ||
			!bytes.Contains(sent.Body, []byte("Content-Encoding: "+joinEncodings(encodings)+"\r\n")) {
			t.Errorf("%s: sent %q", list, sent.Body)
		}
	}
	if _, err := ParseEncodings("gzip, lzma"); err == nil {
		t.Error("lzma was accepted")
	}
	var raw bytes.Buffer
	w, _ := flate.NewWriter(&raw, 6)
	w.Write(text)
	w.Close()
	resp := do(c, Request{URL: transporttest.RawServer(t, transporttest.Always(fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\nContent-Length: %d\r\n\r\n%s", raw.Len(), raw.Bytes()), false))})
	if resp.Err == nil || resp.Err.Code != proto.CodeBadContentEncoded || resp.Status != 0 || resp.Body != nil {
		t.Errorf("raw deflate: %v %d", resp.Err, resp.Status)
	}
	resp = do(c, Request{URL: transporttest.RawServer(t, transporttest.Always("HTTP/1.1 200 OK\r\nContent-Encoding: rot13\r\nContent-Length: 2\r\n\r\nok", false))})
	if resp.Err != nil || string(resp.Body) != "ok" {
		t.Errorf("unknown coding: %v %q", resp.Err, resp.Body)
	}
	resp = do(c, Request{Method: "HEAD", URL: transporttest.RawServer(t, transporttest.Always("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 20\r\n\r\n", false))})
	if resp.Err != nil || resp.Body == nil || len(resp.Body) != 0 {
		t.Errorf("HEAD: %v %q", resp.Err, resp.Body)
	}
}

func TestDigest(t *testing.T) {
	// The example of RFC 7616, section 3.9.1.
	const challenge = `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=%s, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`
	for algorithm, want := range map[string]string{
		"MD5":     "8ca523f5e9506fed4657c9700eebdbec",
		"SHA-256": "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1",
	} {
		d := digest{cnonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"}
		h := proto.Header("Www-Authenticate: " + fmt.Sprintf(challenge, algorithm) + "\r\n")
		answer, ok := d.respond(h, &proto.Request{Method: "GET", Target: "/dir/index.html"}, url.UserPassword("Mufasa", "Circle of Life"))
		if !ok || !strings.Contains(answer, `response="`+want+`"`) {
			t.Errorf("%s: %s", algorithm, answer)
		}
	}
	base := transporttest.RawServer(t, func(_ int, nc net.Conn, r *bufio.Reader) {
		for {
			req, err := transporttest.ReadRequest(r)
			if err != nil {
				return
			}
			if a := req.Header.Get("Authorization"); strings.HasPrefix(a, "Digest ") && strings.Contains(a, `username="dig"`) {
				io.WriteString(nc, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
				continue
			}
			io.WriteString(nc, "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic\r\nWWW-Authenticate: "+fmt.Sprintf(challenge, "MD5")+"\r\nContent-Length: 0\r\n\r\n")
		}
	})
	c := newClient(t, Config{})
	resp := do(c, Request{URL: strings.Replace(base, "//", "//dig:est@", 1) + "/x", Auth: Digest})
	if resp.Status != 200 || len(resp.Exchanges) != 2 || resp.URL != base+"/x" {
		t.Fatalf("%d %s %+v", resp.Status, resp.URL, resp.Exchanges)
	}
	if x := resp.Exchanges[0]; !x.Challenge || x.ErrorCode() != 1401 || x.URL != base+"/x" {
		t.Errorf("challenge %+v", x)
	}
	resp = do(c, Request{URL: strings.Replace(base, "//", "//other:est@", 1) + "/x", Auth: Digest})
	if resp.Status != http.StatusUnauthorized || len(resp.Exchanges) != 2 || resp.Exchanges[1].Challenge {
		t.Errorf("wrong user: %d %+v", resp.Status, resp.Exchanges)
	}
}
