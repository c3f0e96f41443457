package client

import (
	"context"
	"errors"
	"net"
	"time"

	"github.com/jsload/jsload/vu/client/internal/h1"
	"github.com/jsload/jsload/vu/client/internal/h2"
	"github.com/jsload/jsload/vu/client/internal/wire"
	"github.com/jsload/jsload/vu/client/proto"
)

// bounded runs f with a context that ends with the exchange's deadline and with
// the activation. What ended the waiting counts more than what waiting for it said.
func (p *pool) bounded(req *proto.Request, f func(context.Context) error) error {
	p.mu.Lock()
	activation := p.ctx
	p.mu.Unlock()
	ctx, cancel := context.WithTimeout(activation, time.Duration(req.Deadline-p.network.shared.Now()))
	defer cancel()
	err := f(ctx)
	switch {
	case err == nil:
		return nil
	case activation.Err() != nil:
		return proto.ErrInterrupted
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return err
}

// dial makes a connection that is ready for an exchange, or waits for one that is
// being made and can be shared.
func (p *pool) dial(req *proto.Request, t *proto.Timings) (single *h1.Conn, multi *h2.Conn, err error) {
	err = p.bounded(req, func(ctx context.Context) error {
		for {
			var flight chan struct{}
			var mine bool
			single, multi, flight, mine = p.join(req)
			switch {
			case single != nil || multi != nil:
				return nil
			case mine:
				var err error
				single, multi, err = p.connect(ctx, req, t)
				multi = p.land(req, single, multi, flight)
				return err
			}
			select {
			case <-flight:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	})
	t.Blocked = p.network.shared.Now() - t.Start
	return single, multi, err
}

// join tells an exchange for which no connection was there what to do: use one that
// has come meanwhile, wait for flight to be closed, or, if it is mine, dial. Then
// flight is what others wait for, nil if the connection will not be shared.
func (p *pool) join(req *proto.Request) (single *h1.Conn, multi *h2.Conn, flight chan struct{}, mine bool) {
	if req.Close || !p.network.mayShare(req) {
		return nil, nil, nil, true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	r := p.routeFor(req)
	if single, multi = p.takeFrom(r, req); single != nil || multi != nil {
		return single, multi, nil, false
	}
	if r.dialing != nil {
		return nil, nil, r.dialing, false
	}
	r.dialing = make(chan struct{})
	return nil, nil, r.dialing, true
}

// land ends a dial and lets those who wait for it go on. Of two connections to
// share, which a server can cause that changes its mind, the first stays.
func (p *pool) land(req *proto.Request, single *h1.Conn, multi *h2.Conn, flight chan struct{}) *h2.Conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.arrive(req, flight)
	switch {
	case single != nil:
		p.open = append(p.open, single)
		p.network.learn(req, false)
	case multi != nil:
		p.network.learn(req, true)
		if r := p.routeFor(req); !req.Close {
			if r.multi != nil {
				multi.Close()
				return r.multi
			}
			r.multi = multi
		}
		p.open = append(p.open, multi)
	}
	return multi
}

func (p *pool) arrive(req *proto.Request, flight chan struct{}) {
	if flight != nil {
		p.routeFor(req).dialing = nil
		close(flight)
	}
}

// connect dials, secures and chooses the protocol.
func (p *pool) connect(ctx context.Context, req *proto.Request, t *proto.Timings) (*h1.Conn, *h2.Conn, error) {
	shared := p.network.shared
	begin := shared.Now()
	if req.Via != nil && req.Scheme == "http" && req.Protocol == proto.HTTP2 && !isSOCKS(req.Via) {
		return nil, nil, errors.New("HTTP/2 without TLS cannot go through an HTTP proxy")
	}
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
		return nil, nil, err
	}
	under := nc.(*wire.Conn)
	if req.Scheme == "http" {
		if req.Protocol == proto.HTTP2 {
			return nil, h2.NewConn(under, nil, shared, &p.stop), nil
		}
		return h1.NewConn(under, nil, shared, &p.stop), nil, nil
	}
	secure, err := wire.Handshake(ctx, under, p.dialer.TLSConfig(handshakeName(req.Addr), offers(req.Protocol)...))
	t.TLSHandshaking = shared.Now() - connected
	switch {
	case err != nil:
	case secure.Protocol == "h2":
		return nil, h2.NewConn(under, secure, shared, &p.stop), nil
	case req.Protocol == proto.HTTP2:
		err = errors.New("the server does not speak HTTP/2")
	default:
		return h1.NewConn(under, secure, shared, &p.stop), nil, nil
	}
	nc.Close()
	return nil, nil, err
}

// offers are the names that ALPN offers.
func offers(p proto.Protocol) []string {
	switch p {
	case proto.HTTP1:
		return []string{"http/1.1"}
	case proto.HTTP2:
		return []string{"h2"}
	}
	return []string{"h2", "http/1.1"}
}

// protocol is what a request is sent with that asks for p.
func (n *Network) protocol(p proto.Protocol) proto.Protocol {
	if p == proto.Auto {
		p = n.config.Protocol
	}
	if p == proto.Auto && n.config.NoHTTP2 {
		p = proto.HTTP1
	}
	return p
}

// mayShare reports whether a new connection may turn out to be one to share.
// Requests at the same time wait for it then. For a server that was seen to choose
// HTTP/1.1 they do not.
func (n *Network) mayShare(req *proto.Request) bool {
	switch {
	case req.Protocol == proto.HTTP2:
		return true
	case req.Protocol == proto.HTTP1, req.Scheme != "https":
		return false
	}
	n.mu.RLock()
	defer n.mu.RUnlock()
	shares, known := n.chosen[req.Key]
	return shares || !known
}

// learn remembers what a server chose.
func (n *Network) learn(req *proto.Request, shares bool) {
	if req.Protocol != proto.Auto || req.Scheme != "https" {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if _, known := n.chosen[req.Key]; known || len(n.chosen) < maxTargets {
		n.chosen[req.Key] = shares
	}
}
