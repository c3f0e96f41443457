package h2

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/http2"

	"github.com/jsload/jsload/vu/client/internal/wire"
	"github.com/jsload/jsload/vu/client/proto"
)

// TestMisbehaviour: each row is what a server does to the first request.
func TestMisbehaviour(t *testing.T) {
	flood := func(p *peerSide, n int, f func() error) {
		for range n {
			if f() != nil {
				return
			}
		}
	}
	tests := []struct {
		name    string
		serve   func(p *peerSide, id uint32)
		code    int
		body    string
		outcome Outcome
		goes    bool // the connection can be used again
	}{
		{name: "reset", serve: func(p *peerSide, id uint32) { p.WriteRSTStream(id, http2.ErrCodeInternal) }, code: 1633, goes: true},
		{name: "unknown reset", serve: func(p *peerSide, id uint32) { p.WriteRSTStream(id, 99) }, code: 1630, goes: true},
		{name: "reset in the body", serve: func(p *peerSide, id uint32) {
			p.headers(id, false, ":status", "200")
			p.WriteData(id, false, []byte("part"))
			p.WriteRSTStream(id, http2.ErrCodeCancel)
		}, code: 1639, body: "part", goes: true},
		{name: "refused", serve: func(p *peerSide, id uint32) { p.WriteRSTStream(id, http2.ErrCodeRefusedStream) }, code: 1638, outcome: Refused, goes: true},
		{name: "rejected", serve: func(p *peerSide, id uint32) { p.WriteRSTStream(id, http2.ErrCodeProtocol) }, code: 1632, outcome: Rejected},
		{name: "gone before", serve: func(p *peerSide, _ uint32) { p.WriteGoAway(0, http2.ErrCodeNo, nil) }, code: 1611, outcome: Unprocessed},
		{name: "gone with an error", serve: func(p *peerSide, _ uint32) { p.WriteGoAway(0, http2.ErrCodeEnhanceYourCalm, nil) }, code: 1622},
		{name: "gone and closed", serve: func(p *peerSide, id uint32) {
			p.WriteGoAway(id, http2.ErrCodeInternal, nil)
			p.hangUp()
		}, code: 1613},
		{name: "gone after", serve: func(p *peerSide, id uint32) {
			p.WriteGoAway(id, http2.ErrCodeNo, nil)
			p.ok(id, "last")
		}, body: "last"},
		{name: "closed", serve: func(p *peerSide, _ uint32) { p.hangUp() }, code: 1000},
		{name: "closed in the body", serve: func(p *peerSide, id uint32) {
			p.headers(id, false, ":status", "200")
			p.WriteData(id, false, []byte("part"))
			p.hangUp()
		}, code: 1000, body: "part"},
		{name: "closed in a frame", serve: func(p *peerSide, _ uint32) {
			p.nc.Write([]byte{0, 0, 9, 0})
			p.hangUp()
		}, code: 1000},
		{name: "data on stream 0", serve: func(p *peerSide, _ uint32) { p.WriteRawFrame(http2.FrameData, 0, 0, []byte("x")) }, code: 1652},
		{name: "data on an idle stream", serve: func(p *peerSide, id uint32) { p.WriteData(id+2, false, []byte("x")) }, code: 1652},
		{name: "headers on a stream of its own", serve: func(p *peerSide, _ uint32) { p.headers(2, true, ":status", "200") }, code: 1652},
		{name: "data before the head", serve: func(p *peerSide, id uint32) { p.WriteData(id, true, []byte("x")) }, code: 1632, goes: true},
		{name: "no status", serve: func(p *peerSide, id uint32) { p.headers(id, true, "x", "y") }, code: 1632, goes: true},
		{name: "bad status", serve: func(p *peerSide, id uint32) { p.headers(id, true, ":status", "20x") }, code: 1632, goes: true},
		{name: "two statuses", serve: func(p *peerSide, id uint32) { p.headers(id, true, ":status", "200", ":status", "200") }, code: 1632, goes: true},
		{name: "status after a field", serve: func(p *peerSide, id uint32) { p.headers(id, true, "x", "y", ":status", "200") }, code: 1632, goes: true},
		{name: "request's field", serve: func(p *peerSide, id uint32) { p.headers(id, true, ":status", "200", ":path", "/") }, code: 1632, goes: true},
		{name: "capitals", serve: func(p *peerSide, id uint32) { p.headers(id, true, ":status", "200", "X-A", "b") }, code: 1632, goes: true},
		{name: "line break", serve: func(p *peerSide, id uint32) { p.headers(id, true, ":status", "200", "x", "a\r\nb: c") }, code: 1632, goes: true},
		{name: "interim answer ends the stream", serve: func(p *peerSide, id uint32) { p.headers(id, true, ":status", "103") }, code: 1632, goes: true},
		{name: "trailer without end", serve: func(p *peerSide, id uint32) {
			p.headers(id, false, ":status", "200")
			p.headers(id, false, "x", "y")
		}, code: 1632, goes: true},
		{name: "status in the trailer", serve: func(p *peerSide, id uint32) {
			p.headers(id, false, ":status", "200")
			p.headers(id, true, ":status", "200")
		}, code: 1632, goes: true},
		{name: "body too long", serve: func(p *peerSide, id uint32) {
			p.headers(id, false, ":status", "200", "content-length", "3")
			p.WriteData(id, true, []byte("1234"))
		}, code: 1632, goes: true},
		{name: "body too short", serve: func(p *peerSide, id uint32) {
			p.headers(id, false, ":status", "200", "content-length", "5")
			p.WriteData(id, true, []byte("1234"))
		}, code: 1000, body: "1234", goes: true},
		{name: "no body at all", serve: func(p *peerSide, id uint32) { p.headers(id, true, ":status", "200", "content-length", "5") }, code: 1000, goes: true},
		{name: "broken compression", serve: func(p *peerSide, id uint32) {
			p.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, EndHeaders: true})
		}, code: 1660},
		{name: "oversized frame", serve: func(p *peerSide, id uint32) { p.WriteRawFrame(http2.FrameData, 0, id, make([]byte, maxFrame+1)) }, code: 1657},
		{name: "HTTP/1.1", serve: func(p *peerSide, _ uint32) { io.WriteString(p.nc, "HTTP/1.1 400 Bad Request\r\n\r\n") }, code: 1657},
		{name: "push", serve: func(p *peerSide, id uint32) {
			p.WritePushPromise(http2.PushPromiseParam{StreamID: id, PromiseID: 2, BlockFragment: p.head(":method", "GET"), EndHeaders: true})
		}, code: 1652},
		{name: "head interrupted", serve: func(p *peerSide, id uint32) {
			p.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: p.head(":status", "200")})
			p.WriteData(id, true, nil)
		}, code: 1652},
		{name: "continuation of nothing", serve: func(p *peerSide, id uint32) { p.WriteContinuation(id, true, nil) }, code: 1652},
		{name: "bad padding", serve: func(p *peerSide, id uint32) {
			p.WriteRawFrame(http2.FrameData, http2.FlagDataPadded, id, []byte{9, 1})
		}, code: 1652},
		{name: "window beyond its limit", serve: func(p *peerSide, _ uint32) { p.WriteWindowUpdate(0, 1<<31-1) }, code: 1654},
		{name: "stream's window beyond its limit", serve: func(p *peerSide, id uint32) { p.WriteWindowUpdate(id, 1<<31-1) }, code: 1634, goes: true},
		{name: "empty window update", serve: func(p *peerSide, _ uint32) { p.WriteWindowUpdate(0, 0) }, code: 1652},
		{name: "bad frame size setting", serve: func(p *peerSide, _ uint32) {
			p.WriteSettings(http2.Setting{ID: http2.SettingMaxFrameSize, Val: 1})
		}, code: 1652},
		{name: "bad window setting", serve: func(p *peerSide, _ uint32) {
			p.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 1 << 31})
		}, code: 1654},
		{name: "flood of continuations", serve: func(p *peerSide, id uint32) {
			p.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: p.head(":status", "200")})
			flood(p, 1<<20, func() error { return p.WriteContinuation(id, false, nil) })
		}, code: 1662},
		{name: "header of 11 MB", serve: func(p *peerSide, id uint32) {
			p.headers(id, false, ":status", "103")
			for i := range 11 << 20 / 16000 {
				p.headers(id, false, ":status", "103", "x", strings.Repeat(string(rune('a'+i%26)), 15900))
			}
		}, code: 1000, goes: true},
		{name: "header bomb", serve: func(p *peerSide, id uint32) {
			block := p.head(":status", "200", "x", strings.Repeat("y", 4000))
			index := p.head("x", strings.Repeat("y", 4000))
			block = append(block, bytes.Repeat(index, 12000)...)
			p.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: block, EndHeaders: true})
		}, code: 1000, goes: true},
		{name: "flood of interim answers", serve: func(p *peerSide, id uint32) {
			flood(p, 1<<19, func() error { p.headers(id, false, ":status", "103"); return nil })
		}, code: 1000, goes: true},
		{name: "padded, with priority", serve: func(p *peerSide, id uint32) {
			p.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: p.head(":status", "200"), EndHeaders: true, PadLength: 9, Priority: http2.PriorityParam{Weight: 3}})
			p.WriteDataPadded(id, true, []byte("ok"), make([]byte, 100))
		}, body: "ok", goes: true},
		{name: "unknown frames and settings", serve: func(p *peerSide, id uint32) {
			p.WriteRawFrame(77, 3, id, []byte("what"))
			p.WriteSettings(http2.Setting{ID: 99, Val: 1})
			p.WriteGoAway(1<<31-1, http2.ErrCodeNo, nil)
			p.WritePing(false, [8]byte{1})
			p.ok(id, "ok")
		}, body: "ok"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := pair(t, func(p *peerSide) {
				id, _ := p.request()
				if id == 0 {
					return
				}
				tt.serve(p, id)
				if id, _ := p.request(); id != 0 {
					p.ok(id, "again")
				}
				p.drain()
			})
			resp, outcome := send(c, "GET", nil, enough)
			if codeOf(resp) != tt.code || string(resp.Body) != tt.body || outcome != tt.outcome {
				t.Fatalf("%v, body %q, outcome %d", resp.Err, resp.Body, outcome)
			}
			if tt.code != 0 && (resp.Status != 0 || resp.Proto != "") {
				t.Errorf("status %d", resp.Status)
			}
			again, outcome := send(c, "GET", nil, enough)
			if tt.goes && string(again.Body) != "again" || !tt.goes && outcome != Unusable {
				t.Errorf("afterwards %v, body %q, outcome %d", again.Err, again.Body, outcome)
			}
		})
	}
}

