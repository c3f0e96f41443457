package client

import (
	"context"
	"math/rand/v2"
	"net"
	"net/netip"
	"sync"
	"time"
)

// resolver asks DNS and remembers the answers. It is safe for concurrent use.
type resolver struct {
	dns    DNS
	lookup func(ctx context.Context, network, host string) ([]netip.Addr, error)

	mu      sync.Mutex
	answers map[string]*dnsAnswer
}

// dnsAnswer is what is known of one name. Who holds turn asks or reads.
type dnsAnswer struct {
	turn  chan struct{}
	addrs []netip.Addr
	asked time.Time
	next  int // for roundRobin
}

func newResolver(dns DNS) *resolver {
	setDefault(&dns.Select, "random")
	setDefault(&dns.Policy, "preferIPv4")
	return &resolver{dns: dns, lookup: net.DefaultResolver.LookupNetIP, answers: map[string]*dnsAnswer{}}
}

// resolve picks an address of host. If from is valid, addresses of its family
// are preferred, because no other can be reached from it.
func (r *resolver) resolve(ctx context.Context, host string, from netip.Addr) (netip.Addr, error) {
	a := r.answer(host)
	select {
	case a.turn <- struct{}{}:
	case <-ctx.Done():
		return netip.Addr{}, ctx.Err()
	}
	defer func() { <-a.turn }()
	if !r.fresh(a) {
		addrs, err := r.ask(ctx, host)
		if err != nil {
			return netip.Addr{}, err
		}
		a.addrs, a.asked = addrs, time.Now()
	}
	return r.pick(a, from), nil
}

// known is resolve as far as it takes no waiting.
func (r *resolver) known(host string, from netip.Addr) (netip.Addr, bool) {
	a := r.answer(host)
	select {
	case a.turn <- struct{}{}:
	default:
		return netip.Addr{}, false
	}
	defer func() { <-a.turn }()
	if !r.fresh(a) {
		return netip.Addr{}, false
	}
	return r.pick(a, from), true
}

func (r *resolver) answer(host string) *dnsAnswer {
	r.mu.Lock()
	defer r.mu.Unlock()
	a := r.answers[host]
	if a == nil {
		a = &dnsAnswer{turn: make(chan struct{}, 1)}
		r.answers[host] = a
	}
	return a
}

func (r *resolver) fresh(a *dnsAnswer) bool {
	if a.addrs == nil || r.dns.TTL == 0 {
		return false
	}
	return r.dns.TTL < 0 || time.Since(a.asked) < r.dns.TTL
}

// ask returns at least one address that the policy allows.
func (r *resolver) ask(ctx context.Context, host string) ([]netip.Addr, error) {
	network := map[string]string{"onlyIPv4": "ip4", "onlyIPv6": "ip6"}[r.dns.Policy]
	setDefault(&network, "ip")
	addrs, err := r.lookup(ctx, network, host)
	if err != nil {
		return nil, err
	}
	for i, a := range addrs {
		addrs[i] = a.Unmap()
	}
	switch r.dns.Policy {
	case "preferIPv4":
		addrs = prefer(addrs, netip.Addr.Is4)
	case "preferIPv6":
		addrs = prefer(addrs, netip.Addr.Is6)
	}
	if len(addrs) == 0 {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	return addrs, nil
}

// prefer keeps the addresses with a property if there are any, else all.
func prefer(addrs []netip.Addr, has func(netip.Addr) bool) []netip.Addr {
	var kept []netip.Addr
	for _, a := range addrs {
		if has(a) {
			kept = append(kept, a)
		}
	}
	if kept == nil {
		return addrs
	}
	return kept
}

func (r *resolver) pick(a *dnsAnswer, from netip.Addr) netip.Addr {
	addrs := a.addrs
	if from.IsValid() {
		addrs = prefer(addrs, func(x netip.Addr) bool { return x.Is4() == from.Is4() })
	}
	switch r.dns.Select {
	case "first":
		return addrs[0]
	case "roundRobin":
		a.next++
		return addrs[(a.next-1)%len(addrs)]
	}
	return addrs[rand.IntN(len(addrs))]
}
