package client

import (
	"context"
	"net/netip"

	"github.com/jsload/jsload/vu/client/proto"
)

// Driver is what somebody needs who takes the steps of Calls himself, over
// connections of his own, to treat them as the client treats its own.
type Driver struct{ client *Client }

// Driver returns what a driver of c needs.
func (c *Client) Driver() Driver { return Driver{c} }

// Config returns what the clients of the run have in common, with defaults. It is
// not to be changed.
func (d Driver) Config() *Config { return &d.client.network.config }

// Local is the local address of the virtual user; an invalid one leaves the choice
// to the system.
func (d Driver) Local() netip.Addr { return d.client.dialer.local }

// Transport is what Do sends with. It is for what the driver does not do himself.
func (d Driver) Transport() proto.Transport { return d.client.pool }

// Address returns where to connect for "host:port". It does not wait: known is false
// if that takes a Resolve.
func (d Driver) Address(addr string) (to netip.AddrPort, known bool, err error) {
	to, name, err := d.client.dialer.lookUp(addr)
	if err != nil || name == "" {
		return to, true, err
	}
	ip, ok := d.client.network.resolver.known(name, d.Local())
	if !ok {
		return netip.AddrPort{}, false, nil
	}
	return netip.AddrPortFrom(ip, to.Port()), true, d.client.network.checkIP(ip)
}

// Resolve is Address with DNS. It waits, at most until the request's deadline or the
// end of the client's activation.
func (d Driver) Resolve(req *proto.Request) (to netip.AddrPort, err error) {
	err = d.client.pool.bounded(req, func(ctx context.Context) error {
		to, err = d.client.dialer.resolve(ctx, req.Addr)
		return err
	})
	return to, err
}

// Count adds to the bytes of the virtual user.
func (d Driver) Count(sent, received int64) { d.client.dialer.counters.Add(sent, received) }
