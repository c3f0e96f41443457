// Package clienttest is the fault suite of the drivers of client.Call: what servers and
// networks do wrong, and what must come of it whoever makes the exchanges. The tests of
// vu/client run it with Client.Do, those of vu/client/loop with the event loop.
package clienttest

import (
	"bufio"
	"crypto/sha256"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jsload/jsload/vu/client"
	"github.com/jsload/jsload/vu/client/proto"
	"github.com/jsload/jsload/vu/client/proto/transporttest"
)

// Target is a client with the driver under test.
type Target struct {
	// Do performs a request into a new response; several goroutines may call it.
	Do func(client.Request) *client.Response
	// EndIteration ends an iteration of the user.
	EndIteration func()
	Network      *client.Network
}

// Start makes a target that ends with the test.
type Start func(t *testing.T, config client.Config) Target

// server answers on loopback with serve, one call per connection, numbered from 0.
type server func(t *testing.T, serve func(n int, nc net.Conn, r *bufio.Reader)) string

// Run runs the suite, over plain connections and over TLS.
func Run(t *testing.T, start Start) {
	for _, s := range []struct {
		name  string
		serve server
	}{
		{"plain", func(t *testing.T, serve func(int, net.Conn, *bufio.Reader)) string {
			return transporttest.RawServer(t, serve)
		}},
		{"TLS", secureServer},
	} {
		trusting := func(t *testing.T, config client.Config) Target {
			config.TLS.InsecureSkipVerify = true
			return start(t, config)
		}
		for _, tt := range []struct {
			name string
			run  func(t *testing.T, start Start, serve server)
		}{
			{"broken servers", brokenServers},
			{"reset", reset},
			{"timeouts", timeouts},
			{"stale connection", staleConnection},
			{"early answer", earlyAnswer},
			{"large bodies", largeBodies},
			{"parallel bodies", parallelBodies},
			{"connection reuse", connectionReuse},
		} {
			t.Run(s.name+"/"+tt.name, func(t *testing.T) { tt.run(t, trusting, s.serve) })
		}
	}
	t.Run("dial failures", func(t *testing.T) { dialFailures(t, start) })
}

func brokenServers(t *testing.T, start Start, serve server) {
	const head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
	tests := []struct {
		name, answer string
		code         int // zero: no error
		body         string
		noBody       bool
	}{
		{name: "close early", code: 1000, noBody: true},
		{name: "close in head", answer: "HTTP/1.1 200 OK\r\nContent-Type: text/pl", code: 1000, noBody: true},
		{name: "close in body", answer: head + "Content-Length: 100\r\n\r\nonly ten b", code: 1000, body: "only ten b"},
		{name: "garbage", answer: "SMTP 220 hello there\r\n\r\n", code: 1000, noBody: true},
		{name: "chunks without end", answer: head + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", code: 1000, body: "hello"},
		{name: "bad chunk", answer: head + "Transfer-Encoding: chunked\r\n\r\nZZ\r\nhello\r\n", code: 1000, body: ""},
		{name: "different lengths", answer: head + "Content-Length: 2\r\nContent-Length: 3\r\n\r\nabc", code: 1000, noBody: true},
		{name: "equal lengths", answer: head + "Content-Length: 2\r\nContent-Length: 2\r\n\r\nok", body: "ok"},
		{name: "short length", answer: head + "Content-Length: 3\r\nConnection: close\r\n\r\nabcdef", body: "abc"},
		{name: "bad field name", answer: "HTTP/1.1 200 OK\r\nBad Header: x\r\nContent-Length: 2\r\n\r\nok", body: "ok"},
		{name: "until close", answer: "HTTP/1.0 200 OK\r\n\r\nuntil close", body: "until close"},
		{name: "64 KB head", answer: head + "X: " + strings.Repeat("x", 64<<10) + "\r\nContent-Length: 2\r\n\r\nok", body: "ok"},
		{name: "1 MB head", answer: head + "X: " + strings.Repeat("x", 1<<20) + "\r\nContent-Length: 2\r\n\r\nok", body: "ok"},
		{name: "no content, encoded", answer: "HTTP/1.1 204 No Content\r\nContent-Encoding: gzip\r\n\r\n", noBody: true},
		{name: "not modified, encoded", answer: "HTTP/1.1 304 Not Modified\r\nContent-Encoding: gzip\r\nContent-Length: 9\r\n\r\n", noBody: true},
		{name: "plain body said to be gzip", answer: head + "Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nplain", code: 1701, noBody: true},
		{name: "interim answers", answer: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + head + "Content-Length: 5\r\n\r\nhints", body: "hints"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := start(t, client.Config{})
			resp := c.Do(client.Request{URL: serve(t, transporttest.Always(tt.answer, true))})
			code := 0
			if resp.Err != nil {
				code = resp.Err.Code
			}
			if code != tt.code {
				t.Fatalf("error %v, want code %d", resp.Err, tt.code)
			}
			if (resp.Body == nil) != tt.noBody || string(resp.Body) != tt.body {
				t.Errorf("body %q", resp.Body)
			}
			if code != 0 && (resp.Status != 0 || resp.Proto != "" || resp.Exchanges[0].Err == nil) {
				t.Errorf("status %d, exchanges %+v", resp.Status, resp.Exchanges)
			}
		})
	}
}

