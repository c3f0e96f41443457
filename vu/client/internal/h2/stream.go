package h2

import (
	"errors"
	"io"
	"net/http"

	"golang.org/x/net/http/httpguts"
	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"github.com/jsload/jsload/vu/client/internal/wire"
	"github.com/jsload/jsload/vu/client/proto"
)

// maxHead bounds all heads of one answer, interim ones included, as HTTP/2 counts
// them; HTTP/1.1 has the same bound.
const maxHead = 10 << 20

// maxAhead bounds what is allocated for a body because its length was announced.
const maxAhead = 1 << 20

// stream is one exchange on its way.
type stream struct {
	id   uint32 // zero while it waits for a place
	req  *proto.Request
	resp *proto.Response
	wake chan struct{} // the leader has finished it, or it is to lead

	done    bool
	outcome Outcome
	// alone is true if no other stream was there while this one was.
	alone bool

	// What is still to be sent.
	body       []byte
	sendWindow int64
	start      uint64 // where its first frame begins in all that was queued

	// What has come.
	recvWindow int64
	head       int  // size of the heads so far
	pseudo     int  // :status of the head being read
	regular    bool // the head being read has other fields
	final      bool // the head was read; what follows is body or trailer
	malformed  error
	length     int64 // announced; negative if not

	ready, sent, first         int64 // instants
	sentFrames, receivedFrames int64
}

// begin prepares for an exchange.
func (s *stream) begin(req *proto.Request, resp *proto.Response) {
	select {
	case <-s.wake:
	default:
	}
	*s = stream{req: req, resp: resp, wake: s.wake, body: req.Body, length: -1}
}

// wakeUp ends the wait of the stream's goroutine, now or when it comes to it.
func (s *stream) wakeUp() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// settle completes the response.
func (s *stream) settle(shared *wire.Shared, now int64, err error) {
	x := &s.resp.Exchange
	if err != nil {
		now = shared.Now() // no read may have told the time
	}
	ready := s.ready
	if s.id == 0 {
		ready = now // it never got a place
	}
	x.Timings.Blocked = ready - x.Timings.Start
	x.Timings.Settle(ready, s.sent, s.first, max(now, ready))
	if err == nil {
		return
	}
	x.Status, x.StatusText, x.Proto = 0, "", ""
	if !s.final {
		s.resp.Header, s.resp.Body = s.resp.Header[:0], nil
	}
	x.Err = proto.Classify(err)
}

var (
	errHeadTooLarge = errors.New("http2: response headers exceeded 10485760 bytes")
	errBadHeader    = errors.New("http2: the response has an invalid header")
	errNoStatus     = errors.New("http2: the response has no valid :status")
)

// field takes a field of a head or, once the head is complete, of a trailer, which
// is dropped.
func (s *stream) field(f hpack.HeaderField) {
	if s.head += int(f.Size()); s.head > maxHead {
		s.malformed = errHeadTooLarge
	}
	if s.malformed != nil {
		return
	}
	if len(f.Name) > 0 && f.Name[0] == ':' {
		s.pseudoField(f)
		return
	}
	s.regular = true
	if !validName(f.Name) || !httpguts.ValidHeaderFieldValue(f.Value) {
		s.malformed = errBadHeader
		return
	}
	if s.final || f.Name == "trailer" {
		return
	}
	s.store(f)
}

func (s *stream) pseudoField(f hpack.HeaderField) {
	status, ok := statusOf(f.Value)
	if f.Name != ":status" || s.pseudo != 0 || s.regular || s.final || !ok {
		s.malformed = errNoStatus
		return
	}
	s.pseudo = status
}

// statusOf reads three digits.
func statusOf(v string) (int, bool) {
	if len(v) != 3 {
		return 0, false
	}
	n := 0
	for i := range 3 {
		if v[i] < '0' || v[i] > '9' {
			return 0, false
		}
		n = n*10 + int(v[i]-'0')
	}
	return n, n >= 100
}

// validName accepts tokens without capitals.
func validName(name string) bool {
	for i := range len(name) {
		if c := name[i]; 'A' <= c && c <= 'Z' || !httpguts.IsTokenRune(rune(c)) {
			return false
		}
	}
	return len(name) > 0
}

