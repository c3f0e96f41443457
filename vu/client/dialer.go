package client

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"sync"

	"golang.org/x/net/proxy"

	"github.com/jsload/jsload/vu/client/internal/h1"
	"github.com/jsload/jsload/vu/client/internal/wire"
	"github.com/jsload/jsload/vu/client/proto"
)

// Dialer makes the connections of one virtual user, for every protocol: it
// applies host mappings, block lists, DNS, the local address and TLS, and counts
// the bytes. It is safe for concurrent use.
type Dialer struct {
	network  *Network
	local    netip.Addr
	counters wire.Counters
	tls      func() *tls.Config // made when it is first needed
}

func (n *Network) newDialer(vu uint64) *Dialer {
	d := &Dialer{network: n}
	if n.config.LocalIP != nil {
		d.local = n.config.LocalIP(vu)
	}
	d.tls = sync.OnceValue(n.config.TLS.template)
	return d
}

// template is the configuration that all secure connections of a virtual user
// start from. They share its sessions.
func (c TLS) template() *tls.Config {
	return &tls.Config{
		MinVersion:         c.MinVersion,
		MaxVersion:         c.MaxVersion,
		CipherSuites:       c.CipherSuites,
		Certificates:       c.Certificates,
		InsecureSkipVerify: c.InsecureSkipVerify,
		RootCAs:            c.RootCAs,
		Renegotiation:      tls.RenegotiateFreelyAsClient,
		ClientSessionCache: tls.NewLRUClientSessionCache(8),
	}
}

// Sent returns the bytes this virtual user has written to its connections so far.
func (d *Dialer) Sent() int64 { return d.counters.Sent() }

// Received returns the bytes it has read from them so far.
func (d *Dialer) Received() int64 { return d.counters.Received() }

// TLSConfig returns a configuration for a connection to a server of that name,
// offering the given protocols. The caller owns it.
func (d *Dialer) TLSConfig(serverName string, protocols ...string) *tls.Config {
	c := d.tls().Clone()
	c.ServerName = serverName
	c.NextProtos = protocols
	return c
}

// DialContext connects to "host:port" by TCP. It returns a *proto.Error for what
// the run forbids and a *net.OpError or *net.DNSError for what the network does.
func (d *Dialer) DialContext(ctx context.Context, network, addr string) (net.Conn, error) {
	to, err := d.resolve(ctx, addr)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, d.network.config.DialTimeout)
	defer cancel()
	nd := net.Dialer{KeepAlive: d.network.config.KeepAlive}
	if d.local.IsValid() {
		nd.LocalAddr = net.TCPAddrFromAddrPort(netip.AddrPortFrom(d.local, 0))
	}
	nc, err := nd.DialContext(ctx, network, to.String())
	if err != nil {
		return nil, err
	}
	return wire.Counted(nc, &d.counters), nil
}

// resolve turns "host:port" into the address to connect to.
func (d *Dialer) resolve(ctx context.Context, addr string) (netip.AddrPort, error) {
	to, host, err := d.lookUp(addr)
	if err != nil || host == "" {
		return to, err
	}
	ip, err := d.network.resolver.resolve(ctx, host, d.local)
	if err != nil {
		return netip.AddrPort{}, err
	}
	return netip.AddrPortFrom(ip, to.Port()), d.network.checkIP(ip)
}

// lookUp is resolve as far as it needs no DNS; it returns the name if it does.
func (d *Dialer) lookUp(addr string) (to netip.AddrPort, name string, err error) {
	host, port, err := splitAddr(addr)
	if err != nil {
		return netip.AddrPort{}, "", err
	}
	n := d.network
	ip, parseErr := netip.ParseAddr(host)
	if pattern, ok := n.blocked.find(host); ok && parseErr != nil {
		return netip.AddrPort{}, "", &proto.Error{
			Code: proto.CodeBlockedHost,
			Text: fmt.Sprintf("hostname (%s) is in a blocked pattern (%s)", host, pattern),
		}
	}
	to, mapped := n.hosts.find(host, port)
	switch {
	case mapped:
	case parseErr == nil:
		to = netip.AddrPortFrom(ip, port)
	default:
		return netip.AddrPortFrom(netip.Addr{}, port), host, nil
	}
	return to, "", n.checkIP(to.Addr())
}

func (n *Network) checkIP(ip netip.Addr) error {
	ip = ip.Unmap().WithZone("")
	i := slices.IndexFunc(n.config.BlacklistIPs, func(p netip.Prefix) bool { return p.Contains(ip) })
	if i < 0 {
		return nil
	}
	return &proto.Error{
		Code: proto.CodeBlacklistedIP,
		Text: fmt.Sprintf("IP (%s) is in a blacklisted range (%s)", ip, n.config.BlacklistIPs[i]),
	}
}

func isSOCKS(via *url.URL) bool { return via.Scheme == "socks5" || via.Scheme == "socks5h" }

// dialVia connects to the proxy and, where the proxy is not to see the request,
// through it to addr.
func (d *Dialer) dialVia(ctx context.Context, via *url.URL, scheme, addr string) (net.Conn, error) {
	if isSOCKS(via) {
		return d.dialSOCKS(ctx, via, addr)
	}
	nc, err := d.dialProxy(ctx, via)
	if err != nil {
		return nil, &net.OpError{Op: "proxyconnect", Net: "tcp", Err: err}
	}
	if scheme == "http" {
		return nc, nil
	}
	if err := h1.Tunnel(ctx, nc, addr, proxyAuthorization(via)); err != nil {
		nc.Close()
		return nil, err
	}
	return nc, nil
}

func (d *Dialer) dialProxy(ctx context.Context, via *url.URL) (net.Conn, error) {
	port := via.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[via.Scheme]
	}
	nc, err := d.DialContext(ctx, "tcp", net.JoinHostPort(via.Hostname(), port))
	if err != nil || via.Scheme != "https" {
		return nc, err
	}
	secure := tls.Client(nc, d.TLSConfig(via.Hostname()))
	if err := secure.HandshakeContext(ctx); err != nil {
		nc.Close()
		return nil, err
	}
	return wire.Nested(secure), nil
}

// dialSOCKS goes through a SOCKS5 proxy, which resolves the name.
func (d *Dialer) dialSOCKS(ctx context.Context, via *url.URL, addr string) (net.Conn, error) {
	var auth *proxy.Auth
	if via.User != nil {
		password, _ := via.User.Password()
		auth = &proxy.Auth{User: via.User.Username(), Password: password}
	}
	at := via.Host
	if via.Port() == "" {
		at = net.JoinHostPort(via.Hostname(), "1080")
	}
	socks, err := proxy.SOCKS5("tcp", at, auth, forward{d})
	if err != nil {
		return nil, err
	}
	nc, err := socks.(proxy.ContextDialer).DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, &net.OpError{Op: "proxyconnect", Net: "tcp", Err: err}
	}
	return wire.Nested(nc), nil
}

// forward lets package proxy connect through a Dialer.
type forward struct{ d *Dialer }

func (f forward) Dial(network, addr string) (net.Conn, error) {
	return f.d.DialContext(context.Background(), network, addr)
}

func (f forward) DialContext(ctx context.Context, network, addr string) (net.Conn, error) {
	return f.d.DialContext(ctx, network, addr)
}

// handshakeName is the server name for TLS to addr.
func handshakeName(addr string) string {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return addr
	}
	return host
}
