package h2

import (
	"bytes"
	"io"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"github.com/jsload/jsload/vu/client/internal/wire"
	"github.com/jsload/jsload/vu/client/proto"
)

// tape is a connection that says what it was given, in pieces, and then ends.
type tape struct {
	net.Conn
	rest  []byte
	piece int
}

func (t *tape) Read(p []byte) (int, error) {
	if len(t.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), t.piece)], t.rest)
	t.rest = t.rest[n:]
	return n, nil
}

func (t *tape) Write(p []byte) (int, error)      { return len(p), nil }
func (t *tape) Close() error                     { return nil }
func (t *tape) RemoteAddr() net.Addr             { return nil }
func (t *tape) SetReadDeadline(time.Time) error  { return nil }
func (t *tape) SetWriteDeadline(time.Time) error { return nil }

// FuzzFrames gives a client whatever a server might say. It must come to an end,
// tell success from failure, and keep no more than came.
func FuzzFrames(f *testing.F) {
	for _, seed := range seeds() {
		f.Add(seed, uint16(1<<15))
		f.Add(seed, uint16(1))
	}
	shared := wire.NewShared(time.Now())
	f.Cleanup(shared.Close)
	settings := frameBytes(func(fr *http2.Framer) { fr.WriteSettings() })
	f.Fuzz(func(t *testing.T, in []byte, piece uint16) {
		nc := &tape{rest: append(bytes.Clone(settings), in...), piece: int(piece) + 1}
		c := NewConn(wire.Counted(nc, new(wire.Counters)), nil, shared, new(atomic.Bool))
		exchanges(t, c, in)
		defer c.Close() // after the unlock
		c.mu.Lock()
		defer c.mu.Unlock()
		if len(c.out)+cap(c.block) > 4*maxPending+2*len(in) {
			t.Fatalf("%d bytes are queued", len(c.out))
		}
	})
}

// exchanges performs two and checks what they brought.
func exchanges(t *testing.T, c *Conn, in []byte) {
	for _, body := range [][]byte{nil, make([]byte, 100_000)} {
		resp, outcome := send(c, "POST", body, time.Minute)
		x := &resp.Exchange
		if x.Err == nil && (outcome != Done || x.Status < 200 || x.Proto == "" || resp.Body == nil) {
			t.Fatalf("success: %+v, outcome %d", x, outcome)
		}
		if x.Err != nil && (x.Status != 0 || x.Proto != "") {
			t.Fatalf("failure: %+v", x)
		}
		if len(resp.Body) > len(in) || int64(len(resp.Body)) != resp.BodyLen && resp.Body != nil {
			t.Fatalf("%d of %d bytes of body out of %d", len(resp.Body), resp.BodyLen, len(in))
		}
		checkHeader(t, resp.Header)
		if tm := x.Timings; outcome != Unusable && (tm.Blocked+tm.Duration() != tm.End-tm.Start || tm.Sending < 0 || tm.Waiting < 0 || tm.Receiving < 0) {
			t.Fatalf("%+v", tm)
		}
	}
}

// checkHeader: no field of a header can look like two.
func checkHeader(t *testing.T, h proto.Header) {
	lines := bytes.Count(h, []byte("\n"))
	n := 0
	for name := range h.All() {
		if name == "" {
			t.Fatalf("a field without a name in %q", h)
		}
		n++
	}
	if n != lines {
		t.Fatalf("%d fields in %d lines: %q", n, lines, h)
	}
}

func frameBytes(write func(fr *http2.Framer)) []byte {
	var b bytes.Buffer
	fr := http2.NewFramer(&b, nil)
	fr.AllowIllegalWrites = true
	write(fr)
	return b.Bytes()
}

// seeds are answers of every kind.
func seeds() [][]byte {
	var head bytes.Buffer
	enc := hpack.NewEncoder(&head)
	for _, f := range [][2]string{{":status", "200"}, {"content-type", "text/plain"}, {"content-length", "5"}, {"set-cookie", "a=b"}} {
		enc.WriteField(hpack.HeaderField{Name: f[0], Value: f[1]})
	}
	block := head.Bytes()
	headers := func(fr *http2.Framer, id uint32, end bool) {
		fr.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: block, EndHeaders: true, EndStream: end})
	}
	return [][]byte{
		frameBytes(func(fr *http2.Framer) {
			headers(fr, 1, false)
			fr.WriteData(1, true, []byte("hello"))
			fr.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 100_000})
			fr.WriteWindowUpdate(0, 100_000)
			fr.WriteHeaders(http2.HeadersFrameParam{StreamID: 3, BlockFragment: []byte{0x88}, EndHeaders: true})
			fr.WriteDataPadded(3, true, []byte("hello"), make([]byte, 9))
		}),
		frameBytes(func(fr *http2.Framer) {
			fr.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: block[:3], PadLength: 3})
			fr.WriteContinuation(1, false, block[3:9])
			fr.WriteContinuation(1, true, block[9:])
			fr.WritePing(false, [8]byte{1, 2})
			fr.WriteData(1, false, []byte("he"))
			fr.WriteRSTStream(1, http2.ErrCodeCancel)
			fr.WriteGoAway(3, http2.ErrCodeNo, []byte("bye"))
			headers(fr, 3, true)
		}),
		frameBytes(func(fr *http2.Framer) {
			fr.WriteSettings(http2.Setting{ID: http2.SettingMaxConcurrentStreams, Val: 0}, http2.Setting{ID: http2.SettingHeaderTableSize, Val: 0})
			fr.WriteRSTStream(1, http2.ErrCodeRefusedStream)
			fr.WritePushPromise(http2.PushPromiseParam{StreamID: 1, PromiseID: 2, BlockFragment: block, EndHeaders: true})
		}),
		[]byte("HTTP/1.1 400 Bad Request\r\n\r\n"),
	}
}
