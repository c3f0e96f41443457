//go:build !linux

package h1

import (
	"net"
	"syscall"
)

// rawConn is for Linux; elsewhere exchanges go through Read and Write.
func rawConn(net.Conn) syscall.RawConn { return nil }

// onReady is never called here.
func (w *wire) onReady(uintptr) bool { return true }
