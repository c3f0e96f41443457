package loop

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"strings"

	"github.com/jsload/jsload/vu/client/internal/wire"
	"github.com/jsload/jsload/vu/client/proto"
)

// conn is a connection of a task, or a place in its list for one to come.
type conn struct {
	// timer watches the deadline. It is lazy: a request only notes a later deadline,
	// and a timer that fires too early is armed again.
	timer    timer
	deadline int64
	next     *conn   // of the same task, or spare
	flight   *flight // nil while idle
	peer     *peer
	fd       int32
	index    uint32
	// gen tells apart the connections that had the same index.
	gen   uint32
	state connState
	used  bool
	hup   bool // the server has ended it, or its half of it
}

type connState uint8

const (
	waiting    connState = iota // to dial
	resolving                   // a worker asks DNS
	connecting                  //
	open                        //
	dead                        // ended by the server while idle, which the next use will count
)

// peer is what connections to one place have in common. The loop keeps it.
type peer struct {
	key  string
	to   netip.AddrPort
	ip   string
	port int
}

// maxPeers bounds what a loop remembers of places.
const maxPeers = 1024

var errStale = wire.ErrStale

func (c *conn) handle() handle { return handle{c.index, c.gen} }

func (c *conn) task() *Task { return c.timer.task }

// newConn puts a connection without a descriptor in front of the task's.
func (l *Loop) newConn(t *Task) *conn {
	c := l.spare
	if c != nil {
		l.spare = c.next
	} else {
		c = &conn{index: uint32(len(l.conns))}
		c.timer.slot = notArmed
		l.conns = append(l.conns, c)
	}
	c.timer.conn, c.timer.task = c, t
	c.fd, c.state, c.used, c.hup = -1, waiting, false, false
	c.next, t.conns = t.conns, c
	return c
}

// close ends a connection and takes it from its task.
func (l *Loop) close(c *conn) {
	l.wheel.disarm(&c.timer)
	l.hangUp(c)
	for at := &c.task().conns; *at != nil; at = &(*at).next {
		if *at == c {
			*at = c.next
			break
		}
	}
	c.gen++
	c.timer.task, c.peer, c.flight = nil, nil, nil
	c.next, l.spare = l.spare, c
}

func (l *Loop) hangUp(c *conn) {
	if c.fd >= 0 {
		closeFD(int(c.fd))
		c.fd = -1
	}
}

// idle returns the connection of that key used last that is not in use, now in front.
func (t *Task) idle(key string) *conn {
	for at := &t.conns; *at != nil; at = &(*at).next {
		c := *at
		if c.flight == nil && c.peer != nil && c.peer.key == key {
			if at != &t.conns {
				*at = c.next
				c.next, t.conns = t.conns, c
			}
			return c
		}
	}
	return nil
}

// keeps reports whether one more idle connection may be kept.
func (t *Task) keeps(c *conn) bool {
	if t.conns == c && c.next == nil {
		return true
	}
	all, same := 0, 0
	for o := t.conns; o != nil; o = o.next {
		if o == c || o.flight != nil {
			continue
		}
		all++
		if o.peer.key == c.peer.key {
			same++
		}
	}
	config := t.client.Driver().Config()
	return all < config.IdleConns && same < config.IdleConnsPerHost
}

// delay keeps the task from dialing in this tick and the next.
func (t *Task) delay(now int64) { t.dialAfter = now + tick }

// dial gets a connection for a flight. It returns true if that has failed at once.
func (l *Loop) dial(f *flight) bool {
	c := l.newConn(f.task)
	f.conn, c.flight, c.deadline = c, f, f.req.Deadline
	f.begun = l.clock()
	if !f.req.Fresh && f.begun < f.task.dialAfter {
		l.wheel.arm(&c.timer, f.task.dialAfter)
		return false
	}
	return l.look(c)
}

// look finds out where to connect, and connects unless DNS must be asked.
func (l *Loop) look(c *conn) bool {
	f := c.flight
	to, known, err := f.task.client.Driver().Address(f.req.Addr)
	switch {
	case err != nil:
		l.failDial(c, err)
		return true
	case !known:
		c.state = resolving
		l.hand(f, looking)
		return false
	}
	return l.connect(c, to)
}

// resolved goes on when DNS has answered. It returns true if the dial has failed.
func (l *Loop) resolved(f *flight) bool {
	c := f.conn
	if f.err == nil && f.task.interrupted {
		f.err = proto.ErrInterrupted
	}
	if f.err != nil {
		l.failDial(c, f.err)
		return true
	}
	return l.connect(c, f.to)
}

