package client

import (
	"context"
	"net"
	"net/url"
)

// UserAgent is what the run calls itself in requests that do not say otherwise;
// empty means that they send nothing.
func (d *Dialer) UserAgent() string { return d.network.config.UserAgent }

// DialTunnel connects to addr, "host:port", for a protocol other than HTTP: where
// the run has a proxy for u, an http or https address, through a tunnel that the
// proxy cannot look into. Its errors are those of DialContext.
func (d *Dialer) DialTunnel(ctx context.Context, u *url.URL, addr string) (net.Conn, error) {
	via, err := d.network.proxyFor(u)
	if err != nil {
		return nil, err
	}
	if via == nil {
		return d.DialContext(ctx, "tcp", addr)
	}
	return d.dialVia(ctx, via, "https", addr)
}
