package engine

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// totalMemory returns the bytes of memory that the machine has, or 0 if that is
// not known.
func totalMemory() uint64 {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return 0
	}
	return uint64(info.Totalram) * uint64(info.Unit)
}

// localPorts returns how many ports one local address has for connections to one
// server, or 0 if that is not known.
func localPorts() uint64 {
	b, err := os.ReadFile("/proc/sys/net/ipv4/ip_local_port_range")
	if err != nil {
		return 0
	}
	return portsIn(string(b))
}

// portsIn counts the ports of a range, "first last".
func portsIn(text string) uint64 {
	var first, last uint64
	if n, err := fmt.Sscan(text, &first, &last); n != 2 || err != nil || first > last || last > 65535 {
		return 0
	}
	return last - first + 1
}
