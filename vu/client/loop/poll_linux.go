// Hot path: one system call each, no allocation.

package loop

import (
	"net"
	"net/netip"
	"os"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// interest is what every descriptor is registered for, once: edges of everything.
const interest = unix.EPOLLIN | unix.EPOLLOUT | unix.EPOLLRDHUP | unix.EPOLLET

// What an event says.
const (
	evRead  = unix.EPOLLIN
	evWrite = unix.EPOLLOUT
	evHup   = unix.EPOLLRDHUP | unix.EPOLLHUP | unix.EPOLLERR
)

const (
	errAgain = syscall.EAGAIN
	maxBatch = 256 // events of one wait
)

// event is one readiness report: which connection, of which generation.
type event struct {
	what       uint32
	index, gen uint32
}

// wakeIndex is the index of the descriptor that wakes the loop.
const wakeIndex = 1<<32 - 1

// poller is epoll with a descriptor to wake it. Its three hot calls, wait, write and
// read, are all that another interface of the kernel would have to replace.
type poller struct {
	fd, wakeFD int
	batch      [maxBatch]unix.EpollEvent
	coarse     bool // the kernel has no epoll_pwait2
}

func newPoller() (*poller, error) {
	fd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("epoll_create1", err)
	}
	p := &poller{fd: fd}
	if p.wakeFD, err = unix.Eventfd(0, unix.EFD_NONBLOCK|unix.EFD_CLOEXEC); err != nil {
		unix.Close(fd)
		return nil, os.NewSyscallError("eventfd", err)
	}
	wakeAt := uint32(wakeIndex)
	ev := unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLET, Fd: int32(wakeAt)}
	if err = unix.EpollCtl(fd, unix.EPOLL_CTL_ADD, p.wakeFD, &ev); err != nil {
		p.close()
		return nil, os.NewSyscallError("epoll_ctl", err)
	}
	return p, nil
}

func (p *poller) close() {
	unix.Close(p.wakeFD)
	unix.Close(p.fd)
}

// add registers a descriptor for good.
func (p *poller) add(fd int, index, gen uint32) error {
	ev := unix.EpollEvent{Events: interest, Fd: int32(index), Pad: int32(gen)}
	return os.NewSyscallError("epoll_ctl", unix.EpollCtl(p.fd, unix.EPOLL_CTL_ADD, fd, &ev))
}

// event returns the i-th event of the last wait.
func (p *poller) event(i int) event {
	e := &p.batch[i]
	return event{what: e.Events, index: uint32(e.Fd), gen: uint32(e.Pad)}
}

// wait returns the number of events; it waits for d, or for ever if d is negative.
// A wait goes through the scheduler: held, the processor would stop the collector,
// tickers and signal handlers.
func (p *poller) wait(d time.Duration) int {
	if d == 0 {
		n, _, _ := syscall.RawSyscall6(unix.SYS_EPOLL_PWAIT, uintptr(p.fd), uintptr(unsafe.Pointer(&p.batch)), maxBatch, 0, 0, 0)
		return max(int(n), 0)
	}
	if !p.coarse {
		n, errno := p.waitFine(d)
		if errno != syscall.ENOSYS && errno != syscall.EPERM {
			return n
		}
		p.coarse = true
	}
	ms := -1
	if d > 0 {
		ms = int(min((d+time.Millisecond-1)/time.Millisecond, 1<<30)) // early would be a turn for nothing
	}
	n, _, errno := syscall.Syscall6(unix.SYS_EPOLL_PWAIT, uintptr(p.fd), uintptr(unsafe.Pointer(&p.batch)), maxBatch, uintptr(ms), 0, 0)
	if errno != 0 {
		return 0
	}
	return int(n)
}

func (p *poller) waitFine(d time.Duration) (int, syscall.Errno) {
	var limit *unix.Timespec
	var ts unix.Timespec
	if d > 0 {
		ts = unix.NsecToTimespec(int64(d))
		limit = &ts
	}
	n, _, errno := syscall.Syscall6(unix.SYS_EPOLL_PWAIT2, uintptr(p.fd), uintptr(unsafe.Pointer(&p.batch)), maxBatch, uintptr(unsafe.Pointer(limit)), 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(n), 0
}

// wake ends a wait from any goroutine.
func (p *poller) wake() {
	one := [8]byte{1}
	rawCall(syscall.SYS_WRITE, p.wakeFD, one[:])
}

// awake takes note of a wake.
func (p *poller) awake() {
	var count [8]byte
	rawCall(syscall.SYS_READ, p.wakeFD, count[:])
}

func (p *poller) read(fd int, b []byte) (int, syscall.Errno) { return rawCall(syscall.SYS_READ, fd, b) }

func (p *poller) write(fd int, b []byte) (int, syscall.Errno) {
	return rawCall(syscall.SYS_WRITE, fd, b)
}

// rawCall is read or write on a descriptor that does not block, for which the
// scheduler need not be told.
func rawCall(trap uintptr, fd int, b []byte) (int, syscall.Errno) {
	if len(b) == 0 {
		return 0, 0
	}
	for {
		n, _, errno := syscall.RawSyscall(trap, uintptr(fd), uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)))
		if errno == 0 {
			return int(n), 0
		}
		if errno != syscall.EINTR {
			return 0, errno
		}
	}
}

