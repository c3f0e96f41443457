package client

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/jsload/jsload/vu/client/proto"
	"github.com/jsload/jsload/vu/client/proto/transporttest"
)

// newClient makes a client that is closed with the test.
func newClient(t *testing.T, config Config) *Client {
	t.Helper()
	transporttest.CheckLeaks(t)
	if config.UserAgent == "" {
		config.UserAgent = "test"
	}
	n := NewNetwork(config)
	c := n.Client(1)
	t.Cleanup(func() {
		c.Close()
		n.Close()
	})
	return c
}

// do performs a request into a new response.
func do(c *Client, req Request) *Response {
	resp := new(Response)
	c.Do(&req, resp)
	return resp
}

func TestGet(t *testing.T) {
	c := newClient(t, Config{})
	url := transporttest.RawServer(t, transporttest.Always("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", false))
	for i := range 3 {
		resp := do(c, Request{URL: url + "/x"})
		if resp.Err != nil || resp.Status != 200 || string(resp.Body) != "hello" {
			t.Fatalf("%d %q %v", resp.Status, resp.Body, resp.Err)
		}
		x := resp.Exchanges[0]
		if x.Reused != (i > 0) || x.RemoteIP != "127.0.0.1" || x.RemotePort == 0 || x.URL != url+"/x" || x.Proto != "HTTP/1.1" {
			t.Errorf("exchange %+v", x)
		}
		tm := x.Timings
		if tm.Start <= 0 || tm.End <= tm.Start || tm.Waiting <= 0 || tm.Sending < 0 || tm.Receiving < 0 {
			t.Errorf("timings %+v", tm)
		}
		if sum := tm.Blocked + tm.Duration(); sum != tm.End-tm.Start {
			t.Errorf("phases add up to %d of %d", sum, tm.End-tm.Start)
		}
		if (tm.Connecting > 0) != (i == 0) {
			t.Errorf("connecting %d on exchange %d", tm.Connecting, i)
		}
		if want := int64(len("GET /x HTTP/1.1\r\nHost: \r\nUser-Agent: test\r\n\r\n") + len(url) - len("http://")); x.Sent != want {
			t.Errorf("sent %d bytes, want %d", x.Sent, want)
		}
	}
	if c.Dialer().Received() != 3*int64(len("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")) {
		t.Errorf("received %d", c.Dialer().Received())
	}
}

func TestSteadyGetAllocatesNothing(t *testing.T) {
	c := newClient(t, Config{})
	url := transporttest.RawServer(t, func(_ int, nc net.Conn, r *bufio.Reader) {
		answer := []byte("HTTP/1.1 200 OK\r\nServer: x\r\nContent-Length: 5\r\n\r\nhello")
		for {
			for {
				line, err := r.ReadSlice('\n')
				if err != nil {
					return
				}
				if len(line) == 2 {
					break
				}
			}
			nc.Write(answer)
		}
	})
	req := Request{URL: url + "/", Header: []proto.Field{{Name: "X-A", Value: "1"}}}
	var resp Response
	c.Do(&req, &resp)
	got := testing.AllocsPerRun(200, func() {
		c.Do(&req, &resp)
		if resp.Err != nil || resp.Status != 200 {
			t.Fatal(resp.Err)
		}
	})
	if got != 0 && !underRace {
		t.Errorf("%v allocations per request", got)
	}
}

func TestHTTPS(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Write(body)
	}))
	defer server.Close()
	c := newClient(t, Config{TLS: TLS{InsecureSkipVerify: true}})
	body := strings.Repeat("0123456789", 50_000)
	for i := range 3 {
		resp := do(c, Request{Method: "POST", URL: server.URL, Body: []byte(body)})
		if resp.Err != nil || string(resp.Body) != body {
			t.Fatalf("%v, %d bytes", resp.Err, len(resp.Body))
		}
		if resp.TLSVersion != "tls1.3" || !strings.HasPrefix(resp.TLSCipher, "TLS_") || resp.Reused != (i > 0) {
			t.Errorf("%+v", resp.Exchange)
		}
		if (resp.Timings.TLSHandshaking > 0) != (i == 0) {
			t.Errorf("handshake took %d in exchange %d", resp.Timings.TLSHandshaking, i)
		}
	}
}

func TestInterrupt(t *testing.T) {
	url := transporttest.RawServer(t, func(_ int, nc net.Conn, r *bufio.Reader) {
		transporttest.ReadRequest(r)
		transporttest.ReadRequest(r) // until the client hangs up
	})
	c := newClient(t, Config{})
	ctx, cancel := context.WithCancel(t.Context())
	c.Activate(ctx)
	done := make(chan *Response)
	for range 3 {
		go func() { done <- do(c, Request{URL: url}) }()
	}
	time.Sleep(20 * time.Millisecond)
	cancel()
	for range 3 {
		resp := <-done
		if !errors.Is(resp.Err, proto.ErrInterrupted) {
			t.Errorf("error %v", resp.Err)
		}
	}
	if resp := do(c, Request{URL: url}); !errors.Is(resp.Err, proto.ErrInterrupted) {
		t.Errorf("after the end: %v", resp.Err)
	}
	c.Activate(t.Context())
	if resp := do(c, Request{URL: url, Timeout: 30 * time.Millisecond}); resp.Err == nil || resp.Err.Code != proto.CodeTimeout {
		t.Errorf("active again: %v", resp.Err)
	}
}

// BenchmarkGet is one request and its answer over loopback, the server included.
func BenchmarkGet(b *testing.B) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	go func() {
		nc, err := l.Accept()
		if err != nil {
			return
		}
		defer nc.Close()
		transporttest.Always("HTTP/1.1 200 OK\r\nServer: x\r\nContent-Length: 5\r\n\r\nhello", false)(0, nc, bufio.NewReader(nc))
	}()
	n := NewNetwork(Config{UserAgent: "bench"})
	defer n.Close()
	c := n.Client(1)
	defer c.Close()
	req := Request{URL: "http://" + l.Addr().String() + "/"}
	var resp Response
	for b.Loop() {
		if c.Do(&req, &resp); resp.Err != nil {
			b.Fatal(resp.Err)
		}
	}
}
