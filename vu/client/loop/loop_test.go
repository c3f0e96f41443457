package loop

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/jsload/jsload/vu/client"
)

func TestGet(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "hello") }))
	defer server.Close()
	r := newRig(t, client.Config{})
	for i := range 3 {
		resp := r.do(client.Request{URL: server.URL + "/x"})
		if resp.Err != nil || resp.Status != 200 || string(resp.Body) != "hello" {
			t.Fatalf("%d %q %v", resp.Status, resp.Body, resp.Err)
		}
		x := resp.Exchanges[0]
		if x.Reused != (i > 0) || x.RemoteIP != "127.0.0.1" || x.RemotePort == 0 || x.URL != server.URL+"/x" || x.Proto != "HTTP/1.1" {
			t.Errorf("exchange %+v", x)
		}
		tm := x.Timings
		if sum := tm.Blocked + tm.Duration(); sum != tm.End-tm.Start || tm.Waiting <= 0 || tm.Sending <= 0 {
			t.Errorf("phases add up to %d of %d: %+v", sum, tm.End-tm.Start, tm)
		}
		if (tm.Connecting > 0) != (i == 0) {
			t.Errorf("connecting %d on exchange %d", tm.Connecting, i)
		}
	}
}

// BenchmarkGet is one request and its answer over loopback, the server included, with
// 64 users on one loop.
func BenchmarkGet(b *testing.B) {
	r := newRig(b, client.Config{})
	url := rawServer(b)
	all := r.loopers(b, 64, url)
	b.ReportAllocs()
	b.ResetTimer()
	r.run(all, b.N/len(all)+1)
}

// rawServer is a server that costs little.
func rawServer(b *testing.B) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { l.Close() })
	go func() {
		for {
			nc, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer nc.Close()
				lean(0, nc, bufio.NewReader(nc))
			}()
		}
	}()
	return "http://" + l.Addr().String()
}
