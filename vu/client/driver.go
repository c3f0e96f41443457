package client

import (
	"context"
	"net/netip"
	"time"

	"github.com/jsload/jsload/vu/client/proto"
)

// Driver is what somebody needs who takes the steps of Calls himself, over
// connections of his own, to treat them as the client treats its own.
type Driver struct {
	client *Client

	// Epoch is where the run's clock begins.
	Epoch time.Time
	// IdleConns, IdleConnsPerHost, NoVUConnectionReuse, DialTimeout and KeepAlive are
	// those of the run's Config.
	IdleConns, IdleConnsPerHost int
	NoVUConnectionReuse         bool
	DialTimeout, KeepAlive      time.Duration
	// Local is the local address of the virtual user; the zero Addr leaves the
	// choice to the system.
	Local netip.Addr
}

// Driver returns what a driver of c needs.
func (c *Client) Driver() Driver {
	n := &c.network.config
	return Driver{client: c, Epoch: n.Epoch, IdleConns: n.IdleConns, IdleConnsPerHost: n.IdleConnsPerHost,
		NoVUConnectionReuse: n.NoVUConnectionReuse, DialTimeout: n.DialTimeout, KeepAlive: n.KeepAlive, Local: c.dialer.local}
}

// Transport is what Do sends with. It is for what the driver does not do himself.
func (d *Driver) Transport() proto.Transport { return d.client.pool }

// Address returns where to connect for "host:port". It does not wait: known is false
// if that takes a Resolve.
func (d *Driver) Address(addr string) (to netip.AddrPort, known bool, err error) {
	to, name, err := d.client.dialer.lookUp(addr)
	if err != nil || name == "" {
		return to, true, err
	}
	ip, ok := d.client.network.resolver.known(name, d.Local)
	if !ok {
		return netip.AddrPort{}, false, nil
	}
	return netip.AddrPortFrom(ip, to.Port()), true, d.client.network.checkIP(ip)
}

// Resolve is Address with DNS. It waits, at most until the request's deadline or the
// end of the client's activation.
func (d *Driver) Resolve(req *proto.Request) (to netip.AddrPort, err error) {
	err = d.client.pool.bounded(req, func(ctx context.Context) error {
		to, err = d.client.dialer.resolve(ctx, req.Addr)
		return err
	})
	return to, err
}

// Count adds to the bytes of the virtual user.
func (d *Driver) Count(sent, received int64) { d.client.dialer.counters.Add(sent, received) }
