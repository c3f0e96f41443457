package client

import (
	"context"
	"sync"
	"time"
)

// Client is the HTTP client of one virtual user. It owns its connections and its
// cookie jar. Do may be called by several goroutines at once and Interrupt by
// any; the other methods belong to the goroutine of the virtual user.
type Client struct {
	network *Network
	dialer  *Dialer
	pool    *pool
	jar     Jar
	unbind  func() // ends the bond to the activation's context

	mu    sync.Mutex
	spare []*Call
}

// Client makes the client of the virtual user with that number, counted from 1.
// Close ends it.
func (n *Network) Client(vu uint64) *Client {
	d := n.newDialer(vu)
	return &Client{network: n, dialer: d, pool: newPool(n, d), unbind: func() {}}
}

// Activate binds the client to ctx: once it ends, running exchanges end with
// proto.ErrInterrupted and so does every later one, until the next Activate. A
// client that was never activated is bound to nothing.
func (c *Client) Activate(ctx context.Context) {
	c.unbind()
	c.pool.activate(ctx)
	done := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		c.pool.Interrupt()
		close(done)
	})
	c.unbind = func() {
		if !stop() {
			<-done // or the old activation's end would interrupt the new one
		}
		c.unbind = func() {}
	}
}

// Interrupt does what the end of the activation's context does.
func (c *Client) Interrupt() { c.pool.Interrupt() }

// EndIteration empties the jar and closes idle connections, as far as the run's
// configuration says so. No Do may be running.
func (c *Client) EndIteration() {
	if !c.network.config.NoCookiesReset {
		c.jar.Reset()
	}
	if c.network.config.NoVUConnectionReuse {
		c.pool.closeIdle()
	}
}

// Jar is the client's own cookie jar.
func (c *Client) Jar() *Jar { return &c.jar }

// Dialer makes connections for other protocols of the same virtual user, counted
// together with the client's.
func (c *Client) Dialer() *Dialer { return c.dialer }

// Close interrupts what is running and closes all connections. No Do may follow.
func (c *Client) Close() {
	c.unbind()
	c.pool.Interrupt()
	c.pool.closeIdle()
}

// HoldCookies lets the first exchange of a request carry the cookies that the jar
// has now, so that what runs beside it does not matter.
func (c *Client) HoldCookies(req *Request) {
	t, err := c.network.target(req.URL)
	if err != nil {
		return // Do says so
	}
	jar := &c.jar
	if req.Jar != nil {
		jar = req.Jar
	}
	req.held, req.holds = jar.match(nil, t.hostname, t.cookiePath, t.scheme == "https", time.Now()), true
}

// Do performs a request with its redirects and authentication. What goes wrong
// is in resp.Err; a status is never an error.
func (c *Client) Do(req *Request, resp *Response) {
	call := c.Begin(req, resp)
	for wire := call.Request(); wire != nil; wire = call.Next() {
		c.pool.Do(wire, &resp.Response)
	}
}