// socket returns the TCP connection below nc.
func socket(nc net.Conn) *net.TCPConn {
	if secure, ok := nc.(*tls.Conn); ok {
		nc = secure.NetConn()
	}
	return nc.(*net.TCPConn)
}

// secureServer is a server behind TLS.
func secureServer(t *testing.T, serve func(n int, nc net.Conn, r *bufio.Reader)) string {
	t.Helper()
	certificates := httptest.NewTLSServer(nil)
	config := &tls.Config{Certificates: certificates.TLS.Certificates}
	certificates.Close()
	url := transporttest.RawServer(t, func(n int, nc net.Conn, _ *bufio.Reader) {
		secure := tls.Server(nc, config)
		serve(n, secure, bufio.NewReader(secure))
		secure.CloseWrite()
	})
	return "https" + strings.TrimPrefix(url, "http")
}

func reset(t *testing.T, start Start, serve server) {
	url := serve(t, func(_ int, nc net.Conn, r *bufio.Reader) {
		transporttest.ReadRequest(r)
		socket(nc).SetLinger(0)
		socket(nc).Close()
	})
	c := start(t, client.Config{})
	if resp := c.Do(client.Request{URL: url}); resp.Err == nil || resp.Err.Code != proto.CodeReset {
		t.Errorf("error %v", resp.Err)
	}
}

func timeouts(t *testing.T, start Start, serve server) {
	drip := func(first string) func(int, net.Conn, *bufio.Reader) {
		return func(_ int, nc net.Conn, r *bufio.Reader) {
			transporttest.ReadRequest(r)
			io.WriteString(nc, first)
			for {
				if _, err := nc.Write([]byte{'x'}); err != nil {
					return
				}
				time.Sleep(10 * time.Millisecond)
			}
		}
	}
	silent := func(_ int, _ net.Conn, r *bufio.Reader) {
		transporttest.ReadRequest(r)
		transporttest.ReadRequest(r)
	}
	tests := []struct {
		name    string
		serve   func(int, net.Conn, *bufio.Reader)
		timeout time.Duration
		body    bool
	}{
		{"silence", silent, 50 * time.Millisecond, false},
		{"silence, swept", silent, 1100 * time.Millisecond, false},
		{"dripping head", drip("HTTP/1.1 200 OK\r\nX: "), 80 * time.Millisecond, false},
		{"dripping body", drip("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"), 80 * time.Millisecond, true},
		{"dripping body, swept", drip("HTTP/1.1 200 OK\r\n\r\n"), 1100 * time.Millisecond, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := start(t, client.Config{})
			resp := c.Do(client.Request{URL: serve(t, tt.serve), Timeout: tt.timeout})
			if resp.Err == nil || resp.Err.Code != proto.CodeTimeout || resp.Err.Text != "request timeout" {
				t.Fatalf("error %v", resp.Err)
			}
			if took := time.Duration(resp.Timings.End - resp.Timings.Start); took < tt.timeout {
				t.Errorf("ended after %v", took)
			}
			if len(resp.Exchanges) != 1 || (len(resp.Body) > 0) != tt.body {
				t.Errorf("%d exchanges, body %q", len(resp.Exchanges), resp.Body)
			}
		})
	}
}

