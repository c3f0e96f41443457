package h2

import (
	"bytes"
	"io"
	"net"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"github.com/jsload/jsload/vu/client/internal/wire"
	"github.com/jsload/jsload/vu/client/proto"
)

// peerSide is a server that does what a test says, frame by frame.
type peerSide struct {
	t  *testing.T
	nc net.Conn
	*http2.Framer
	encoded bytes.Buffer
	encoder *hpack.Encoder
	decoder *hpack.Decoder
	last    map[string]string // of the latest request
}

// pair connects a Conn to a peer that first says the given settings and then runs
// serve on its own goroutine; the connection ends when serve returns.
func pair(t *testing.T, serve func(p *peerSide), settings ...http2.Setting) *Conn {
	return pairBy(t, false, serve, settings...)
}

func pairBy(t *testing.T, portable bool, serve func(p *peerSide), settings ...http2.Setting) *Conn {
	t.Helper()
	before := runtime.NumGoroutine()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	near, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	far, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	p := &peerSide{t: t, nc: far, Framer: http2.NewFramer(far, far), decoder: hpack.NewDecoder(4096, nil)}
	p.AllowIllegalWrites = true
	p.encoder = hpack.NewEncoder(&p.encoded)
	var wg sync.WaitGroup
	wg.Go(func() {
		defer far.Close()
		preface := make([]byte, len(http2.ClientPreface))
		if _, err := io.ReadFull(far, preface); err != nil || string(preface) != http2.ClientPreface {
			t.Errorf("preface %q: %v", preface, err)
			return
		}
		p.WriteSettings(settings...)
		serve(p)
	})
	shared := wire.NewShared(time.Now())
	counted := wire.Counted(near, new(wire.Counters))
	if portable {
		counted.Portable()
	}
	c := NewConn(counted, nil, shared, new(atomic.Bool))
	t.Cleanup(func() {
		c.Close()
		shared.Close()
		far.Close()
		wg.Wait()
		for i := 0; runtime.NumGoroutine() > before; i++ {
			if i > 1000 {
				t.Error("goroutines are left behind")
				return
			}
			time.Sleep(time.Millisecond)
		}
	})
	return c
}

// request waits for the next request with its body; zero if there is none.
func (p *peerSide) request() (id uint32, body []byte) {
	for {
		f, err := p.ReadFrame()
		if err != nil {
			return 0, nil
		}
		switch f := f.(type) {
		case *http2.HeadersFrame:
			id = f.StreamID
			p.last = map[string]string{}
			block := bytes.Clone(f.HeaderBlockFragment())
			for ended := f.HeadersEnded(); !ended; {
				next, err := p.ReadFrame()
				if err != nil {
					return 0, nil
				}
				c := next.(*http2.ContinuationFrame)
				block = append(block, c.HeaderBlockFragment()...)
				ended = c.HeadersEnded()
			}
			fields, err := p.decoder.DecodeFull(block)
			if err != nil {
				p.t.Error(err)
			}
			for _, f := range fields {
				p.last[f.Name] = f.Value
			}
			if f.StreamEnded() {
				return id, nil
			}
		case *http2.DataFrame:
			body = append(body, f.Data()...)
			if f.StreamEnded() {
				return f.StreamID, body
			}
		}
	}
}

// head encodes a head.
func (p *peerSide) head(fields ...string) []byte {
	p.encoded.Reset()
	for i := 0; i < len(fields); i += 2 {
		p.encoder.WriteField(hpack.HeaderField{Name: fields[i], Value: fields[i+1]})
	}
	return bytes.Clone(p.encoded.Bytes())
}

func (p *peerSide) headers(id uint32, end bool, fields ...string) {
	p.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: p.head(fields...), EndStream: end, EndHeaders: true})
}

func (p *peerSide) ok(id uint32, body string) {
	p.headers(id, false, ":status", "200")
	p.WriteData(id, true, []byte(body))
}

// hangUp ends what the peer says; a close could overtake it.
func (p *peerSide) hangUp() { p.nc.(*net.TCPConn).CloseWrite() }

// drain reads until the client is gone.
func (p *peerSide) drain() { io.Copy(io.Discard, p.nc) }

// stalled is pairBy without the count of goroutines, which parallel tests change.
func stalled(t *testing.T, portable bool, serve func(p *peerSide)) *Conn {
	near, far := tcpPair(t)
	shared := wire.NewShared(time.Now())
	counted := wire.Counted(near, new(wire.Counters))
	if portable {
		counted.Portable()
	}
	c := NewConn(counted, nil, shared, new(atomic.Bool))
	var wg sync.WaitGroup
	wg.Go(func() {
		p := &peerSide{t: t, nc: far, Framer: http2.NewFramer(far, far)}
		io.ReadFull(far, make([]byte, len(http2.ClientPreface)))
		p.WriteSettings()
		serve(p)
		far.Close()
	})
	t.Cleanup(func() {
		c.Close()
		shared.Close()
		wg.Wait()
	})
	return c
}

func tcpPair(t *testing.T) (near, far net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if near, err = net.Dial("tcp", l.Addr().String()); err != nil {
		t.Fatal(err)
	}
	if far, err = l.Accept(); err != nil {
		t.Fatal(err)
	}
	return near, far
}

// send performs one exchange.
func send(c *Conn, method string, body []byte, timeout time.Duration) (*proto.Response, Outcome) {
	return sendRequest(c, proto.Request{Method: method, Body: body}, timeout)
}

func sendRequest(c *Conn, req proto.Request, timeout time.Duration) (*proto.Response, Outcome) {
	resp := new(proto.Response)
	req.Scheme, req.Host, req.Target = "http", "h", "/"
	req.Start = c.shared.Now()
	req.Timeout = int64(timeout)
	req.Deadline = req.Start + req.Timeout
	resp.Timings.Start = req.Start
	outcome := c.Do(&req, resp)
	return resp, outcome
}

const enough = 20 * time.Second

func codeOf(resp *proto.Response) int {
	if resp.Err == nil {
		return 0
	}
	return resp.Err.Code
}
