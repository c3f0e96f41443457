package client

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	"golang.org/x/net/http/httpguts"
	"golang.org/x/net/idna"

	"github.com/jsload/jsload/vu/client/proto"
)

// target is an address a request may go to, with all that follows from it. It is
// shared by the clients of a run and never changed.
type target struct {
	url *url.URL
	// full is what scripts see, credentials and fragment included; bare is
	// without credentials.
	full, bare string
	// masked and clean are for metrics: without fragment, credentials masked or
	// left out.
	masked, clean string

	key        string // of connections
	scheme     string
	addr       string // host:port to connect to
	hostname   string // lower case, ASCII
	host       string // Host header
	path       string // of the request line, query included
	cookiePath string
	basic      string // Authorization from the credentials

	via       *url.URL
	viaHeader string // Proxy-Authorization towards a plain HTTP proxy

	// err is why the address cannot be requested although it was parsed.
	err error
}

// maxTargets bounds the addresses a run remembers; addresses beyond are parsed
// each time.
const maxTargets = 4096

// target finds or parses an address.
func (n *Network) target(raw string) (*target, error) {
	n.mu.RLock()
	t := n.targets[raw]
	n.mu.RUnlock()
	if t != nil {
		return t, nil
	}
	u, err := url.Parse(raw)
	if err != nil {
		return nil, &proto.Error{Code: proto.CodeInvalidURL, Text: "invalid URL: " + err.Error(), Kind: "invalid URL", Cause: err}
	}
	t = n.newTarget(u)
	n.mu.Lock()
	if len(n.targets) < maxTargets {
		n.targets[strings.Clone(raw)] = t
	}
	n.mu.Unlock()
	return t, nil
}

func (n *Network) newTarget(u *url.URL) *target {
	t := &target{url: u, scheme: u.Scheme, full: u.String()}
	t.names(*u)
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		t.err = fmt.Errorf("unsupported protocol scheme %q", u.Scheme)
	case u.Host == "":
		t.err = errors.New("http: no Host in request URL")
	default:
		t.err = n.route(t)
	}
	return t
}

// names fills in the spellings of the address.
func (t *target) names(u url.URL) {
	user := u.User
	u.User = nil
	t.bare = u.String()
	u.Fragment, u.RawFragment = "", ""
	t.clean = u.String()
	t.masked = t.clean
	if user != nil {
		u.User = url.UserPassword("****", "****")
		t.masked = strings.Replace(u.String(), "%2A%2A%2A%2A:%2A%2A%2A%2A@", "****:****@", 1)
		password, _ := user.Password()
		t.basic = "Basic " + base64.StdEncoding.EncodeToString([]byte(user.Username()+":"+password))
	}
}

// route fills in where to connect and what to send.
func (n *Network) route(t *target) error {
	u := t.url
	hostname, err := asciiHost(u.Hostname())
	if err != nil {
		return err
	}
	if t.host, err = headerHost(u.Host); err != nil {
		return err
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	t.hostname = strings.ToLower(hostname)
	t.addr = net.JoinHostPort(t.hostname, port)
	t.path = u.RequestURI()
	if t.cookiePath = u.Path; t.cookiePath == "" {
		t.cookiePath = "/"
	}
	t.key = t.scheme + "|" + t.addr
	return n.routeVia(t)
}

// routeVia looks for a proxy. Towards a plain HTTP proxy the request line holds
// the whole address.
func (n *Network) routeVia(t *target) error {
	via, err := n.proxyFor(t.url)
	if err != nil || via == nil {
		return err
	}
	t.via = via
	t.key += "|" + via.String()
	if t.scheme == "http" && !isSOCKS(via) {
		t.path = t.scheme + "://" + t.host + t.path
		t.viaHeader = proxyAuthorization(via)
	}
	return nil
}

func proxyAuthorization(via *url.URL) string {
	if via.User == nil {
		return ""
	}
	password, _ := via.User.Password()
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(via.User.Username()+":"+password))
}

// asciiHost encodes an international name; other names stay as they are.
func asciiHost(host string) (string, error) {
	if isASCII(host) {
		return host, nil
	}
	return idna.Lookup.ToASCII(host)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// headerHost is the value of the Host header for the host part of an address: an
// international name encoded, the zone of an IPv6 address and an empty port removed.
func headerHost(host string) (string, error) {
	host, err := httpguts.PunycodeHostPort(host)
	if err != nil {
		return "", err
	}
	if !httpguts.ValidHostHeader(host) {
		return "", fmt.Errorf("http: invalid Host header %q", host)
	}
	if i, j := strings.LastIndexByte(host, '%'), strings.LastIndexByte(host, ']'); strings.HasPrefix(host, "[") && 0 < i && i < j {
		host = host[:i] + host[j:]
	}
	return strings.TrimSuffix(host, ":"), nil
}
