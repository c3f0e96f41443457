package k6http_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jsload/jsload/modules/k6http"
	"github.com/jsload/jsload/modules/moduletest"
)

// seen is what the echo route tells of a request.
type seen struct {
	Method, Path, Query, Host, Body string
	Header                          map[string][]string
	Length                          int64
	Chunked                         bool
}

func echo(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(seen{
		Method: r.Method, Path: r.URL.EscapedPath(), Query: r.URL.RawQuery, Host: r.Host, Body: string(body),
		Header: r.Header, Length: r.ContentLength, Chunked: len(r.TransferEncoding) > 0,
	})
}

// multipartEcho lists the parts of a form in the order in which they came.
func multipartEcho(w http.ResponseWriter, r *http.Request) {
	parts, err := r.MultipartReader()
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	for {
		p, err := parts.NextRawPart()
		if err != nil {
			return
		}
		body, _ := io.ReadAll(p)
		fmt.Fprintf(w, "%s|%s|%s|%s\n", p.FormName(), p.FileName(), p.Header.Get("Content-Type"), body)
	}
}

// running counts the requests that the pause route holds, and the most at once.
type running struct{ now, most atomic.Int64 }

func (r *running) pause(w http.ResponseWriter, _ *http.Request) {
	n := r.now.Add(1)
	defer r.now.Add(-1)
	for most := r.most.Load(); n > most && !r.most.CompareAndSwap(most, n); most = r.most.Load() {
	}
	time.Sleep(20 * time.Millisecond)
}

func routes(r *running) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/", echo)
	mux.HandleFunc("/multipart", multipartEcho)
	mux.HandleFunc("/pause", r.pause)
	mux.HandleFunc("/hang", func(_ http.ResponseWriter, req *http.Request) {
		r.now.Add(1)
		<-req.Context().Done()
	})
	mux.HandleFunc("/status/{code}", func(w http.ResponseWriter, r *http.Request) {
		code, _ := strconv.Atoi(r.PathValue("code"))
		w.WriteHeader(code)
		_, _ = io.WriteString(w, "status")
	})
	mux.HandleFunc("/to", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Set-Cookie", "hop=1; Path=/")
		code, _ := strconv.Atoi(r.FormValue("code"))
		w.Header().Set("Location", r.FormValue("url"))
		w.WriteHeader(max(code, 302))
	})
	mux.HandleFunc("/loop", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/loop", http.StatusFound) })
	mux.HandleFunc("/cookies", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Add("Set-Cookie", "a=1; Path=/; HttpOnly; Max-Age=60")
		w.Header().Add("Set-Cookie", "a=2; Path=/x; Secure; Domain=127.0.0.1")
		w.Header().Add("Set-Cookie", "b=x; Expires=Wed, 01 Jan 2031 00:00:00 GMT")
		w.Header().Add("X-Many", "1")
		w.Header().Add("X-Many", "2")
	})
	mux.HandleFunc("/text/{text}", func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.PathValue("text")) })
	mux.HandleFunc("/page", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `<a id=no>x</a><a href="/link?x=1#f">l</a><form action="send" method=post><input name=u value=v>
			<input name=__proto__ value=p><select name=m multiple><option selected>1<option selected>3</select><button type=submit name=go value=1></button></form>
			<form id=g action="?old=1"><input name=q value="a b"></form>`)
	})
	return mux
}

// bench is a virtual user with k6/http and a server for it, whose address the
// script knows as url.
func bench(t *testing.T, cfg moduletest.Config) (*moduletest.Bench, *running) {
	t.Helper()
	r := &running{}
	server := httptest.NewServer(routes(r))
	t.Cleanup(server.Close)
	b := moduletest.New(t, k6http.New(), cfg)
	_ = b.Host.Runtime.Set("url", server.URL)
	_ = b.Host.Runtime.Set("host", strings.TrimPrefix(server.URL, "http://"))
	return b, r
}

// rawServer gives every connection the same answer, after a whole request header,
// and closes it.
func rawServer(t testing.TB, answer string) (url string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			r := bufio.NewReader(c)
			for line, err := r.ReadString('\n'); err == nil && len(line) > 2; line, err = r.ReadString('\n') {
			}
			_, _ = io.WriteString(c, answer)
			_ = c.Close()
		}
	}()
	return "http://" + l.Addr().String()
}

// refusedAddress is an address where nothing listens.
func refusedAddress(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}
