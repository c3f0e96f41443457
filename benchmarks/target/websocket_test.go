package target

import (
	"bytes"
	"crypto/tls"
	"net/http"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
)

func TestWebSocketEcho(t *testing.T) {
	t.Run("plain", func(t *testing.T) { echoThrough(t, start(t, Config{})) })
	t.Run("TLS", func(t *testing.T) { echoThrough(t, start(t, Config{TLS: true})) })
}

func echoThrough(t *testing.T, s *Server) {
	d := websocket.Dialer{
		Subprotocols: []string{"first", "second"}, EnableCompression: true,
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
	}
	c, _, err := d.Dial(strings.Replace(s.URL(), "http", "ws", 1)+"/ws", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if c.Subprotocol() != "first" {
		t.Errorf("subprotocol %q", c.Subprotocol())
	}
	for _, size := range []int{0, 1, 125, 126, 70_000, 1 << 20} {
		sent := bytes.Repeat([]byte("m"), size)
		if err := c.WriteMessage(websocket.BinaryMessage, sent); err != nil {
			t.Fatal(err)
		}
		kind, got, err := c.ReadMessage()
		if err != nil || kind != websocket.BinaryMessage || !bytes.Equal(got, sent) {
			t.Fatalf("message of %d bytes: kind %d, %d bytes, %v", size, kind, len(got), err)
		}
	}
	if err := c.WriteMessage(websocket.CloseMessage, websocket.FormatCloseMessage(3001, "")); err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.ReadMessage(); !websocket.IsCloseError(err, 3001) {
		t.Errorf("closing: %v", err)
	}
}

// TestWebSocketEndsWithServer leaves a connection open for Close to end.
func TestWebSocketEndsWithServer(t *testing.T) {
	s := start(t, Config{})
	c, _, err := websocket.DefaultDialer.Dial("ws://"+s.Addr()+"/ws", nil)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		_, _, _ = c.ReadMessage() // until the server ends
		c.Close()
	}()
}

func TestWebSocketRefuses(t *testing.T) {
	s := start(t, Config{})
	resp, err := http.Get(s.URL() + "/ws")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	http.DefaultClient.CloseIdleConnections()
	if resp.StatusCode != http.StatusBadRequest {
		t.Errorf("status %d", resp.StatusCode)
	}
}
