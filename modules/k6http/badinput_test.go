package k6http_test

import (
	"bufio"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jsload/jsload/modules/moduletest"
)

// TestAnswersOfBrokenServers shows scripts what servers should not send.
func TestAnswersOfBrokenServers(t *testing.T) {
	b, _ := bench(t, moduletest.Config{})
	const ok = "HTTP/1.1 200 OK\r\n"
	for _, tc := range []struct{ name, answer, snippet, want string }{
		{"no content, said to be compressed", "HTTP/1.1 204 No Content\r\nContent-Encoding: gzip\r\n\r\n", `r.status + String(r.body) + r.error_code`, "204null0"},
		{"not modified, said to be compressed", "HTTP/1.1 304 Not Modified\r\nContent-Encoding: br\r\nContent-Length: 99\r\n\r\n", `r.status + String(r.body) + r.error_code`, "304null0"},
		{"answer to HEAD, said to be compressed", ok + "Content-Encoding: zstd\r\nContent-Length: 99\r\n\r\n", `(r = m.head(raw)).status + JSON.stringify(r.body) + r.error_code`, `200""0`},
		{"plain text, said to be compressed", ok + "Content-Encoding: zstd\r\nContent-Length: 5\r\n\r\nplain", `r.status + '/' + r.error_code + r.body`, "0/1701null"},
		{"redirect to nowhere", "HTTP/1.1 301 Moved\r\nContent-Length: 4\r\n\r\nbody", `r.status + r.body + r.error + r.headers['Content-Length']`, "301body4"},
		{"redirect to an empty place", "HTTP/1.1 301 Moved\r\nLocation: \r\nContent-Length: 4\r\n\r\nbody", `r.status + r.body + r.error`, "301body"},
		{"body that ends early", ok + "Content-Length: 10\r\n\r\npart", `r.status + '/' + r.error_code + r.body`, "0/1000part"},
		{"body that goes on", ok + "Content-Length: 3\r\n\r\nabcdef", `r.status + r.body`, "200abc"},
		{"two lengths", ok + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", `r.status + '/' + r.error_code`, "0/1000"},
		{"chunks of garbage", ok + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n", `r.status + '/' + r.error_code + r.body`, "0/1000abc"},
		{"chunks that end early", ok + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", `r.status + '/' + r.error_code + r.body`, "0/1000abc"},
		{"no length, closed", ok + "Connection: close\r\n\r\n" + strings.Repeat("x", 100_000), `r.status + '/' + r.body.length`, "200/100000"},
		{"no length and HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\nold", `r.status + r.body + r.proto`, "200oldHTTP/1.0"},
		{"header of 64 KiB", ok + "X-Long: " + strings.Repeat("v", 64<<10) + "\r\nContent-Length: 2\r\n\r\nok", `r.headers['X-Long'].length + r.body`, "65536ok"},
		{"headers of 1 MiB", ok + strings.Repeat("X-Part: "+strings.Repeat("v", 1016)+"\r\n", 1<<10) + "Content-Length: 2\r\n\r\nok", `r.headers['X-Part'].split(', ').length + r.body`, "1024ok"},
		{"bytes that are no text", ok + "Content-Length: 4\r\n\r\na\xff\xfeb", `r.body + r.body.length`, "a\ufffd\ufffdb4"},
		{"headers that come twice", ok + "Link: </a>\r\nLink: </b>\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Length: 0\r\n\r\n", `[r.headers.Link, r.headers['Set-Cookie'], Object.keys(r.cookies)].join('|')`, "</a>, </b>|a=1, b=2|a,b"},
		{"the name of a cookie has a colon", ok + "Set-Cookie: a:b=1\r\nContent-Length: 0\r\n\r\n", `r.headers['Set-Cookie'] + r.status`, "a:b=1200"},
		{"early hints", "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + ok + "Content-Length: 2\r\n\r\nok", `r.status + r.body`, "200ok"},
		{"eight million brackets", ok + "Connection: close\r\n\r\n" + strings.Repeat("[", 8<<20), `{ try { r.json(); return 'parsed' } catch (e) { return /nested deeper/.test(e.message) + String(r.json('a')) + r.body.length } }`, "trueundefined8388608"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_ = b.Host.Runtime.Set("raw", rawServer(t, tc.answer))
			snippet := "return " + tc.snippet
			if tc.snippet[0] == '{' {
				snippet = tc.snippet
			}
			b.Want("let r = m.get(raw); "+snippet, tc.want)
			b.EndIteration()
		})
	}
}

// TestBytesGoRoundUnchanged gets every byte there is and sends it back.
func TestBytesGoRoundUnchanged(t *testing.T) {
	b, _ := bench(t, moduletest.Config{})
	var all strings.Builder
	for i := range 256 {
		all.WriteByte(byte(i))
	}
	got := make(chan string, 1)
	_ = b.Host.Runtime.Set("raw", rawServer(t, "HTTP/1.1 200 OK\r\nContent-Length: 256\r\n\r\n"+all.String()))
	_ = b.Host.Runtime.Set("sink", countingServer(t, func(c net.Conn, _ int64) {
		body := make([]byte, 256)
		_, _ = io.ReadFull(bodyOf(c), body)
		got <- string(body)
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
	}))
	b.Want(`const r = m.get(raw, { responseType: 'binary' }); return m.post(sink, r.body).status + ' ' + r.body.byteLength`, "200 256")
	if body := <-got; body != all.String() {
		t.Errorf("the server got %q", body)
	}
}

// bodyOf reads a request up to its body.
func bodyOf(c net.Conn) io.Reader {
	r := bufio.NewReader(c)
	for line, err := r.ReadString('\n'); err == nil && len(line) > 2; line, err = r.ReadString('\n') {
	}
	return r
}

// countingServer hands each connection to a function, with its number from 1, and
// closes it then.
func countingServer(t *testing.T, handle func(c net.Conn, n int64)) (url string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	var n atomic.Int64
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { _ = c.Close() }()
				handle(c, n.Add(1))
			}()
		}
	}()
	return "http://" + l.Addr().String()
}

