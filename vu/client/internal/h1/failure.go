package h1

import (
	"errors"
	"io"
	"syscall"

	"github.com/jsload/jsload/vu/client/internal/wire"
	"github.com/jsload/jsload/vu/client/proto"
)

// Fail describes the exchange that was being read as failed. The body keeps what
// came of it. The connection must be closed.
func (r *Reader) Fail(req *proto.Request, err error) {
	resp := r.resp
	resp.Close = true
	resp.Status, resp.StatusText, resp.Proto = 0, "", ""
	if !r.InBody() {
		resp.Header, resp.Body = resp.Header[:0], nil
	}
	resp.Err = proto.Classify(err)
	resp.Stale = r.stale(req, &resp.Exchange, err)
}

// stale reports whether a failed exchange may be tried on a new connection: this
// one had served before and died before a byte of the answer, and the request
// had not left or may be repeated.
func (r *Reader) stale(req *proto.Request, x *proto.Exchange, err error) bool {
	if !x.Reused || r.Started() {
		return false
	}
	if errors.Is(err, wire.ErrStale) {
		return true
	}
	died := errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
	return died && (x.Sent == 0 || Repeatable(req.Method))
}

// Repeatable names the methods that may be sent twice.
func Repeatable(method string) bool {
	switch method {
	case "GET", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE":
		return true
	}
	return false
}