// dialFailures covers what happens before there is a connection.
func dialFailures(t *testing.T, start Start) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	refused := l.Addr().String()
	l.Close()
	plain := transporttest.RawServer(t, func(_ int, nc net.Conn, r *bufio.Reader) {
		io.WriteString(nc, "HTTP/1.1 400 Bad Request\r\n\r\n")
		io.Copy(io.Discard, r)
	})
	tests := []struct {
		url  string
		code int
		text string
	}{
		{"http://" + refused, proto.CodeDialRefused, "dial: connection refused"},
		{"http://no..such.name", proto.CodeNoSuchHost, "lookup: no such host"},
		{strings.Replace(plain, "http:", "https:", 1), proto.CodeNotTLS, "tls: the first record does not look like TLS"},
		{"ftp://127.0.0.1/x", proto.CodeGeneric, `unsupported protocol scheme "ftp"`},
		{"", proto.CodeGeneric, `unsupported protocol scheme ""`},
		{"/relative", proto.CodeGeneric, `unsupported protocol scheme ""`},
		{"http://", proto.CodeGeneric, "http: no Host in request URL"},
	}
	c := start(t, client.Config{})
	for _, tt := range tests {
		resp := c.Do(client.Request{URL: tt.url})
		if resp.Err == nil || resp.Err.Code != tt.code || resp.Err.Text != tt.text {
			t.Errorf("%s: error %v", tt.url, resp.Err)
			continue
		}
		if len(resp.Exchanges) != 1 || resp.Exchanges[0].Err != resp.Err || resp.Body != nil || resp.Timings.Duration() != 0 {
			t.Errorf("%s: %+v", tt.url, resp.Exchanges)
		}
	}
	for _, url := range []string{"http://[::1", "http://127.0.0.1:notaport/", "http://a b/"} {
		resp := c.Do(client.Request{URL: url})
		if resp.Err == nil || resp.Err.Code != proto.CodeInvalidURL || len(resp.Exchanges) != 0 {
			t.Errorf("%s: error %v", url, resp.Err)
		}
	}
}

