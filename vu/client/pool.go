// Hot path: an exchange over an open connection allocates nothing.

package client

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jsload/jsload/vu/client/internal/h1"
	"github.com/jsload/jsload/vu/client/internal/h2"
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
	routes  []route
	open    []conn // idle or not
	resting int
}

// conn is a connection of either protocol.
type conn interface {
	Interrupt()
	Close()
}

// route holds what leads to one key by one protocol. A user has few, and searching
// them is cheaper than a map.
type route struct {
	key      string
	protocol proto.Protocol
	// idle are the HTTP/1.1 connections not in use, the latest used last.
	idle []*h1.Conn
	// multi is the HTTP/2 connection that all exchanges share; nil if there is none.
	multi *h2.Conn
	// dialing is closed when the dial ends whose connection may be one to share;
	// nil if there is none.
	dialing chan struct{}
}

func (r *route) empty() bool { return len(r.idle) == 0 && r.multi == nil && r.dialing == nil }

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

// Do performs one exchange over an idle, a shared or a new connection.
func (p *pool) Do(req *proto.Request, resp *proto.Response) *proto.Error {
	x := &resp.Exchange
	x.Timings = proto.Timings{Start: req.Start}
	if req.Start == 0 {
		x.Timings.Start = p.network.shared.Now()
	}
	var tries tries
	for {
		single, multi := p.take(req)
		if single == nil && multi == nil {
			var err error
			if single, multi, err = p.dial(req, &x.Timings); err != nil {
				return p.failed(resp, err)
			}
		}
		if single != nil {
			err := single.Do(req, resp)
			p.give(single, req, resp.Close)
			return err
		}
		outcome := multi.Do(req, resp)
		p.retire(multi, req)
		if !tries.again(outcome) {
			return resp.Err
		}
		x.Retries++
		p.network.retries.Add(1)
		if err := p.pause(req, &x.Timings, tries.delay()); err != nil {
			return p.failed(resp, err)
		}
	}
}

// tries decides about trying again what an HTTP/2 server did not begin with.
type tries struct {
	n        int
	rejected bool
}

func (t *tries) again(o h2.Outcome) bool {
	if o == h2.Done || o == h2.Rejected && t.rejected {
		return false
	}
	t.rejected = o == h2.Rejected
	t.n++
	return true
}

// delay is how long to wait: not at all before the first time, then longer and
// longer, up to a second.
func (t *tries) delay() time.Duration {
	if t.n < 2 {
		return 0
	}
	return min(10*time.Millisecond<<min(t.n-2, 10), time.Second)
}

// pause waits between two tries. What was is part of getting a connection.
func (p *pool) pause(req *proto.Request, t *proto.Timings, delay time.Duration) error {
	err := p.bounded(req, func(ctx context.Context) error {
		if delay == 0 {
			return ctx.Err()
		}
		select {
		case <-time.After(delay):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	t.Sending, t.Waiting, t.Receiving = 0, 0, 0
	t.Blocked = p.network.shared.Now() - t.Start
	return err
}

// routeFor finds or makes the entry of a key; mu is held.
func (p *pool) routeFor(req *proto.Request) *route {
	for i := range p.routes {
		if r := &p.routes[i]; r.protocol == req.Protocol && r.key == req.Key {
			return r
		}
	}
	if len(p.routes) >= 2*p.network.config.IdleConns {
		p.routes = slices.DeleteFunc(p.routes, func(r route) bool { return r.empty() })
	}
	p.routes = append(p.routes, route{key: req.Key, protocol: req.Protocol})
	return &p.routes[len(p.routes)-1]
}

// take returns a connection that is there, if any: an idle one of HTTP/1.1, which
// is the caller's from now on, or the shared one of HTTP/2.
func (p *pool) take(req *proto.Request) (*h1.Conn, *h2.Conn) {
	if req.Close {
		return nil, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.takeFrom(p.routeFor(req), req)
}

// takeFrom is take; mu is held.
func (p *pool) takeFrom(r *route, req *proto.Request) (*h1.Conn, *h2.Conn) {
	last := len(r.idle) - 1
	if r.multi != nil || last < 0 || req.Fresh {
		return nil, r.multi
	}
	c := r.idle[last]
	r.idle[last] = nil
	r.idle = r.idle[:last]
	p.resting--
	return c, nil
}

// give takes a connection back, to keep or to close.
func (p *pool) give(c *h1.Conn, req *proto.Request, close bool) {
	p.mu.Lock()
	r := p.routeFor(req)
	config := &p.network.config
	if close || p.stop.Load() || len(r.idle) >= config.IdleConnsPerHost || p.resting >= config.IdleConns {
		p.forget(c)
		p.mu.Unlock()
		c.Close()
		return
	}
	r.idle = append(r.idle, c)
	p.resting++
	p.mu.Unlock()
}

// retire lets go of a shared connection that takes no more exchanges. Those that
// still run on it end there, and the last of them closes it.
func (p *pool) retire(c *h2.Conn, req *proto.Request) {
	if !c.Spent() {
		return
	}
	over := !c.Busy()
	p.mu.Lock()
	if r := p.routeFor(req); r.multi == c {
		r.multi = nil
	}
	if over {
		p.forget(c)
	}
	p.mu.Unlock()
	if over {
		c.Close()
	}
}

// forget removes a connection from the open ones; mu is held.
func (p *pool) forget(c conn) {
	if i := slices.Index(p.open, c); i >= 0 {
		p.open = slices.Delete(p.open, i, i+1)
	}
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
	var conns []conn
	for i := range p.routes {
		r := &p.routes[i]
		for _, c := range r.idle {
			conns = append(conns, c)
		}
		clear(r.idle)
		r.idle = r.idle[:0]
		if r.multi != nil {
			conns = append(conns, r.multi)
			r.multi = nil
		}
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
