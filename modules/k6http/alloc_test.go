package k6http_test

import (
	"bufio"
	"net"
	"testing"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/k6"
	"github.com/jsload/jsload/modules/k6http"
	"github.com/jsload/jsload/modules/moduletest"
	"github.com/jsload/jsload/vu/client"
)

// quietServer answers every request with the same bytes and allocates nothing
// for it, so that allocations can be counted beside it.
func quietServer(t testing.TB) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	answer := []byte("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Type: text/plain\r\n\r\nhello")
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go serve(c, answer)
		}
	}()
	return "http://" + l.Addr().String() + "/"
}

// serve answers each empty line.
func serve(c net.Conn, answer []byte) {
	defer func() { _ = c.Close() }()
	r := bufio.NewReader(c)
	for {
		line, err := r.ReadSlice('\n')
		if err != nil {
			return
		}
		if len(line) > 2 {
			continue
		}
		if _, err := c.Write(answer); err != nil {
			return
		}
	}
}

// iteration is a virtual user and what it does again and again.
type iteration struct {
	*moduletest.Bench
	run func()
}

func newIteration(t testing.TB, url, prelude, snippet string) iteration {
	t.Helper()
	b := moduletest.New(t, k6http.New(), moduletest.Config{})
	k := k6.New()
	_ = b.Host.Runtime.Set("k6", modules.NewExports(b.Host.Runtime, k, k.Instantiate(b.Host)))
	_ = b.Host.Runtime.Set("url", url)
	b.Text(prelude)
	f := b.Function(snippet)
	run := func() {
		if _, err := f(goja.Undefined()); err != nil {
			t.Fatal(err)
		}
		b.EndIteration()
	}
	for range 10 {
		run()
	}
	return iteration{b, run}
}

// plain asks the client alone, for responses that are kept.
func (i iteration) plain(url string) func() {
	return func() {
		r := new(struct {
			req  client.Request
			resp client.Response
		})
		r.req.URL = url
		i.Host.VU.Client.Do(&r.req, &r.resp)
	}
}

// TestAllocations bounds what the way through the interpreter costs, metrics
// recorded, the client subtracted. About half of it is the script's own literal,
// which the second case makes once.
func TestAllocations(t *testing.T) {
	url := quietServer(t)
	for _, tc := range []struct {
		name, prelude, snippet string
		limit                  float64
	}{
		{"get and check", "", `const res = m.get(url); k6.check(res, { 'status is 200': (r) => r.status === 200 });`, 30},
		{"table made once", `table = { 'status is 200': (r) => r.status === 200 }`, `const res = m.get(url); k6.check(res, table);`, 15},
		{"get", "", `m.get(url);`, 6},
	} {
		i := newIteration(t, url, tc.prelude, tc.snippet)
		all := testing.AllocsPerRun(200, i.run)
		alone := testing.AllocsPerRun(200, i.plain(url))
		t.Logf("%s: %v with %v of the client", tc.name, all, alone)
		if all-alone > tc.limit {
			t.Errorf("%s: %v allocations beside the client's %v, want at most %v", tc.name, all-alone, alone, tc.limit)
		}
	}
}

func BenchmarkGetAndCheck(b *testing.B) {
	i := newIteration(b, quietServer(b), "", `const res = m.get(url); k6.check(res, { 'status is 200': (r) => r.status === 200 });`)
	b.ReportAllocs()
	for b.Loop() {
		i.run()
	}
}
