// Package transporttest is the conformance suite of proto.Transport: what every
// protocol must do alike. The tests of vu/client run it once per protocol, each time
// against a server that speaks it.
package transporttest

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jsload/jsload/vu/client/proto"
)

// Target is a transport and a server for it.
type Target struct {
	Transport proto.Transport
	// Renew allows exchanges after an Interrupt.
	Renew func()
	// Request is where to send, without method, target and deadline.
	Request proto.Request
	// Now is the clock of the deadlines.
	Now func() int64
	// Proto is what the answers are to be called.
	Proto string
}

// Run runs the suite. start makes the target; it ends with the test it is given.
func Run(t *testing.T, start func(t *testing.T, h http.Handler) Target) {
	tests := []struct {
		name string
		run  func(t *testing.T, target Target)
	}{
		{"answers", answers},
		{"bodies", bodies},
		{"no body", noBody},
		{"discard", discard},
		{"interim answers and trailers", extras},
		{"large header", largeHeader},
		{"at once", atOnce},
		{"timeouts", timeouts},
		{"others outlive a timeout", othersOutlive},
		{"cut body", cutBody},
		{"interrupt", interrupt},
		{"close", closing},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { tt.run(t, start(t, handler())) })
	}
}

func handler() http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("X-Method", r.Method)
		w.Header()["X-Twice"] = []string{"a", "b"}
		w.Write(body)
	})
	m.HandleFunc("/status/204", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) })
	m.HandleFunc("/status/404", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "none", 404) })
	m.HandleFunc("/extras", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Link", "</x>; rel=preload")
		w.WriteHeader(103)
		w.Header().Del("Link")
		w.Header().Set("Trailer", "X-Tail")
		io.WriteString(w, "body")
		w.(http.Flusher).Flush()
		w.Header().Set("X-Tail", "end")
	})
	m.HandleFunc("/large", func(w http.ResponseWriter, _ *http.Request) {
		for _, c := range "abcdefgh" {
			w.Header().Set("X-Large-"+string(c), strings.Repeat(string(c), 100<<10))
		}
	})
	m.HandleFunc("/silent", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	m.HandleFunc("/stuck", func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "part")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	m.HandleFunc("/slow", func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(300 * time.Millisecond)
		io.WriteString(w, "slow")
	})
	m.HandleFunc("/cut", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		io.WriteString(w, "part")
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
	return m
}

func (target *Target) send(method, path string, body []byte, timeout time.Duration) *proto.Response {
	req := target.Request
	req.Method, req.Target, req.Body = method, path, body
	return target.do(&req, timeout)
}

func (target *Target) do(req *proto.Request, timeout time.Duration) *proto.Response {
	req.Start = target.Now()
	req.Timeout = int64(timeout)
	req.Deadline = req.Start + req.Timeout
	resp := new(proto.Response)
	if err := target.Transport.Do(req, resp); err != resp.Err {
		panic("Do returns another error than the response has")
	}
	return resp
}

const enough = 20 * time.Second

func answers(t *testing.T, target Target) {
	for i := range 3 {
		resp := target.send("GET", "/status/404", nil, enough)
		if resp.Err != nil || resp.Status != 404 || resp.StatusText != "404 Not Found" || string(resp.Body) != "none\n" || resp.Proto != target.Proto {
			t.Fatalf("%+v %q", resp.Exchange, resp.Body)
		}
		if ct := resp.Header.First("content-type"); ct != "text/plain; charset=utf-8" {
			t.Errorf("Content-Type: %q", ct)
		}
		tm := resp.Timings
		if tm.Blocked+tm.Duration() != tm.End-tm.Start || tm.Sending <= 0 || tm.Waiting <= 0 || tm.Receiving < 0 {
			t.Errorf("timings: %+v", tm)
		}
		if fresh := i == 0; resp.Reused == fresh || (tm.Connecting > 0) != fresh || fresh != (tm.Blocked > 0) {
			t.Errorf("exchange %d: reused %v, %+v", i, resp.Reused, tm)
		}
		if resp.Sent <= 0 || resp.Received <= 0 || resp.RemoteIP != "127.0.0.1" || resp.RemotePort == 0 || resp.BodyLen != 5 {
			t.Errorf("%+v", resp.Exchange)
		}
		if secure := target.Request.Scheme == "https"; (resp.TLSVersion != "") != secure || (resp.TLSCipher != "") != secure {
			t.Errorf("TLS: %q %q", resp.TLSVersion, resp.TLSCipher)
		}
	}
}

func bodies(t *testing.T, target Target) {
	for i, size := range []int{0, 1, 10_000, 70_000, 3 << 20, 10} {
		for _, chunked := range []bool{false, true} {
			body := bytes.Repeat([]byte{byte('a' + i)}, size)
			req := target.Request
			req.Method, req.Target, req.Body, req.Chunked = "PATCH", "/echo", body, chunked
			resp := target.do(&req, enough)
			if resp.Err != nil || !bytes.Equal(resp.Body, body) || resp.Header.First("X-Method") != "PATCH" {
				t.Fatalf("%d bytes: %v, got %d", size, resp.Err, len(resp.Body))
			}
			if twice := strings.Join(resp.Header.Values("x-twice"), ","); twice != "a,b" {
				t.Errorf("X-Twice: %q", twice)
			}
			if resp.Sent < int64(size) || resp.Received < int64(size) {
				t.Errorf("%d bytes: sent %d, received %d", size, resp.Sent, resp.Received)
			}
		}
	}
}

