package client

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"github.com/jsload/jsload/vu/client/proto"
)

// TestFlows runs what is above the protocol over every protocol.
func TestFlows(t *testing.T) {
	m := http.NewServeMux()
	m.HandleFunc("/login", func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "session", Value: r.FormValue("user"), Path: "/"})
		http.Redirect(w, r, "/home", http.StatusFound)
	})
	m.HandleFunc("/home", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s %s %s %s", r.Method, r.Host, r.Header.Get("Cookie"), r.UserAgent())
	})
	m.HandleFunc("/basic", func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		io.WriteString(w, user+" "+password)
	})
	m.HandleFunc("/digest", func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.Header.Get("Authorization"), "Digest ") {
			w.Header().Set("WWW-Authenticate", `Digest realm="r", nonce="n", qop="auth"`)
			w.WriteHeader(401)
		}
	})
	eachProtocol(t, Config{MaxRedirects: 10}, m, func(t *testing.T, c *Client, url string, s serving) {
		resp := do(c, Request{Method: "POST", URL: url + "/login?user=u", Header: []proto.Field{{Name: "Connection", Value: "close"}, {Name: "host", Value: "named.test"}}})
		if resp.Err != nil || string(resp.Body) != "GET named.test session=u test" || len(resp.Exchanges) != 2 || resp.Proto != s.proto {
			t.Errorf("%v %q %d exchanges, %s", resp.Err, resp.Body, len(resp.Exchanges), resp.Proto)
		}
		with := strings.Replace(url, "://", "://a:b@", 1)
		if resp := do(c, Request{URL: with + "/basic"}); string(resp.Body) != "a b" {
			t.Errorf("%v %q", resp.Err, resp.Body)
		}
		if resp := do(c, Request{URL: with + "/digest", Auth: Digest}); resp.Status != 200 || len(resp.Exchanges) != 2 {
			t.Errorf("%v %d", resp.Err, resp.Status)
		}
	})
}

// TestSharing: exchanges at the same time share one connection, from the first on.
func TestSharing(t *testing.T) {
	for _, s := range servings[2:] {
		t.Run(s.name, func(t *testing.T) {
			var mu sync.Mutex
			peers := map[string]bool{}
			url := s.serve(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				mu.Lock()
				peers[r.RemoteAddr] = true
				mu.Unlock()
			}))
			c := newClient(t, Config{Protocol: s.protocol, TLS: TLS{InsecureSkipVerify: true}, NoVUConnectionReuse: true})
			for round := 1; round <= 3; round++ {
				var wg sync.WaitGroup
				for range 10 {
					wg.Go(func() {
						if resp := do(c, Request{URL: url}); resp.Err != nil {
							t.Error(resp.Err)
						}
					})
				}
				wg.Wait()
				mu.Lock()
				if len(peers) != round {
					t.Errorf("round %d: %d connections", round, len(peers))
				}
				mu.Unlock()
				if c.EndIteration(); len(c.pool.open) != 0 {
					t.Errorf("%d connections are open after the iteration", len(c.pool.open))
				}
			}
		})
	}
}

func TestProtocolChoice(t *testing.T) {
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Proto) })
	both := serving{secure: true}.serve(t, h)
	plain := serving{}.serve(t, h)
	old := httptest.NewUnstartedServer(h)
	old.Config.ErrorLog = log.New(io.Discard, "", 0)
	old.StartTLS()
	t.Cleanup(old.Close)
	tests := []struct {
		name   string
		config Config
		req    Request
		want   string
	}{
		{"ALPN", Config{}, Request{URL: both}, "HTTP/2.0"},
		{"1.1 for the run", Config{Protocol: proto.HTTP1}, Request{URL: both}, "HTTP/1.1"},
		{"1.1 for the request", Config{}, Request{URL: both, Protocol: proto.HTTP1}, "HTTP/1.1"},
		{"2 for the request", Config{Protocol: proto.HTTP1}, Request{URL: both, Protocol: proto.HTTP2}, "HTTP/2.0"},
		{"no HTTP/2", Config{NoHTTP2: true}, Request{URL: both}, "HTTP/1.1"},
		{"no HTTP/2 unless demanded", Config{NoHTTP2: true}, Request{URL: both, Protocol: proto.HTTP2}, "HTTP/2.0"},
		{"without TLS", Config{}, Request{URL: plain}, "HTTP/1.1"},
		{"h2c", Config{}, Request{URL: plain, Protocol: proto.HTTP2}, "HTTP/2.0"},
		{"no reuse", Config{NoConnectionReuse: true}, Request{URL: both}, "HTTP/2.0"},
		{"old server", Config{}, Request{URL: old.URL}, "HTTP/1.1"},
		{"old server, 2 demanded", Config{}, Request{URL: old.URL, Protocol: proto.HTTP2}, ""},
		{"h2c through a proxy", Config{Proxy: Proxy{HTTP: "http://127.0.0.1:1"}}, Request{URL: "http://far.test/", Protocol: proto.HTTP2}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.config.TLS.InsecureSkipVerify = true
			c := newClient(t, tt.config)
			for range 2 {
				resp := do(c, tt.req)
				if string(resp.Body) != tt.want || resp.Proto != tt.want || (resp.Err == nil) != (tt.want != "") {
					t.Errorf("%v %q %q", resp.Err, resp.Proto, resp.Body)
				}
				if tt.config.NoConnectionReuse && (resp.Reused || len(c.pool.open) != 0) {
					t.Errorf("reused %v, %d connections open", resp.Reused, len(c.pool.open))
				}
			}
		})
	}
}