// staleConnection closes an idle connection under the client.
func staleConnection(t *testing.T, start Start, serve server) {
	tests := []struct {
		method string
		idle   time.Duration // before the second request
		resend bool          // a fresh connection is tried
	}{
		{"GET", 0, true},
		{"GET", 20 * time.Millisecond, true},
		{"PUT", 0, true},
		// The end of the connection is seen before anything is written. Over TLS that
		// holds only if the closing alert was read with the answer.
		{"POST", 20 * time.Millisecond, true},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.method, tt.idle), func(t *testing.T) {
			c := start(t, client.Config{})
			url := serve(t, transporttest.Always("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", true))
			if tt.method == "POST" && strings.HasPrefix(url, "https") {
				t.Skip("left to chance")
			}
			c.Do(client.Request{URL: url})
			time.Sleep(tt.idle)
			resp := c.Do(client.Request{Method: tt.method, URL: url, Body: []byte("b")})
			if (resp.Err == nil) != tt.resend {
				t.Fatalf("error %v", resp.Err)
			}
			if x := resp.Exchanges[0]; len(resp.Exchanges) != 1 || x.Retries != 1 || x.Reused || c.Network.Retries() != 1 {
				t.Errorf("exchanges %+v", resp.Exchanges)
			}
		})
	}
	t.Run("not repeated", func(t *testing.T) {
		c := start(t, client.Config{})
		url := serve(t, func(_ int, nc net.Conn, r *bufio.Reader) {
			transporttest.ReadRequest(r)
			io.WriteString(nc, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
			transporttest.ReadRequest(r)
		})
		c.Do(client.Request{URL: url})
		resp := c.Do(client.Request{Method: "POST", URL: url, Body: []byte("b")})
		if resp.Err == nil || resp.Err.Code != 1000 || resp.Exchanges[0].Retries != 0 {
			t.Errorf("error %v, %+v", resp.Err, resp.Exchanges)
		}
	})
	t.Run("once", func(t *testing.T) {
		c := start(t, client.Config{})
		url := serve(t, func(n int, nc net.Conn, r *bufio.Reader) {
			transporttest.ReadRequest(r)
			if n == 0 {
				io.WriteString(nc, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
			}
		})
		c.Do(client.Request{URL: url})
		resp := c.Do(client.Request{URL: url})
		if resp.Err == nil || resp.Exchanges[0].Retries != 1 || len(resp.Exchanges) != 1 {
			t.Errorf("error %v, %+v", resp.Err, resp.Exchanges)
		}
	})
}

// earlyAnswer is about servers that answer a large request before, or
// without, reading it.
func earlyAnswer(t *testing.T, start Start, serve server) {
	body := make([]byte, 32<<20)
	for _, close := range []bool{false, true} {
		url := serve(t, func(_ int, nc net.Conn, r *bufio.Reader) {
			if _, err := http.ReadRequest(r); err != nil {
				return
			}
			io.WriteString(nc, "HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig")
			if !close {
				time.Sleep(50 * time.Millisecond)
			}
			nc.(interface{ CloseWrite() error }).CloseWrite()
			time.Sleep(50 * time.Millisecond)
		})
		c := start(t, client.Config{})
		resp := c.Do(client.Request{Method: "POST", URL: url, Body: body, Timeout: 10 * time.Second})
		if resp.Err != nil || resp.Status != 413 || string(resp.Body) != "big" {
			t.Errorf("%d %q %v", resp.Status, resp.Body, resp.Err)
		}
		if !resp.Close {
			t.Error("the connection was kept")
		}
	}
}

func largeBodies(t *testing.T, start Start, serve server) {
	url := serve(t, func(n int, nc net.Conn, r *bufio.Reader) {
		if n > 0 {
			t.Errorf("%d connections", n+1)
		}
		for {
			req, err := http.ReadRequest(r)
			if err != nil {
				return
			}
			body, _ := io.ReadAll(req.Body)
			fmt.Fprintf(nc, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n", len(body))
			nc.Write(body)
		}
	})
	c := start(t, client.Config{})
	for _, size := range []int{0, 1, 64 << 10, 64<<10 + 1, 5 << 20} {
		body := make([]byte, size)
		for i := range body {
			body[i] = byte(i * 7 >> 3)
		}
		for _, chunked := range []bool{false, true} {
			resp := c.Do(client.Request{Method: "PUT", URL: url, Body: body, Chunked: chunked})
			if resp.Err != nil || sha256.Sum256(resp.Body) != sha256.Sum256(body) {
				t.Errorf("%d bytes, chunked %v: got %d, %v", size, chunked, len(resp.Body), resp.Err)
			}
		}
	}
}

// parallelBodies checks that bodies of requests in parallel do not mix and
// that later requests leave them alone.
func parallelBodies(t *testing.T, start Start, serve server) {
	url := serve(t, func(_ int, nc net.Conn, r *bufio.Reader) {
		for {
			req, err := transporttest.ReadRequest(r)
			if err != nil {
				return
			}
			var seed byte
			fmt.Sscanf(req.URL.Path, "/%d", &seed)
			fmt.Fprintf(nc, "HTTP/1.1 200 OK\r\nContent-Length: 40000\r\n\r\n%s", pattern(seed))
		}
	})
	c := start(t, client.Config{IdleConns: 100, IdleConnsPerHost: 100})
	responses := make([]*client.Response, 150)
	var wg sync.WaitGroup
	gate := make(chan struct{}, 30)
	for i := range responses {
		wg.Go(func() {
			gate <- struct{}{}
			responses[i] = c.Do(client.Request{URL: fmt.Sprintf("%s/%d", url, i)})
			<-gate
		})
	}
	wg.Wait()
	for i, resp := range responses {
		if resp.Err != nil || string(resp.Body) != string(pattern(byte(i))) {
			t.Errorf("response %d: %v, %d bytes", i, resp.Err, len(resp.Body))
		}
	}
}

func pattern(seed byte) []byte {
	b := make([]byte, 40000)
	for i := range b {
		b[i] = byte(i)*31 + seed
	}
	return b
}

func connectionReuse(t *testing.T, start Start, serve server) {
	seen := make(chan string, 10)
	url := serve(t, func(n int, nc net.Conn, r *bufio.Reader) {
		for {
			req, err := transporttest.ReadRequest(r)
			if err != nil {
				return
			}
			seen <- fmt.Sprint(n, req.Header.Get("Connection"))
			io.WriteString(nc, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
		}
	})
	run := func(config client.Config) string {
		c := start(t, config)
		c.Do(client.Request{URL: url})
		c.EndIteration()
		c.Do(client.Request{URL: url})
		return <-seen + " " + <-seen
	}
	if got := run(client.Config{}); got != "0 0" {
		t.Errorf("reused: %s", got)
	}
	if got := run(client.Config{NoConnectionReuse: true}); got != "1close 2close" {
		t.Errorf("not reused: %s", got)
	}
	if got := run(client.Config{NoVUConnectionReuse: true}); got != "3 4" {
		t.Errorf("closed after the iteration: %s", got)
	}
}
