package executor

import (
	"time"

	"golang.org/x/sys/unix"
)

// fineTimer is a timer descriptor of the kernel, which unlike the sleeping
// calls is not subject to the thread's timer slack. It belongs to one thread.
type fineTimer struct {
	fd   int
	seen time.Duration // CPU time of the thread already reported
	buf  [8]byte
}

// newFineTimer returns nil if the system has none.
func newFineTimer() *fineTimer {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_CLOEXEC)
	if err != nil {
		return nil
	}
	t := &fineTimer{fd: fd}
	t.seen = threadCPU()
	return t
}

// sleep blocks the thread for d, or shorter if a signal comes.
func (t *fineTimer) sleep(d time.Duration) {
	spec := unix.ItimerSpec{Value: unix.NsecToTimespec(int64(d))}
	if unix.TimerfdSettime(t.fd, 0, &spec, nil) == nil {
		_, _ = unix.Read(t.fd, t.buf[:])
	}
}

// used returns the CPU time of the thread since the last call.
func (t *fineTimer) used() time.Duration {
	now := threadCPU()
	d := now - t.seen
	t.seen = now
	return d
}

func (t *fineTimer) close() { _ = unix.Close(t.fd) }

func threadCPU() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_THREAD, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
