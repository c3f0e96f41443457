package ws

import (
	"bufio"
	"context"
	"crypto/sha1"
	"crypto/tls"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// piped connects to a server at the other end of a pipe.
type piped struct{ serve func(net.Conn) }

func (p piped) connect(context.Context, *url.URL, string) (net.Conn, error) {
	client, server := net.Pipe()
	go func() {
		defer server.Close()
		p.serve(server)
	}()
	return client, nil
}

func (piped) tlsConfig(string) *tls.Config { return nil }

// accept answers a handshake. fields are further lines of the head.
func accept(nc net.Conn, fields string) *bufio.Reader {
	br := bufio.NewReader(nc)
	req, err := http.ReadRequest(br)
	if err != nil {
		return br
	}
	sum := sha1.Sum([]byte(req.Header.Get("Sec-Websocket-Key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	fmt.Fprintf(nc, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n%s\r\n",
		base64.StdEncoding.EncodeToString(sum[:]), fields)
	return br
}

// open connects to serve, which gets the connection after the handshake.
func open(t testing.TB, serve func(nc net.Conn, br *bufio.Reader)) *Conn {
	t.Helper()
	s := new(Shared)
	c, _, err := s.open(t.Context(), &Request{URL: "ws://h/"}, "test", piped{func(nc net.Conn) { serve(nc, accept(nc, "")) }})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func frame(first byte, payload []byte) []byte {
	out := []byte{first}
	switch n := len(payload); {
	case n < 126:
		out = append(out, byte(n))
	case n < 1<<16:
		out = binary.BigEndian.AppendUint16(append(out, 126), uint16(n))
	default:
		out = binary.BigEndian.AppendUint64(append(out, 127), uint64(n))
	}
	return append(out, payload...)
}

func closeFrame(code int, reason string) []byte {
	return frame(0x88, append(binary.BigEndian.AppendUint16(nil, uint16(code)), reason...))
}

// received is a frame of the client.
type received struct {
	opcode  byte
	payload string
}

func readFrame(br *bufio.Reader) (received, error) {
	var h [14]byte
	if _, err := io.ReadFull(br, h[:2]); err != nil {
		return received{}, err
	}
	n := uint64(h[1] & 0x7f)
	switch n {
	case 126:
		_, _ = io.ReadFull(br, h[2:4])
		n = uint64(binary.BigEndian.Uint16(h[2:4]))
	case 127:
		_, _ = io.ReadFull(br, h[2:10])
		n = binary.BigEndian.Uint64(h[2:10])
	}
	key, payload := h[10:14], make([]byte, n)
	_, _ = io.ReadFull(br, key)
	_, err := io.ReadFull(br, payload)
	for i := range payload {
		payload[i] ^= key[i%4]
	}
	return received{h[0], string(payload)}, err
}

// next waits for an event.
func next(t testing.TB, c *Conn) Event {
	t.Helper()
	for {
		if e, ok := c.Take(); ok {
			return e
		}
		wake := make(chan struct{})
		c.Arm(func() { close(wake) })
		<-wake
	}
}

// finish takes what is left and returns how the connection ended.
func finish(t testing.TB, c *Conn) *Ending {
	t.Helper()
	for {
		if e := next(t, c); e.Kind == End {
			c.Wait()
			return e.End
		}
	}
}

func TestEndings(t *testing.T) {
	tests := []struct {
		name   string
		frames []byte
		events string // kinds and data before the end
		code   int
		reason string
		answer string // the client's close frame; empty: none
	}{
		{name: "close", frames: closeFrame(1000, "bye"), code: 1000, reason: "bye", answer: "1000 "},
		{name: "close with an own code", frames: closeFrame(4001, "x"), code: 4001, reason: "x", answer: "4001 "},
		{name: "close without a code", frames: frame(0x88, nil), code: CodeNoStatus, answer: "empty"},
		{name: "close with a reserved code", frames: closeFrame(1006, ""), answer: "1002 bad close code 1006"},
		{name: "close with bad text", frames: closeFrame(1000, "\xff"), answer: "1002 invalid utf8 payload in close frame"},
		{name: "no close", frames: frame(0x81, []byte("m")), events: "1m", code: CodeAbnormal, reason: "unexpected EOF"},
		{name: "half a frame", frames: frame(0x81, make([]byte, 100))[:20], code: CodeAbnormal, reason: "unexpected EOF"},
		{name: "fragments", frames: append(append(frame(0x01, []byte("a")), frame(0x00, []byte("b"))...), frame(0x80, []byte("c"))...), events: "1abc", code: CodeAbnormal, reason: "unexpected EOF"},
		{name: "ping within fragments", frames: append(append(frame(0x01, []byte("a")), frame(0x89, []byte("p"))...), frame(0x80, []byte("c"))...), events: "3p 1ac", code: CodeAbnormal, reason: "unexpected EOF"},
		{name: "empty binary", frames: frame(0x82, nil), events: "2", code: CodeAbnormal, reason: "unexpected EOF"},
		{name: "pong nobody asked for", frames: frame(0x8a, []byte("q")), events: "4q", code: CodeAbnormal, reason: "unexpected EOF"},
		{name: "text that is not UTF-8", frames: frame(0x81, []byte("a\xff")), events: "1a\xff", code: CodeAbnormal, reason: "unexpected EOF"},
		{name: "reserved bit", frames: frame(0xc1, []byte("x")), answer: "1002 RSV1 set"},
		{name: "unknown opcode", frames: frame(0x83, []byte("x")), answer: "1002 bad opcode 3"},
		{name: "masked", frames: []byte{0x81, 0x81, 0, 0, 0, 0, 'x'}, answer: "1002 bad MASK"},
		{name: "large ping", frames: frame(0x89, make([]byte, 126)), answer: "1002 len > 125 for control"},
		{name: "ping in fragments", frames: frame(0x09, nil), answer: "1002 FIN not set on control"},
		{name: "continuation of nothing", frames: frame(0x80, nil), answer: "1002 continuation after FIN"},
		{name: "message within a message", frames: append(frame(0x01, nil), frame(0x81, nil)...), answer: "1002 data before FIN"},
		{name: "message of 2^62 bytes", frames: []byte{0x82, 127, 0x40, 0, 0, 0, 0, 0, 0, 0}, answer: "1009 "},
		{name: "message of a negative length", frames: []byte{0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				answer := make(chan string, 1)
				c := open(t, func(nc net.Conn, br *bufio.Reader) {
					nc.Write(tt.frames)
					answer <- closeAnswer(nc, br, tt.answer != "")
				})
				var events []string
				e := next(t, c)
				for ; e.Kind != End; e = next(t, c) {
					events = append(events, fmt.Sprintf("%d%s", e.Kind, e.Data))
				}
				c.Wait()
				if got := strings.Join(events, " "); got != tt.events {
					t.Errorf("events %q, want %q", got, tt.events)
				}
				if e.End.Code != tt.code || e.End.Reason != tt.reason || e.End.Err == nil {
					t.Errorf("ended with %+v", e.End)
				}
				if got := <-answer; got != tt.answer {
					t.Errorf("client closed with %q, want %q", got, tt.answer)
				}
				if err := c.Send(Text, nil); !errors.Is(err, ErrClosed) {
					t.Errorf("sending afterwards: %v", err)
				}
			})
		})
	}
}

// closeAnswer reads up to the client's close frame. If none is awaited, what the
// client writes in the next second is read all the same.
func closeAnswer(nc net.Conn, br *bufio.Reader, awaited bool) string {
	if !awaited {
		nc.SetReadDeadline(time.Now().Add(time.Second))
	}
	for {
		f, err := readFrame(br)
		switch {
		case err != nil:
			return ""
		case f.opcode != 0x88:
		case f.payload == "":
			return "empty"
		default:
			return fmt.Sprintf("%d %s", binary.BigEndian.Uint16([]byte(f.payload)), f.payload[2:])
		}
	}
}

// echo is a server that does as it should.
func echo(nc net.Conn, br *bufio.Reader) {
	for {
		f, err := readFrame(br)
		if err != nil {
			return
		}
		if f.opcode&0x0f == 9 {
			f.opcode++
		}
		nc.Write(frame(f.opcode, []byte(f.payload)))
		if f.opcode == 0x88 {
			return
		}
	}
}

func TestRoundTrip(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, echo)
		large := strings.Repeat("x", 3*writeBuffer)
		for _, m := range []Event{{Kind: Text, Data: []byte("hi")}, {Kind: Binary, Data: []byte(large[:writeBuffer])}, {Kind: Text}} {
			if err := c.Send(m.Kind, m.Data); err != nil {
				t.Fatal(err)
			}
			if got := next(t, c); got.Kind != m.Kind || string(got.Data) != string(m.Data) {
				t.Errorf("got kind %d with %d bytes", got.Kind, len(got.Data))
			}
		}
		if err := c.Send(Ping, []byte("1")); err != nil {
			t.Fatal(err)
		}
		if got := next(t, c); got.Kind != Pong || string(got.Data) != "1" {
			t.Errorf("got %+v", got)
		}
		synctest.Wait()
		if n := c.Buffered(); n != 0 {
			t.Errorf("%d bytes buffered", n)
		}
		if err := c.Close(3333, "because", time.Second); err != nil {
			t.Fatal(err)
		}
		if err := c.Close(1000, "", time.Second); !errors.Is(err, ErrClosed) {
			t.Errorf("second close: %v", err)
		}
		if end := finish(t, c); end.Code != 3333 || end.Reason != "because" {
			t.Errorf("ended with %+v", end)
		}
	})
}

