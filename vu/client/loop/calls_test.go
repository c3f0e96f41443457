package loop

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/jsload/jsload/vu/client"
	"github.com/jsload/jsload/vu/client/proto"
	"github.com/jsload/jsload/vu/client/proto/transporttest"
)

// TestSteps takes calls of several exchanges: redirects between plain and TLS, cookies.
func TestSteps(t *testing.T) {
	h := http.NewServeMux()
	plain, secure := httptest.NewUnstartedServer(h), httptest.NewUnstartedServer(h)
	base, secureBase := "http://"+plain.Listener.Addr().String(), "https://"+secure.Listener.Addr().String()
	h.HandleFunc("/a", func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "seen", Value: "a"})
		http.Redirect(w, r, secureBase+"/b", http.StatusFound)
	})
	h.HandleFunc("/b", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, base+"/c", http.StatusFound)
	})
	h.HandleFunc("/c", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s %s", r.Header.Get("Cookie"), r.Proto)
	})
	plain.Start()
	secure.StartTLS()
	defer plain.Close()
	defer secure.Close()
	r := newRig(t, client.Config{MaxRedirects: 5, TLS: client.TLS{InsecureSkipVerify: true}})
	for range 3 {
		resp := r.do(client.Request{URL: plain.URL + "/a"})
		if resp.Err != nil || string(resp.Body) != "seen=a HTTP/1.1" || len(resp.Exchanges) != 3 || resp.URL != plain.URL+"/c" {
			t.Fatalf("%v %q %+v", resp.Err, resp.Body, resp.Exchanges)
		}
		for i, x := range resp.Exchanges {
			if (x.TLSVersion != "") != (i == 1) {
				t.Errorf("exchange %d: %+v", i, x)
			}
		}
	}
}

// TestSlowCoding encodes and decodes large bodies.
func TestSlowCoding(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		in, err := gzip.NewReader(r.Body)
		if err != nil {
			http.Error(w, err.Error(), 400)
			return
		}
		body, _ := io.ReadAll(in)
		w.Header().Set("Content-Encoding", "gzip")
		out := gzip.NewWriter(w)
		out.Write(body)
		out.Close()
	}))
	defer server.Close()
	body := make([]byte, 300<<10)
	rnd := rand.New(rand.NewPCG(3, 4))
	for i := range body {
		body[i] = byte(rnd.IntN(256))
	}
	r := newRig(t, client.Config{})
	for range 3 {
		resp := r.do(client.Request{Method: "POST", URL: server.URL, Body: body, Compression: []client.Encoding{client.Gzip}})
		if resp.Err != nil || !bytes.Equal(resp.Body, body) {
			t.Fatalf("%v, status %d, %d bytes", resp.Err, resp.Status, len(resp.Body))
		}
	}
}

// TestIdleLimits makes requests in parallel and counts what is kept.
func TestIdleLimits(t *testing.T) {
	arrived, release := make(chan struct{}), make(chan struct{})
	serve := func(_ int, nc net.Conn, r *bufio.Reader) {
		for {
			if _, err := transporttest.ReadRequest(r); err != nil {
				return
			}
			arrived <- struct{}{}
			<-release
			io.WriteString(nc, hello)
		}
	}
	urls := []string{transporttest.RawServer(t, serve), transporttest.RawServer(t, serve)}
	r := newRig(t, client.Config{IdleConns: 5, IdleConnsPerHost: 3})
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() { r.do(client.Request{URL: urls[i%2]}) })
	}
	for range 8 {
		<-arrived
	}
	close(release)
	wg.Wait()
	open := 0
	r.call(func() { open = r.task.Open() })
	if open != 5 {
		t.Errorf("%d connections open", open)
	}
}

// TestInterruptEverywhere ends activations at random instants of calls of every kind.
func TestInterruptEverywhere(t *testing.T) {
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/silent":
			<-r.Context().Done()
		case "/more":
			http.Redirect(w, r, "/end", http.StatusFound)
		default:
			io.WriteString(w, "end")
		}
	})
	plain, secure := httptest.NewServer(h), httptest.NewUnstartedServer(h)
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer plain.Close()
	defer secure.Close()
	r := newRig(t, client.Config{MaxRedirects: 5, TLS: client.TLS{InsecureSkipVerify: true}})
	_, port, _ := net.SplitHostPort(plain.Listener.Addr().String())
	urls := []string{plain.URL + "/more", secure.URL + "/more", plain.URL + "/silent", secure.URL + "/silent", "http://localhost:" + port + "/more"}
	for i := range 60 {
		ctx, cancel := context.WithCancel(t.Context())
		r.task.Activate(ctx)
		time.AfterFunc(time.Duration(i%20)*200*time.Microsecond, cancel)
		var wg sync.WaitGroup
		for _, url := range urls {
			wg.Go(func() {
				for {
					resp := r.do(client.Request{URL: url})
					if resp.Err == nil && string(resp.Body) == "end" {
						continue
					}
					if !errors.Is(resp.Err, proto.ErrInterrupted) {
						t.Errorf("%s: %v %q", url, resp.Err, resp.Body)
					}
					return
				}
			})
		}
		wg.Wait()
	}
}

// TestFairPieces downloads much beside small requests: nobody waits for the whole.
func TestFairPieces(t *testing.T) {
	big := make([]byte, 64<<20)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "POST" {
			n, _ := io.Copy(io.Discard, r.Body)
			fmt.Fprint(w, n)
			return
		}
		w.Write(big)
	}))
	defer server.Close()
	small := transporttest.RawServer(t, lean)
	r := newRig(t, client.Config{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for _, req := range []client.Request{{URL: server.URL, Discard: true}, {URL: server.URL, Method: "POST", Body: big}} {
			resp := r.do(req)
			if resp.Err != nil || req.Method == "" && resp.BodyLen != int64(len(big)) || req.Method != "" && string(resp.Body) != fmt.Sprint(len(big)) {
				t.Errorf("%v, %d bytes", resp.Err, resp.BodyLen)
			}
		}
	}()
	between := 0
	for {
		select {
		case <-done:
			if between < 5 {
				t.Errorf("%d requests beside two of 64 MB", between)
			}
			return
		default:
			if resp := r.do(client.Request{URL: small}); resp.Err != nil {
				t.Fatal(resp.Err)
			}
			between++
		}
	}
}