// frameServer is an HTTP/2 server that answers each request with serve, which is
// told the numbers of the connection and of the request, counted from 0, and
// reports whether the connection goes on.
func frameServer(t *testing.T, serve func(fr *http2.Framer, conn, n int, id uint32) bool) string {
	t.Helper()
	certificates := httptest.NewTLSServer(nil)
	config := &tls.Config{Certificates: certificates.TLS.Certificates, NextProtos: []string{"h2"}}
	certificates.Close()
	l, err := tls.Listen("tcp", "127.0.0.1:0", config)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	var requests atomic.Int32
	wg.Go(func() {
		for conn := 0; ; conn++ {
			nc, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() {
				defer nc.Close()
				serveFrames(nc, func(fr *http2.Framer, id uint32) bool {
					return serve(fr, conn, int(requests.Add(1))-1, id)
				})
			})
		}
	})
	t.Cleanup(func() {
		l.Close()
		wg.Wait()
	})
	return "https://" + l.Addr().String()
}

func serveFrames(nc net.Conn, serve func(fr *http2.Framer, id uint32) bool) {
	io.ReadFull(nc, make([]byte, len(http2.ClientPreface)))
	fr := http2.NewFramer(nc, nc)
	fr.WriteSettings()
	for {
		f, err := fr.ReadFrame()
		if err != nil {
			return
		}
		if h, ok := f.(*http2.HeadersFrame); ok && !serve(fr, h.StreamID) {
			nc.(*tls.Conn).CloseWrite()
			io.Copy(io.Discard, nc)
			return
		}
	}
}

func writeOK(fr *http2.Framer, id uint32) bool {
	var b bytes.Buffer
	hpack.NewEncoder(&b).WriteField(hpack.HeaderField{Name: ":status", Value: "200"})
	fr.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: b.Bytes(), EndHeaders: true, EndStream: true})
	return true
}

// TestTriedAgain: what a server did not begin with is asked again.
func TestTriedAgain(t *testing.T) {
	tests := []struct {
		name    string
		serve   func(fr *http2.Framer, conn, n int, id uint32) bool
		code    int
		retries int
		conns   int
	}{
		{"refused twice", func(fr *http2.Framer, _, n int, id uint32) bool {
			if n < 2 {
				return fr.WriteRSTStream(id, http2.ErrCodeRefusedStream) == nil
			}
			return writeOK(fr, id)
		}, 0, 2, 1},
		{"gone before", func(fr *http2.Framer, conn, _ int, id uint32) bool {
			if conn == 0 {
				fr.WriteGoAway(0, http2.ErrCodeNo, nil)
				return false
			}
			return writeOK(fr, id)
		}, 0, 1, 2},
		{"rejected once", func(fr *http2.Framer, conn, _ int, id uint32) bool {
			if conn == 0 {
				return fr.WriteRSTStream(id, http2.ErrCodeProtocol) == nil
			}
			return writeOK(fr, id)
		}, 0, 1, 2},
		{"rejected always", func(fr *http2.Framer, _, _ int, id uint32) bool {
			return fr.WriteRSTStream(id, http2.ErrCodeProtocol) == nil
		}, 1632, 1, 2},
		{"closed is not", func(*http2.Framer, int, int, uint32) bool { return false }, 1000, 0, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := newClient(t, Config{TLS: TLS{InsecureSkipVerify: true}})
			var conns atomic.Int32
			url := frameServer(t, func(fr *http2.Framer, conn, n int, id uint32) bool {
				conns.Store(int32(conn) + 1)
				return tt.serve(fr, conn, n, id)
			})
			resp := do(c, Request{Method: "POST", URL: url})
			if code := resp.ErrorCode(); code != tt.code || resp.Retries != tt.retries || int(conns.Load()) != tt.conns {
				t.Errorf("%v, %d retries, %d connections", resp.Err, resp.Retries, conns.Load())
			}
			if got := c.network.Retries(); got != int64(tt.retries) {
				t.Errorf("%d retries counted", got)
			}
			tm := resp.Timings
			if tm.Blocked+tm.Duration() != tm.End-tm.Start {
				t.Errorf("%+v", tm)
			}
			c.Close()
		})
	}
}

// TestRefusedForEver ends at the deadline.
func TestRefusedForEver(t *testing.T) {
	for _, goAway := range []bool{false, true} {
		c := newClient(t, Config{TLS: TLS{InsecureSkipVerify: true}})
		url := frameServer(t, func(fr *http2.Framer, _, _ int, id uint32) bool {
			if goAway {
				fr.WriteGoAway(0, http2.ErrCodeNo, nil)
				return false
			}
			return fr.WriteRSTStream(id, http2.ErrCodeRefusedStream) == nil
		})
		resp := do(c, Request{URL: url, Timeout: 300 * time.Millisecond})
		if resp.ErrorCode() != proto.CodeTimeout || resp.Retries < 1 || resp.Retries > 20 {
			t.Errorf("%v after %d retries", resp.Err, resp.Retries)
		}
		if took := time.Duration(resp.Timings.End - resp.Timings.Start); took < 250*time.Millisecond || took > 5*time.Second {
			t.Errorf("took %v", took)
		}
		c.Close()
	}
}
