package h1

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"net/textproto"
	"strings"
	"testing"

	"github.com/jsload/jsload/vu/client/proto"
	"github.com/valyala/fasthttp"
)

// answer is what a Reader made of some bytes followed by the end of the connection.
type answer struct {
	resp *proto.Response
	used int
	err  error
}

// readAll feeds b in pieces of the given size, then the end.
func readAll(method string, b []byte, piece int) answer {
	var r Reader
	a := answer{resp: new(proto.Response)}
	r.Reset(method, a.resp, false)
	for a.used < len(b) && !r.Done() {
		n, err := r.Feed(b[a.used:min(len(b), a.used+piece)])
		a.used += n
		if err != nil {
			a.err = err
			return a
		}
	}
	a.err = r.EOF()
	return a
}

func TestReader(t *testing.T) {
	tests := []struct {
		name, method, in string
		status           int
		text, proto      string
		header, body     string
		close            bool
		err              string
		left             int
	}{
		{name: "length", in: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", status: 200, text: "200 OK", header: "Content-Length: 2\r\n", body: "ok"},
		{name: "more than asked for", in: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP", status: 200, text: "200 OK", header: "Content-Length: 2\r\n", body: "ok", left: 4},
		{name: "chunked", in: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nA;x=y\r\n, world!!!\r\n0\r\n\r\n", status: 200, text: "200 OK", header: "Transfer-Encoding: chunked\r\n", body: "hello, world!!!"},
		{name: "trailer", in: "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n5\r\nhello\r\n0\r\nX-End: yes\r\n\r\n", status: 200, text: "200 OK", header: "Transfer-Encoding: Chunked\r\n", body: "hello"},
		{name: "until close", in: "HTTP/1.1 200 OK\r\nA: b\r\n\r\nall of it", status: 200, text: "200 OK", header: "A: b\r\n", body: "all of it", close: true},
		{name: "old version", in: "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", status: 200, text: "200 OK", proto: "HTTP/1.0", header: "Content-Length: 2\r\n", body: "ok", close: true},
		{name: "old version kept", in: "HTTP/1.0 200 OK\r\nConnection: x, Keep-Alive\r\nContent-Length: 2\r\n\r\nok", status: 200, text: "200 OK", proto: "HTTP/1.0", header: "Connection: x, Keep-Alive\r\nContent-Length: 2\r\n", body: "ok"},
		{name: "old version is never chunked", in: "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", status: 200, text: "200 OK", proto: "HTTP/1.0", header: "Transfer-Encoding: chunked\r\n", body: "0\r\n\r\n", close: true},
		{name: "asked to close", in: "HTTP/1.1 200 OK\r\nconnection: CLOSE\r\nContent-Length: 0\r\n\r\n", status: 200, text: "200 OK", header: "connection: CLOSE\r\nContent-Length: 0\r\n", close: true},
		{name: "no content", in: "HTTP/1.1 204 No Content\r\nContent-Length: 9\r\n\r\n", status: 204, text: "204 No Content", header: "Content-Length: 9\r\n"},
		{name: "not modified", in: "HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n", status: 304, text: "304 Not Modified", header: "Transfer-Encoding: chunked\r\n"},
		{name: "head", method: "HEAD", in: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", status: 200, text: "200 OK", header: "Content-Length: 9\r\n"},
		{name: "interim", in: "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhints", status: 200, text: "200 OK", header: "Content-Length: 5\r\n", body: "hints"},
		{name: "switching", in: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nraw", status: 101, text: "101 Switching Protocols", header: "Upgrade: x\r\n", close: true, left: 3},
		{name: "bare line feeds", in: "HTTP/1.1 200 OK\nContent-Length: 2\n\nok", status: 200, text: "200 OK", header: "Content-Length: 2\r\n", body: "ok"},
		{name: "folded", in: "HTTP/1.1 200 OK\r\nX: a\r\n\t b \r\n c\r\nContent-Length: 0\r\n\r\n", status: 200, text: "200 OK", header: "X: a b c\r\nContent-Length: 0\r\n"},
		{name: "folded length", in: "HTTP/1.1 200 OK\r\nContent-Length:\r\n 2\r\n\r\nok", status: 200, text: "200 OK", header: "Content-Length: 2\r\n", body: "ok"},
		{name: "odd reason", in: "HTTP/1.1 299 Odd Reason Here\r\nContent-Length: 2\r\n\r\nok", status: 299, text: "299 Odd Reason Here", header: "Content-Length: 2\r\n", body: "ok"},
		{name: "no reason", in: "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok", status: 200, text: "200", header: "Content-Length: 2\r\n", body: "ok"},
		{name: "status beyond", in: "HTTP/1.1 600 Strange\r\nContent-Length: 2\r\n\r\nok", status: 600, text: "600 Strange", header: "Content-Length: 2\r\n", body: "ok"},
		{name: "same length twice", in: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok", status: 200, text: "200 OK", header: "Content-Length: 2\r\nContent-Length: 2\r\n", body: "ok"},
		{name: "chunked beats length", in: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n", status: 200, text: "200 OK", header: "Content-Length: 9\r\nTransfer-Encoding: chunked\r\n", body: "x"},
		{name: "name with a space", in: "HTTP/1.1 200 OK\r\nBad Header: x\r\nContent-Length: 2\r\n\r\nok", status: 200, text: "200 OK", header: "Bad Header: x\r\nContent-Length: 2\r\n", body: "ok"},

		{name: "nothing", err: "EOF"},
		{name: "cut head", in: "HTTP/1.1 200 OK\r\nContent-Le", err: "unexpected EOF"},
		{name: "cut body", in: "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly ten b", body: "only ten b", err: "unexpected EOF"},
		{name: "cut chunks", in: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", body: "hello", err: "unexpected EOF"},
		{name: "bad chunk", in: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\nhello\r\n", err: "invalid byte in chunk length"},
		{name: "long chunk size", in: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n11111111111111111\r\n", err: "chunk length too large"},
		{name: "chunk without end", in: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxx\r\n", body: "x", err: "malformed chunked encoding"},
		{name: "chunk line with bare line feed", in: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\nx\r\n", err: "bare LF"},
		{name: "endless extension", in: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;" + strings.Repeat("x", 5000), err: "too long"},
		{name: "mostly framing", in: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + strings.Repeat("1;"+strings.Repeat("e", 1000)+"\r\nx\r\n", 20), body: strings.Repeat("x", 16), err: "too much non-data"},
		{name: "garbage", in: "SMTP 220 hello there\r\n\r\n", err: "malformed HTTP version"},
		{name: "other garbage", in: "hello\r\n", err: "malformed HTTP response"},
		{name: "bad status", in: "HTTP/1.1 2x0 OK\r\n\r\n", err: "malformed HTTP status code"},
		{name: "two lengths", in: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc", err: "multiple Content-Length"},
		{name: "negative length", in: "HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\n", err: "bad Content-Length"},
		{name: "empty length", in: "HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n", err: "bad Content-Length"},
		{name: "unknown coding", in: "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", err: "unsupported transfer encoding"},
		{name: "two codings", in: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", err: "too many transfer encodings"},
		{name: "no colon", in: "HTTP/1.1 200 OK\r\nnothing here\r\n\r\n", err: "missing colon"},
		{name: "control byte", in: "HTTP/1.1 200 OK\r\nX: a\x00b\r\n\r\n", err: "malformed MIME header line"},
		{name: "leading space", in: "HTTP/1.1 200 OK\r\n X: a\r\n\r\n", err: "initial line"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			method := tt.method
			if method == "" {
				method = "GET"
			}
			for _, piece := range []int{1, 2, 7, 1 << 20} {
				a := readAll(method, []byte(tt.in), piece)
				if got := string(a.resp.Body); got != tt.body {
					t.Errorf("pieces of %d: body %q, want %q", piece, got, tt.body)
				}
				if tt.err != "" {
					if a.err == nil || !strings.Contains(a.err.Error(), tt.err) {
						t.Errorf("pieces of %d: error %v, want %q", piece, a.err, tt.err)
					}
					continue
				}
				if a.err != nil {
					t.Fatalf("pieces of %d: %v", piece, a.err)
				}
				wantProto := tt.proto
				if wantProto == "" {
					wantProto = "HTTP/1.1"
				}
				x := a.resp
				if x.Status != tt.status || x.StatusText != tt.text || x.Proto != wantProto || x.Close != tt.close {
					t.Errorf("pieces of %d: got %d %q %s close=%v", piece, x.Status, x.StatusText, x.Proto, x.Close)
				}
				if string(x.Header) != tt.header {
					t.Errorf("pieces of %d: header %q", piece, x.Header)
				}
				if left := len(tt.in) - a.used; left != tt.left {
					t.Errorf("pieces of %d: %d bytes left, want %d", piece, left, tt.left)
				}
			}
		})
	}
}

func TestReaderLargeHead(t *testing.T) {
	for _, size := range []int{64 << 10, 1 << 20} {
		in := "HTTP/1.1 200 OK\r\nX-Big: " + strings.Repeat("v", size) + "\r\nContent-Length: 2\r\n\r\nok"
		a := readAll("GET", []byte(in), 4096)
		if a.err != nil || string(a.resp.Body) != "ok" || len(a.resp.Header.First("x-big")) != size {
			t.Errorf("head of %d: %v", size, a.err)
		}
	}
	in := "HTTP/1.1 200 OK\r\nX-Big: " + strings.Repeat("v", maxHead)
	if a := readAll("GET", []byte(in), 1<<16); a.err == nil || !strings.Contains(a.err.Error(), "exceeded") {
		t.Errorf("endless head: %v", a.err)
	}
}

func TestReaderDiscardCounts(t *testing.T) {
	var r Reader
	resp := new(proto.Response)
	r.Reset("GET", resp, true)
	if _, err := r.Feed([]byte("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")); err != nil || !r.Done() {
		t.Fatal(err)
	}
	if len(resp.Body) != 0 || resp.BodyLen != 5 {
		t.Errorf("body %q, length %d", resp.Body, resp.BodyLen)
	}
}

func TestReaderAllocatesNothing(t *testing.T) {
	var r Reader
	resp := new(proto.Response)
	in := []byte("HTTP/1.1 404 Not Found\r\nServer: x\r\nDate: Mon, 01 Jan 2024 00:00:00 GMT\r\nContent-Length: 5\r\n\r\nhello")
	got := testing.AllocsPerRun(100, func() {
		r.Reset("GET", resp, false)
		if _, err := r.Feed(in); err != nil || !r.Done() {
			t.Fatal(err)
		}
	})
	if got != 0 {
		t.Errorf("%v allocations per answer", got)
	}
}

// FuzzReader compares the reader with net/http's on the same bytes, whole and
// byte by byte, and with fasthttp's where all three accept.
func FuzzReader(f *testing.F) {
	for _, s := range []string{
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nA: b\r\n\r\n",
		"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n\r\nx",
		"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
		"HTTP/1.1 204 No Content\r\nX: a\r\n b\r\n\r\n",
		"HTTP/1.1 200 OK\nContent-Length: 2\nContent-Length: 2\n\nok",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b \r\nabc\r\n000\r\n\r\nrest",
	} {
		f.Add([]byte(s), false)
		f.Add([]byte(s), true)
	}
	f.Fuzz(func(t *testing.T, in []byte, head bool) {
		method := "GET"
		if head {
			method = "HEAD"
		}
		whole, single := readAll(method, in, len(in)+1), readAll(method, in, 1)
		same(t, whole, single)
		want, err := oracle(method, in)
		if err == errUnsure {
			return
		}
		if (err == nil) != (whole.err == nil) {
			t.Fatalf("net/http: %v; here: %v", err, whole.err)
		}
		if err != nil {
			return
		}
		if whole.resp.Status != want.StatusCode || string(whole.resp.Body) != want.body {
			t.Fatalf("got %d %q, net/http has %d %q", whole.resp.Status, whole.resp.Body, want.StatusCode, want.body)
		}
		if whole.resp.Close != want.Close && whole.resp.Status != 101 {
			t.Fatalf("close %v, net/http has %v", whole.resp.Close, want.Close)
		}
		sameHeader(t, whole.resp.Header, want.Header)
		againstFasthttp(t, in, head, whole)
	})
}

func same(t *testing.T, a, b answer) {
	t.Helper()
	if (a.err == nil) != (b.err == nil) || !bytes.Equal(a.resp.Body, b.resp.Body) || !bytes.Equal(a.resp.Header, b.resp.Header) {
		t.Fatalf("in one piece: %v %q; byte by byte: %v %q", a.err, a.resp.Body, b.err, b.resp.Body)
	}
	if a.err == nil && (a.used != b.used || a.resp.Close != b.resp.Close || a.resp.StatusText != b.resp.StatusText) {
		t.Fatalf("in one piece: %d %v; byte by byte: %d %v", a.used, a.resp.Close, b.used, b.resp.Close)
	}
}

type httpAnswer struct {
	*http.Response
	body string
}

// errUnsure marks input on which net/http is not followed: signs in a status,
// and trailers, which it reads through a window of its buffer.
var errUnsure = io.ErrNoProgress

func oracle(method string, in []byte) (httpAnswer, error) {
	br := bufio.NewReaderSize(bytes.NewReader(in), 4096)
	for {
		resp, err := http.ReadResponse(br, &http.Request{Method: method})
		if err != nil {
			return httpAnswer{}, unsureOfSign(in, err)
		}
		if resp.StatusCode/100 == 1 && resp.StatusCode != 101 {
			continue
		}
		if resp.StatusCode < 100 {
			return httpAnswer{}, errUnsure
		}
		body, err := io.ReadAll(resp.Body)
		if err != nil && (strings.Contains(err.Error(), "trailer") || bytes.Contains(in, []byte("0\r\n"))) {
			err = errUnsure
		}
		return httpAnswer{resp, string(body)}, err
	}
}

func unsureOfSign(in []byte, err error) error {
	if bytes.ContainsAny(in, "+-") && strings.Contains(err.Error(), "status") {
		return errUnsure
	}
	return err
}

// sameHeader compares what All yields with net/http's map, leaving out the
// fields that it takes for itself.
func sameHeader(t *testing.T, h proto.Header, want http.Header) {
	t.Helper()
	got := http.Header{}
	for name, value := range h.All() {
		got[name] = append(got[name], value)
	}
	for _, name := range []string{"Content-Length", "Transfer-Encoding", "Connection", "Trailer", "Cache-Control"} {
		delete(got, name)
		delete(want, name)
	}
	for name, values := range want {
		if len(got[name]) != len(values) {
			t.Fatalf("%s: got %q, net/http has %q", name, got[name], values)
		}
		for i, v := range values {
			if got[name][i] != textproto.TrimString(v) {
				t.Fatalf("%s: got %q, net/http has %q", name, got[name], values)
			}
		}
	}
	if len(got) != len(want) {
		t.Fatalf("got %v, net/http has %v", got, want)
	}
}

func againstFasthttp(t *testing.T, in []byte, head bool, a answer) {
	var resp fasthttp.Response
	resp.SkipBody = head
	if err := resp.Read(bufio.NewReader(bytes.NewReader(in))); err != nil {
		return
	}
	if resp.StatusCode() != a.resp.Status || bytes.Contains(in, []byte("\n ")) || bytes.Contains(in, []byte("\n\t")) {
		return // interim answers and folded lines are treated otherwise there
	}
	if resp.Header.ContentLength() >= 0 && a.resp.BodyLen > 0 && !bytes.Equal(resp.Body(), a.resp.Body) {
		t.Fatalf("body %q, fasthttp has %q", a.resp.Body, resp.Body())
	}
}
