// Hot path: an exchange over an idle connection allocates nothing.

package client

import (
	"context"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jsload/jsload/vu/client/internal/h1"
	"github.com/jsload/jsload/vu/client/internal/wire"
	"github.com/jsload/jsload/vu/client/proto"
)

// pool is the transport of one virtual user: the connections that it owns. It
// may be used by several goroutines, for requests in parallel.
type pool struct {
	network *Network
	dialer  *Dialer
	// stop is true from Interrupt to the next activation.
	stop atomic.Bool

	mu      sync.Mutex
	ctx     context.Context
	cancel  context.CancelFunc
	idle    []idleConns
	open    []*h1.Conn // idle or not
	resting int
}

// idleConns are the idle connections of one key, the latest used last. A user has
// few keys, and searching them is cheaper than a map.
type idleConns struct {
	key   string
	conns []*h1.Conn
}

var _ proto.Transport = (*pool)(nil)

func newPool(n *Network, d *Dialer) *pool {
	p := &pool{network: n, dialer: d}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	return p
}

// activate allows exchanges, until Interrupt, bound to ctx.
func (p *pool) activate(ctx context.Context) {
	p.mu.Lock()
	p.cancel()
	p.ctx, p.cancel = context.WithCancel(ctx)
	p.mu.Unlock()
	p.stop.Store(false)
}

// Interrupt ends all running exchanges and refuses new ones.
func (p *pool) Interrupt() {
	p.stop.Store(true)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cancel()
	for _, c := range p.open {
		c.Interrupt()
	}
}

// Do performs one exchange over an idle or a new connection.
func (p *pool) Do(req *proto.Request, resp *proto.Response) *proto.Error {
	x := &resp.Exchange
	x.Timings = proto.Timings{Start: req.Start}
	if req.Start == 0 {
		x.Timings.Start = p.network.shared.Now()
	}
	c := p.take(req)
	if c == nil {
		var err error
		if c, err = p.dial(req, &x.Timings); err != nil {
			return p.failed(resp, err)
		}
	}
	err := c.Do(req, resp)
	p.give(c, req.Key, resp.Close)
	return err
}

// take returns an idle connection, nil if there is none.
func (p *pool) take(req *proto.Request) *h1.Conn {
	if req.Fresh || req.Close {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	idle := p.idleFor(req.Key)
	last := len(idle.conns) - 1
	if last < 0 {
		return nil
	}
	c := idle.conns[last]
	idle.conns[last] = nil
	idle.conns = idle.conns[:last]
	p.resting--
	return c
}

// idleFor finds or makes the entry of a key; mu is held.
func (p *pool) idleFor(key string) *idleConns {
	for i := range p.idle {
		if p.idle[i].key == key {
			return &p.idle[i]
		}
	}
	if len(p.idle) >= 2*p.network.config.IdleConns {
		p.idle = slices.DeleteFunc(p.idle, func(i idleConns) bool { return len(i.conns) == 0 })
	}
	p.idle = append(p.idle, idleConns{key: key})
	return &p.idle[len(p.idle)-1]
}

// give takes a connection back, to keep or to close.
func (p *pool) give(c *h1.Conn, key string, close bool) {
	p.mu.Lock()
	idle := p.idleFor(key)
	config := &p.network.config
	if close || p.stop.Load() || len(idle.conns) >= config.IdleConnsPerHost || p.resting >= config.IdleConns {
		p.forget(c)
		p.mu.Unlock()
		c.Close()
		return
	}
	idle.conns = append(idle.conns, c)
	p.resting++
	p.mu.Unlock()
}

// forget removes a connection from the open ones; mu is held.
func (p *pool) forget(c *h1.Conn) {
	if i := slices.Index(p.open, c); i >= 0 {
		p.open = slices.Delete(p.open, i, i+1)
	}
}

// dial makes a connection that is ready for an exchange.
func (p *pool) dial(req *proto.Request, t *proto.Timings) (*h1.Conn, error) {
	p.mu.Lock()
	activation := p.ctx
	p.mu.Unlock()
	shared := p.network.shared
	ctx, cancel := context.WithTimeout(activation, time.Duration(req.Deadline-shared.Now()))
	defer cancel()
	c, err := p.connect(ctx, req, t)
	t.Blocked = shared.Now() - t.Start
	if err == nil {
		return c, nil
	}
	// What ended the waiting counts more than what waiting for it said.
	switch {
	case activation.Err() != nil:
		return nil, proto.ErrInterrupted
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return nil, err
}

func (p *pool) connect(ctx context.Context, req *proto.Request, t *proto.Timings) (*h1.Conn, error) {
	shared := p.network.shared
	begin := shared.Now()
	var nc net.Conn
	var err error
	if req.Via == nil {
		nc, err = p.dialer.DialContext(ctx, "tcp", req.Addr)
	} else {
		nc, err = p.dialer.dialVia(ctx, req.Via, req.Scheme, req.Addr)
	}
	connected := shared.Now()
	t.Connecting = connected - begin
	if err != nil {
		return nil, err
	}
	under := nc.(*wire.Conn)
	var secure *wire.Secure
	if req.Scheme == "https" {
		secure, err = wire.Handshake(ctx, under, p.dialer.TLSConfig(handshakeName(req.Addr), "http/1.1"))
		t.TLSHandshaking = shared.Now() - connected
		if err != nil {
			nc.Close()
			return nil, err
		}
	}
	c := h1.NewConn(under, secure, shared, &p.stop)
	p.mu.Lock()
	p.open = append(p.open, c)
	p.mu.Unlock()
	return c, nil
}

// failed describes an exchange that got no connection.
func (p *pool) failed(resp *proto.Response, err error) *proto.Error {
	resp.Header, resp.Body, resp.BodyLen = resp.Header[:0], nil, 0
	resp.Close, resp.Stale, resp.SetsCookie, resp.OCSP = true, false, false, nil
	x := &resp.Exchange
	x.Timings.End = p.network.shared.Now()
	x.Err = proto.Classify(err)
	return x.Err
}

// closeIdle closes the connections that are not in use.
func (p *pool) closeIdle() {
	p.mu.Lock()
	var conns []*h1.Conn
	for i := range p.idle {
		idle := &p.idle[i]
		conns = append(conns, idle.conns...)
		clear(idle.conns)
		idle.conns = idle.conns[:0]
	}
	p.resting = 0
	for _, c := range conns {
		p.forget(c)
	}
	p.mu.Unlock()
	for _, c := range conns {
		c.Close()
	}
}
