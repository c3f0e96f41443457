package target

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func dial(t *testing.T, s *Server) *net.TCPConn {
	t.Helper()
	c, err := net.Dial("tcp", s.Addr())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(30 * time.Second))
	return c.(*net.TCPConn)
}

func TestLeanByteByByte(t *testing.T) {
	s := start(t, Config{Lean: true})
	c := dial(t, s)
	send := "POST /ok HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbodyGET /size/9 HTTP/1.1\r\nHost: x\r\n\r\n"
	for i := range len(send) {
		if _, err := io.WriteString(c, send[i:i+1]); err != nil {
			t.Fatal(err)
		}
		if i%7 == 0 {
			time.Sleep(time.Millisecond) // so that the kernel does not join them
		}
	}
	exchange(t, c, "", "012345678")
}

// TestLeanHoldsBack asks for far more than the kernel buffers before it reads a
// byte: the loop must keep the rest, and the requests behind it, for later.
func TestLeanHoldsBack(t *testing.T) {
	s := start(t, Config{Lean: true, Loops: 1})
	c := dial(t, s)
	sizes := []int{30 << 20, 10, 5 << 20, 65536, 65537}
	var send strings.Builder
	for range 3 {
		for _, n := range sizes {
			send.WriteString("GET /size/" + strconv.Itoa(n) + " HTTP/1.1\r\nHost: x\r\n\r\n")
		}
	}
	if _, err := io.WriteString(c, send.String()); err != nil {
		t.Fatal(err)
	}
	time.Sleep(50 * time.Millisecond)
	// A connection that is stuck must not hold others up.
	exchange(t, dial(t, s), "GET /ok HTTP/1.1\r\nHost: x\r\n\r\n", "ok")

	r := bufio.NewReader(c)
	pattern := newPattern()
	for range 3 {
		for _, n := range sizes {
			res, err := http.ReadResponse(r, nil)
			if err != nil {
				t.Fatal(err)
			}
			body := read(t, res)
			if len(body) != n || !bytes.HasPrefix(body, pattern[:min(n, 1000)]) || body[n-1] != pattern[(n-1)%patternSize] {
				t.Fatalf("got %d bytes, want %d", len(body), n)
			}
		}
	}
}

func TestLeanManyPipelined(t *testing.T) {
	s := start(t, Config{Lean: true})
	c := dial(t, s)
	const n = 5000
	go func() {
		_, _ = io.WriteString(c, strings.Repeat("GET /size/300 HTTP/1.1\r\nHost: x\r\n\r\n", n))
		_ = c.CloseWrite() // the answers must come all the same
	}()
	r := bufio.NewReader(c)
	for i := range n {
		res, err := http.ReadResponse(r, nil)
		if err != nil {
			t.Fatalf("answer %d: %v", i, err)
		}
		if body := read(t, res); len(body) != 300 {
			t.Fatalf("answer %d has %d bytes", i, len(body))
		}
	}
	if _, err := r.ReadByte(); err != io.EOF {
		t.Errorf("after the last answer: %v, want the end", err)
	}
	if got := s.Count(); got != n {
		t.Errorf("count is %d, want %d", got, n)
	}
}

func TestLeanRefusals(t *testing.T) {
	s := start(t, Config{Lean: true})
	for send, want := range map[string]string{
		"nonsense\r\n\r\n": "HTTP/1.1 400 ",
		"POST /ok HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n": "HTTP/1.1 501 ",
		strings.Repeat("x", maxHead+10):                           "HTTP/1.1 431 ",
	} {
		c := dial(t, s)
		if _, err := io.WriteString(c, send); err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(c); err != nil || !strings.HasPrefix(string(got), want) {
			t.Errorf("%.40q: got %q, %v", send, got, err)
		}
	}
}

func TestLeanExpectContinue(t *testing.T) {
	s := start(t, Config{Lean: true})
	c := dial(t, s)
	exchange(t, c, "POST /ok HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n", "\r\n\r\nok")
	got := exchange(t, c, "bodyGET /ok HTTP/1.1\r\nHost: x\r\n\r\n", "ok")
	if strings.Count(got, "HTTP/1.1") != 1 {
		t.Errorf("got %q", got)
	}
}

// TestLeanTurnAllocatesNothing drives a loop by hand over a socket pair.
func TestLeanTurnAllocatesNothing(t *testing.T) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	server := &leanServer{stats: newCollector(1, time.Now()), pattern: newPattern(), open: openSet{fds: map[int]struct{}{}}}
	l, err := newLeanLoop(server, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer l.closeDescriptors()
	server.stats.opened()
	server.open.add(fds[0])
	request := []byte("GET /ok HTTP/1.1\r\nHost: 127.0.0.1:8000\r\n\r\n")
	answer := make([]byte, 4096)
	turn := func() {
		_, _ = unix.Write(fds[1], request)
		l.now = server.stats.now()
		l.serve(l.conn(fds[0]), unix.EPOLLIN)
		if n, _ := unix.Read(fds[1], answer); !bytes.HasSuffix(answer[:max(n, 0)], []byte("\r\n\r\nok")) {
			t.Fatalf("got %q", answer[:max(n, 0)])
		}
	}
	if n := testing.AllocsPerRun(100, turn); n != 0 {
		t.Errorf("%v allocations per request", n)
	}
	_ = unix.Close(fds[1])
	l.serve(l.conn(fds[0]), unix.EPOLLIN|unix.EPOLLRDHUP)
	if open := server.stats.open.Load(); open != 0 {
		t.Errorf("%d connections open after the client left", open)
	}
}

func BenchmarkLeanTurn(b *testing.B) {
	server := &leanServer{stats: newCollector(1, time.Now()), pattern: newPattern()}
	head := []byte("GET /ok HTTP/1.1\r\nHost: 127.0.0.1:8000\r\nUser-Agent: jsload/1.0\r\n\r\n")
	out := make([]byte, 0, 4096)
	b.ReportAllocs()
	for b.Loop() {
		req, _, _ := parseHead(head)
		server.stats.arrive(0)
		out, _, _ = server.answer(out[:0], &req)
		now := server.stats.now()
		server.stats.served(0, routeOK, now, now)
	}
}