// TestDrippingBodyEndsAtTheTimeout demands that the timeout holds for the whole of
// an exchange, and that each request is tried once.
func TestDrippingBodyEndsAtTheTimeout(t *testing.T) {
	b, _ := bench(t, moduletest.Config{Tap: true})
	var asked atomic.Int64
	_ = b.Host.Runtime.Set("raw", countingServer(t, func(c net.Conn, _ int64) {
		bodyOf(c)
		asked.Add(1)
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
		for {
			if _, err := io.WriteString(c, "x"); err != nil {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}))
	b.Want(`const all = Array.from({ length: 30 }, () => m.get(raw, { timeout: 30 }));
		return all.every((r) => r.error_code === 1050 && r.status === 0) + ' ' + all.every((r) => r.timings.duration < 5000)`, "true true")
	if n := asked.Load(); n != 30 {
		t.Errorf("30 requests were %d", n)
	}
	if n := len(b.Samples(b.Host.Run.Builtin.HTTPReqs)); n != 30 {
		t.Errorf("%d samples", n)
	}
}

// TestServerThatGoesDown demands that failed requests are as visible as good ones.
func TestServerThatGoesDown(t *testing.T) {
	b, _ := bench(t, moduletest.Config{Tap: true})
	_ = b.Host.Runtime.Set("raw", countingServer(t, func(c net.Conn, n int64) {
		bodyOf(c)
		if n == 1 {
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
		}
	}))
	b.Want(`return [m.get(raw), m.get(raw), m.get(raw)].map((r) => r.status + '/' + r.error_code).join()`, "200/0,0/1000,0/1000")
	built := b.Host.Run.Builtin
	for i, s := range b.Samples(built.HTTPReqDuration) {
		want := "expected_response=false"
		if i == 0 {
			want = "expected_response=true"
		}
		if !strings.Contains(s, want) {
			t.Errorf("duration %d: %s", i, s)
		}
	}
	b.Text(`m.get(raw); m.get(raw)`)
	if n := len(b.Samples(built.HTTPReqDuration)); n != 2 {
		t.Errorf("%d durations of 2 failed requests", n)
	}
}

// TestSmallRequestLeavesInOneWrite: head and body come together, so that nothing
// waits for an acknowledgement.
func TestSmallRequestLeavesInOneWrite(t *testing.T) {
	b, _ := bench(t, moduletest.Config{})
	first := make(chan string, 1)
	_ = b.Host.Runtime.Set("raw", countingServer(t, func(c net.Conn, _ int64) {
		buf := make([]byte, 4096)
		n, _ := c.Read(buf)
		first <- string(buf[:n])
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
	}))
	b.Want(`return m.post(raw + '/x', 'the body').status`, "200")
	if got := <-first; !strings.HasPrefix(got, "POST /x HTTP/1.1\r\n") || !strings.HasSuffix(got, "\r\n\r\nthe body") {
		t.Errorf("the first read gave %q", got)
	}
}
