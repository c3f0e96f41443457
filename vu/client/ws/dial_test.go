package ws

import (
	"bufio"
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jsload/jsload/vu/client"
	"github.com/jsload/jsload/vu/client/proto"
)

func TestHandshake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var jar client.Jar
		at, _ := url.Parse("http://h/")
		jar.Set(at, &http.Cookie{Name: "a", Value: "1"})
		var seen *http.Request
		serve := func(nc net.Conn) {
			br := bufio.NewReader(nc)
			seen, _ = http.ReadRequest(br)
			nc.Write([]byte("HTTP/1.1 403 Forbidden\r\nSet-Cookie: b=2\r\nX-Two: x\r\nX-Two: y\r\nContent-Length: 2\r\n\r\nno"))
		}
		r := &Request{
			URL: "ws://user:secret@h/path?q=1#fragment", Protocols: []string{"p", "q"}, Jar: &jar, Deflate: true,
			Header: []proto.Field{{Name: "x-own", Value: "1"}, {Name: "host", Value: "other"}},
		}
		c, answer, err := new(Shared).open(t.Context(), r, "agent/1", piped{serve})
		if c != nil || !IsRefused(err) {
			t.Fatalf("refused with %v", err)
		}
		if answer.Status != 403 || string(answer.Body) != "no" || strings.Join(answer.Header["X-Two"], ",") != "x,y" {
			t.Errorf("answer %+v", answer)
		}
		for name, want := range map[string]string{
			"User-Agent": "agent/1", "Authorization": "Basic dXNlcjpzZWNyZXQ=", "X-Own": "1", "Cookie": "a=1",
			"Sec-Websocket-Protocol": "p, q", "Sec-Websocket-Version": "13", "Upgrade": "websocket",
			"Sec-Websocket-Extensions": "permessage-deflate; server_no_context_takeover; client_no_context_takeover",
		} {
			if got := seen.Header.Get(name); got != want {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
		if seen.Host != "other" || seen.RequestURI != "/path?q=1" {
			t.Errorf("request for %s%s", seen.Host, seen.RequestURI)
		}
		if got := jar.Cookies(at); len(got) != 2 || got[1].Value != "2" {
			t.Errorf("cookies afterwards: %v", got)
		}
	})
}

func TestHandshakeFailures(t *testing.T) {
	silent := func(nc net.Conn) {
		br := bufio.NewReader(nc)
		http.ReadRequest(br)
		br.ReadByte() // until the client gives up
	}
	tests := []struct {
		name, url string
		serve     func(net.Conn)
		cancel    time.Duration
		status    int
		text      string
	}{
		{name: "scheme", url: "http://h/", text: "the scheme of a WebSocket is ws or wss"},
		{name: "no host", url: "ws:///x", text: "no host"},
		{name: "bad URL", url: "ws://h/%zz", text: "invalid URL"},
		{name: "silence", url: "ws://h/", serve: silent, text: "no handshake within 1m0s"},
		{name: "interrupted", url: "ws://h/", serve: silent, cancel: time.Second, text: "stop now"},
		{name: "garbage", url: "ws://h/", serve: func(nc net.Conn) {
			http.ReadRequest(bufio.NewReader(nc))
			nc.Write([]byte("SMTP\r\n\r\n"))
		}, text: "malformed HTTP"},
		{name: "101 without an accept", url: "ws://h/", serve: func(nc net.Conn) {
			http.ReadRequest(bufio.NewReader(nc))
			nc.Write([]byte("HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"))
		}, status: 101, text: "bad handshake"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				if tt.cancel > 0 {
					time.AfterFunc(tt.cancel, func() { cancel(errors.New("stop now")) })
				}
				c, answer, err := new(Shared).open(ctx, &Request{URL: tt.url}, "", piped{tt.serve})
				if c != nil || err == nil || !strings.Contains(err.Error(), tt.text) {
					t.Errorf("got %v", err)
				}
				if (answer != nil) != (tt.status != 0) || answer != nil && answer.Status != tt.status {
					t.Errorf("answer %+v", answer)
				}
			})
		})
	}
}
