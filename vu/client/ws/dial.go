// Package ws is the WebSocket client of one virtual user: it opens connections
// over the user's dialer, reads what arrives into a bounded queue of events, and
// writes what is sent without blocking the sender.
//
// The script modules call it. The frames are gorilla/websocket's, the connections
// below them vu/client's. It records no metrics and knows no scripts.
package ws

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/textproto"
	"net/url"
	"os"
	"sync"
	"time"

	"github.com/gorilla/websocket"
	"golang.org/x/net/http/httpguts"

	"github.com/jsload/jsload/vu/client"
	"github.com/jsload/jsload/vu/client/proto"
)

const (
	// HandshakeTimeout bounds dialing, TLS and the opening handshake together.
	HandshakeTimeout = 60 * time.Second
	// readBuffer is what every connection holds for as long as it is open. Larger
	// messages are read past it.
	readBuffer = 1 << 10
	// writeBuffer is borrowed while a message is written; it is also the largest
	// frame that is sent.
	writeBuffer = 16 << 10
)

// Request is a connection to open.
type Request struct {
	// URL has the scheme ws or wss. Credentials in it are sent as basic
	// authentication; a fragment is ignored.
	URL string
	// Header are further fields of the handshake, names in any case. Of equal
	// names the last counts; a Cookie takes the place of the jar's.
	Header []proto.Field
	// Protocols are the subprotocols offered, the favourite first.
	Protocols []string
	// Jar gives and takes the cookies of the handshake; nil means none.
	Jar *client.Jar
	// Deflate offers permessage-deflate.
	Deflate bool
}

// Answer is what a server said to the handshake.
type Answer struct {
	// Status is 101 on success, but may also be on a failure.
	Status int
	Header http.Header
	// Body is the beginning of the answer's body if the handshake failed.
	Body []byte
	// RemoteIP is the address that was connected to, without the port.
	RemoteIP string
}

// Shared is what the connections of a run have in common. The zero value is
// ready; it must not be copied. It is safe for concurrent use.
type Shared struct {
	written  sync.Pool // of gorilla's buffers
	messages sync.Pool // of *bytes.Buffer
}

// Dial opens a connection. The answer is nil if none came; with an answer, an
// error says what was wrong with it. The caller owns the connection: it takes the
// events until the End, or calls Interrupt, and then Wait.
func (s *Shared) Dial(ctx context.Context, d *client.Dialer, r *Request) (*Conn, *Answer, error) {
	return s.open(ctx, r, d.UserAgent(), dialer{d})
}

// connector makes the connection below a handshake.
type connector interface {
	// connect returns the TCP connection to addr; u has the scheme http or https.
	connect(ctx context.Context, u *url.URL, addr string) (net.Conn, error)
	tlsConfig(host string) *tls.Config
}

type dialer struct{ *client.Dialer }

func (d dialer) connect(ctx context.Context, u *url.URL, addr string) (net.Conn, error) {
	return d.DialTunnel(ctx, u, addr)
}

func (d dialer) tlsConfig(host string) *tls.Config { return d.TLSConfig(host, "http/1.1") }

// ParseURL checks an address as Dial will.
func ParseURL(raw string) (*url.URL, error) {
	u, err := url.Parse(raw)
	if err != nil {
		return nil, fmt.Errorf("invalid URL: %w", err)
	}
	if u.Scheme != "ws" && u.Scheme != "wss" {
		return nil, fmt.Errorf("invalid URL %q: the scheme of a WebSocket is ws or wss", u.Redacted())
	}
	if u.Host, err = httpguts.PunycodeHostPort(u.Host); err != nil {
		return nil, fmt.Errorf("invalid URL: %w", err)
	}
	if u.Hostname() == "" {
		return nil, fmt.Errorf("invalid URL %q: no host", u.Redacted())
	}
	return u, nil
}

