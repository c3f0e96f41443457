package h1

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jsload/jsload/vu/client/internal/wire"
	"github.com/jsload/jsload/vu/client/proto"
)

// eachDriver runs a test over a plain and a TLS connection, with the one-wait
// exchange and with Read and Write alone.
func eachDriver(t *testing.T, serve func(nc net.Conn, r *bufio.Reader), test func(t *testing.T, c *Conn)) {
	certificates := httptest.NewTLSServer(nil)
	config := certificates.TLS.Clone()
	config.NextProtos = nil
	certificates.Close()
	for _, secure := range []bool{false, true} {
		for _, portable := range []bool{false, true} {
			name := map[bool]string{false: "plain", true: "TLS"}[secure] + map[bool]string{false: "", true: " portable"}[portable]
			t.Run(name, func(t *testing.T) {
				l, err := net.Listen("tcp", "127.0.0.1:0")
				if err != nil {
					t.Fatal(err)
				}
				var wg sync.WaitGroup
				wg.Go(func() {
					nc, err := l.Accept()
					if err != nil {
						return
					}
					defer nc.Close()
					if secure {
						nc = tls.Server(nc, config)
					}
					serve(nc, bufio.NewReader(nc))
				})
				shared := wire.NewShared(time.Now())
				c := dialTest(t, l.Addr().String(), shared, secure, portable)
				test(t, c)
				c.Close()
				shared.Close()
				l.Close()
				wg.Wait()
			})
		}
	}
}

func dialTest(t *testing.T, addr string, shared *wire.Shared, secure, portable bool) *Conn {
	t.Helper()
	nc, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	counted := wire.Counted(nc, new(wire.Counters))
	if portable {
		counted.Portable()
	}
	var over *wire.Secure
	if secure {
		if over, err = wire.Handshake(t.Context(), counted, &tls.Config{InsecureSkipVerify: true}); err != nil {
			t.Fatal(err)
		}
	}
	return NewConn(counted, over, shared, new(atomic.Bool))
}

// send performs one exchange with a timeout.
func send(c *Conn, req proto.Request, timeout time.Duration) *proto.Response {
	resp := new(proto.Response)
	req.Host, req.Timeout = "x", int64(timeout)
	resp.Timings.Start = c.shared.Now()
	req.Deadline = resp.Timings.Start + req.Timeout
	c.Do(&req, resp)
	return resp
}

// echo answers each request with its body.
func echo(nc net.Conn, r *bufio.Reader) {
	for {
		req, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		body, _ := io.ReadAll(req.Body)
		(&http.Response{ProtoMajor: 1, ProtoMinor: 1, StatusCode: 200, ContentLength: int64(len(body)), Body: io.NopCloser(bytes.NewReader(body))}).Write(nc)
	}
}

func TestConnReuse(t *testing.T) {
	eachDriver(t, echo, func(t *testing.T, c *Conn) {
		for i, size := range []int{0, 10, 100_000, 3 << 20, 10} {
			body := bytes.Repeat([]byte{byte('a' + i)}, size)
			resp := send(c, proto.Request{Method: "POST", Target: "/", Body: body}, 10*time.Second)
			if resp.Err != nil || !bytes.Equal(resp.Body, body) || resp.Close || resp.Reused != (i > 0) {
				t.Fatalf("body of %d: %v, got %d, close %v", size, resp.Err, len(resp.Body), resp.Close)
			}
			tm := resp.Timings
			if tm.Sending <= 0 || tm.Waiting < 0 || tm.Receiving < 0 || tm.Blocked+tm.Duration() != tm.End-tm.Start {
				t.Errorf("body of %d: %+v", size, tm)
			}
		}
	})
}

func TestConnTimeout(t *testing.T) {
	silent := func(nc net.Conn, r *bufio.Reader) { io.Copy(io.Discard, r) }
	eachDriver(t, silent, func(t *testing.T, c *Conn) {
		resp := send(c, proto.Request{Method: "GET", Target: "/"}, 30*time.Millisecond)
		if resp.Err == nil || resp.Err.Code != proto.CodeTimeout || !resp.Close || resp.Timings.Waiting < int64(20*time.Millisecond) {
			t.Errorf("%v %+v", resp.Err, resp.Timings)
		}
	})
}

func TestConnSweep(t *testing.T) {
	silent := func(nc net.Conn, r *bufio.Reader) { io.Copy(io.Discard, r) }
	eachDriver(t, silent, func(t *testing.T, c *Conn) {
		go func() {
			time.Sleep(20 * time.Millisecond)
			c.shared.Sweep(c.shared.Now() + int64(time.Minute))
		}()
		resp := send(c, proto.Request{Method: "GET", Target: "/"}, 30*time.Second)
		if resp.Err == nil || resp.Err.Code != proto.CodeTimeout {
			t.Error(resp.Err)
		}
	})
}

func TestConnInterrupt(t *testing.T) {
	// The server reads the head only, so that a large request is stuck in the write.
	stuck := func(nc net.Conn, r *bufio.Reader) {
		http.ReadRequest(r)
		time.Sleep(100 * time.Millisecond)
	}
	for _, body := range [][]byte{nil, make([]byte, 16<<20)} {
		eachDriver(t, stuck, func(t *testing.T, c *Conn) {
			time.AfterFunc(20*time.Millisecond, c.Interrupt)
			resp := send(c, proto.Request{Method: "POST", Target: "/", Body: body}, 30*time.Second)
			if resp.Err == nil || resp.Err.Cause != proto.ErrInterrupted {
				t.Error(resp.Err)
			}
		})
	}
}

