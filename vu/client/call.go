// Hot path: a request without cookies over an open connection allocates nothing.

package client

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"

	"github.com/jsload/jsload/vu/client/proto"
)

// Call is a request on its way: it decides what is sent next, and whoever drives
// it does the sending. Request gives the first exchange and Next, after each, the
// one that follows; nil means that the response is complete and the Call over.
type Call struct {
	client *Client
	req    *Request
	resp   *Response
	target *target // of the current hop
	first  *target
	wire   proto.Request

	header   fieldset
	host     string // the script's own Host header while it holds
	coding   string // Content-Encoding that we chose, empty if none
	hand     []byte // Cookie by header and by request, under construction
	scratch  []byte
	matched  []jarEntry
	replaced bool // some cookie replaces the jar's

	redirects, limit int
	dropBody         bool // a redirect turned the request into one without body
	crossed          bool // a redirect left the first host
	referer          string
	digest           digest
	retries          int
}

// Begin starts a request for a driver that does its own I/O. The Call is valid
// until Next returns nil.
func (c *Client) Begin(req *Request, resp *Response) *Call {
	call := c.takeCall()
	call.client, call.req, call.resp = c, req, resp
	resp.Exchanges = resp.Exchanges[:0]
	resp.RedirectLimit = false
	resp.Exchange = proto.Exchange{}
	resp.URL = req.URL
	return call
}

func (c *Client) takeCall() *Call {
	c.mu.Lock()
	defer c.mu.Unlock()
	last := len(c.spare) - 1
	if last < 0 {
		return new(Call)
	}
	call := c.spare[last]
	c.spare = c.spare[:last]
	return call
}

// release keeps the Call's buffers for another.
func (call *Call) release() {
	c := call.client
	call.header.rest()
	clear(call.wire.Header)
	clear(call.matched)
	*call = Call{
		header:  call.header,
		hand:    call.hand[:0],
		scratch: call.scratch[:0],
		matched: call.matched[:0],
		wire:    proto.Request{Header: call.wire.Header[:0]},
	}
	c.mu.Lock()
	if len(c.spare) < 16 {
		c.spare = append(c.spare, call)
	}
	c.mu.Unlock()
}

// Request prepares the first exchange; nil if the request failed before it.
func (call *Call) Request() *proto.Request {
	t, err := call.client.network.target(call.req.URL)
	if err != nil {
		call.resp.Err = proto.Classify(err)
		call.resp.Header, call.resp.Body = call.resp.Header[:0], nil
		call.release()
		return nil
	}
	call.target, call.first = t, t
	call.prepareWire()
	err = call.prepare()
	s := &call.resp.Sent
	s.Method, s.URL, s.Body, s.Header = call.wire.Method, call.visibleURL(), call.wire.Body, s.Header[:0]
	if err != nil {
		return call.refuse(err)
	}
	w := call.hop()
	if w != nil {
		call.recordSent(s)
	}
	return w
}

// prepareWire sets what holds for all hops.
func (call *Call) prepareWire() {
	req, n := call.req, call.client.network
	w := &call.wire
	w.Method = req.Method
	if w.Method == "" {
		w.Method = "GET"
	}
	w.Body, w.Chunked, w.Discard = req.Body, req.Chunked, req.Discard
	w.Close = n.config.NoConnectionReuse
	w.Protocol = n.protocol(req.Protocol)
	w.Start = req.Start
	if w.Start == 0 {
		w.Start = n.shared.Now()
	}
	timeout := req.Timeout
	if timeout <= 0 {
		timeout = DefaultTimeout
	}
	w.Timeout = int64(timeout)
	w.Deadline = w.Start + w.Timeout
	switch call.limit = req.Redirects; {
	case req.Redirects == 0:
		call.limit = n.config.MaxRedirects
	case req.Redirects < 0:
		call.limit = 0
	}
}

// prepare checks and converts what the script gave.
func (call *Call) prepare() error {
	req := call.req
	if call.req.Auth == NTLM {
		return errors.New("NTLM authentication is not supported")
	}
	if !validToken(call.wire.Method) {
		return fmt.Errorf("net/http: invalid method %q", call.wire.Method)
	}
	if err := call.header.set(req.Header, call.client.network.config.UserAgent); err != nil {
		return err
	}
	call.host = call.header.host
	call.hand = append(call.hand, call.header.hand...)
	for _, c := range req.Cookies {
		call.hand = appendCookie(call.hand, c.Name, c.Value, false)
		call.replaced = call.replaced || c.Replace
	}
	if len(req.Compression) > 0 {
		return call.compress()
	}
	return nil
}

