package transporttest

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// CheckLeaks fails the test if goroutines are left behind.
func CheckLeaks(t testing.TB) {
	t.Helper()
	before := runtime.NumGoroutine()
	t.Cleanup(func() {
		deadline := time.Now().Add(5 * time.Second)
		for runtime.NumGoroutine() > before {
			if time.Now().After(deadline) {
				buf := make([]byte, 1<<16)
				t.Errorf("%d goroutines before, %d after\n%s", before, runtime.NumGoroutine(), buf[:runtime.Stack(buf, true)])
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	})
}

// RawServer answers on loopback with serve, one call per connection, numbered
// from 0. The connection is closed when serve returns.
func RawServer(t testing.TB, serve func(n int, nc net.Conn, r *bufio.Reader)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	var conns []net.Conn
	wg.Go(func() {
		for n := 0; ; n++ {
			nc, err := l.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			conns = append(conns, nc)
			mu.Unlock()
			wg.Go(func() {
				defer nc.Close()
				serve(n, nc, bufio.NewReader(nc))
			})
		}
	})
	t.Cleanup(func() {
		l.Close()
		mu.Lock()
		for _, nc := range conns {
			nc.Close()
		}
		mu.Unlock()
		wg.Wait()
	})
	return "http://" + l.Addr().String()
}

// Always answers every request with the same bytes and closes if told to.
func Always(answer string, close bool) func(int, net.Conn, *bufio.Reader) {
	return func(_ int, nc net.Conn, r *bufio.Reader) {
		for {
			if _, err := ReadRequest(r); err != nil {
				return
			}
			if _, err := io.WriteString(nc, answer); err != nil || close {
				return
			}
		}
	}
}

// ReadRequest reads one request with its body.
func ReadRequest(r *bufio.Reader) (*http.Request, error) {
	req, err := http.ReadRequest(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(req.Body)
	req.Body = io.NopCloser(strings.NewReader(string(body)))
	return req, err
}
