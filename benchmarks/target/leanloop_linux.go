// Hot path of the lean server: nothing here may allocate per request.

package target

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// leanLoop owns an epoll instance and the connections in it.
type leanLoop struct {
	server   *leanServer
	shard    int
	epoll    int
	eventfd  int           // written to end the loop
	acceptor *leanAcceptor // of the first loop, else nil

	conns  []*leanConn // by descriptor; nil = not ours
	in     []byte      // read buffer, empty between two connections
	out    []byte      // answers being collected, empty between two writes
	routes []route     // of the requests answered in out
	now    int64       // the last reading of the clock
}

// leanConn is one connection. Idle ones hold no buffer.
type leanConn struct {
	fd int
	// input is what was read and not consumed yet: part of a head, or requests
	// that wait for the answers before them to leave.
	input []byte
	// skip is how many bytes of a request body are still to come.
	skip int64
	// unsent are bytes that the kernel did not take, then large pattern bytes of
	// which sent are out.
	unsent      []byte
	large, sent int
	// last closes the connection once all is sent.
	last bool
}

const leanReadBuffer = 64 << 10

func newLeanLoop(server *leanServer, shard int) (*leanLoop, error) {
	epoll, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("epoll: %w", err)
	}
	eventfd, err := unix.Eventfd(0, unix.EFD_NONBLOCK|unix.EFD_CLOEXEC)
	if err == nil {
		err = unix.EpollCtl(epoll, unix.EPOLL_CTL_ADD, eventfd, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(eventfd)})
	}
	if err != nil {
		_ = unix.Close(epoll)
		return nil, fmt.Errorf("eventfd: %w", err)
	}
	return &leanLoop{
		server: server, shard: shard, epoll: epoll, eventfd: eventfd,
		in: make([]byte, leanReadBuffer), out: make([]byte, 0, 2*inlineBody),
	}, nil
}

// wake ends run. It may be called from any goroutine.
func (l *leanLoop) wake() {
	one := [8]byte{1}
	_, _ = unix.Write(l.eventfd, one[:])
}

// run serves until wake. The wait goes through the scheduler, so that a waiting
// loop holds no P; reads and writes do not, since they never block.
func (l *leanLoop) run() {
	events := make([]unix.EpollEvent, 256)
	for {
		n, err := unix.EpollWait(l.epoll, events, -1)
		if err != nil && err != unix.EINTR {
			return
		}
		l.now = l.server.stats.now()
		for i := range max(n, 0) {
			switch fd := int(events[i].Fd); {
			case fd == l.eventfd:
				return
			case l.acceptor != nil && fd == l.acceptor.fd:
				l.acceptor.acceptAll()
			default:
				l.serve(l.conn(fd), events[i].Events)
			}
		}
	}
}

// closeDescriptors frees the loop's own descriptors. It must not run any more.
func (l *leanLoop) closeDescriptors() {
	if l.acceptor != nil {
		_ = unix.Close(l.acceptor.fd)
	}
	_ = unix.Close(l.eventfd)
	_ = unix.Close(l.epoll)
}

// conn returns the state of a descriptor, which its first event makes.
func (l *leanLoop) conn(fd int) *leanConn {
	if fd >= len(l.conns) {
		l.conns = append(l.conns, make([]*leanConn, fd+64-len(l.conns))...)
	}
	if l.conns[fd] == nil {
		l.conns[fd] = &leanConn{fd: fd}
	}
	return l.conns[fd]
}

func (l *leanLoop) drop(c *leanConn) {
	l.conns[c.fd] = nil
	l.server.forget(c.fd)
}

// serve does all that can be done for a connection without waiting.
func (l *leanLoop) serve(c *leanConn, events uint32) {
	hangup := events&(unix.EPOLLRDHUP|unix.EPOLLHUP|unix.EPOLLERR) != 0
	for {
		sent, ok := l.flush(c)
		if !ok || (sent && c.last) {
			l.drop(c)
			return
		}
		if !sent {
			return // EPOLLOUT comes back here
		}
		if len(c.input) > 0 && l.consumeKept(c) {
			continue
		}
		n, errno := rawRead(c.fd, l.in)
		switch {
		case errno == unix.EINTR:
			continue
		case errno == unix.EAGAIN:
			return
		case errno != 0 || n == 0:
			l.drop(c)
			return
		}
		answered := l.consumeFresh(c, l.in[:n])
		// A read that did not fill the buffer took all there was, unless the end
		// of the stream is waiting behind it.
		if drained := n < len(l.in) && !hangup; drained && l.settle(c, answered) {
			return
		}
	}
}

