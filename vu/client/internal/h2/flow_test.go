package h2

import (
	"bytes"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/http2"

	"github.com/jsload/jsload/vu/client/proto"
)

// TestWindowOverflow: a server that ignores our windows is stopped.
func TestWindowOverflow(t *testing.T) {
	c := pair(t, func(p *peerSide) {
		id, _ := p.request()
		p.headers(id, false, ":status", "200")
		// The client answers with window updates; what overflows is one frame too many.
		for p.WriteData(id, false, make([]byte, maxFrame)) == nil {
		}
	})
	c.mu.Lock()
	c.input.recvWindow = 0 // as if the server had used it up
	c.mu.Unlock()
	if resp, _ := send(c, "GET", nil, enough); codeOf(resp) != 1654 {
		t.Error(resp.Err)
	}
}

// TestUpload: bodies go as the windows allow, over both kinds of writing.
func TestUpload(t *testing.T) {
	for _, portable := range []bool{false, true} {
		for _, window := range []uint32{0, 1, 1000, 65535, 1 << 24} {
			t.Run(fmt.Sprintf("portable %v, window %d", portable, window), func(t *testing.T) {
				body := bytes.Repeat([]byte("0123456789"), 30_000)
				c := pairBy(t, portable, func(p *peerSide) {
					var got []byte
					for {
						f, err := p.ReadFrame()
						if err != nil {
							return
						}
						switch f := f.(type) {
						case *http2.HeadersFrame:
							if window == 0 {
								p.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 5000})
							}
						case *http2.DataFrame:
							got = append(got, f.Data()...)
							if f.StreamEnded() {
								if !bytes.Equal(got, body) {
									t.Errorf("%d bytes came", len(got))
								}
								p.ok(f.StreamID, "done")
								p.drain()
								return
							}
							n := uint32(len(f.Data()))
							p.WriteWindowUpdate(0, n)
							p.WriteWindowUpdate(f.StreamID, max(n, 3000))
						}
					}
				}, http2.Setting{ID: http2.SettingInitialWindowSize, Val: window})
				resp, _ := send(c, "POST", body, enough)
				if string(resp.Body) != "done" || resp.Timings.Sending <= 0 {
					t.Errorf("%v %q %+v", resp.Err, resp.Body, resp.Timings)
				}
			})
		}
	}
}

// TestStall: a server that opens no window, or does not even read, does not hold an
// exchange beyond its deadline.
func TestStall(t *testing.T) {
	stalls := map[string]func(p *peerSide){
		"no window": func(p *peerSide) { p.drain() },
		"no reading": func(p *peerSide) {
			p.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 1<<31 - 1})
			p.WriteWindowUpdate(0, 1<<30)
			time.Sleep(2 * time.Second)
		},
	}
	for name, serve := range stalls {
		for _, portable := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, portable %v", name, portable), func(t *testing.T) {
				t.Parallel()
				c := stalled(t, portable, serve)
				begin := time.Now()
				resp, _ := send(c, "POST", make([]byte, 64<<20), 200*time.Millisecond)
				if codeOf(resp) != proto.CodeTimeout || time.Since(begin) > 2*time.Second {
					t.Errorf("%v after %v", resp.Err, time.Since(begin))
				}
			})
		}
	}
}

// TestPlaces: a server's limit of streams is kept, and waiting for a place is
// being blocked.
func TestPlaces(t *testing.T) {
	for _, limit := range []uint32{1, 3} {
		var mu sync.Mutex
		open, most := 0, 0
		c := pair(t, func(p *peerSide) {
			var wg sync.WaitGroup
			defer wg.Wait()
			for {
				id, _ := p.request()
				if id == 0 {
					return
				}
				mu.Lock()
				open++
				most = max(most, open)
				mu.Unlock()
				wg.Go(func() {
					time.Sleep(5 * time.Millisecond)
					mu.Lock()
					defer mu.Unlock()
					open--
					p.ok(id, "ok")
				})
			}
		}, http2.Setting{ID: http2.SettingMaxConcurrentStreams, Val: limit})
		send(c, "GET", nil, enough) // the settings have come
		var wg sync.WaitGroup
		var waited atomic.Int32
		for range 12 {
			wg.Go(func() {
				resp, _ := send(c, "GET", nil, enough)
				if string(resp.Body) != "ok" {
					t.Error(resp.Err)
				}
				tm := resp.Timings
				if tm.Blocked > int64(2*time.Millisecond) {
					waited.Add(1)
				}
				if tm.Blocked+tm.Duration() != tm.End-tm.Start {
					t.Errorf("%+v", tm)
				}
			})
		}
		wg.Wait()
		mu.Lock()
		if most > int(limit) || waited.Load() < 6 {
			t.Errorf("%d streams at once where %d are allowed; %d exchanges were blocked", most, limit, waited.Load())
		}
		mu.Unlock()
	}
}

// TestNoPlace: a server that allows no stream at all, for a while or for good.
func TestNoPlace(t *testing.T) {
	c := pair(t, func(p *peerSide) {
		id, _ := p.request()
		p.ok(id, "ok")
		p.WriteSettings(http2.Setting{ID: http2.SettingMaxConcurrentStreams, Val: 0})
		time.Sleep(50 * time.Millisecond)
		p.WriteSettings(http2.Setting{ID: http2.SettingMaxConcurrentStreams, Val: 1})
		id, _ = p.request()
		p.WriteSettings(http2.Setting{ID: http2.SettingMaxConcurrentStreams, Val: 0})
		p.ok(id, "ok")
		p.drain()
	})
	send(c, "GET", nil, enough)
	for _, want := range []int{0, proto.CodeTimeout} {
		time.Sleep(10 * time.Millisecond)
		if resp, _ := send(c, "GET", nil, 200*time.Millisecond); codeOf(resp) != want {
			t.Errorf("%v, want %d", resp.Err, want)
		}
	}
}
