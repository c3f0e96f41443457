package wire

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"strings"
)

// Secure is TLS on a Conn. After the handshake a protocol puts itself between the
// two with Carry.
type Secure struct {
	*tls.Conn
	// Version is "tls1.3" or the like, Suite the IANA name of the cipher suite and
	// Protocol what ALPN chose, empty if nothing.
	Version, Suite, Protocol string
	// OCSP is the answer the server stapled to its certificate, if any.
	OCSP []byte

	below *carrier
}

// carrier passes the records of TLS on.
type carrier struct {
	*Conn
	over io.ReadWriter
}

// Read reads records.
func (c *carrier) Read(p []byte) (int, error) { return c.over.Read(p) }

// Write writes records.
func (c *carrier) Write(p []byte) (int, error) { return c.over.Write(p) }

// Handshake puts TLS on nc. The caller closes nc on an error.
func Handshake(ctx context.Context, nc *Conn, config *tls.Config) (*Secure, error) {
	below := &carrier{Conn: nc, over: nc}
	s := &Secure{Conn: tls.Client(below, config), below: below}
	if err := s.HandshakeContext(ctx); err != nil {
		return nil, err
	}
	state := s.ConnectionState()
	s.Version = strings.ToLower(strings.ReplaceAll(tls.VersionName(state.Version), " ", ""))
	s.Suite = tls.CipherSuiteName(state.CipherSuite)
	s.Protocol, s.OCSP = state.NegotiatedProtocol, state.OCSPResponse
	return s, nil
}

// Carry makes the records go over rw from now on. No Read or Write may be running.
func (s *Secure) Carry(rw io.ReadWriter) { s.below.over = rw }

// Peer returns the address and the port of the other end; zero if it has none.
func (w *Conn) Peer() (ip string, port int) {
	addr, ok := w.RemoteAddr().(*net.TCPAddr)
	if !ok {
		return "", 0
	}
	return addr.AddrPort().Addr().Unmap().String(), addr.Port
}