// TestCloseUnanswered has a server that reads and never says a word.
func TestCloseUnanswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, func(_ net.Conn, br *bufio.Reader) { io.Copy(io.Discard, br) })
		begin := time.Now()
		if err := c.Close(1000, "", 3*time.Second); err != nil {
			t.Fatal(err)
		}
		if end := finish(t, c); end.Code != CodeAbnormal || !errors.Is(end.Err, errOverdue) {
			t.Errorf("ended with %+v", end)
		}
		if d := time.Since(begin); d != 3*time.Second {
			t.Errorf("ended after %s", d)
		}
	})
}

// TestLinger has a server that answers the close frame and keeps the connection.
func TestLinger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, func(nc net.Conn, br *bufio.Reader) {
			nc.Write(closeFrame(1000, ""))
			io.Copy(io.Discard, br)
		})
		begin := time.Now()
		if end := finish(t, c); end.Code != 1000 {
			t.Errorf("ended with %+v", end)
		}
		if d := time.Since(begin); d != lingerWait {
			t.Errorf("ended after %s", d)
		}
	})
}

// TestInterrupt ends connections in every state.
func TestInterrupt(t *testing.T) {
	deaf := func(ctx context.Context, _ net.Conn, _ *bufio.Reader) { <-ctx.Done() }
	flood := func(_ context.Context, nc net.Conn, _ *bufio.Reader) {
		for {
			if _, err := nc.Write(frame(0x81, make([]byte, 1000))); err != nil {
				return
			}
		}
	}
	tests := []struct {
		name  string
		serve func(context.Context, net.Conn, *bufio.Reader)
		act   func(c *Conn)
	}{
		{"idle", func(_ context.Context, nc net.Conn, br *bufio.Reader) { echo(nc, br) }, func(*Conn) {}},
		{"events that nobody takes", flood, func(*Conn) {}},
		{"server that does not read", deaf, func(c *Conn) {
			for range 10 {
				_ = c.Send(Text, make([]byte, 1<<20))
			}
		}},
		{"closing, server that does not read", deaf, func(c *Conn) { _ = c.Close(1000, "", time.Hour) }},
		{"closed, server that lingers", func(ctx context.Context, nc net.Conn, br *bufio.Reader) {
			nc.Write(closeFrame(1000, ""))
			readFrame(br)
			<-ctx.Done()
		}, func(*Conn) {}},
		{"pings that cannot be answered", func(ctx context.Context, nc net.Conn, _ *bufio.Reader) {
			nc.Write(frame(0x89, nil))
			<-ctx.Done()
		}, func(*Conn) {}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := open(t, func(nc net.Conn, br *bufio.Reader) { tt.serve(t.Context(), nc, br) })
				tt.act(c)
				synctest.Wait()
				begin := time.Now()
				c.Interrupt()
				c.Interrupt()
				c.Wait()
				if d := time.Since(begin); d > killWait {
					t.Errorf("ended after %s", d)
				}
				if end := finish(t, c); end.Code == 0 && !errors.Is(end.Err, ErrInterrupted) {
					t.Errorf("ended with %+v", end)
				}
			})
		})
	}
}