func TestFirstFrame(t *testing.T) {
	near, far := net.Pipe()
	shared := wire.NewShared(time.Now())
	defer shared.Close()
	go io.Copy(io.Discard, far)
	go http2.NewFramer(far, nil).WritePing(false, [8]byte{})
	c := NewConn(wire.Counted(near, new(wire.Counters)), nil, shared, new(atomic.Bool))
	defer c.Close()
	defer far.Close()
	if resp, _ := send(c, "GET", nil, enough); codeOf(resp) != 1652 {
		t.Error(resp.Err)
	}
}

// TestFloods: what a server asks for endlessly ends with the deadline or before, in
// bounded memory.
func TestFloods(t *testing.T) {
	floods := map[string]func(p *peerSide, id uint32) error{
		"pings": func(p *peerSide, _ uint32) error { return p.WritePing(false, [8]byte{}) },
		"settings": func(p *peerSide, _ uint32) error {
			return p.WriteSettings(http2.Setting{ID: http2.SettingMaxConcurrentStreams, Val: 9})
		},
		"empty data": func(p *peerSide, id uint32) error {
			return p.WriteData(id, false, nil)
		},
		"resets of finished streams": func(p *peerSide, id uint32) error { return p.WriteRSTStream(id-2, http2.ErrCodeCancel) },
	}
	for name, flood := range floods {
		for _, reads := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, reads %v", name, reads), func(t *testing.T) {
				c := pair(t, func(p *peerSide) {
					id, _ := p.request()
					p.headers(id, true, ":status", "200")
					id, _ = p.request()
					p.headers(id, false, ":status", "200")
					if reads {
						var wg sync.WaitGroup
						defer wg.Wait()
						wg.Go(p.drain)
					}
					for flood(p, id) == nil {
					}
				})
				send(c, "GET", nil, enough)
				resp, _ := send(c, "GET", nil, 300*time.Millisecond)
				if code := codeOf(resp); code != proto.CodeTimeout && code != 1662 {
					t.Error(resp.Err)
				}
				c.mu.Lock()
				defer c.mu.Unlock()
				if n := cap(c.out) + cap(c.flight); n > 8<<20 {
					t.Errorf("%d bytes are queued", n)
				}
			})
		}
	}
}

