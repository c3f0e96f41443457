package options

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"net/netip"
	"strings"
)

// LocalIPs is the pool of local addresses that virtual users connect from. The
// zero pool is empty.
type LocalIPs struct {
	ranges []ipRange
	source string // as written, for output
}

// ipRange is n addresses from first on.
type ipRange struct {
	first netip.Addr
	n     uint64
}

var errLocalIP = errors.New("is not an address, a range such as 10.0.0.1-10.0.0.9 or a network such as 10.0.0.0/28")

// ParseLocalIPs reads addresses, ranges and networks, separated by commas. Of
// an IPv4 network of more than two addresses the first and the last are left
// out.
func ParseLocalIPs(text string) (LocalIPs, error) {
	pool := LocalIPs{source: text}
	for part := range strings.SplitSeq(text, ",") {
		r, err := parseIPRange(strings.TrimSpace(part))
		if err != nil {
			return LocalIPs{}, err
		}
		pool.ranges = append(pool.ranges, r)
	}
	return pool, nil
}

func parseIPRange(text string) (ipRange, error) {
	if low, high, ok := strings.Cut(text, "-"); ok {
		first, err1 := netip.ParseAddr(low)
		last, err2 := netip.ParseAddr(high)
		if err1 != nil || err2 != nil || first.Is4() != last.Is4() {
			return ipRange{}, fmt.Errorf("%q %w", text, errLocalIP)
		}
		if last.Less(first) {
			return ipRange{}, fmt.Errorf("the range %q ends before it begins", text)
		}
		return ipRange{first, countBetween(first, last)}, nil
	}
	if strings.Contains(text, "/") {
		prefix, err := netip.ParsePrefix(text)
		if err != nil {
			return ipRange{}, fmt.Errorf("%q %w", text, errLocalIP)
		}
		return networkRange(prefix), nil
	}
	ip, err := netip.ParseAddr(text)
	if err != nil {
		return ipRange{}, fmt.Errorf("%q %w", text, errLocalIP)
	}
	return ipRange{ip, 1}, nil
}

func networkRange(prefix netip.Prefix) ipRange {
	first := prefix.Masked().Addr()
	free := first.BitLen() - prefix.Bits()
	if free >= 64 {
		return ipRange{first, math.MaxUint64}
	}
	n := uint64(1) << free
	if first.Is4() && n > 2 {
		return ipRange{first.Next(), n - 2}
	}
	return ipRange{first, n}
}

// countBetween counts the addresses from first to last, at most MaxUint64.
func countBetween(first, last netip.Addr) uint64 {
	a, b := first.As16(), last.As16()
	low, borrow := bits.Sub64(binary.BigEndian.Uint64(b[8:]), binary.BigEndian.Uint64(a[8:]), 0)
	high, _ := bits.Sub64(binary.BigEndian.Uint64(b[:8]), binary.BigEndian.Uint64(a[:8]), borrow)
	if high > 0 || low == math.MaxUint64 {
		return math.MaxUint64
	}
	return low + 1
}

// Empty reports whether there are no addresses.
func (l LocalIPs) Empty() bool { return len(l.ranges) == 0 }

// Count returns how many addresses there are; past the largest uint64 it stays
// there.
func (l LocalIPs) Count() uint64 {
	var size uint64
	for _, r := range l.ranges {
		sum, carry := bits.Add64(size, r.n, 0)
		size = sum
		if carry > 0 {
			size = math.MaxUint64
		}
	}
	return size
}

// For returns the address of a virtual user, numbered from 1: the users go
// round the pool. The pool must not be empty.
func (l LocalIPs) For(vu uint64) netip.Addr {
	i := (vu - 1) % l.Count()
	for _, r := range l.ranges {
		if i < r.n {
			return plus(r.first, i)
		}
		i -= r.n
	}
	return netip.Addr{}
}

// plus returns the n-th address after ip.
func plus(ip netip.Addr, n uint64) netip.Addr {
	bytes := ip.As16()
	low, carry := bits.Add64(binary.BigEndian.Uint64(bytes[8:]), n, 0)
	high, _ := bits.Add64(binary.BigEndian.Uint64(bytes[:8]), 0, carry)
	binary.BigEndian.PutUint64(bytes[8:], low)
	binary.BigEndian.PutUint64(bytes[:8], high)
	sum := netip.AddrFrom16(bytes)
	if ip.Is4() {
		return sum.Unmap()
	}
	return sum.WithZone(ip.Zone())
}

// String returns the pool as it was written.
func (l LocalIPs) String() string { return l.source }

// MarshalText gives the pool as it was written.
func (l LocalIPs) MarshalText() ([]byte, error) { return []byte(l.source), nil }