// TestInterruptSaysGoodbye looks at the last frame.
func TestInterruptSaysGoodbye(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		last := make(chan string, 1)
		c := open(t, func(nc net.Conn, br *bufio.Reader) { last <- closeAnswer(nc, br, true) })
		c.Interrupt()
		c.Wait()
		if got := <-last; got != "1001 " {
			t.Errorf("last frame %q", got)
		}
	})
}

// TestBackpressure has a server that floods a client that takes nothing.
func TestBackpressure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sent := 0
		c := open(t, func(nc net.Conn, _ *bufio.Reader) {
			for range 100 {
				if _, err := nc.Write(frame(0x82, make([]byte, 100_000))); err != nil {
					return
				}
				sent++
			}
			nc.Write(closeFrame(1000, ""))
		})
		synctest.Wait()
		if sent > maxWaiting/100_000+2 {
			t.Errorf("%d messages read ahead", sent)
		}
		got := 0
		for next(t, c).Kind != End {
			got++
		}
		c.Wait()
		if got != 100 {
			t.Errorf("got %d messages", got)
		}
	})
}

func TestSendLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, func(net.Conn, *bufio.Reader) { <-t.Context().Done() })
		for range maxQueued >> 20 {
			if err := c.Send(Binary, make([]byte, 1<<20)); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.Send(Binary, make([]byte, 1<<20)); !errors.Is(err, ErrFull) {
			t.Errorf("got %v", err)
		}
		drained := c.Drained(1 << 20)
		c.Interrupt()
		<-drained
		c.Wait()
		if n := c.Buffered(); n != maxQueued {
			t.Errorf("%d bytes never sent", n)
		}
	})
}

