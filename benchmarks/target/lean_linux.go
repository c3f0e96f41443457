package target

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// leanLinux runs the lean server: one loop per core, each over an epoll instance
// of its own. The first loop also accepts and deals the connections out in turn.
type leanLinux struct {
	address string
	log     *slog.Logger
	server  *leanServer
	loops   []*leanLoop
	running sync.WaitGroup
}

func startLean(cfg Config, stats *collector) (backend, error) {
	listener, address, err := listenRaw(cfg.Listen)
	if err != nil {
		return nil, err
	}
	shared := &leanServer{stats: stats, pattern: newPattern(), open: openSet{fds: map[int]struct{}{}}}
	s := &leanLinux{address: address, log: cfg.Logger, server: shared}
	for i := range cfg.Loops {
		l, err := newLeanLoop(shared, i)
		if err != nil {
			_ = unix.Close(listener)
			s.release()
			return nil, err
		}
		s.loops = append(s.loops, l)
	}
	if err := s.loops[0].acceptFrom(listener, s.loops, s.log); err != nil {
		_ = unix.Close(listener)
		s.release()
		return nil, err
	}
	for _, l := range s.loops {
		s.running.Go(l.run)
	}
	return s, nil
}

// listenRaw returns a non-blocking listening descriptor that the Go runtime does
// not poll. Package net does the resolving and sets the backlog to the most that
// the kernel allows.
func listenRaw(listen string) (fd int, address string, err error) {
	ln, err := net.Listen("tcp", listen)
	if err != nil {
		return -1, "", err
	}
	defer func() { _ = ln.Close() }()
	raw, err := ln.(*net.TCPListener).SyscallConn()
	if err != nil {
		return -1, "", err
	}
	fd = -1
	controlErr := raw.Control(func(own uintptr) {
		fd, err = unix.FcntlInt(own, unix.F_DUPFD_CLOEXEC, 0)
	})
	if err = errors.Join(controlErr, err); err != nil {
		return -1, "", fmt.Errorf("taking the listening socket over: %w", err)
	}
	return fd, ln.Addr().String(), nil
}

func (s *leanLinux) addr() string { return s.address }

func (s *leanLinux) close() error {
	for _, l := range s.loops {
		l.wake()
	}
	s.running.Wait()
	s.release()
	return nil
}

// release frees all descriptors. No loop runs any more.
func (s *leanLinux) release() {
	for fd := range s.server.open.fds {
		s.server.forget(fd)
	}
	for _, l := range s.loops {
		l.closeDescriptors()
	}
}

// forget ends a connection. It leaves the set before its descriptor is free to be
// given to a new one.
func (s *leanServer) forget(fd int) {
	s.open.remove(fd)
	s.stats.closed()
	_ = unix.Close(fd)
}

// leanAcceptor takes new connections in bulk and deals them out.
type leanAcceptor struct {
	fd    int
	loops []*leanLoop
	next  int
	log   *slog.Logger
}

func (l *leanLoop) acceptFrom(fd int, loops []*leanLoop, log *slog.Logger) error {
	// Level-triggered: a listener that is short of descriptors must come back.
	err := unix.EpollCtl(l.epoll, unix.EPOLL_CTL_ADD, fd, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(fd)})
	if err != nil {
		return fmt.Errorf("watching the listening socket: %w", err)
	}
	l.acceptor = &leanAcceptor{fd: fd, loops: loops, log: log}
	return nil
}

// acceptAll empties the listener's queue.
func (a *leanAcceptor) acceptAll() {
	for {
		fd, _, errno := unix.RawSyscall6(unix.SYS_ACCEPT4, uintptr(a.fd), 0, 0, unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0, 0)
		switch errno {
		case 0:
			a.deal(int(fd))
		case unix.EINTR, unix.ECONNABORTED:
		case unix.EAGAIN:
			return
		default:
			a.log.Error("target: accepting a connection", "error", errno)
			// Out of descriptors or memory: a pause, or this loop would spin.
			time.Sleep(10 * time.Millisecond)
			return
		}
	}
}

// deal hands a connection to the next loop. Epoll accepts descriptors from any
// thread, and a connection that already has input is reported at once.
func (a *leanAcceptor) deal(fd int) {
	to := a.loops[a.next%len(a.loops)]
	a.next++
	_ = unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1)
	to.server.stats.opened()
	to.server.open.add(fd)
	event := unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLOUT | unix.EPOLLRDHUP | unix.EPOLLET, Fd: int32(fd)}
	if err := unix.EpollCtl(to.epoll, unix.EPOLL_CTL_ADD, fd, &event); err != nil {
		a.log.Error("target: watching a connection", "error", err)
		to.server.forget(fd)
	}
}
