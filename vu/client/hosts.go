package client

import (
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// hostMap finds the address that a name was mapped to.
type hostMap struct{ mappings []HostMapping }

func newHostMap(mappings []HostMapping) hostMap {
	m := hostMap{make([]HostMapping, len(mappings))}
	for i, h := range mappings {
		h.Pattern = strings.ToLower(h.Pattern)
		m.mappings[i] = h
	}
	return m
}

// find returns where host:port, host in lower case, is mapped to. An exact name
// beats a pattern and a longer pattern a shorter one; of equals, the one with a port.
func (m hostMap) find(host string, port uint16) (netip.AddrPort, bool) {
	var best *HostMapping
	rank := -1
	for i := range m.mappings {
		h := &m.mappings[i]
		if h.Port != 0 && h.Port != port || !matchHost(h.Pattern, host) {
			continue
		}
		if r := mappingRank(h); r > rank {
			best, rank = h, r
		}
	}
	if best == nil {
		return netip.AddrPort{}, false
	}
	if best.TargetPort != 0 || best.Port != 0 {
		port = best.TargetPort
	}
	return netip.AddrPortFrom(best.IP, port), true
}

func mappingRank(h *HostMapping) int {
	rank := 2 * len(h.Pattern)
	if !strings.HasPrefix(h.Pattern, "*") {
		rank += 1 << 16
	}
	if h.Port != 0 {
		rank++
	}
	return rank
}

// matchHost compares a name in lower case with a name or a pattern.
func matchHost(pattern, host string) bool {
	if rest, ok := strings.CutPrefix(pattern, "*"); ok {
		return strings.HasSuffix(host, rest)
	}
	return pattern == host
}

// blockList holds the names that are not connected to.
type blockList []string

func newBlockList(patterns []string) blockList {
	var b blockList
	for _, p := range patterns {
		if p != "" {
			b = append(b, strings.ToLower(p))
		}
	}
	return b
}

// find returns the pattern that forbids a name, in lower case.
func (b blockList) find(host string) (string, bool) {
	for _, p := range b {
		if matchHost(p, host) {
			return p, true
		}
	}
	return "", false
}

// splitAddr splits "host:port" and puts the name into lower case.
func splitAddr(addr string) (host string, port uint16, err error) {
	host, digits, err := net.SplitHostPort(addr)
	if err != nil {
		return "", 0, err
	}
	n, err := strconv.ParseUint(digits, 10, 16)
	if err != nil {
		return "", 0, &net.AddrError{Err: "invalid port", Addr: addr}
	}
	return strings.ToLower(host), uint16(n), nil
}