// settle writes what was answered and reports whether the connection is at rest.
func (l *leanLoop) settle(c *leanConn, answered bool) bool {
	if !answered {
		return true
	}
	sent, ok := l.flush(c)
	if !ok || (sent && c.last) {
		l.drop(c)
		return true
	}
	// Requests that were held back are served by another turn of the caller.
	return !sent || len(c.input) == 0
}

// consumeFresh answers the requests in data, behind what is kept of earlier reads.
func (l *leanLoop) consumeFresh(c *leanConn, data []byte) (answered bool) {
	if len(c.input) > 0 {
		c.input = append(c.input, data...)
		return l.consumeKept(c)
	}
	used := l.consume(c, data)
	if used < len(data) {
		c.input = append(c.input[:0], data[used:]...)
	}
	return l.pending(c)
}

func (l *leanLoop) consumeKept(c *leanConn) (answered bool) {
	used := l.consume(c, c.input)
	c.input = append(c.input[:0], c.input[used:]...)
	if len(c.input) == 0 {
		c.input = nil
	}
	return l.pending(c)
}

func (l *leanLoop) pending(c *leanConn) bool { return len(l.out) > 0 || c.large > 0 || c.last }

// consume answers whole requests into l.out until the input ends, the answers are
// many or one is large. It returns how much of the input it took.
func (l *leanLoop) consume(c *leanConn, data []byte) int {
	used := 0
	for !c.last && c.large == 0 && len(l.out) < inlineBody {
		skip := min(c.skip, int64(len(data)-used))
		c.skip -= skip
		used += int(skip)
		if used == len(data) {
			break
		}
		req, n, err := parseHead(data[used:])
		if err != nil {
			req.last = true
			l.out = appendRefusal(l.out, &req, refusalOf(err))
			c.last = true
			return len(data)
		}
		if n == 0 {
			break
		}
		used += n
		l.begin(c, &req)
	}
	return used
}

// begin answers one request.
func (l *leanLoop) begin(c *leanConn, req *leanRequest) {
	l.server.stats.arrive(l.shard)
	if req.expects && req.length > 0 {
		l.out = append(l.out, "HTTP/1.1 100 Continue\r\n\r\n"...)
	}
	var r route
	l.out, r, c.large = l.server.answer(l.out, req)
	c.skip, c.last = req.length, req.last
	l.routes = append(l.routes, r)
}

// flush writes l.out and what the connection still owes. sent is false when the
// kernel takes no more; ok is false when the connection is dead.
func (l *leanLoop) flush(c *leanConn) (sent, ok bool) {
	if len(l.out) > 0 {
		ok = l.writeOut(c)
		l.file()
		if !ok {
			return false, false
		}
	}
	for len(c.unsent) > 0 {
		n, errno := rawWrite(c.fd, c.unsent)
		if errno != 0 {
			return false, errno == unix.EAGAIN
		}
		c.unsent = c.unsent[n:]
	}
	c.unsent = nil
	for c.sent < c.large {
		part := l.server.pattern[c.sent%patternSize:]
		n, errno := rawWrite(c.fd, part[:min(len(part), c.large-c.sent)])
		if errno != 0 {
			return false, errno == unix.EAGAIN
		}
		c.sent += n
	}
	c.large, c.sent = 0, 0
	return true, true
}

// writeOut sends the collected answers and keeps for the connection what the
// kernel does not take.
func (l *leanLoop) writeOut(c *leanConn) (ok bool) {
	n, errno := 0, unix.EAGAIN
	if len(c.unsent) == 0 {
		n, errno = rawWrite(c.fd, l.out)
	}
	if errno != 0 && errno != unix.EAGAIN {
		l.out = l.out[:0]
		return false
	}
	c.unsent = append(c.unsent, l.out[n:]...)
	l.out = l.out[:0]
	return true
}

// file takes the requests just answered to the books. One reading of the clock
// per write is all: a request counts as arrived when the step before it was over.
func (l *leanLoop) file() {
	done := l.server.stats.now()
	for _, r := range l.routes {
		l.server.stats.served(l.shard, r, l.now, done)
	}
	l.routes = l.routes[:0]
	l.now = done
}

// rawRead and rawWrite bypass the scheduler: the descriptors never block. They
// retry nothing but an interrupted write.
func rawRead(fd int, p []byte) (int, unix.Errno) {
	n, _, errno := unix.RawSyscall(unix.SYS_READ, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)))
	if errno != 0 {
		return 0, errno
	}
	return int(n), 0
}

func rawWrite(fd int, p []byte) (int, unix.Errno) {
	for {
		n, _, errno := unix.RawSyscall(unix.SYS_WRITE, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)))
		if errno == 0 {
			return int(n), 0
		}
		if errno != unix.EINTR {
			return 0, errno
		}
	}
}
