package proto

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"os"
	"strings"
	"syscall"
)

// The codes of the error_code tag and of Response.error_code. A status from 400
// on is reported as 1000 plus the status and is no Error.
const (
	CodeGeneric           = 1000
	CodeNonTCP            = 1010 // failed below or beside TCP, TLS alerts included
	CodeInvalidURL        = 1020
	CodeTimeout           = 1050
	CodeDNS               = 1100
	CodeNoSuchHost        = 1101
	CodeBlacklistedIP     = 1110
	CodeBlockedHost       = 1111
	CodeTCP               = 1200
	CodeBrokenPipe        = 1201
	CodeUnknownErrno      = 1202
	CodeDial              = 1210
	CodeDialTimeout       = 1211
	CodeDialRefused       = 1212
	CodeDialErrno         = 1213
	CodeReset             = 1220
	CodeTLS               = 1300
	CodeNotTLS            = 1301
	CodeUnknownAuthority  = 1310
	CodeHostnameMismatch  = 1311
	CodeHTTP2             = 1600
	CodeHTTP2GoAway       = 1610 // an HTTP/2 error code n is reported as 1611+n
	CodeHTTP2Stream       = 1630 // 1631+n
	CodeHTTP2Connection   = 1650 // 1651+n
	CodeBadContentEncoded = 1701 // the body does not fit its Content-Encoding
)

// ErrInterrupted is the cause of an Error when the exchange was cut by the end
// of its activation rather than by the network.
var ErrInterrupted = errors.New("interrupted")

// Error is why an exchange failed.
type Error struct {
	// Code is one of the Code constants.
	Code int
	// Text is what scripts see, without the method and the URL.
	Text string
	// Kind is Text without what the server, the resolver or the URL put into it: what
	// results are told apart by. Empty means Text.
	Kind string
	// Cause is the error underneath; nil if there is none.
	Cause error
}

// Malformed is the Kind of answers that are not HTTP.
const Malformed = "malformed HTTP response"

// KindText returns Kind, or Text if there is none.
func (e *Error) KindText() string {
	if e.Kind != "" {
		return e.Kind
	}
	return e.Text
}

// Error returns Text.
func (e *Error) Error() string { return e.Text }

// Unwrap returns Cause.
func (e *Error) Unwrap() error { return e.Cause }

// Classify names a failure. It returns nil for nil and an *Error in the chain as
// it is. Everything it does not know is CodeGeneric with the text of err.
func Classify(err error) *Error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	for _, rule := range [...]func(error) (int, string){timeoutCode, dnsCode, tlsCode, tcpCode} {
		if code, text := rule(err); code != 0 {
			return &Error{Code: code, Text: text, Kind: kindOf(err, code), Cause: err}
		}
	}
	return &Error{Code: CodeGeneric, Text: err.Error(), Cause: err}
}

// kindOf names errors whose text holds an address, a port or the time.
func kindOf(err error, code int) string {
	switch code {
	case CodeDNS:
		if e, ok := errors.AsType[*net.DNSError](err); ok && e.IsTimeout {
			return "lookup: timeout"
		}
	case CodeNonTCP:
		if op, ok := errors.AsType[*net.OpError](err); ok {
			return op.Op + ": " + op.Err.Error()
		}
	case CodeTLS:
		if e, ok := errors.AsType[x509.CertificateInvalidError](err); ok && e.Reason == x509.Expired {
			return "x509: the certificate has expired or is not yet valid"
		}
	}
	return ""
}

// timeoutCode knows the end of the exchange's own deadline. A dial that timed
// out by its own limit is tcpCode's.
func timeoutCode(err error) (int, string) {
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" {
		return 0, ""
	}
	if errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, context.DeadlineExceeded) {
		return CodeTimeout, "request timeout"
	}
	return 0, ""
}

func dnsCode(err error) (int, string) {
	e, ok := errors.AsType[*net.DNSError](err)
	if !ok {
		return 0, ""
	}
	if e.IsNotFound {
		return CodeNoSuchHost, "lookup: no such host"
	}
	return CodeDNS, "lookup: " + e.Err
}

func tlsCode(err error) (int, string) {
	if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		return CodeUnknownAuthority, "x509: unknown authority"
	}
	if _, ok := errors.AsType[x509.HostnameError](err); ok {
		return CodeHostnameMismatch, "x509: the host name does not match"
	}
	if _, ok := errors.AsType[tls.RecordHeaderError](err); ok {
		return CodeNotTLS, "tls: the first record does not look like TLS"
	}
	if e, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return CodeTLS, e.Err.Error()
	}
	return 0, ""
}

// tcpCode knows what the socket said: by operation, then by errno.
func tcpCode(err error) (int, string) {
	op, ok := errors.AsType[*net.OpError](err)
	if !ok {
		return 0, ""
	}
	if !strings.HasPrefix(op.Net, "tcp") {
		return CodeNonTCP, err.Error()
	}
	if op.Op == "dial" {
		return dialCode(op)
	}
	errno, ok := errors.AsType[syscall.Errno](op.Err)
	switch {
	case op.Op != "read" && op.Op != "write":
		return CodeTCP, op.Op + ": " + op.Err.Error()
	case !ok:
		return CodeTCP, op.Op + ": " + op.Err.Error()
	case errno == syscall.ECONNRESET:
		return CodeReset, op.Op + ": connection reset by peer"
	case errno == syscall.EPIPE:
		return CodeBrokenPipe, op.Op + ": broken pipe"
	}
	return CodeUnknownErrno, op.Op + ": " + errno.Error()
}

func dialCode(op *net.OpError) (int, string) {
	if op.Timeout() {
		return CodeDialTimeout, "dial: i/o timeout"
	}
	errno, ok := errors.AsType[syscall.Errno](op.Err)
	switch {
	case !ok:
		return CodeDial, "dial: " + op.Err.Error()
	case errno == syscall.ECONNREFUSED:
		return CodeDialRefused, "dial: connection refused"
	}
	return CodeDialErrno, "dial: " + errno.Error()
}