// store appends a field to the response's header, its name in canonical form.
func (s *stream) store(f hpack.HeaderField) {
	switch f.Name {
	case "set-cookie":
		s.resp.SetsCookie = true
	case "content-encoding":
		s.resp.Encoded = true
	case "content-length":
		s.length = lengthOf(f.Value)
	}
	h := s.resp.Header
	upper := true
	for i := range len(f.Name) {
		c := f.Name[i]
		if upper && 'a' <= c && c <= 'z' {
			c -= 'a' - 'A'
		}
		upper = c == '-'
		h = append(h, c)
	}
	h = append(h, ": "...)
	h = append(h, f.Value...)
	s.resp.Header = append(h, "\r\n"...)
}

// lengthOf reads a Content-Length; one that is none counts for nothing.
func lengthOf(v string) int64 {
	var n int64
	for i := range len(v) {
		if v[i] < '0' || v[i] > '9' || n > (1<<63-1-9)/10 {
			return -1
		}
		n = n*10 + int64(v[i]-'0')
	}
	if v == "" {
		return -1
	}
	return n
}

// headDone handles the end of a head or trailer. It reports whether the answer is
// complete; an error is a violation of the protocol.
func (s *stream) headDone(end bool) (bool, error) {
	if s.malformed != nil {
		return false, s.malformed
	}
	if s.final {
		if !end {
			return false, errBadHeader
		}
		return true, s.complete()
	}
	status := s.pseudo
	s.pseudo, s.regular = 0, false
	switch {
	case status == 0:
		return false, errNoStatus
	case status < 200 && end:
		return false, errNoStatus
	case status < 200:
		s.resp.Header = s.resp.Header[:0]
		s.resp.SetsCookie, s.resp.Encoded, s.length = false, false, -1
		return false, nil
	}
	s.final = true
	x := &s.resp.Exchange
	x.Status, x.StatusText, x.Proto = status, proto.StatusText(status), "HTTP/2.0"
	if x.StatusText == "" {
		x.StatusText = string(append(s.three(status), ' '))
	}
	if s.bodiless() {
		s.length = -1
	}
	s.expectBody()
	if end {
		return true, s.complete()
	}
	return false, nil
}

func (s *stream) three(status int) []byte {
	return []byte{byte('0' + status/100), byte('0' + status/10%10), byte('0' + status%10)}
}

// bodiless reports whether the length in the head says nothing about this answer.
func (s *stream) bodiless() bool {
	status := s.resp.Status
	return s.req.Method == "HEAD" || status == http.StatusNoContent || status == http.StatusNotModified
}

func (s *stream) expectBody() {
	if s.resp.Body == nil {
		s.resp.Body = []byte{}
	}
	if ahead := int(min(s.length, maxAhead)); !s.req.Discard && cap(s.resp.Body) < ahead {
		s.resp.Body = make([]byte, 0, ahead)
	}
}

// complete checks that all of the body has come.
func (s *stream) complete() error {
	if s.length >= 0 && s.resp.BodyLen < s.length {
		return io.ErrUnexpectedEOF
	}
	return nil
}

// data takes a piece of the body.
func (s *stream) data(p []byte) error {
	if !s.final {
		return errBadHeader
	}
	s.resp.BodyLen += int64(len(p))
	if len(p) > 0 && (s.length >= 0 && s.resp.BodyLen > s.length || s.req.Method == "HEAD") {
		return errTooLong
	}
	if !s.req.Discard {
		s.resp.Body = append(s.resp.Body, p...)
	}
	return nil
}

var errTooLong = errors.New("http2: the body is longer than was announced")

// violation turns what is wrong with one stream into the error of its exchange.
func violation(err error) error {
	if err == io.ErrUnexpectedEOF || err == errHeadTooLarge {
		return err
	}
	return &proto.Error{
		Code:  proto.CodeHTTP2Stream + 1 + int(http2.ErrCodeProtocol),
		Text:  err.Error(),
		Cause: err,
	}
}
