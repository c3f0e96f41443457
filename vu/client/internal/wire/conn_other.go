//go:build !linux

package wire

import (
	"net"
	"syscall"
)

// rawConn is for Linux; elsewhere exchanges go through Read and Write.
func rawConn(net.Conn) syscall.RawConn { return nil }

// onReady is never called here.
func (w *Conn) onReady(uintptr) bool { return true }

// onPush is never called here.
func (w *Conn) onPush(uintptr) bool { return true }