func TestConnStopped(t *testing.T) {
	eachDriver(t, echo, func(t *testing.T, c *Conn) {
		c.stop.Store(true)
		resp := send(c, proto.Request{Method: "GET", Target: "/"}, 30*time.Second)
		if resp.Err == nil || resp.Err.Cause != proto.ErrInterrupted {
			t.Error(resp.Err)
		}
	})
}

// TestConnSlowHead delivers the answer byte by byte.
func TestConnSlowHead(t *testing.T) {
	serve := func(nc net.Conn, r *bufio.Reader) {
		for {
			if _, err := http.ReadRequest(r); err != nil {
				return
			}
			for _, b := range []byte("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n") {
				if _, err := nc.Write([]byte{b}); err != nil {
					return
				}
			}
		}
	}
	eachDriver(t, serve, func(t *testing.T, c *Conn) {
		for range 3 {
			if resp := send(c, proto.Request{Method: "GET", Target: "/"}, 10*time.Second); resp.Err != nil || string(resp.Body) != "ok" {
				t.Errorf("%v %q", resp.Err, resp.Body)
			}
		}
	})
}

// TestConnHalfClosed: a server that ended its side while the connection was idle
// is noticed before anything is written.
func TestConnHalfClosed(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		nc, err := l.Accept()
		if err != nil {
			return
		}
		defer nc.Close()
		r := bufio.NewReader(nc)
		http.ReadRequest(r)
		io.WriteString(nc, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
		nc.(*net.TCPConn).CloseWrite()
		io.Copy(io.Discard, r)
	}()
	shared := wire.NewShared(time.Now())
	defer shared.Close()
	c := dialTest(t, l.Addr().String(), shared, false, false)
	defer c.Close()
	if !c.wire.Direct() {
		return // noticing it takes the one-wait exchange
	}
	send(c, proto.Request{Method: "GET", Target: "/"}, time.Second)
	time.Sleep(20 * time.Millisecond)
	resp := send(c, proto.Request{Method: "POST", Target: "/", Body: []byte("x")}, time.Second)
	if !resp.Stale || resp.Sent != 0 {
		t.Errorf("%v, sent %d", resp.Err, resp.Sent)
	}
}

// TestConnEarlyAnswer: an answer that was there before the request is not waited for.
func TestConnEarlyAnswer(t *testing.T) {
	serve := func(nc net.Conn, r *bufio.Reader) {
		io.WriteString(nc, "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 4\r\n\r\nbusy")
		io.Copy(io.Discard, r)
	}
	eachDriver(t, serve, func(t *testing.T, c *Conn) {
		time.Sleep(20 * time.Millisecond)
		resp := send(c, proto.Request{Method: "GET", Target: "/"}, 5*time.Second)
		if resp.Status != 503 || string(resp.Body) != "busy" {
			t.Errorf("%d %q %v", resp.Status, resp.Body, resp.Err)
		}
	})
}

func TestRender(t *testing.T) {
	req := proto.Request{
		Method: "PUT", Target: "/a?b", Host: "h:1", UserAgent: "ua", Close: true,
		Header: []proto.Field{{Name: "X-A", Value: "1"}, {Name: "Cookie", Value: "k=v"}},
		Body:   []byte("body"),
	}
	want := "PUT /a?b HTTP/1.1\r\nHost: h:1\r\nUser-Agent: ua\r\nConnection: close\r\nContent-Length: 4\r\nX-A: 1\r\nCookie: k=v\r\n\r\n"
	buf := make([]byte, 0, 512)
	if got := string(Render(buf, &req)); got != want {
		t.Errorf("got %q", got)
	}
	if n := testing.AllocsPerRun(10, func() { Render(buf, &req) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	req.Chunked = true
	if got := string(Render(nil, &req)); !strings.Contains(got, "\r\nTransfer-Encoding: chunked\r\n") || strings.Contains(got, "Content-Length") {
		t.Errorf("chunked: %q", got)
	}
}

// TestSweptInTime lets requests over a silent pipe run into their timeouts.
func TestSweptInTime(t *testing.T) {
	for _, timeout := range []time.Duration{300 * time.Millisecond, time.Second, 2 * time.Second, time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			shared := wire.NewShared(time.Now())
			near, far := net.Pipe()
			go io.Copy(io.Discard, far)
			c := NewConn(wire.Counted(near, new(wire.Counters)), nil, shared, new(atomic.Bool))
			resp := send(c, proto.Request{Method: "GET", Target: "/"}, timeout)
			if resp.Err == nil || resp.Err.Code != proto.CodeTimeout {
				t.Error(resp.Err)
			}
			took := time.Duration(resp.Timings.End - resp.Timings.Start)
			if limit := timeout + timeout/20 + 10*time.Millisecond; took < timeout || took > limit {
				t.Errorf("timeout of %v came after %v", timeout, took)
			}
			c.Close()
			shared.Close()
		})
	}
}
