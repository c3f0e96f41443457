package options

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
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

var (
	errTarget = errors.New("is not an address, such as 10.0.0.1, 10.0.0.1:8080 or [::1]:8080")
	errPort   = errors.New("has a port that is not between 1 and 65535")
)

// ParseHostMapping reads a mapping of "host[:port]" to "ip[:port]".
func ParseHostMapping(source, target string) (HostMapping, error) {
	m := HostMapping{source: source, target: target}
	pattern, port, err := splitPort(source)
	if err != nil {
		return m, fmt.Errorf("%q %w", source, err)
	}
	if pattern == "" {
		return m, errors.New("the host name is missing")
	}
	if _, err := netip.ParseAddr(pattern); err != nil {
		if err := checkHostname(pattern); err != nil {
			return m, err
		}
	}
	m.Pattern, m.Port = strings.ToLower(pattern), port
	address, port, err := splitPort(target)
	if err != nil {
		return m, fmt.Errorf("%q %w", target, err)
	}
	if m.IP, err = netip.ParseAddr(address); err != nil {
		return m, fmt.Errorf("%q %w", target, errTarget)
	}
	m.TargetPort = port
	return m, nil
}

// splitPort splits "host:port", "[v6]:port" and either without a port.
func splitPort(text string) (host string, port uint16, err error) {
	host, digits := text, ""
	if inner, ok := strings.CutPrefix(text, "["); ok {
		var rest string
		host, rest, ok = strings.Cut(inner, "]")
		digits, _ = strings.CutPrefix(rest, ":")
		if !ok || (rest != "" && rest[0] != ':') {
			return "", 0, errTarget
		}
	} else if strings.Count(text, ":") == 1 {
		host, digits, _ = strings.Cut(text, ":")
	}
	if digits == "" {
		return host, 0, nil
	}
	n, err := strconv.ParseUint(digits, 10, 16)
	if err != nil || n == 0 {
		return "", 0, errPort
	}
	return host, uint16(n), nil
}

func (d *decoder) hosts(path string, n node) ([]HostMapping, bool) {
	if n.kind != kindObject {
		d.bad(path, "write { 'name.test': '127.0.0.1' }", "must be an object, not %s", n.kind)
		return nil, false
	}
	all := true
	mappings := make([]HostMapping, 0, len(n.items))
	for i, source := range n.keys {
		target, ok := d.text(path+"."+source, n.items[i])
		if !ok {
			all = false
			continue
		}
		mapping, err := ParseHostMapping(source, target)
		if err != nil {
			d.bad(path+"."+source, "", "%v", err)
			all = false
		}
		mappings = append(mappings, mapping)
	}
	return mappings, all
}

// checkHostname checks a name, or a pattern that begins with "*". The empty
// name is allowed and matches nothing.
func checkHostname(pattern string) error {
	name, wild := strings.CutPrefix(pattern, "*")
	if wild {
		name = strings.TrimPrefix(name, ".")
	}
	if name == "" {
		return nil
	}
	if strings.Contains(name, "*") {
		return fmt.Errorf("%q is not a host name: * may stand only at its beginning", pattern)
	}
	for label := range strings.SplitSeq(name, ".") {
		if label == "" || strings.ContainsFunc(label, notInHostname) {
			return fmt.Errorf("%q is not a host name: its parts are letters, digits, - and _ (write other scripts as xn--...)", pattern)
		}
	}
	return nil
}

func notInHostname(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_')
}

func parseHostname(text string) (string, error) { return text, checkHostname(text) }

var errNetwork = errors.New("is not a network, such as 10.0.0.0/8")

func parseNetwork(text string) (netip.Prefix, error) {
	prefix, err := netip.ParsePrefix(strings.TrimSpace(text))
	if err == nil {
		return prefix.Masked(), nil
	}
	if ip, ipErr := netip.ParseAddr(text); ipErr == nil {
		return netip.Prefix{}, fmt.Errorf("%q %w; one address is %s/%d", text, errNetwork, text, ip.BitLen())
	}
	return netip.Prefix{}, fmt.Errorf("%q %w", text, errNetwork)
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

// MarshalText gives the TTL as it was written.
func (t TTL) MarshalText() ([]byte, error) { return []byte(t.source), nil }

// MarshalJSON gives all three members, null if unset.
func (d DNS) MarshalJSON() ([]byte, error) {
	var o object
	o.add("ttl", d.TTL)
	o.add("select", d.Select)
	o.add("policy", d.Policy)
	return o.MarshalJSON()
}

// ParseDNS reads the short form, such as "ttl=5m,select=first,policy=any"; the
// empty text sets nothing.
func ParseDNS(text string) (DNS, error) {
	var dns DNS
	if text == "" {
		return dns, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		key, value, _ := strings.Cut(part, "=")
		if err := dns.set(strings.TrimSpace(key), strings.TrimSpace(value)); err != nil {
			return DNS{}, err
		}
	}
	return dns, nil
}

// set sets one member from its text.
func (d *DNS) set(key, value string) error {
	switch key {
	case "ttl":
		ttl, err := parseTTL(value)
		d.TTL = Some(ttl)
		return err
	case "select":
		d.Select = Some(value)
		return oneOf(value, SelectFirst, SelectRandom, SelectRoundRobin)
	case "policy":
		d.Policy = Some(value)
		return oneOf(value, PolicyPreferIPv4, PolicyPreferIPv6, PolicyOnlyIPv4, PolicyOnlyIPv6, PolicyAny)
	default:
		return fmt.Errorf("%q is none of ttl, select, policy", key)
	}
}

func oneOf(value string, allowed ...string) error {
	if !slices.Contains(allowed, value) {
		return fmt.Errorf("%q is none of %s", value, strings.Join(allowed, ", "))
	}
	return nil
}

func parseTTL(text string) (TTL, error) {
	ttl := TTL{source: text, Forever: text == "inf"}
	if ttl.Forever {
		return ttl, nil
	}
	duration, err := ParseDuration(text)
	if err != nil || duration < 0 {
		return ttl, fmt.Errorf(`%q is not a time, such as "5m", 0 or "inf"`, text)
	}
	ttl.Duration = duration
	return ttl, nil
}

func (d *decoder) dns(path string, n node) (DNS, bool) {
	switch n.kind {
	case kindString:
		dns, err := ParseDNS(n.text)
		if err != nil {
			d.bad(path, "", "%v", err)
		}
		return dns, err == nil
	case kindObject:
		return d.dnsObject(path, n)
	default:
		d.bad(path, "write { ttl: '5m' }", "must be an object or a string, not %s", n.kind)
		return DNS{}, false
	}
}

func (d *decoder) dnsObject(path string, n node) (dns DNS, ok bool) {
	ok = d.knownFields(path, n, []string{"ttl", "select", "policy"})
	for _, key := range []string{"ttl", "select", "policy"} {
		item := n.member(key)
		switch {
		case item.kind == kindNull:
		case item.kind != kindString && (key != "ttl" || item.kind != kindNumber):
			d.bad(path+"."+key, "", "must be a string, not %s", item.kind)
			ok = false
		default:
			if err := dns.set(key, item.text); err != nil {
				d.bad(path+"."+key, "", "%v", err)
				ok = false
			}
		}
	}
	return dns, ok
}