func validToken(s string) bool { return httpguts.ValidHeaderFieldName(s) }

func (call *Call) compress() error {
	body, err := encode(call.req.Body, call.req.Compression)
	if err != nil {
		return err
	}
	call.wire.Body = body
	for _, f := range call.header.fields {
		if f.Name == "Content-Encoding" {
			return nil
		}
	}
	call.coding = joinEncodings(call.req.Compression)
	return nil
}

// refuse ends the call with an exchange that was never sent.
func (call *Call) refuse(err error) *proto.Request {
	resp := call.resp
	resp.Header, resp.Body, resp.BodyLen = resp.Header[:0], nil, 0
	call.describe()
	resp.Timings = proto.Timings{Start: call.wire.Start, End: call.wire.Start}
	resp.Err = proto.Classify(err)
	resp.Exchanges = append(resp.Exchanges, resp.Exchange)
	return call.finish()
}

// describe names the coming exchange.
func (call *Call) describe() {
	url := call.target.masked
	if call.req.Auth == Digest {
		url = call.target.clean
	}
	call.resp.Exchange = proto.Exchange{Method: call.wire.Method, URL: url, Retries: call.retries}
}

// hop prepares an exchange with the current target.
func (call *Call) hop() *proto.Request {
	t, w := call.target, &call.wire
	call.describe()
	if t.err != nil {
		return call.refuse(t.err)
	}
	w.Scheme, w.Addr, w.Key, w.Via, w.Target = t.scheme, t.addr, t.key, t.via, t.path
	w.UserAgent = call.header.agent
	if w.Host = call.host; w.Host == "" {
		w.Host = t.host
	}
	if call.dropBody {
		w.Body, w.Chunked = nil, false
	}
	w.Header = call.appendHeader(w.Header[:0])
	return w
}

// appendHeader appends the fields of the current hop.
func (call *Call) appendHeader(dst []proto.Field) []proto.Field {
	for _, f := range call.header.fields {
		if call.dropBody && describesBody(f.Name) || call.crossed && sensitive(f.Name) {
			continue
		}
		if f.Name == "Authorization" && call.digest.answer != "" || f.Name == "Referer" && call.referer != "" {
			continue
		}
		dst = append(dst, f)
	}
	if call.coding != "" && !call.dropBody {
		dst = append(dst, proto.Field{Name: "Content-Encoding", Value: call.coding})
	}
	switch {
	case call.digest.answer != "":
		dst = append(dst, proto.Field{Name: "Authorization", Value: call.digest.answer})
	case call.target.basic != "" && (!call.header.ownAuth || call.crossed):
		dst = append(dst, proto.Field{Name: "Authorization", Value: call.target.basic})
	}
	if call.target.viaHeader != "" {
		dst = append(dst, proto.Field{Name: "Proxy-Authorization", Value: call.target.viaHeader})
	}
	if call.referer != "" {
		dst = append(dst, proto.Field{Name: "Referer", Value: call.referer})
	}
	if cookie := call.cookie(); cookie != "" {
		dst = append(dst, proto.Field{Name: "Cookie", Value: cookie})
	}
	return dst
}

// cookie makes the Cookie header of the current hop: the script's, then the jar's.
func (call *Call) cookie() string {
	call.scratch = call.scratch[:0]
	if !call.crossed {
		call.scratch = append(call.scratch, call.hand...)
	}
	jarred := call.jarred()
	for i := range jarred {
		e := &jarred[i]
		if !call.replaces(e.name) {
			call.scratch = appendCookie(call.scratch, e.name, e.value, e.quoted)
		}
	}
	return string(call.scratch)
}

// jarred are the cookies of the jar for the current hop.
func (call *Call) jarred() []jarEntry {
	if call.req.holds && len(call.resp.Exchanges) == 0 {
		return call.req.held
	}
	jar := call.jar()
	if jar.empty() {
		return nil
	}
	t := call.target
	call.matched = jar.match(call.matched[:0], t.hostname, t.cookiePath, t.scheme == "https", time.Now())
	return call.matched
}

// replaces reports whether a cookie of the request stands for the jar's.
func (call *Call) replaces(name string) bool {
	if !call.replaced || call.crossed {
		return false
	}
	for i := range call.req.Cookies {
		if c := &call.req.Cookies[i]; c.Replace && c.Name == name {
			return true
		}
	}
	return false
}

