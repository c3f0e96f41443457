package options

import (
	"crypto/tls"
	"net/netip"
)

// HostMapping sends a name to an address instead of asking DNS.
type HostMapping struct {
	// Pattern is a name in lower case, or one that begins with "*" and matches
	// every name with that ending. The longest pattern that matches counts.
	Pattern string
	// Port restricts the mapping to requests to this port; 0 means any.
	Port uint16
	// IP is where to connect to; TargetPort, unless 0, replaces the port.
	IP         netip.Addr
	TargetPort uint16

	source, target string // as written, for output
}

// TLSVersions are the lowest and highest versions of TLS, as in package
// crypto/tls; 0 means its default.
type TLSVersions struct {
	Min, Max uint16
}

// CipherSuite is one cipher suite allowed below TLS 1.3.
type CipherSuite struct {
	ID   uint16
	Name string
}

// ClientCertificate is a certificate the client offers to servers.
type ClientCertificate struct {
	// Domains restricts nothing any more: each server picks from all
	// certificates by the authorities it accepts. It is kept for output.
	Domains   []string
	Cert, Key string // PEM, as written
	Password  string // of an encrypted key
	// Certificate is the pair, parsed and decrypted.
	Certificate tls.Certificate
}

// DNS is how names are resolved. Each member merges on its own.
type DNS struct {
	TTL    Null[TTL]    // unset: 5 minutes
	Select Null[string] // one of the Select constants; unset: SelectRandom
	Policy Null[string] // one of the Policy constants; unset: PolicyPreferIPv4
}

// Which of several addresses of a name is used.
const (
	SelectFirst      = "first"
	SelectRandom     = "random"
	SelectRoundRobin = "roundRobin"
)

// Which families of addresses are used.
const (
	PolicyPreferIPv4 = "preferIPv4"
	PolicyPreferIPv6 = "preferIPv6"
	PolicyOnlyIPv4   = "onlyIPv4"
	PolicyOnlyIPv6   = "onlyIPv6"
	PolicyAny        = "any"
)

// TTL is how long an answer of DNS is kept. The zero TTL keeps nothing.
type TTL struct {
	Duration Duration
	Forever  bool

	source string // as written, for output
}

// LocalIPs is the pool of local addresses that virtual users connect from.
type LocalIPs struct {
	ranges []ipRange
	source string // as written, for output
}

// ipRange is n addresses from first on.
type ipRange struct {
	first netip.Addr
	n     uint64
}
