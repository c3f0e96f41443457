package target

import (
	"bufio"
	"net"
	"net/http"
	"net/url"

	"github.com/gorilla/websocket"
	"github.com/valyala/fasthttp"
)

// maxMessage is the largest message that is echoed.
const maxMessage = 64 << 20

// websocket answers every message with the same message until the client closes.
// It takes the first subprotocol that is offered, and permessage-deflate.
func (s *rich) websocket(ctx *fasthttp.RequestCtx) {
	req := handshake(ctx)
	if !websocket.IsWebSocketUpgrade(req) || req.Method != fasthttp.MethodGet || req.Header.Get("Sec-Websocket-Version") != "13" {
		refuse(ctx, fasthttp.StatusBadRequest, "/ws speaks WebSocket, version 13, only")
		return
	}
	s.sockets.Add(1)
	ctx.HijackSetNoResponse(true) // the upgrader writes the answer
	ctx.Hijack(func(nc net.Conn) {
		defer s.sockets.Done()
		defer closeNow(nc)
		upgrader := websocket.Upgrader{
			ReadBufferSize: 1 << 10, WriteBufferSize: 16 << 10, WriteBufferPool: &s.frames,
			Subprotocols: websocket.Subprotocols(req), EnableCompression: true,
			CheckOrigin: func(*http.Request) bool { return true },
		}
		c, err := upgrader.Upgrade(hijacked{nc}, req, nil)
		if err != nil {
			return
		}
		c.SetReadLimit(maxMessage)
		echoMessages(c)
	})
}

// closeNow closes a hijacked connection; its own Close leaves that to fasthttp,
// which is too late for those who wait for the end.
func closeNow(nc net.Conn) {
	if h, ok := nc.(interface{ UnsafeConn() net.Conn }); ok {
		_ = h.UnsafeConn().Close()
	}
}

func echoMessages(c *websocket.Conn) {
	for {
		kind, data, err := c.ReadMessage()
		if err != nil || c.WriteMessage(kind, data) != nil {
			return
		}
	}
}

// handshake is the request as gorilla wants it, with nothing in it that fasthttp
// will use again.
func handshake(ctx *fasthttp.RequestCtx) *http.Request {
	req := &http.Request{
		Method: string(ctx.Method()), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		URL: &url.URL{Path: string(ctx.Path())}, Host: string(ctx.Host()), Header: http.Header{},
	}
	for name, value := range ctx.Request.Header.All() {
		req.Header.Add(string(name), string(value))
	}
	return req
}

// hijacked lets gorilla's upgrader take over a connection that fasthttp gave away.
// Nothing else can be written to it: what is refused was refused before.
type hijacked struct{ net.Conn }

// Hijack implements http.Hijacker.
func (h hijacked) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return h.Conn, bufio.NewReadWriter(bufio.NewReaderSize(h.Conn, 16), bufio.NewWriterSize(h.Conn, 16)), nil
}

// Header implements http.ResponseWriter.
func (h hijacked) Header() http.Header { return http.Header{} }

// WriteHeader implements http.ResponseWriter.
func (h hijacked) WriteHeader(int) {}

// Write implements http.ResponseWriter.
func (h hijacked) Write(p []byte) (int, error) { return len(p), nil }