func noBody(t *testing.T, target Target) {
	for _, resp := range []*proto.Response{
		target.send("HEAD", "/status/404", nil, enough),
		target.send("GET", "/status/204", nil, enough),
	} {
		if resp.Err != nil || resp.Body == nil || len(resp.Body) > 0 || resp.Status == 0 {
			t.Errorf("%+v %q", resp.Exchange, resp.Body)
		}
	}
}

func discard(t *testing.T, target Target) {
	req := target.Request
	req.Method, req.Target, req.Body, req.Discard = "POST", "/echo", make([]byte, 300_000), true
	if resp := target.do(&req, enough); resp.Err != nil || len(resp.Body) != 0 || resp.BodyLen != 300_000 {
		t.Errorf("%v, kept %d of %d", resp.Err, len(resp.Body), resp.BodyLen)
	}
}

func extras(t *testing.T, target Target) {
	resp := target.send("GET", "/extras", nil, enough)
	if resp.Err != nil || resp.Status != 200 || string(resp.Body) != "body" {
		t.Fatalf("%+v %q", resp.Exchange, resp.Body)
	}
	for _, name := range []string{"Link", "X-Tail"} {
		if v, ok := resp.Header.Find(name); ok {
			t.Errorf("%s: %s", name, v)
		}
	}
}

func largeHeader(t *testing.T, target Target) {
	resp := target.send("GET", "/large", nil, enough)
	if resp.Err != nil || len(resp.Header.First("X-Large-H")) != 100<<10 {
		t.Errorf("%v, %d bytes", resp.Err, len(resp.Header))
	}
}

func atOnce(t *testing.T, target Target) {
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 25 {
				body := bytes.Repeat([]byte{byte('a' + g)}, i*1000)
				resp := target.send("POST", "/echo", body, enough)
				if resp.Err != nil || !bytes.Equal(resp.Body, body) {
					t.Errorf("%v, got %d bytes of %d", resp.Err, len(resp.Body), len(body))
					return
				}
				tm := resp.Timings
				if tm.Blocked+tm.Duration() != tm.End-tm.Start || tm.Blocked < 0 || tm.Sending < 0 || tm.Waiting < 0 || tm.Receiving < 0 {
					t.Errorf("timings: %+v", tm)
				}
			}
		})
	}
	wg.Wait()
}

func timeouts(t *testing.T, target Target) {
	for _, tt := range []struct {
		path, body string
		timeout    time.Duration
	}{
		{"/silent", "", 50 * time.Millisecond},
		{"/silent", "", 1100 * time.Millisecond},
		{"/stuck", "part", 80 * time.Millisecond},
		{"/stuck", "part", 1100 * time.Millisecond},
	} {
		resp := target.send("GET", tt.path, nil, tt.timeout)
		if resp.Err == nil || resp.Err.Code != proto.CodeTimeout || resp.Status != 0 || string(resp.Body) != tt.body {
			t.Errorf("%s: %v, status %d, body %q", tt.path, resp.Err, resp.Status, resp.Body)
		}
		if took := time.Duration(resp.Timings.End - resp.Timings.Start); took < tt.timeout {
			t.Errorf("%s: %v before the timeout of %v", tt.path, took, tt.timeout)
		}
		if again := target.send("GET", "/status/404", nil, enough); again.Err != nil {
			t.Errorf("%s: afterwards %v", tt.path, again.Err)
		}
	}
}

// othersOutlive lets exchanges time out beside one that does not.
func othersOutlive(t *testing.T, target Target) {
	target.send("GET", "/status/404", nil, enough)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			if resp := target.send("GET", "/silent", nil, 50*time.Millisecond); resp.Err == nil || resp.Err.Code != proto.CodeTimeout {
				t.Error(resp.Err)
			}
		})
		wg.Go(func() {
			if resp := target.send("GET", "/slow", nil, enough); resp.Err != nil || string(resp.Body) != "slow" {
				t.Error(resp.Err)
			}
		})
	}
	wg.Wait()
}

func cutBody(t *testing.T, target Target) {
	for range 2 {
		resp := target.send("GET", "/cut", nil, enough)
		if resp.Err == nil || resp.Status != 0 || resp.Proto != "" || string(resp.Body) != "part" {
			t.Errorf("%+v %q", resp.Exchange, resp.Body)
		}
	}
}

func interrupt(t *testing.T, target Target) {
	for range 3 {
		var wg sync.WaitGroup
		for _, path := range []string{"/silent", "/stuck", "/silent"} {
			wg.Go(func() {
				if resp := target.send("GET", path, nil, enough); !errors.Is(resp.Err, proto.ErrInterrupted) {
					t.Errorf("%s: %v", path, resp.Err)
				}
			})
		}
		time.Sleep(50 * time.Millisecond)
		target.Transport.Interrupt()
		wg.Wait()
		if resp := target.send("GET", "/status/404", nil, enough); !errors.Is(resp.Err, proto.ErrInterrupted) {
			t.Errorf("afterwards %v", resp.Err)
		}
		target.Renew()
		if resp := target.send("GET", "/status/404", nil, enough); resp.Err != nil {
			t.Errorf("renewed: %v", resp.Err)
		}
	}
}

func closing(t *testing.T, target Target) {
	for range 3 {
		req := target.Request
		req.Method, req.Target, req.Close = "GET", "/status/404", true
		resp := target.do(&req, enough)
		if resp.Err != nil || resp.Reused || resp.Timings.Connecting == 0 {
			t.Errorf("%+v", resp.Exchange)
		}
	}
	if resp := target.send("GET", "/status/404", nil, enough); resp.Err != nil || resp.Reused {
		t.Errorf("%+v", resp.Exchange)
	}
}
