package client

import (
	"net/http"
	"time"

	"github.com/jsload/jsload/vu/client/proto"
)

// DefaultTimeout is used by requests that name none.
const DefaultTimeout = 60 * time.Second

// Auth is what to do with the credentials in an address.
type Auth uint8

const (
	// Basic sends them with the first request. It is the default.
	Basic Auth = iota
	// Digest answers the server's challenge with them (RFC 7616).
	Digest
	// NTLM is refused with an error: it is not supported.
	NTLM
)

// Cookie is a cookie for one request.
type Cookie struct {
	Name, Value string
	// Replace leaves out the jar's cookie of the same name; otherwise both are sent.
	Replace bool
}

// Request is what a script asks for. The client changes nothing in it and keeps
// nothing of it after Do.
type Request struct {
	// Method is sent as it is; empty means GET.
	Method string
	// URL is absolute. Credentials in it are used as Auth says.
	URL string
	// Header may hold names in any case, which are sent in canonical form and in
	// this order. Of equal names the last counts. Host and User-Agent replace
	// the defaults; Content-Length and Transfer-Encoding are ignored.
	Header  []proto.Field
	Cookies []Cookie
	// Jar replaces the client's jar; nil means the client's.
	Jar  *Jar
	Body []byte
	// Chunked sends the body with chunked coding, even an empty one.
	Chunked bool
	// Compression encodes the body, in this order, and sets Content-Encoding
	// unless Header does.
	Compression []Encoding
	// Protocol replaces the run's choice unless it is proto.Auto.
	Protocol proto.Protocol
	// Redirects is how many redirects are followed; zero means the run's
	// MaxRedirects, negative none.
	Redirects int
	// Timeout bounds everything, redirects and bodies included; zero or less
	// means DefaultTimeout.
	Timeout time.Duration
	Auth    Auth
	// Discard drops the bodies of answers unread into memory.
	Discard bool
	// Start is when the step before ended, in nanoseconds since the run's epoch;
	// zero makes the client read the clock.
	Start int64
	// OnExchange, if not nil, is called after each exchange on the goroutine of
	// Do, with what was sent and what came; both are valid only during the call.
	OnExchange func(*proto.Request, *proto.Response)

	held  []jarEntry // see Client.HoldCookies
	holds bool
}

// Response is what came of a Request. Its buffers are used again when it is given
// to Do again; give a new Response if the body or the header must be kept.
//
// The embedded Response is that of the last exchange: Status, StatusText, Proto,
// Timings, RemoteIP, TLSVersion, Err and so on. Body is decoded, and nil on an
// error before the header was read, if the status allows none, and if it was discarded.
type Response struct {
	proto.Response
	// URL is the final address, redirects followed, with its fragment. Only
	// digest credentials are removed.
	URL string
	// Exchanges lists every exchange that was made, in order; each is a sample
	// of its own. It is empty if the URL cannot be parsed.
	Exchanges []proto.Exchange
	// RedirectLimit is true if the response is a redirect that was not followed
	// because the limit was reached.
	RedirectLimit bool
	// Sent is the first request as it was sent.
	Sent Sent
}

// Sent is a request as it was sent.
type Sent struct {
	Method, URL string
	// Header leaves out Host, Content-Length and Transfer-Encoding.
	Header []proto.Field
	Body   []byte
}

// Cookies returns the cookies that the last answer set.
func (r *Response) Cookies() []*http.Cookie {
	if !r.SetsCookie || len(r.Header) == 0 {
		return nil
	}
	return setCookies(r.Header)
}
