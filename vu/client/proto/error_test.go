package proto

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"syscall"
	"testing"
)

func TestClassify(t *testing.T) {
	dial := func(err error) error { return &net.OpError{Op: "dial", Net: "tcp", Err: err} }
	sys := func(op string, errno syscall.Errno) error {
		return &net.OpError{Op: op, Net: "tcp", Err: os.NewSyscallError(op, errno)}
	}
	tests := []struct {
		err  error
		code int
		text string
	}{
		{io.EOF, CodeGeneric, "EOF"},
		{ErrInterrupted, CodeGeneric, "interrupted"},
		{&Error{Code: CodeBlockedHost, Text: "blocked"}, CodeBlockedHost, "blocked"},
		{fmt.Errorf("wrapped: %w", &Error{Code: CodeInvalidURL, Text: "bad"}), CodeInvalidURL, "bad"},
		{os.ErrDeadlineExceeded, CodeTimeout, "request timeout"},
		{context.DeadlineExceeded, CodeTimeout, "request timeout"},
		{&net.OpError{Op: "raw-read", Net: "tcp", Err: os.ErrDeadlineExceeded}, CodeTimeout, "request timeout"},
		{dial(os.ErrDeadlineExceeded), CodeDialTimeout, "dial: i/o timeout"},
		{sys("dial", syscall.ECONNREFUSED), CodeDialRefused, "dial: connection refused"},
		{sys("dial", syscall.EADDRNOTAVAIL), CodeDialErrno, "dial: cannot assign requested address"},
		{dial(&net.AddrError{Err: "mismatched local address type", Addr: "::1"}), CodeDial, "dial: address ::1: mismatched local address type"},
		{dial(&net.DNSError{Err: "no such host", Name: "x", IsNotFound: true}), CodeNoSuchHost, "lookup: no such host"},
		{&net.DNSError{Err: "server misbehaving", Name: "x"}, CodeDNS, "lookup: server misbehaving"},
		{sys("read", syscall.ECONNRESET), CodeReset, "read: connection reset by peer"},
		{sys("write", syscall.ECONNRESET), CodeReset, "write: connection reset by peer"},
		{sys("write", syscall.EPIPE), CodeBrokenPipe, "write: broken pipe"},
		{sys("read", syscall.EHOSTUNREACH), CodeUnknownErrno, "read: no route to host"},
		{&net.OpError{Op: "read", Net: "tcp", Err: net.ErrClosed}, CodeTCP, "read: use of closed network connection"},
		{&net.OpError{Op: "proxyconnect", Net: "tcp", Err: sys("dial", syscall.ECONNREFUSED)}, CodeTCP, "proxyconnect: dial tcp: dial: connection refused"},
		{&net.OpError{Op: "remote error", Err: errors.New("tls: bad certificate")}, CodeNonTCP, "remote error: tls: bad certificate"},
		{&net.OpError{Op: "read", Net: "udp", Err: syscall.ECONNREFUSED}, CodeNonTCP, "read udp: connection refused"},
		{&tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}, CodeUnknownAuthority, "x509: unknown authority"},
		{&tls.CertificateVerificationError{Err: x509.HostnameError{Certificate: &x509.Certificate{}, Host: "x"}}, CodeHostnameMismatch, "x509: the host name does not match"},
		{&tls.CertificateVerificationError{Err: errors.New("x509: expired")}, CodeTLS, "x509: expired"},
		{tls.RecordHeaderError{Msg: "no"}, CodeNotTLS, "tls: the first record does not look like TLS"},
	}
	for _, tt := range tests {
		got := Classify(tt.err)
		if got.Code != tt.code || got.Text != tt.text {
			t.Errorf("%v: got %d %q, want %d %q", tt.err, got.Code, got.Text, tt.code, tt.text)
		}
	}
	if Classify(nil) != nil {
		t.Error("nil is an error")
	}
}

func TestErrorCode(t *testing.T) {
	for _, tt := range []struct {
		x    Exchange
		want int
	}{
		{Exchange{Status: 200}, 0},
		{Exchange{Status: 399}, 0},
		{Exchange{Status: 404}, 1404},
		{Exchange{Err: &Error{Code: CodeReset}}, CodeReset},
	} {
		if got := tt.x.ErrorCode(); got != tt.want {
			t.Errorf("%+v: %d", tt.x, got)
		}
	}
}

func TestHeader(t *testing.T) {
	h := Header("content-type: text/plain\r\nX-Multi: a\r\nx-multi:  b \r\nBad Name: c\r\nEmpty:\r\n")
	var got string
	for name, value := range h.All() {
		got += name + "=" + value + ";"
	}
	if want := "Content-Type=text/plain;X-Multi=a;X-Multi=b;Bad Name=c;Empty=;"; got != want {
		t.Errorf("All: %s", got)
	}
	if got := h.First("CONTENT-TYPE"); got != "text/plain" {
		t.Errorf("First: %q", got)
	}
	if got := fmt.Sprint(h.Values("X-MULTI")); got != "[a b]" {
		t.Errorf("Values: %s", got)
	}
	if _, ok := h.Find("Missing"); ok {
		t.Error("found what is missing")
	}
	if v, ok := h.Find("empty"); !ok || len(v) != 0 {
		t.Errorf("Find: %q %v", v, ok)
	}
	if n := testing.AllocsPerRun(10, func() { h.Find("empty") }); n != 0 {
		t.Errorf("Find allocates %v times", n)
	}
}
