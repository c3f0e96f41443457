//go:build !linux

package loop

import (
	"net/netip"
	"syscall"
	"time"
)

const (
	evRead, evWrite, evHup = 1, 2, 4
	errAgain               = syscall.EAGAIN
	wakeIndex              = 1<<32 - 1
)

type event struct{ what, index, gen uint32 }

// poller is for Linux; elsewhere New fails and nothing below is reached.
type poller struct{ coarse bool }

func newPoller() (*poller, error) { return nil, ErrUnavailable }

func (p *poller) close()                                          {}
func (p *poller) add(int, uint32, uint32) error                   { return ErrUnavailable }
func (p *poller) event(int) event                                 { return event{} }
func (p *poller) wait(time.Duration) int                          { return 0 }
func (p *poller) wake()                                           {}
func (p *poller) awake()                                          {}
func (p *poller) read(int, []byte) (int, syscall.Errno)           { return 0, syscall.ENOSYS }
func (p *poller) write(int, []byte) (int, syscall.Errno)          { return 0, syscall.ENOSYS }
func ended(int) bool                                              { return true }
func closeFD(int)                                                 {}
func dial(netip.AddrPort, netip.Addr, time.Duration) (int, error) { return -1, ErrUnavailable }
func connected(int) error                                         { return ErrUnavailable }
func peerOf(int) netip.AddrPort                                   { return netip.AddrPort{} }