// ended looks, without taking anything, whether the peer of an idle connection has
// ended it or sent what nobody asked for.
func ended(fd int) bool {
	var b [1]byte
	_, _, errno := syscall.RawSyscall6(syscall.SYS_RECVFROM, uintptr(fd), uintptr(unsafe.Pointer(&b[0])), 1,
		syscall.MSG_PEEK|syscall.MSG_DONTWAIT, 0, 0)
	return errno != syscall.EAGAIN
}

// closeFD closes at once; a pending close of unread data resets the connection, as
// everywhere.
func closeFD(fd int) { syscall.RawSyscall(syscall.SYS_CLOSE, uintptr(fd), 0, 0) }

// dial begins to connect and returns the descriptor.
func dial(to netip.AddrPort, local netip.Addr, keepAlive time.Duration) (int, error) {
	family := unix.AF_INET6
	if to.Addr().Unmap().Is4() {
		family = unix.AF_INET
	}
	fd, err := unix.Socket(family, unix.SOCK_STREAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, unix.IPPROTO_TCP)
	if err != nil {
		return -1, os.NewSyscallError("socket", err)
	}
	setOptions(fd, keepAlive)
	if err = bind(fd, local, family); err == nil {
		err = connect(fd, to)
	}
	if err != nil {
		closeFD(fd)
		return -1, err
	}
	return fd, nil
}

// setOptions sets what package net sets. An option that the kernel refuses is one it
// does without.
func setOptions(fd int, keepAlive time.Duration) {
	_ = unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1)
	if keepAlive < 0 {
		return
	}
	_ = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_KEEPALIVE, 1)
	_ = unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_KEEPIDLE, int(max((keepAlive+time.Second-1)/time.Second, 1)))
	_ = unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_KEEPINTVL, 15)
}

func bind(fd int, local netip.Addr, family int) error {
	if !local.IsValid() {
		return nil
	}
	if local.Unmap().Is4() != (family == unix.AF_INET) {
		return &net.AddrError{Err: "mismatched local address type", Addr: local.String()}
	}
	// The port is chosen when the peer is known, so that it may serve several peers.
	_ = unix.SetsockoptInt(fd, unix.IPPROTO_IP, unix.IP_BIND_ADDRESS_NO_PORT, 1)
	return os.NewSyscallError("bind", unix.Bind(fd, sockaddr(netip.AddrPortFrom(local, 0))))
}

func connect(fd int, to netip.AddrPort) error {
	err := unix.Connect(fd, sockaddr(to))
	if err == unix.EINPROGRESS || err == unix.EINTR {
		return nil
	}
	return os.NewSyscallError("connect", err)
}

func sockaddr(a netip.AddrPort) unix.Sockaddr {
	ip := a.Addr().Unmap()
	if ip.Is4() {
		return &unix.SockaddrInet4{Port: int(a.Port()), Addr: ip.As4()}
	}
	sa := &unix.SockaddrInet6{Port: int(a.Port()), Addr: ip.As16()}
	if zone := ip.Zone(); zone != "" {
		if i, err := net.InterfaceByName(zone); err == nil {
			sa.ZoneId = uint32(i.Index)
		}
	}
	return sa
}

// connected returns how the dial on a descriptor ended.
func connected(fd int) error {
	errno, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_ERROR)
	if err != nil {
		return os.NewSyscallError("getsockopt", err)
	}
	if errno != 0 {
		return os.NewSyscallError("connect", syscall.Errno(errno))
	}
	return nil
}

// peerOf returns the address at the other end.
func peerOf(fd int) netip.AddrPort {
	sa, err := unix.Getpeername(fd)
	if err != nil {
		return netip.AddrPort{}
	}
	switch sa := sa.(type) {
	case *unix.SockaddrInet4:
		return netip.AddrPortFrom(netip.AddrFrom4(sa.Addr), uint16(sa.Port))
	case *unix.SockaddrInet6:
		return netip.AddrPortFrom(netip.AddrFrom16(sa.Addr).Unmap(), uint16(sa.Port))
	}
	return netip.AddrPort{}
}
