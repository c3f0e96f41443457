package client

import (
	"crypto/tls"
	"crypto/x509"
	"net/netip"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/net/http/httpproxy"

	"github.com/jsload/jsload/vu/client/internal/wire"
	"github.com/jsload/jsload/vu/client/proto"
)

// Config is what the virtual users of a run have in common. It is not changed
// after NewNetwork.
type Config struct {
	// Epoch is where the run's clock begins; zero means the call of NewNetwork.
	Epoch time.Time
	// UserAgent is sent with every request that does not say otherwise; empty
	// sends none.
	UserAgent string
	// MaxRedirects is how many redirects a request follows unless it says
	// otherwise; zero follows none.
	MaxRedirects int
	// IdleConns and IdleConnsPerHost bound the connections that one virtual user
	// keeps open without using them; zero means 20 and 6.
	IdleConns, IdleConnsPerHost int
	// Protocol is what to speak where a request does not say.
	Protocol proto.Protocol
	// NoHTTP2 makes proto.Auto mean HTTP/1.1.
	NoHTTP2 bool
	// NoConnectionReuse gives every request a connection of its own.
	NoConnectionReuse bool
	// NoVUConnectionReuse makes EndIteration close idle connections.
	NoVUConnectionReuse bool
	// NoCookiesReset makes EndIteration keep the cookies.
	NoCookiesReset bool

	DNS DNS
	// Hosts sends names to addresses instead of asking DNS.
	Hosts []HostMapping
	// BlockHostnames are names, or patterns that begin with "*", that are not
	// connected to. They do not cover addresses.
	BlockHostnames []string
	// BlacklistIPs are networks that are not connected to.
	BlacklistIPs []netip.Prefix
	// LocalIP tells the local address of a virtual user, counted from 1; nil, or
	// an invalid address, leaves the choice to the system.
	LocalIP func(vu uint64) netip.Addr
	// DialTimeout and KeepAlive are for TCP; zero means 30 seconds each.
	DialTimeout, KeepAlive time.Duration
	TLS                    TLS
	Proxy                  Proxy
}

// DNS is how names are resolved.
type DNS struct {
	// TTL is how long an answer is kept: zero asks every time, negative keeps
	// it for ever.
	TTL time.Duration
	// Select is "first", "random" or "roundRobin"; empty means random.
	Select string
	// Policy is "preferIPv4", "preferIPv6", "onlyIPv4", "onlyIPv6" or "any";
	// empty means preferIPv4.
	Policy string
}

// HostMapping sends a name to an address.
type HostMapping struct {
	// Pattern is a name, or one that begins with "*" and matches every name with
	// that ending. Case does not count; the longest pattern that matches wins.
	Pattern string
	// Port restricts the mapping to that port; zero means any.
	Port uint16
	// IP is where to connect to. TargetPort replaces the port; zero keeps it,
	// except in a mapping with a Port, which then never connects.
	IP         netip.Addr
	TargetPort uint16
}

// TLS is how secure connections are made. The zero TLS is crypto/tls's choice.
type TLS struct {
	// MinVersion and MaxVersion are crypto/tls version numbers; zero means its default.
	MinVersion, MaxVersion uint16
	// CipherSuites are for TLS 1.2 and below; nil means the default.
	CipherSuites []uint16
	// Certificates are offered to servers that ask; each picks by the
	// authorities it accepts.
	Certificates       []tls.Certificate
	InsecureSkipVerify bool
	// RootCAs is who is trusted; nil means the system's choice.
	RootCAs *x509.CertPool
}

// Proxy holds the values of HTTP_PROXY, HTTPS_PROXY and NO_PROXY. Loopback
// addresses are never proxied.
type Proxy struct{ HTTP, HTTPS, No string }

// Network is what the clients of one run share: the resolver's answers, the
// addresses parsed so far, buffers, and the goroutine that ends overdue
// exchanges. It is safe for concurrent use.
type Network struct {
	config   Config
	shared   *wire.Shared
	resolver *resolver
	hosts    hostMap
	blocked  blockList
	proxyFor func(*url.URL) (*url.URL, error)
	retries  atomic.Int64

	mu      sync.RWMutex
	targets map[string]*target
	// chosen is what ALPN chose for connections with that key: true is HTTP/2.
	chosen map[string]bool
}

// NewNetwork starts what a run shares. Close ends it, after all its clients.
func NewNetwork(config Config) *Network {
	if config.Epoch.IsZero() {
		config.Epoch = time.Now()
	}
	setDefault(&config.IdleConns, 20)
	setDefault(&config.IdleConnsPerHost, 6)
	setDefault(&config.DialTimeout, 30*time.Second)
	setDefault(&config.KeepAlive, 30*time.Second)
	proxies := httpproxy.Config{HTTPProxy: config.Proxy.HTTP, HTTPSProxy: config.Proxy.HTTPS, NoProxy: config.Proxy.No}
	return &Network{
		config:   config,
		shared:   wire.NewShared(config.Epoch),
		resolver: newResolver(config.DNS),
		hosts:    newHostMap(config.Hosts),
		blocked:  newBlockList(config.BlockHostnames),
		proxyFor: proxies.ProxyFunc(),
		targets:  map[string]*target{},
		chosen:   map[string]bool{},
	}
}

func setDefault[T comparable](v *T, d T) {
	var zero T
	if *v == zero {
		*v = d
	}
}

// Close stops the sweeper and waits for it. Call it once.
func (n *Network) Close() { n.shared.Close() }

// Retries counts the exchanges of the run that were tried again because an idle
// connection had died.
func (n *Network) Retries() int64 { return n.retries.Load() }
