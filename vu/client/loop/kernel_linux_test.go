package loop

import (
	"fmt"
	"net"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/jsload/jsload/vu/client"
	"github.com/jsload/jsload/vu/client/proto"
)

// fullListener returns the address of a server that takes no more connections: a dial
// to it does not end.
func fullListener(t *testing.T) string {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Close(fd) })
	if err := unix.Bind(fd, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	if err := unix.Listen(fd, 0); err != nil {
		t.Fatal(err)
	}
	sa, err := unix.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	addr := fmt.Sprintf("127.0.0.1:%d", sa.(*unix.SockaddrInet4).Port)
	for {
		nc, err := net.DialTimeout("tcp", addr, 100*time.Millisecond)
		if err != nil {
			return "http://" + addr
		}
		t.Cleanup(func() { nc.Close() })
	}
}

// TestDialTimeout distinguishes the end of the dial's time from the request's.
func TestDialTimeout(t *testing.T) {
	full := fullListener(t)
	for _, tt := range []struct {
		dial, request time.Duration
		code          int
	}{
		{50 * time.Millisecond, time.Minute, proto.CodeDialTimeout},
		{time.Minute, 50 * time.Millisecond, proto.CodeTimeout},
	} {
		r := newRig(t, client.Config{DialTimeout: tt.dial})
		resp := r.do(client.Request{URL: full, Timeout: tt.request})
		if resp.Err == nil || resp.Err.Code != tt.code || resp.Timings.Connecting < int64(50*time.Millisecond) || resp.Timings.Duration() != 0 {
			t.Errorf("%v %+v", resp.Err, resp.Timings)
		}
	}
}

// TestCoarseWait is the fallback for kernels without epoll_pwait2: it waits in whole
// milliseconds, never too short.
func TestCoarseWait(t *testing.T) {
	p, err := newPoller()
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	p.coarse = true
	before := time.Now()
	if n := p.wait(1500 * time.Microsecond); n != 0 || time.Since(before) < 1500*time.Microsecond {
		t.Errorf("%d events after %v", n, time.Since(before))
	}
	p.wake()
	if n := p.wait(-1); n != 1 || p.event(0).index != wakeIndex {
		t.Errorf("%d events after a wake", n)
	}
	p.awake()
	if n := p.wait(0); n != 0 {
		t.Errorf("%d events after waking up", n)
	}
}

// TestFineWait checks the order of magnitude that sets the fine wait apart.
func TestFineWait(t *testing.T) {
	p, err := newPoller()
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	if _, errno := p.waitFine(time.Microsecond); errno == syscall.ENOSYS || errno == syscall.EPERM {
		t.Skip("no epoll_pwait2")
	}
	r := newRig(t, client.Config{})
	if r.loop.Coarse() {
		t.Error("the loop is coarse")
	}
}
