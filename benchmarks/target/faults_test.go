package target

import (
	"errors"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/valyala/fasthttp"
)

func unpackOther(t *testing.T, name string, body []byte) []byte {
	t.Helper()
	var plain []byte
	var err error
	if name == "br" {
		plain, err = fasthttp.AppendUnbrotliBytes(nil, body)
	} else {
		plain, err = fasthttp.AppendUnzstdBytes(nil, body)
	}
	if err != nil {
		t.Fatal(err)
	}
	return plain
}

func TestDelay(t *testing.T) {
	s := start(t, Config{})
	begin := time.Now()
	if res, body := get(t, browser(t), s.URL()+"/delay/30.5"); res.StatusCode != 200 || string(body) != "ok" {
		t.Errorf("got %d %s", res.StatusCode, body)
	}
	if took := time.Since(begin); took < 30*time.Millisecond {
		t.Errorf("answered after %v", took)
	}
	for _, bad := range []string{"/delay/", "/delay/x", "/delay/-1", "/delay/NaN", "/delay/600001", "/delay/1?jitter=x", "/delay/1?jitter=1&seed=x"} {
		if res, _ := get(t, browser(t), s.URL()+bad); res.StatusCode != 400 {
			t.Errorf("%s: got %d, want 400", bad, res.StatusCode)
		}
	}
	if res, _ := get(t, browser(t), s.URL()+"/delay/0?jitter=1&seed=7"); res.StatusCode != 200 {
		t.Errorf("with jitter: %d", res.StatusCode)
	}
}

func TestJitterRepeats(t *testing.T) {
	const limit = time.Second
	seen := map[time.Duration]bool{}
	for n := range uint64(100) {
		d := jitterOf(1, n, limit)
		if d < 0 || d >= limit {
			t.Fatalf("draw %d is %v", n, d)
		}
		if d != jitterOf(1, n, limit) {
			t.Fatalf("draw %d differs when repeated", n)
		}
		seen[d] = true
	}
	if len(seen) < 100 || jitterOf(1, 1, limit) == jitterOf(2, 1, limit) {
		t.Errorf("%d different draws of 100", len(seen))
	}
}

func TestStallFreezesAll(t *testing.T) {
	s := start(t, Config{})
	c := browser(t)
	get(t, c, s.URL()+"/ok")
	begin := time.Now()
	var both sync.WaitGroup
	both.Go(func() {
		if _, body := get(t, c, s.URL()+"/stall?ms=200"); string(body) != "thawed" {
			t.Errorf("got %s", body)
		}
	})
	for s.Count() < 2 {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(5 * time.Millisecond) // the handler has frozen the server by then
	get(t, c, s.URL()+"/ok")
	if took := time.Since(begin); took < 200*time.Millisecond {
		t.Errorf("/ok was answered after %v, in the middle of the stall", took)
	}
	both.Wait()
}

func TestCloseEndsWaits(t *testing.T) {
	s, err := Start(Config{})
	if err != nil {
		t.Fatal(err)
	}
	var waiting sync.WaitGroup
	for _, path := range []string{"/delay/60000", "/slow?ms=60000", "/stall?ms=60000"} {
		waiting.Go(func() {
			c := &http.Client{Transport: &http.Transport{}}
			defer c.CloseIdleConnections()
			if res, err := c.Get(s.URL() + path); err == nil {
				_, _ = io.ReadAll(res.Body)
				_ = res.Body.Close()
			}
		})
	}
	for s.Count() < 3 {
		time.Sleep(time.Millisecond)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	waiting.Wait()
	noGoroutinesLeft(t)
}

func TestCloseMidBody(t *testing.T) {
	s := start(t, Config{})
	res, err := browser(t).Get(s.URL() + "/close")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if !errors.Is(err, io.ErrUnexpectedEOF) || len(body) != 512 || res.ContentLength != 1024 {
		t.Errorf("%d of %d bytes, error %v", len(body), res.ContentLength, err)
	}
}

func TestSlow(t *testing.T) {
	s := start(t, Config{})
	begin := time.Now()
	_, body := get(t, browser(t), s.URL()+"/slow?ms=40&n=4")
	if string(body) != "0123" || time.Since(begin) < 40*time.Millisecond {
		t.Errorf("got %q after %v", body, time.Since(begin))
	}
	for _, bad := range []string{"?n=0", "?n=10001", "?ms=x"} {
		if res, _ := get(t, browser(t), s.URL()+"/slow"+bad); res.StatusCode != 400 {
			t.Errorf("%s: got %d, want 400", bad, res.StatusCode)
		}
	}
}
