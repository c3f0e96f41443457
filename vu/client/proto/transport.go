package proto

import (
	"fmt"
	"net/url"
)

// Protocol chooses the version of HTTP.
type Protocol uint8

const (
	// Auto lets the server choose under TLS and is HTTP/1.1 without it.
	Auto Protocol = iota
	// HTTP1 is HTTP/1.1.
	HTTP1
	// HTTP2 is HTTP/2: under TLS a server must agree to it, without TLS it is
	// taken to know it.
	HTTP2
)

// ParseProtocol reads "auto", "1.1" or "2"; the empty text is Auto.
func ParseProtocol(s string) (Protocol, error) {
	switch s {
	case "", "auto":
		return Auto, nil
	case "1.1", "1":
		return HTTP1, nil
	case "2":
		return HTTP2, nil
	}
	return Auto, fmt.Errorf("unknown HTTP version %q: use auto, 1.1 or 2", s)
}

// Request is one exchange as a transport sends it: everything is decided, down
// to the cookies.
type Request struct {
	Method string
	// Scheme is "http" or "https"; Addr is where to connect, "host:port".
	Scheme, Addr string
	// Key names the connections that may carry the request; it is made of scheme,
	// address and proxy.
	Key string
	// Protocol is what to speak.
	Protocol Protocol
	// Via is the proxy to go through; nil connects directly.
	Via *url.URL
	// Host is the value of the Host header or :authority.
	Host string
	// Target is the request target: path and query, or the absolute URL towards
	// a plain HTTP proxy.
	Target string
	// UserAgent is the value of User-Agent; empty sends none.
	UserAgent string
	// Header holds all other fields in wire order, names canonical, without
	// Host, User-Agent, Content-Length and Transfer-Encoding, which follow from
	// the other members.
	Header []Field
	// Body is sent as it is. The transport neither changes nor keeps it.
	Body []byte
	// Chunked sends the body in chunks, even an empty one.
	Chunked bool
	// Head is the rendered HTTP/1.1 head, if the caller has it already; nil
	// makes the transport render it.
	Head []byte
	// Close asks for a connection of its own that is closed afterwards.
	Close bool
	// Fresh asks for a new connection even if an idle one is there.
	Fresh bool
	// Discard drops the response's body without storing it.
	Discard bool
	// Start is when the step before ended, in nanoseconds since the run's epoch.
	// Zero makes the transport read the clock.
	Start int64
	// Deadline ends the exchange, body included, in nanoseconds since the run's
	// epoch. It is mandatory. Timeout is its distance from the start, from which
	// the transport chooses how closely to watch it.
	Deadline, Timeout int64
}

// Response is what one exchange brought. The buffers of a Response given to a
// transport are used again; give a new one where they must outlive it.
type Response struct {
	Exchange
	// Header is empty until a whole head was read.
	Header Header
	// SetsCookie and Encoded tell that the header has a Set-Cookie or a
	// Content-Encoding field.
	SetsCookie, Encoded bool
	// Body is nil until a whole head was read; from then on it holds what came
	// of the body, also when the exchange failed. It is as sent, not decoded.
	Body []byte
	// BodyLen is the number of body bytes read, also if they were discarded.
	BodyLen int64
	// OCSP is the OCSP answer that the server stapled to its certificate, if any.
	OCSP []byte
	// Close is true if the connection cannot carry another exchange.
	Close bool
	// Stale is true if the exchange failed on a connection that had served
	// before and died before a byte of the answer, and nothing speaks against
	// trying it once on a fresh one.
	Stale bool
}

// Transport carries exchanges over connections that one virtual user owns.
//
// Do performs one exchange: no retry, no redirect, no cookies. It fills resp for
// every phase reached, also when it fails, and returns resp.Err. A status is never an
// error. On an error the connection is closed, unless it carries several exchanges and
// the error is that of one. An HTTP/2 stream that the server refused to begin with is no
// exchange yet: getting one that it takes is part of getting a connection, within the
// deadline, and counted in Retries. Several goroutines may call Do at once.
//
// Interrupt ends all running exchanges with ErrInterrupted. It may be called from
// any goroutine.
type Transport interface {
	Do(req *Request, resp *Response) *Error
	Interrupt()
}