// TestDied: what an idle connection's end means for the next exchange.
func TestDied(t *testing.T) {
	c := pair(t, func(p *peerSide) {
		id, _ := p.request()
		p.ok(id, "ok")
	})
	send(c, "GET", nil, enough)
	time.Sleep(30 * time.Millisecond)
	if resp, outcome := send(c, "POST", []byte("x"), enough); outcome != Unusable || resp.Sent != 0 && !errors.Is(resp.Err, io.EOF) {
		t.Errorf("%v, outcome %d, sent %d", resp.Err, outcome, resp.Sent)
	}
}

func TestRequestHead(t *testing.T) {
	heads := make(chan map[string]string, 1)
	c := pair(t, func(p *peerSide) {
		for {
			id, _ := p.request()
			if id == 0 {
				return
			}
			heads <- p.last
			p.ok(id, "ok")
		}
	})
	req := proto.Request{
		Method: "POST", UserAgent: "ua", Body: []byte("12345"),
		Header: []proto.Field{
			{Name: "X-A", Value: "b"}, {Name: "Connection", Value: "keep-alive"}, {Name: "Te", Value: "gzip"},
			{Name: "Upgrade", Value: "x"}, {Name: "Cookie", Value: "a=b; c=d"},
		},
	}
	want := map[string]string{
		":method": "POST", ":scheme": "http", ":authority": "h", ":path": "/", "user-agent": "ua",
		"content-length": "5", "x-a": "b", "cookie": "a=b; c=d",
	}
	for i := range 5 {
		if i == 3 {
			req.Header[0].Value, want["x-a"] = "other", "other"
		}
		resp, _ := sendRequest(c, req, enough)
		got := <-heads
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%v %v", resp.Err, got)
		}
	}
	large := req
	large.Header = nil
	for i := range 30 {
		large.Header = append(large.Header, proto.Field{Name: fmt.Sprintf("X-%d", i), Value: strings.Repeat("v", 1500)})
	}
	if sendRequest(c, large, enough); (<-heads)["x-29"] != strings.Repeat("v", 1500) {
		t.Error("a head in several frames did not arrive")
	}
}

