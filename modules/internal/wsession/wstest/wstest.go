// Package wstest is a WebSocket server for the tests of the modules k6/ws and
// k6/websockets.
package wstest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// Start serves until the test ends and returns the address, ws://host:port.
//
//	/echo    answers messages, pings and close frames with the same
//	/silent  reads, and answers nothing
//	/deaf    does not even read
//	/binary  sends the bytes 1 2 3
//	/code    closes with the code 4001 and the reason bye
//	/drop    closes the connection without a frame
//	/ping    sends a ping
//	/refuse  answers 403
//	/head    sends the Cookie and X-Own fields of the handshake
func Start(t testing.TB) string {
	t.Helper()
	up := websocket.Upgrader{EnableCompression: true, Subprotocols: []string{"two"}, CheckOrigin: func(*http.Request) bool { return true }}
	over := make(chan struct{})
	t.Cleanup(func() { close(over) })
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/refuse" {
			http.Error(w, "no", http.StatusForbidden)
			return
		}
		c, err := up.Upgrade(w, r, http.Header{"Set-Cookie": {"set=1"}})
		if err != nil {
			return
		}
		defer c.Close()
		if r.URL.Path == "/deaf" {
			<-over
		} else {
			serve(c, r)
		}
	}))
	t.Cleanup(s.Close)
	return strings.Replace(s.URL, "http", "ws", 1)
}

func serve(c *websocket.Conn, r *http.Request) {
	soon := time.Now().Add(5 * time.Second)
	switch r.URL.Path {
	case "/silent":
		c.SetCloseHandler(func(int, string) error { return nil })
		for {
			if _, _, err := c.ReadMessage(); err != nil {
				break
			}
		}
		_ = c.SetReadDeadline(soon)
		_, _ = c.NetConn().Read(make([]byte, 1))
		return
	case "/binary":
		_ = c.WriteMessage(websocket.BinaryMessage, []byte{1, 2, 3})
	case "/code":
		_ = c.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(4001, "bye"), soon)
	case "/drop":
		return
	case "/ping":
		_ = c.WriteControl(websocket.PingMessage, []byte("p"), soon)
	case "/head":
		_ = c.WriteMessage(websocket.TextMessage, fmt.Appendf(nil, "%s|%s", r.Header.Get("Cookie"), r.Header.Get("X-Own")))
	}
	for {
		kind, data, err := c.ReadMessage()
		if err != nil || c.WriteMessage(kind, data) != nil {
			return
		}
	}
}

// NothingLeft checks that no goroutine of a connection is running. One that has
// said that it is done may still be about to return.
func NothingLeft(t testing.TB) {
	t.Helper()
	left := leftover()
	for range 100 {
		if left == "" {
			return
		}
		time.Sleep(time.Millisecond)
		left = leftover()
	}
	t.Errorf("goroutine left:\n%s", left)
}

func leftover() string {
	buf := make([]byte, 1<<20)
	for stack := range strings.SplitSeq(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		if strings.Contains(stack, "client/ws.(*") {
			return stack
		}
	}
	return ""
}