// connect begins to connect. It returns true if that has failed at once.
func (l *Loop) connect(c *conn, to netip.AddrPort) bool {
	driver := c.task().client.Driver()
	config := driver.Config()
	fd, err := dial(to, driver.Local(), config.KeepAlive)
	if err != nil {
		l.failDial(c, dialError(to, err))
		return true
	}
	c.fd, c.state = int32(fd), connecting
	c.peer = l.peerFor(c.flight.req.Key, to)
	if err := l.poll.add(fd, c.index, c.gen); err != nil {
		l.failDial(c, dialError(to, err))
		return true
	}
	c.deadline = min(c.flight.req.Deadline, l.clock()+int64(config.DialTimeout))
	l.watch(c)
	return false
}

// established sends the request of a connection that has come about. It returns true if
// the exchange is over already.
func (l *Loop) established(c *conn) bool {
	f := c.flight
	if err := connected(int(c.fd)); err != nil {
		l.failDial(c, dialError(c.peer.to, err))
		return true
	}
	f.ready = l.clock()
	t := &f.resp.Timings
	t.Connecting, t.Blocked = f.ready-f.begun, f.ready-t.Start
	c.state = open
	if c.peer.to.Addr().IsUnspecified() {
		c.peer = newPeer(c.peer.key, peerOf(int(c.fd)))
	}
	return l.send(c, f)
}

// failDial settles the exchange that a connection was to be for.
func (l *Loop) failDial(c *conn, err error) {
	f := c.flight
	f.conn = nil
	l.close(c)
	l.unconnected(f, err)
}

// watch sees to it that the timer fires no later than the deadline.
func (l *Loop) watch(c *conn) {
	if !c.timer.armed() || c.timer.at > c.deadline {
		l.wheel.arm(&c.timer, c.deadline)
	}
}

// expire is called when the timer of a connection fires.
func (l *Loop) expire(c *conn) {
	f := c.flight
	switch {
	case f == nil || c.state == resolving:
	case c.state == waiting:
		if l.look(c) {
			l.arrived(f)
		}
	case l.now < c.deadline:
		l.watch(c)
	case c.state == connecting && c.deadline < f.req.Deadline:
		l.abort(c, dialError(c.peer.to, os.ErrDeadlineExceeded))
	default:
		l.abort(c, os.ErrDeadlineExceeded)
	}
}

// onEvent deals with what the kernel reports of a connection.
func (l *Loop) onEvent(c *conn, what uint32) {
	f := c.flight
	c.hup = c.hup || what&evHup != 0
	switch {
	case c.state == connecting && what&(evWrite|evHup) != 0:
		if l.established(c) {
			l.arrived(f)
		} else if what&(evRead|evHup) != 0 { // the edge of an answer that came with it
			l.receive(c, f)
		}
	case c.state != open:
	case f == nil:
		if what&(evRead|evHup) != 0 {
			l.bury(c)
		}
	default:
		l.progress(c, f, what)
	}
}

// bury closes an idle connection that the server has ended. Its place remains, so that
// the next use of it finds out and is counted.
func (l *Loop) bury(c *conn) {
	l.hangUp(c)
	c.state = dead
}

// progress reads and writes what is possible.
func (l *Loop) progress(c *conn, f *flight, what uint32) {
	h := c.handle()
	if what&(evRead|evHup) != 0 {
		l.receive(c, f)
	}
	if what&evWrite != 0 && l.find(h) == c && c.flight == f && len(f.rest)+len(f.body) > 0 {
		l.writeMore(c, f)
	}
}

// peerFor finds or makes the peer of a key at an address.
func (l *Loop) peerFor(key string, to netip.AddrPort) *peer {
	if p := l.peers[key]; p != nil && p.to == to {
		return p
	}
	p := newPeer(strings.Clone(key), to)
	if len(l.peers) < maxPeers || l.peers[key] != nil {
		l.peers[p.key] = p
	}
	return p
}

func newPeer(key string, to netip.AddrPort) *peer {
	return &peer{key: key, to: to, ip: to.Addr().Unmap().String(), port: int(to.Port())}
}

// dialError dresses an error as package net does.
func dialError(to netip.AddrPort, err error) error {
	if e := (*net.OpError)(nil); errors.As(err, &e) {
		return err
	}
	return &net.OpError{Op: "dial", Net: "tcp", Addr: net.TCPAddrFromAddrPort(to), Err: err}
}
