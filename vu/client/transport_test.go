package client

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/jsload/jsload/vu/client/proto"
	"github.com/jsload/jsload/vu/client/proto/transporttest"
)

// serving is one way to reach a server.
type serving struct {
	name     string
	secure   bool
	protocol proto.Protocol
	proto    string
}

var servings = []serving{
	{"HTTP/1.1", false, proto.Auto, "HTTP/1.1"},
	{"HTTP/1.1 over TLS", true, proto.HTTP1, "HTTP/1.1"},
	{"HTTP/2 by ALPN", true, proto.Auto, "HTTP/2.0"},
	{"HTTP/2 demanded", true, proto.HTTP2, "HTTP/2.0"},
	{"h2c", false, proto.HTTP2, "HTTP/2.0"},
}

// serve starts a server that speaks both protocols and returns its address.
func (s serving) serve(t *testing.T, h http.Handler) string {
	server := httptest.NewUnstartedServer(h)
	server.Config.Protocols = new(http.Protocols)
	server.Config.Protocols.SetHTTP1(true)
	server.Config.Protocols.SetHTTP2(s.secure)
	server.Config.Protocols.SetUnencryptedHTTP2(!s.secure)
	server.EnableHTTP2 = s.secure
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	if s.secure {
		server.StartTLS()
	} else {
		server.Start()
	}
	t.Cleanup(server.Close)
	return server.URL
}

// eachProtocol runs a client test over every protocol.
func eachProtocol(t *testing.T, config Config, h http.Handler, test func(t *testing.T, c *Client, url string, s serving)) {
	for _, s := range servings {
		t.Run(s.name, func(t *testing.T) {
			config.Protocol, config.TLS.InsecureSkipVerify = s.protocol, true
			c := newClient(t, config)
			test(t, c, s.serve(t, h), s)
		})
	}
}

func TestTransports(t *testing.T) {
	for _, s := range servings {
		t.Run(s.name, func(t *testing.T) {
			transporttest.Run(t, func(t *testing.T, h http.Handler) transporttest.Target {
				c := newClient(t, Config{TLS: TLS{InsecureSkipVerify: true}})
				scheme, addr, _ := strings.Cut(s.serve(t, h), "://")
				return transporttest.Target{
					Transport: c.pool,
					Renew:     func() { c.pool.activate(t.Context()) },
					Request:   proto.Request{Scheme: scheme, Addr: addr, Host: addr, Key: scheme + addr, Protocol: s.protocol},
					Now:       c.network.shared.Now,
					Proto:     s.proto,
				}
			})
		})
	}
}
