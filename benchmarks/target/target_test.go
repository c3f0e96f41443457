package target

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// start runs a target for one test and checks that it leaves nothing behind.
func start(t *testing.T, cfg Config) *Server {
	t.Helper()
	before := descriptors(t)
	s, err := Start(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("closing: %v", err)
		}
		if open := s.Stats().Connections.Open; open != 0 {
			t.Errorf("%d connections open after Close", open)
		}
		noGoroutinesLeft(t)
		// Clients close their side in goroutines of their own.
		for range 200 {
			if descriptors(t) <= before {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Errorf("%d descriptors before, %d after Close", before, descriptors(t))
	})
	return s
}

// descriptors counts the open descriptors of this process, or returns -1.
func descriptors(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return -1
	}
	return len(entries)
}

// noGoroutinesLeft waits until no goroutine runs code of this package but tests.
func noGoroutinesLeft(t *testing.T) {
	t.Helper()
	buf := make([]byte, 1<<20)
	var left string
	for range 200 {
		left = ""
		for stack := range strings.SplitSeq(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
			if strings.Contains(stack, "benchmarks/target.") && !strings.Contains(stack, "testing.tRunner") {
				left = stack
			}
		}
		if left == "" {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("goroutine left after Close:\n%s", left)
}

// eachServer runs f against both servers.
func eachServer(t *testing.T, f func(t *testing.T, s *Server)) {
	t.Run("rich", func(t *testing.T) { f(t, start(t, Config{})) })
	t.Run("lean", func(t *testing.T) {
		if runtime.GOOS != "linux" {
			if _, err := Start(Config{Lean: true}); !errors.Is(err, ErrLeanUnsupported) {
				t.Fatalf("got error %v, want ErrLeanUnsupported", err)
			}
			return
		}
		f(t, start(t, Config{Lean: true, Loops: 2}))
	})
}

// browser is an HTTP client of one test that follows nothing and decodes nothing.
func browser(t *testing.T) *http.Client {
	t.Helper()
	tr := &http.Transport{DisableCompression: true}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{
		Transport:     tr,
		Timeout:       20 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

func get(t *testing.T, c *http.Client, url string) (*http.Response, []byte) {
	t.Helper()
	res, err := c.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	return res, read(t, res)
}

func read(t *testing.T, res *http.Response) []byte {
	t.Helper()
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func TestSharedRoutes(t *testing.T) {
	eachServer(t, func(t *testing.T, s *Server) {
		c := browser(t)
		pattern := newPattern()
		for _, tc := range []struct {
			path string
			code int
			body string
		}{
			{"/ok", 200, "ok"},
			{"/ok?x=1", 200, "ok"},
			{"/size/0", 200, ""},
			{"/size/1", 200, "0"},
			{"/size/70", 200, string(pattern[:70])},
			{"/size/65536", 200, string(pattern)},
			{"/size/65537", 200, string(pattern) + "0"},
			{"/size/300000", 200, strings.Repeat(string(pattern), 5)[:300000]},
		} {
			res, body := get(t, c, s.URL()+tc.path)
			if res.StatusCode != tc.code || string(body) != tc.body {
				t.Errorf("%s: got %d and %d bytes, want %d and %d bytes", tc.path, res.StatusCode, len(body), tc.code, len(tc.body))
			}
			if got := res.Header.Get("Content-Length"); got != strconv.Itoa(len(tc.body)) {
				t.Errorf("%s: Content-Length %q", tc.path, got)
			}
		}
		for path, code := range map[string]int{"/": 404, "/okay": 404, "/size/x": 400, "/size/": 400, "/size/99999999999": 400, "/size/1073741825": 400} {
			if res, _ := get(t, c, s.URL()+path); res.StatusCode != code {
				t.Errorf("%s: got %d, want %d", path, res.StatusCode, code)
			}
		}
		if n := s.Stats().Connections.Accepted; n != 1 {
			t.Errorf("%d connections for requests in a row, want 1", n)
		}
	})
}

func TestHeadAndPost(t *testing.T) {
	eachServer(t, func(t *testing.T, s *Server) {
		c := browser(t)
		for path, length := range map[string]int64{"/ok": 2, "/size/100": 100, "/size/1000000": 1000000} {
			res, err := c.Head(s.URL() + path)
			if err != nil {
				t.Fatal(err)
			}
			if body := read(t, res); len(body) != 0 || res.ContentLength != length {
				t.Errorf("HEAD %s: %d bytes, length %d", path, len(body), res.ContentLength)
			}
		}
		for _, n := range []int{0, 5, 200_000} {
			res, err := c.Post(s.URL()+"/ok", "text/plain", bytes.NewReader(make([]byte, n)))
			if err != nil {
				t.Fatal(err)
			}
			if body := read(t, res); string(body) != "ok" {
				t.Errorf("POST of %d bytes: %q", n, body)
			}
		}
		if _, body := get(t, c, s.URL()+"/ok"); string(body) != "ok" {
			t.Errorf("after the bodies: %q", body)
		}
	})
}

func TestCountAndStats(t *testing.T) {
	eachServer(t, func(t *testing.T, s *Server) {
		c := browser(t)
		for range 10 {
			get(t, c, s.URL()+"/ok")
		}
		if _, body := get(t, c, s.URL()+"/__target/count"); string(body) != "11" {
			t.Errorf("count is %q, want 11", body)
		}
		_, body := get(t, c, s.URL()+"/__target/stats?reset=true")
		var got Stats
		if err := json.Unmarshal(body, &got); err != nil {
			t.Fatal(err)
		}
		if got.Requests != 12 || got.Routes["/ok"].Requests != 10 || got.Routes["/__target/count"].Requests != 1 {
			t.Errorf("got %s", body)
		}
		if got.Connections != (Connections{Open: 1, Peak: 1, Accepted: 1}) {
			t.Errorf("connections: %+v", got.Connections)
		}
		if got.Routes["/ok"].Gaps.Max <= 0 || got.Routes["/ok"].Service.P50 <= 0 || got.Seconds <= 0 {
			t.Errorf("no times: %s", body)
		}
		after := s.Stats()
		if n := after.Routes["/ok"].Requests; n != 0 {
			t.Errorf("%d requests of /ok after the reset", n)
		}
		if after.Connections.Peak != 1 || after.Connections.Accepted != 0 || s.Count() != 12 {
			t.Errorf("after the reset: %+v, count %d", after, s.Count())
		}
	})
}

func TestConnectionsInBulk(t *testing.T) {
	eachServer(t, func(t *testing.T, s *Server) {
		const n = 200
		conns := make([]net.Conn, n)
		for i := range conns {
			c, err := net.Dial("tcp", s.Addr())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = c.Close() }()
			conns[i] = c
		}
		for _, c := range conns {
			exchange(t, c, "GET /ok HTTP/1.1\r\nHost: x\r\n\r\n", "ok")
		}
		if got := s.Stats().Connections; got != (Connections{Open: n, Peak: n, Accepted: n}) {
			t.Errorf("got %+v", got)
		}
		if got := s.Count(); got != n {
			t.Errorf("count is %d, want %d", got, n)
		}
	})
}

// exchange sends raw bytes and reads until the answer ends with want.
func exchange(t *testing.T, c net.Conn, send, want string) string {
	t.Helper()
	_ = c.SetDeadline(time.Now().Add(20 * time.Second))
	if _, err := io.WriteString(c, send); err != nil {
		t.Fatal(err)
	}
	var got []byte
	for !strings.HasSuffix(string(got), want) {
		part := make([]byte, 4096)
		n, err := c.Read(part)
		got = append(got, part[:n]...)
		if err != nil {
			t.Fatalf("%v after %q", err, got)
		}
	}
	return string(got)
}

func TestPipelining(t *testing.T) {
	eachServer(t, func(t *testing.T, s *Server) {
		c, err := net.Dial("tcp", s.Addr())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = c.Close() }()
		one := "POST /ok HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabcGET /size/3 HTTP/1.1\r\nHost: x\r\n\r\n"
		got := exchange(t, c, strings.Repeat(one, 50)+"GET /__target/count HTTP/1.1\r\nHost: x\r\n\r\n", "\r\n\r\n101")
		if n := strings.Count(got, "\r\n\r\nok"); n != 50 {
			t.Errorf("%d answers of /ok", n)
		}
		if n := strings.Count(got, "\r\n\r\n012"); n != 50 {
			t.Errorf("%d answers of /size/3", n)
		}
	})
}

func TestClosingByRequest(t *testing.T) {
	eachServer(t, func(t *testing.T, s *Server) {
		for _, send := range []string{
			"GET /ok HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
			"GET /ok HTTP/1.0\r\n\r\n",
			"GET nonsense\r\n\r\n",
		} {
			c, err := net.Dial("tcp", s.Addr())
			if err != nil {
				t.Fatal(err)
			}
			_ = c.SetDeadline(time.Now().Add(20 * time.Second))
			if _, err := io.WriteString(c, send); err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadAll(c); err != nil {
				t.Errorf("%q: %v, want the end of the connection", send, err)
			}
			_ = c.Close()
		}
	})
}

func TestTLS(t *testing.T) {
	s := start(t, Config{TLS: true})
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(s.CertPEM()) {
		t.Fatal("no certificate in the PEM")
	}
	c := browser(t)
	c.Transport.(*http.Transport).TLSClientConfig = &tls.Config{RootCAs: roots}
	_, port, _ := net.SplitHostPort(s.Addr())
	for _, root := range []string{s.URL(), "https://localhost:" + port} {
		if _, body := get(t, c, root+"/ok"); string(body) != "ok" {
			t.Errorf("%s: %q", root, body)
		}
	}
	if _, err := browser(t).Get(s.URL() + "/ok"); err == nil {
		t.Error("a client that does not know the certificate trusts it")
	}
}

func TestCloseAtOnce(t *testing.T) {
	for range 50 {
		eachServer(t, func(*testing.T, *Server) {})
	}
}

func TestStartRefuses(t *testing.T) {
	taken := start(t, Config{})
	for name, cfg := range map[string]Config{
		"address in use":      {Listen: taken.Addr()},
		"lean address in use": {Listen: taken.Addr(), Lean: true},
		"no address":          {Listen: "nowhere"},
		"lean with TLS":       {Lean: true, TLS: true},
	} {
		if s, err := Start(cfg); err == nil {
			_ = s.Close()
			t.Errorf("%s: no error", name)
		}
	}
	if taken.CertPEM() != nil {
		t.Error("a certificate without TLS")
	}
}

func TestEcho(t *testing.T) {
	s := start(t, Config{})
	req, err := http.NewRequestWithContext(context.Background(), "PATCH", s.URL()+"/echo?a=1&b=two%20words", strings.NewReader("héllo"))
	if err != nil {
		t.Fatal(err)
	}
	req.Header["x-lower"] = []string{"1", "2"}
	res, err := browser(t).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	var e Echo
	if err := json.Unmarshal(read(t, res), &e); err != nil {
		t.Fatal(err)
	}
	if e.Method != "PATCH" || e.URL != "/echo?a=1&b=two%20words" || e.Path != "/echo" || e.Proto != "HTTP/1.1" || e.Body != "héllo" {
		t.Errorf("got %+v", e)
	}
	if e.Query["a"] != "1" || e.Query["b"] != "two words" || e.Headers["x-lower"] != "1, 2" {
		t.Errorf("got %+v", e)
	}
	if len(e.RawHeaders) == 0 || e.RawHeaders[0][0] != "Host" {
		t.Errorf("raw headers: %v", e.RawHeaders)
	}
	res, err = browser(t).Post(s.URL()+"/echo", "application/octet-stream", strings.NewReader("\xff\x00"))
	if err != nil {
		t.Fatal(err)
	}
	var binary Echo
	if err := json.Unmarshal(read(t, res), &binary); err != nil || binary.Body != "" || binary.BodyBase64 != "/wA=" {
		t.Errorf("got %+v, %v", binary, err)
	}
}

func TestStatus(t *testing.T) {
	s := start(t, Config{})
	for _, code := range []int{200, 201, 204, 304, 404, 418, 500, 599} {
		res, body := get(t, browser(t), s.URL()+"/status/"+strconv.Itoa(code))
		if res.StatusCode != code {
			t.Errorf("%d: got %d", code, res.StatusCode)
		}
		if empty := code == 204 || code == 304; empty != (len(body) == 0) {
			t.Errorf("%d: body %q", code, body)
		}
	}
	for _, bad := range []string{"100", "1000", "abc", ""} {
		if res, _ := get(t, browser(t), s.URL()+"/status/"+bad); res.StatusCode != 400 {
			t.Errorf("%q: got %d, want 400", bad, res.StatusCode)
		}
	}
}

func TestLogin(t *testing.T) {
	s := start(t, Config{})
	c := browser(t)
	c.Jar, _ = cookiejar.New(nil)
	if res, _ := get(t, c, s.URL()+"/private"); res.StatusCode != 401 {
		t.Errorf("before the login: %d", res.StatusCode)
	}
	if _, body := get(t, c, s.URL()+"/login"); !bytes.Contains(body, []byte("<form")) {
		t.Errorf("no form: %s", body)
	}
	res, err := c.PostForm(s.URL()+"/login", url.Values{"user": {"ann"}, "password": {"wrong"}})
	if err != nil || res.StatusCode != 401 {
		t.Fatalf("wrong password: %v, %v", res, err)
	}
	read(t, res)
	if res, err = c.PostForm(s.URL()+"/login", url.Values{"user": {"ann"}, "password": {"secret"}}); err != nil {
		t.Fatal(err)
	}
	read(t, res)
	if res, body := get(t, c, s.URL()+"/private"); res.StatusCode != 200 || string(body) != `{"user":"ann"}` {
		t.Errorf("with the cookie: %d %s", res.StatusCode, body)
	}
}

func TestLoginByToken(t *testing.T) {
	s := start(t, Config{})
	res, err := browser(t).Post(s.URL()+"/login", "application/json", strings.NewReader(`{"user":"bob","password":"secret"}`))
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ Token string }
	if err := json.Unmarshal(read(t, res), &got); err != nil || got.Token == "" {
		t.Fatalf("no token: %v", err)
	}
	for token, code := range map[string]int{got.Token: 200, got.Token + "0": 401, ".": 401, "": 401} {
		req, _ := http.NewRequestWithContext(context.Background(), "GET", s.URL()+"/private", nil)
		req.Header.Set("Authorization", "Bearer "+token)
		res, err := browser(t).Do(req)
		if err != nil {
			t.Fatal(err)
		}
		if read(t, res); res.StatusCode != code {
			t.Errorf("token %q: got %d, want %d", token, res.StatusCode, code)
		}
	}
}

func TestCompressed(t *testing.T) {
	s := start(t, Config{})
	var plain []byte
	for _, name := range []string{"gzip", "deflate", "br", "zstd"} {
		res, body := get(t, browser(t), s.URL()+"/"+name)
		if got := res.Header.Get("Content-Encoding"); got != name {
			t.Errorf("%s: Content-Encoding %q", name, got)
		}
		decoded := unpack(t, name, body)
		if plain == nil {
			plain = decoded
		}
		if !bytes.Equal(decoded, plain) || !json.Valid(plain) || len(body) >= len(plain) {
			t.Errorf("%s: %d bytes packed, %d plain", name, len(body), len(decoded))
		}
	}
}

func TestCookies(t *testing.T) {
	s := start(t, Config{})
	c := browser(t)
	c.Jar, _ = cookiejar.New(nil)
	if res, _ := get(t, c, s.URL()+"/cookies?a=1&b=2"); len(res.Cookies()) != 2 {
		t.Errorf("set %v", res.Cookies())
	}
	if _, body := get(t, c, s.URL()+"/cookies"); string(body) != `{"cookies":{"a":"1","b":"2"}}` {
		t.Errorf("got %s", body)
	}
}

func TestRedirect(t *testing.T) {
	s := start(t, Config{})
	res, _ := get(t, browser(t), s.URL()+"/redirect/2?code=307")
	if res.StatusCode != 307 || res.Header.Get("Location") != "/redirect/1?code=307" {
		t.Errorf("got %d to %q", res.StatusCode, res.Header.Get("Location"))
	}
	c := browser(t)
	c.CheckRedirect = nil
	if res, body := get(t, c, s.URL()+"/redirect/3"); res.StatusCode != 200 || string(body) != "ok" {
		t.Errorf("in the end: %d %s", res.StatusCode, body)
	}
	if n := s.Count(); n != 5 {
		t.Errorf("%d requests, want 5", n)
	}
	for _, bad := range []string{"/redirect/x", "/redirect/1001", "/redirect/1?code=200"} {
		if res, _ := get(t, browser(t), s.URL()+bad); res.StatusCode != 400 {
			t.Errorf("%s: got %d, want 400", bad, res.StatusCode)
		}
	}
}

func unpack(t *testing.T, name string, body []byte) []byte {
	t.Helper()
	var r io.Reader
	var err error
	switch name {
	case "gzip":
		r, err = gzip.NewReader(bytes.NewReader(body))
	case "deflate":
		r, err = zlib.NewReader(bytes.NewReader(body))
	default:
		return unpackOther(t, name, body)
	}
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return plain
}