func (call *Call) jar() *Jar {
	if call.req.Jar != nil {
		return call.req.Jar
	}
	return &call.client.jar
}

// recordSent keeps the header of the first exchange.
func (call *Call) recordSent(s *Sent) {
	if call.wire.UserAgent != "" {
		s.Header = append(s.Header, proto.Field{Name: "User-Agent", Value: call.wire.UserAgent})
	}
	for _, f := range call.wire.Header {
		if f.Name != "Proxy-Authorization" || call.target.viaHeader == "" {
			s.Header = append(s.Header, f)
		}
	}
}

func (call *Call) visibleURL() string {
	if call.req.Auth == Digest {
		return call.target.bare
	}
	return call.target.full
}

// Next looks at the exchange that was just made and prepares the one that
// follows from it; nil if there is none.
func (call *Call) Next() *proto.Request {
	resp := &call.resp.Response
	if resp.Err != nil && resp.Stale && call.retries == 0 {
		call.client.network.retries.Add(1)
		call.retries = 1
		call.wire.Fresh = true
		call.wire.Start = resp.Timings.Start
		call.describe()
		return &call.wire
	}
	if call.req.OnExchange != nil {
		call.req.OnExchange(&call.wire, resp)
	}
	x := &resp.Exchange
	if x.Err == nil {
		call.keepCookies()
		call.challenge(x)
	}
	var next *target
	if x.Err == nil && !x.Challenge {
		var err error
		if next, err = call.redirect(); err != nil {
			call.fail(err)
		}
	}
	if x.Err == nil && next == nil && !x.Challenge {
		call.decode()
	}
	call.resp.Exchanges = append(call.resp.Exchanges, *x)
	call.wire.Fresh, call.retries, call.wire.Start = false, 0, x.Timings.End
	switch {
	case x.Challenge:
		return call.hop()
	case next != nil:
		call.follow(next)
		return call.hop()
	}
	return call.finish()
}

// keepCookies puts what the answer set into the jar. Cookies set by hand give
// way to those of the same name.
func (call *Call) keepCookies() {
	if !call.resp.SetsCookie {
		return
	}
	cookies := setCookies(call.resp.Header)
	call.jar().store(call.target.hostname, call.target.cookiePath, cookies, time.Now())
	if len(call.hand) > 0 {
		call.hand = dropCookies(call.hand, cookies)
	}
}

func dropCookies(hand []byte, set []*http.Cookie) []byte {
	var kept []string
	for pair := range strings.SplitSeq(string(hand), ";") {
		pair = strings.TrimSpace(pair)
		name, _, _ := strings.Cut(pair, "=")
		overridden := false
		for _, c := range set {
			overridden = overridden || c.Name == name
		}
		if !overridden {
			kept = append(kept, pair)
		}
	}
	return append(hand[:0], strings.Join(kept, "; ")...)
}

// challenge answers a request for digest authentication, once per hop.
func (call *Call) challenge(x *proto.Exchange) {
	call.digest.answer = ""
	if call.req.Auth != Digest || x.Status != http.StatusUnauthorized || call.digest.tried || call.target.url.User == nil {
		return
	}
	call.digest.tried = true
	answer, ok := call.digest.respond(call.resp.Header, &call.wire, call.target.url.User)
	if ok {
		call.digest.answer, x.Challenge = answer, true
	}
}

// fail turns the last exchange into a failed one.
func (call *Call) fail(err error) {
	resp := &call.resp.Response
	resp.Err = proto.Classify(err)
	resp.Status, resp.StatusText, resp.Proto = 0, "", ""
	resp.Header, resp.Body = resp.Header[:0], nil
}

// decode undoes the body's codings. The time it takes is in no timing.
func (call *Call) decode() {
	resp := &call.resp.Response
	if !resp.Encoded || call.wire.Discard || call.wire.Method == "HEAD" {
		return
	}
	body, err := decode(resp.Body, resp.Header)
	if err != nil {
		call.fail(err)
		return
	}
	resp.Body = body
}

// finish completes the response and ends the call.
func (call *Call) finish() *proto.Request {
	resp := call.resp
	resp.URL = call.visibleURL()
	if s := resp.Status; call.wire.Discard || 0 < s && s < 200 || s == http.StatusNoContent || s == http.StatusNotModified {
		resp.Body = nil
	}
	call.release()
	return nil
}