func (s *Shared) open(ctx context.Context, r *Request, agent string, c connector) (*Conn, *Answer, error) {
	u, err := ParseURL(r.URL)
	if err != nil {
		return nil, nil, err
	}
	header := handshakeHeader(r.Header, agent, u.User)
	u.User, u.Fragment, u.RawFragment = nil, "", ""
	ctx, cancel := context.WithTimeoutCause(ctx, HandshakeTimeout, errHandshakeTimeout)
	defer cancel()
	t := transport{connector: c}
	defer t.release()
	g := websocket.Dialer{
		NetDialContext: t.dial, NetDialTLSContext: t.dialTLS,
		ReadBufferSize: readBuffer, WriteBufferSize: writeBuffer, WriteBufferPool: &s.written,
		Subprotocols: r.Protocols, EnableCompression: r.Deflate,
	}
	if r.Jar != nil {
		g.Jar = cookies{r.Jar}
	}
	w, resp, err := g.DialContext(ctx, u.String(), header)
	answer := t.answer(resp)
	if err != nil {
		switch {
		case ctx.Err() != nil:
			err = context.Cause(ctx)
		case errors.Is(err, os.ErrDeadlineExceeded): // gorilla's copy of the context's
			err = errHandshakeTimeout
		}
		return nil, answer, err
	}
	if !t.release() {
		return nil, answer, context.Cause(ctx)
	}
	return s.newConn(w, t.raw), answer, nil
}

var errHandshakeTimeout = fmt.Errorf("websocket: no handshake within %s", HandshakeTimeout)

func handshakeHeader(fields []proto.Field, agent string, user *url.Userinfo) http.Header {
	h := http.Header{"User-Agent": {agent}}
	if user != nil {
		password, _ := user.Password()
		h.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(user.Username()+":"+password)))
	}
	for _, f := range fields {
		h[textproto.CanonicalMIMEHeaderKey(f.Name)] = []string{f.Value}
	}
	return h
}

// transport is the way of one handshake to the network. It makes the end of the
// context end the handshake, which gorilla looks at only while dialing.
type transport struct {
	connector
	raw    net.Conn
	unbind func() bool
}

func (t *transport) dial(ctx context.Context, _, addr string) (net.Conn, error) {
	return t.start(ctx, "http", addr)
}

func (t *transport) dialTLS(ctx context.Context, _, addr string) (net.Conn, error) {
	raw, err := t.start(ctx, "https", addr)
	if err != nil {
		return nil, err
	}
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		host = addr
	}
	secure := tls.Client(raw, t.tlsConfig(host))
	if err := secure.HandshakeContext(ctx); err != nil {
		raw.Close()
		return nil, err
	}
	return secure, nil
}

func (t *transport) start(ctx context.Context, scheme, addr string) (net.Conn, error) {
	raw, err := t.connect(ctx, &url.URL{Scheme: scheme, Host: addr}, addr)
	if err != nil {
		return nil, err
	}
	closed := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		raw.Close()
		close(closed)
	})
	t.raw = raw
	t.unbind = sync.OnceValue(func() bool {
		if stop() {
			return true
		}
		<-closed
		return false
	})
	return raw, nil
}

// release unbinds the connection from the context. It is false if that had ended.
func (t *transport) release() bool { return t.unbind == nil || t.unbind() }

func (t *transport) answer(resp *http.Response) *Answer {
	if resp == nil {
		return nil
	}
	a := &Answer{Status: resp.StatusCode, Header: resp.Header}
	a.Body, _ = io.ReadAll(resp.Body) // it is in memory
	if tcp, ok := t.raw.RemoteAddr().(*net.TCPAddr); ok {
		a.RemoteIP = tcp.AddrPort().Addr().Unmap().String()
	}
	return a
}

// cookies is a jar as gorilla wants it.
type cookies struct{ jar *client.Jar }

func (c cookies) Cookies(u *url.URL) []*http.Cookie { return c.jar.Cookies(u) }

func (c cookies) SetCookies(u *url.URL, list []*http.Cookie) { c.jar.Set(u, list...) }

// IsRefused tells whether an error of Dial is a refusal by the server rather than
// a failure to reach it.
func IsRefused(err error) bool { return errors.Is(err, websocket.ErrBadHandshake) }
