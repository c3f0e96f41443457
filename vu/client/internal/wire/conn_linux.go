// Hot path: one write and one read per exchange, no failing call, no allocation.

package wire

import (
	"io"
	"net"
	"os"
	"syscall"
	"time"
	"unsafe"
)

// rawConn gives access to the socket of a TCP connection.
func rawConn(nc net.Conn) syscall.RawConn {
	tcp, ok := nc.(*net.TCPConn)
	if !ok {
		return nil
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return nil
	}
	return raw
}

// onReady is called by the runtime's poller: at once, and then whenever the
// socket became readable; false means wait. The poller forgets earlier readiness
// before the first call, so writing inside that call and then waiting cannot
// miss the answer, and the read that would fail for want of data is saved.
func (w *Conn) onReady(fd uintptr) bool {
	op := &w.op
	if op.state == toProbe {
		if w.stale(fd) {
			op.err = ErrStale
			return true
		}
		op.state = toWrite
	}
	if op.state == toWrite {
		op.wrote, op.err = rawWrite(fd, op.out)
		op.state = toRead
		op.sent = int64(time.Since(op.clock))
		if op.err != nil || op.more || op.wrote < len(op.out) {
			op.err = w.opError("write", op.err)
			return true
		}
		if !op.early {
			return false
		}
	}
	n, errno := rawCall(syscall.SYS_READ, fd, op.in)
	switch {
	case errno == syscall.EAGAIN:
		// Looking before writing keeps the poller honest: what came before the
		// wait began is not announced again.
		if op.state == toFlush {
			op.state = toRead
			op.flush()
		}
		return false
	case errno != 0:
		op.err = w.opError("read", errno)
	case n == 0:
		op.err = io.EOF
	}
	op.n = n
	return true
}

// onPush does the write of TryWrite.
func (w *Conn) onPush(fd uintptr) bool {
	t := &w.try
	t.n, t.err = rawWrite(fd, t.out)
	t.err = w.opError("write", t.err)
	return true
}

// rawWrite writes what fits; a full buffer is no error.
func rawWrite(fd uintptr, p []byte) (int, error) {
	n, errno := rawCall(syscall.SYS_WRITE, fd, p)
	switch errno {
	case 0:
		return n, nil
	case syscall.EAGAIN:
		return 0, nil
	}
	return 0, errno
}

// stale looks, without taking anything from the socket, whether the peer of an
// idle connection has ended the stream or sent what nobody asked for. On a new
// connection, and below TLS, what is there may belong to the answer: it must be
// read without waiting, since the poller has forgotten that it came.
func (w *Conn) stale(fd uintptr) bool {
	n, errno := rawPeek(fd, w.peek[:])
	switch {
	case errno == syscall.EAGAIN:
		return false
	case !w.Served, w.Secure && errno == 0 && n > 0:
		w.op.early = true
		return false
	}
	return true
}

// rawCall is read or write on a descriptor that does not block, for which the
// scheduler need not be told.
func rawCall(trap, fd uintptr, p []byte) (int, syscall.Errno) {
	if len(p) == 0 {
		return 0, 0
	}
	for {
		n, _, errno := syscall.RawSyscall(trap, fd, uintptr(unsafe.Pointer(&p[0])), uintptr(len(p)))
		if errno == 0 {
			return int(n), 0
		}
		if errno != syscall.EINTR {
			return 0, errno
		}
	}
}

func rawPeek(fd uintptr, p []byte) (int, syscall.Errno) {
	n, _, errno := syscall.RawSyscall6(syscall.SYS_RECVFROM, fd, uintptr(unsafe.Pointer(&p[0])), uintptr(len(p)),
		syscall.MSG_PEEK|syscall.MSG_DONTWAIT, 0, 0)
	return int(n), errno
}

// opError dresses an errno as package net does.
func (w *Conn) opError(op string, err error) error {
	if err == nil {
		return nil
	}
	return &net.OpError{Op: op, Net: "tcp", Source: w.LocalAddr(), Addr: w.RemoteAddr(), Err: os.NewSyscallError(op, err)}
}
