package client

import (
	"bufio"
	"context"
	"errors"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jsload/jsload/vu/client/internal/h1"
	"github.com/jsload/jsload/vu/client/proto"
	"github.com/jsload/jsload/vu/client/proto/transporttest"
)

// TestActivations interrupts a client again and again while it works.
func TestActivations(t *testing.T) {
	c := newClient(t, Config{})
	url := transporttest.RawServer(t, transporttest.Always("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", false))
	for i := range 100 {
		ctx, cancel := context.WithCancel(t.Context())
		c.Activate(ctx)
		time.AfterFunc(time.Duration(i%20)*100*time.Microsecond, cancel)
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				for {
					resp := do(c, Request{URL: url})
					if resp.Err == nil && string(resp.Body) == "hello" {
						continue
					}
					if !errors.Is(resp.Err, proto.ErrInterrupted) {
						t.Errorf("%v %q", resp.Err, resp.Body)
					}
					return
				}
			})
		}
		wg.Wait()
	}
	c.Activate(t.Context())
	if resp := do(c, Request{URL: url}); resp.Err != nil {
		t.Error(resp.Err)
	}
}

// TestSlowDNS checks what ends the wait for an answer that does not come.
func TestSlowDNS(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := NewNetwork(Config{})
		defer n.Close()
		n.resolver.lookup = func(ctx context.Context, _, _ string) ([]netip.Addr, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		c := n.Client(1)
		defer c.Close()
		done := make(chan *Response)
		for range 2 {
			go func() { done <- do(c, Request{URL: "http://slow.test/", Timeout: 5 * time.Second}) }()
		}
		for range 2 {
			resp := <-done
			if resp.Err == nil || resp.Err.Code != proto.CodeTimeout || resp.Timings.Blocked != int64(5*time.Second) {
				t.Errorf("%v %+v", resp.Err, resp.Timings)
			}
		}
		go func() { done <- do(c, Request{URL: "http://slow.test/"}) }()
		synctest.Wait()
		c.Interrupt()
		if resp := <-done; !errors.Is(resp.Err, proto.ErrInterrupted) {
			t.Error(resp.Err)
		}
	})
}

// TestIdleLimits checks how many connections are kept after requests in parallel.
func TestIdleLimits(t *testing.T) {
	arrived, release := make(chan struct{}), make(chan struct{})
	serve := func(_ int, nc net.Conn, r *bufio.Reader) {
		for {
			if _, err := transporttest.ReadRequest(r); err != nil {
				return
			}
			arrived <- struct{}{}
			<-release
			nc.Write([]byte("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
		}
	}
	urls := []string{transporttest.RawServer(t, serve), transporttest.RawServer(t, serve)}
	c := newClient(t, Config{IdleConns: 5, IdleConnsPerHost: 3})
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() { do(c, Request{URL: urls[i%2]}) })
	}
	for range 8 {
		<-arrived
	}
	close(release)
	wg.Wait()
	if len(c.pool.open) != 5 || c.pool.resting != 5 {
		t.Errorf("%d connections open, %d idle", len(c.pool.open), c.pool.resting)
	}
}

func TestOnExchange(t *testing.T) {
	server := newRecorder(t)
	c := newClient(t, Config{MaxRedirects: 10})
	var dump strings.Builder
	do(c, Request{Method: "POST", URL: server.URL + "/r?to=/end", Body: []byte("b"), OnExchange: func(req *proto.Request, resp *proto.Response) {
		line, _, _ := strings.Cut(string(DumpRequest(req, true)), "\r\n")
		status, _, _ := strings.Cut(string(DumpResponse(resp, true)), "\r\n")
		dump.WriteString(line + " -> " + status + "\n")
	}})
	want := "POST /r?to=/end HTTP/1.1 -> HTTP/1.1 302 Found\nGET /end HTTP/1.1 -> HTTP/1.1 200 OK\n"
	if dump.String() != want {
		t.Errorf("%s", dump.String())
	}
}

// FuzzTarget checks that whatever address is accepted cannot break out of its
// place in the request.
func FuzzTarget(f *testing.F) {
	for _, s := range []string{"http://h/p?q#f", "https://u:p@[::1]:8/%zz", "http://bücher/é b?c d", "//h", "http://h%0d%0aX: y/"} {
		f.Add(s)
	}
	n := NewNetwork(Config{Proxy: Proxy{HTTP: "http://127.0.0.1:1"}})
	f.Cleanup(n.Close)
	f.Fuzz(func(t *testing.T, s string) {
		u, err := url.Parse(s)
		if err != nil {
			return
		}
		target := n.newTarget(u)
		if target.err != nil {
			return
		}
		b := h1.Render(nil, &proto.Request{Method: "GET", Target: target.path, Host: target.host})
		if lines := strings.Count(string(b), "\n"); lines != 3 || strings.Count(string(b), "\r") != 3 {
			t.Errorf("%q became %q", s, b)
		}
		if user := u.User; user != nil && len(user.String()) > 8 && strings.Contains(target.masked, user.String()+"@") {
			t.Errorf("%q is not masked: %q", s, target.masked)
		}
	})
}