// FuzzServer has a server send anything at all after the handshake: the
// connection ends, once, with all its goroutines.
func FuzzServer(f *testing.F) {
	f.Add([]byte{0x81, 1, 'a'}, false)
	f.Add(closeFrame(1000, "bye"), false)
	f.Add(frame(0xc1, []byte{0x4a, 0x04, 0x00}), true) // deflated "a"
	f.Add(frame(0xc1, []byte{0xff, 0xff, 0xff}), true)
	f.Add(append(frame(0x01, []byte("a")), frame(0x89, nil)...), true)
	f.Fuzz(func(t *testing.T, sent []byte, deflate bool) {
		synctest.Test(t, func(t *testing.T) {
			extensions := ""
			if deflate {
				extensions = "Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover; client_no_context_takeover\r\n"
			}
			c, _, err := new(Shared).open(t.Context(), &Request{URL: "ws://h/", Deflate: deflate}, "", piped{func(nc net.Conn) {
				br := accept(nc, extensions)
				go io.Copy(io.Discard, br)
				nc.Write(sent)
			}})
			if err != nil {
				t.Fatal(err)
			}
			if end := finish(t, c); end.Err == nil {
				t.Error("no reason for the end")
			}
			if e, ok := c.Take(); ok {
				t.Errorf("an event after the end: %+v", e)
			}
		})
	})
}