func TestHeadBeyondLimit(t *testing.T) {
	c := pair(t, func(p *peerSide) {
		for id, _ := p.request(); id != 0; id, _ = p.request() {
			p.ok(id, "ok")
		}
	}, http2.Setting{ID: http2.SettingMaxHeaderListSize, Val: 1000})
	send(c, "GET", nil, enough)
	req := proto.Request{Method: "GET", Header: []proto.Field{{Name: "X", Value: strings.Repeat("x", 1000)}}}
	if resp, _ := sendRequest(c, req, enough); !errors.Is(resp.Err, errHeadTooLong) {
		t.Error(resp.Err)
	}
	if resp, _ := send(c, "GET", nil, enough); resp.Err != nil {
		t.Error(resp.Err)
	}
}

// TestTableSize: the server may take away the table of header fields.
func TestTableSize(t *testing.T) {
	c := pair(t, func(p *peerSide) {
		for i := 0; ; i++ {
			id, _ := p.request()
			if id == 0 {
				return
			}
			if p.last["x-a"] != "b" {
				t.Errorf("request %d: %v", i, p.last)
			}
			p.WriteSettings(http2.Setting{ID: http2.SettingHeaderTableSize, Val: []uint32{0, 4096, 100}[i%3]})
			p.ok(id, "ok")
		}
	})
	for range 12 {
		resp, _ := sendRequest(c, proto.Request{Method: "GET", Header: []proto.Field{{Name: "X-A", Value: "b"}}}, enough)
		if resp.Err != nil {
			t.Fatal(resp.Err)
		}
	}
}

// TestSteadyExchange: an exchange like the last one allocates next to nothing.
func TestSteadyExchange(t *testing.T) {
	c := pair(t, func(p *peerSide) {
		p.SetReuseFrames()
		block := []byte{0x88} // :status 200
		buf := make([]byte, 4096)
		for id := uint32(1); ; id += 2 {
			for ended := false; !ended; { // a request is HEADERS with END_STREAM
				if _, err := io.ReadFull(p.nc, buf[:9]); err != nil {
					return
				}
				n := int(buf[0])<<16 | int(buf[1])<<8 | int(buf[2])
				ended = buf[3] == byte(http2.FrameHeaders)
				io.ReadFull(p.nc, buf[:n])
			}
			p.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: block, EndHeaders: true})
			p.WriteData(id, true, []byte("hello"))
		}
	})
	req := proto.Request{Method: "GET", Scheme: "http", Host: "h", Target: "/", Timeout: int64(time.Minute)}
	resp := new(proto.Response)
	once := func() {
		req.Start = c.shared.Now()
		req.Deadline = req.Start + req.Timeout
		resp.Timings = proto.Timings{Start: req.Start}
		if c.Do(&req, resp); resp.Err != nil {
			t.Fatal(resp.Err)
		}
	}
	once()
	// It is the Framer's, for the frame of the head; under the race detector pools
	// lose things on purpose.
	if n := testing.AllocsPerRun(200, once); n > 1 && !underRace {
		t.Errorf("%v allocations", n)
	}
}
