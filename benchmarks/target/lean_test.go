package target

import (
	"bufio"
	"bytes"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestParseHead(t *testing.T) {
	for _, tc := range []struct {
		in          string
		path, query string
		length      int64
		last, head  bool
		err         error
	}{
		{in: "GET /ok HTTP/1.1\r\n\r\n", path: "/ok"},
		{in: "GET /ok?a=b&c HTTP/1.1\r\nHost: x\r\n\r\n", path: "/ok", query: "a=b&c"},
		{in: "HEAD /size/5 HTTP/1.1\r\nCONNECTION: Close\r\n\r\n", path: "/size/5", head: true, last: true},
		{in: "POST /ok HTTP/1.1\r\ncontent-length:  12 \r\nCookie: a\r\n\r\n", path: "/ok", length: 12},
		{in: "GET http://h:1/ok HTTP/1.1\r\n\r\n", path: "/ok"},
		{in: "GET http://h HTTP/1.1\r\n\r\n", path: "/"},
		{in: "GET /ok HTTP/1.0\r\n\r\n", path: "/ok", last: true},
		{in: "GET /ok HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", path: "/ok"},
		{in: "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", err: errChunked},
		{in: "GET /ok\r\n\r\n", err: errHead},
		{in: "GET /ok HTTP/2\r\n\r\n", err: errHead},
		{in: "GET  HTTP/1.1\r\n\r\n", err: errHead},
		{in: "\r\n\r\n", err: errHead},
		{in: "GET /ok HTTP/1.1\r\nContent-Length: -1\r\n\r\n", err: errHead},
		{in: "GET /ok HTTP/1.1\r\nContent-Length\r\n\r\n", err: errHead},
		{in: strings.Repeat("x", maxHead+1), err: errTooLong},
	} {
		req, n, err := parseHead([]byte(tc.in))
		if !errors.Is(err, tc.err) {
			t.Errorf("%.60q: error %v, want %v", tc.in, err, tc.err)
			continue
		}
		if err != nil {
			continue
		}
		if n != len(tc.in) || string(req.path) != tc.path || string(req.query) != tc.query ||
			req.length != tc.length || req.last != tc.last || req.isHead != tc.head {
			t.Errorf("%q: got %d bytes, %+v", tc.in, n, req)
		}
		for cut := range len(tc.in) {
			if _, n, err := parseHead([]byte(tc.in[:cut])); n != 0 || err != nil {
				t.Fatalf("%q: %d bytes of it gave %d, %v", tc.in, cut, n, err)
			}
		}
	}
}

// FuzzParseHead holds the parser against net/http's: what both accept must mean
// the same, and any head is either incomplete, refused or taken whole.
func FuzzParseHead(f *testing.F) {
	for _, seed := range []string{
		"GET /ok HTTP/1.1\r\nHost: x\r\n\r\n",
		"POST /ok HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\nabcGET / HTTP/1.1\r\n\r\n",
		"GET http://a/size/3?q HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
		"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		req, n, err := parseHead(in)
		if n < 0 || n > len(in) || req.length < 0 {
			t.Fatalf("took %d of %d bytes, length %d", n, len(in), req.length)
		}
		if err != nil || n == 0 {
			return
		}
		if !bytes.HasSuffix(in[:n], []byte("\r\n\r\n")) {
			t.Fatalf("took %q", in[:n])
		}
		want, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(in)))
		if err != nil || len(want.TransferEncoding) > 0 || !strings.HasPrefix(want.RequestURI, "/") {
			return
		}
		uri, _, _ := strings.Cut(want.RequestURI, "?")
		if string(req.path) != uri || (want.Method == "HEAD") != req.isHead {
			t.Fatalf("%q: got path %q, net/http says %q", in, req.path, uri)
		}
		if want.Header["Content-Length"] != nil && want.ContentLength != req.length {
			t.Fatalf("%q: got length %d, net/http says %d", in, req.length, want.ContentLength)
		}
	})
}

func TestLeanAnswerAllocatesNothing(t *testing.T) {
	s := &leanServer{stats: newCollector(1, time.Now()), pattern: newPattern()}
	out := make([]byte, 0, 2*inlineBody)
	for _, path := range []string{"/ok", "/size/1000", "/size/1000000", "/__target/count", "/nothing"} {
		head := []byte("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:8000\r\nUser-Agent: jsload/1.0\r\nContent-Type: a\r\n\r\n")
		s.stats.served(0, routeOK, 1, 2)
		if n := testing.AllocsPerRun(100, func() {
			req, _, _ := parseHead(head)
			s.stats.arrive(0)
			out, _, _ = s.answer(out[:0], &req)
			now := s.stats.now()
			s.stats.served(0, routeOK, now, now+5)
		}); n != 0 {
			t.Errorf("%s: %v allocations", path, n)
		}
	}
}
