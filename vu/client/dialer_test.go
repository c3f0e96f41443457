package client

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jsload/jsload/vu/client/proto"
	"github.com/jsload/jsload/vu/client/proto/transporttest"
)

var loopback = netip.MustParseAddr("127.0.0.1")

// whoami answers with the host header, the client's address and the server name.
func whoami(w http.ResponseWriter, r *http.Request) {
	host, _, _ := net.SplitHostPort(r.RemoteAddr)
	fmt.Fprint(w, r.Host, " ", host)
	if r.TLS != nil {
		fmt.Fprintf(w, " sni=%s", r.TLS.ServerName)
		for _, c := range r.TLS.PeerCertificates {
			fmt.Fprintf(w, " peer=%s", c.Subject.Organization)
		}
	}
}

func TestHosts(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(whoami))
	t.Cleanup(server.Close)
	at := netip.MustParseAddrPort(server.Listener.Addr().String())
	port := at.Port()
	mapping := func(pattern string, on uint16, ip string, target uint16) HostMapping {
		return HostMapping{Pattern: pattern, Port: on, IP: netip.MustParseAddr(ip), TargetPort: target}
	}
	c := newClient(t, Config{Hosts: []HostMapping{
		mapping("a.test", 0, "127.0.0.1", 0),
		mapping("b.test", port, "127.0.0.1", 0),
		mapping("b.test", 0, "127.0.0.2", port),
		mapping("c.test", 81, "127.0.0.1", port),
		mapping("*.w.test", 0, "127.0.0.1", 0),
		mapping("*.x.w.test", 0, "127.0.0.3", 0),
		mapping("Exact.w.test", 0, "127.0.0.4", 0),
		mapping("*.p.test", port, "127.0.0.1", 0),
	}})
	tests := []struct {
		host string
		port uint16
		code int
	}{
		{"a.test", port, 0},
		{"A.Test", port, 0},
		{"b.test", port, proto.CodeDialRefused}, // the port is not carried over
		{"c.test", 81, 0},
		{"one.w.test", port, 0},
		{"a.b.w.test", port, 0},
		{"deep.x.w.test", port, proto.CodeDialRefused},
		{"exact.w.test", port, proto.CodeDialRefused},
		{"q.p.test", port, proto.CodeDialRefused},
	}
	for _, tt := range tests {
		host := fmt.Sprintf("%s:%d", tt.host, tt.port)
		resp := do(c, Request{URL: "http://" + host + "/"})
		code := 0
		if resp.Err != nil {
			code = resp.Err.Code
		}
		if code != tt.code {
			t.Errorf("%s: %v", host, resp.Err)
		}
		if code == 0 && (string(resp.Body) != host+" 127.0.0.1" || resp.RemoteIP != "127.0.0.1" || resp.RemotePort != int(port)) {
			t.Errorf("%s: %s, %s:%d", host, resp.Body, resp.RemoteIP, resp.RemotePort)
		}
	}
}

func TestForbiddenAddresses(t *testing.T) {
	c := newClient(t, Config{
		BlockHostnames: []string{"bad.test", "*.evil.test", ""},
		BlacklistIPs:   []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128")},
		Hosts:          []HostMapping{{Pattern: "ten.test", IP: netip.MustParseAddr("10.1.2.3")}, {Pattern: "evil.test", IP: loopback}},
	})
	for url, code := range map[string]int{
		"http://bad.test/":          proto.CodeBlockedHost,
		"http://BAD.test/":          proto.CodeBlockedHost,
		"http://x.evil.test/":       proto.CodeBlockedHost,
		"http://evil.test:1/":       proto.CodeDialRefused,
		"http://ten.test/":          proto.CodeBlacklistedIP,
		"http://10.9.8.7/":          proto.CodeBlacklistedIP,
		"http://[::1]:1/":           proto.CodeBlacklistedIP,
		"http://[::ffff:10.0.0.1]/": proto.CodeBlacklistedIP,
	} {
		resp := do(c, Request{URL: url})
		if resp.Err == nil || resp.Err.Code != code || resp.RemoteIP != "" {
			t.Errorf("%s: %v", url, resp.Err)
		}
	}
}

func TestLocalAddress(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(whoami))
	t.Cleanup(server.Close)
	local := func(ip string) Config {
		return Config{LocalIP: func(uint64) netip.Addr { return netip.MustParseAddr(ip) }}
	}
	if resp := do(newClient(t, local("127.0.0.11")), Request{URL: server.URL}); !strings.HasSuffix(string(resp.Body), " 127.0.0.11") {
		t.Errorf("%s %v", resp.Body, resp.Err)
	}
	if resp := do(newClient(t, local("192.0.2.1")), Request{URL: server.URL}); resp.Err == nil || resp.Err.Code != proto.CodeDialErrno {
		t.Errorf("foreign address: %v", resp.Err)
	}
	if resp := do(newClient(t, local("::1")), Request{URL: server.URL}); resp.Err == nil || resp.Err.Code != proto.CodeDial {
		t.Errorf("other family: %v", resp.Err)
	}
}

func TestIPv6(t *testing.T) {
	l, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		t.Logf("no IPv6 here: %v", err)
		return
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(whoami))
	server.Listener.Close()
	server.Listener = l
	server.Start()
	t.Cleanup(server.Close)
	c := newClient(t, Config{})
	port := l.Addr().(*net.TCPAddr).Port
	for _, host := range []string{"[::1]", "[0:0:0:0:0:0:0:1]"} {
		resp := do(c, Request{URL: fmt.Sprintf("http://%s:%d/", host, port)})
		if resp.Err != nil || resp.RemoteIP != "::1" || string(resp.Body) != fmt.Sprintf("%s:%d ::1", host, port) {
			t.Errorf("%s: %s %v", host, resp.Body, resp.Err)
		}
	}
}

func TestResolver(t *testing.T) {
	addrs := []netip.Addr{
		netip.MustParseAddr("::ffff:10.0.0.1"), netip.MustParseAddr("2001:db8::1"),
		netip.MustParseAddr("10.0.0.2"), netip.MustParseAddr("2001:db8::2"),
	}
	none := netip.Addr{}
	tests := []struct {
		name string
		dns  DNS
		from netip.Addr
		want string
	}{
		{"prefer 4", DNS{Select: "roundRobin", TTL: -1}, none, "10.0.0.1 10.0.0.2 10.0.0.1"},
		{"prefer 6", DNS{Select: "roundRobin", Policy: "preferIPv6", TTL: -1}, none, "2001:db8::1 2001:db8::2 2001:db8::1"},
		{"any", DNS{Select: "roundRobin", Policy: "any", TTL: -1}, none, "10.0.0.1 2001:db8::1 10.0.0.2"},
		{"first", DNS{Select: "first", TTL: -1}, none, "10.0.0.1 10.0.0.1 10.0.0.1"},
		{"family of the local address", DNS{Select: "roundRobin", Policy: "any", TTL: -1}, netip.MustParseAddr("2001:db8::9"), "2001:db8::1 2001:db8::2 2001:db8::1"},
	}
	for _, tt := range tests {
		r := newResolver(tt.dns)
		r.lookup = func(context.Context, string, string) ([]netip.Addr, error) {
			return append([]netip.Addr(nil), addrs...), nil
		}
		var got []string
		for range 3 {
			a, err := r.resolve(t.Context(), "x", tt.from)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, a.String())
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s: %s", tt.name, s)
		}
	}
}

func TestResolverTTL(t *testing.T) {
	for ttl, want := range map[time.Duration]int{0: 3, -1: 1, time.Minute: 2} {
		synctest.Test(t, func(t *testing.T) {
			asked := 0
			r := newResolver(DNS{TTL: ttl})
			r.lookup = func(context.Context, string, string) ([]netip.Addr, error) {
				asked++
				return []netip.Addr{loopback}, nil
			}
			for range 3 {
				if _, err := r.resolve(t.Context(), "x", netip.Addr{}); err != nil {
					t.Fatal(err)
				}
				time.Sleep(40 * time.Second)
			}
			if asked != want {
				t.Errorf("TTL %v: asked %d times, want %d", ttl, asked, want)
			}
		})
	}
}

func TestTLSOptions(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(whoami))
	server.TLS = &tls.Config{ClientAuth: tls.RequestClientCert, MaxVersion: tls.VersionTLS12}
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	pool := x509.NewCertPool()
	pool.AddCert(server.Certificate())
	hosts := []HostMapping{{Pattern: "*", IP: loopback}}
	tests := []struct {
		name string
		tls  TLS
		host string
		code int
		body string
	}{
		{"unknown authority", TLS{}, "example.com", proto.CodeUnknownAuthority, ""},
		{"trusted", TLS{RootCAs: pool}, "example.com", 0, "sni=example.com"},
		{"other name", TLS{RootCAs: pool}, "other.test", proto.CodeHostnameMismatch, ""},
		{"anything goes", TLS{InsecureSkipVerify: true}, "other.test", 0, "sni=other.test"},
		{"no common version", TLS{InsecureSkipVerify: true, MinVersion: tls.VersionTLS13}, "other.test", proto.CodeNonTCP, ""},
		{"empty range", TLS{InsecureSkipVerify: true, MinVersion: tls.VersionTLS13, MaxVersion: tls.VersionTLS12}, "other.test", proto.CodeGeneric, ""},
		{"own certificate", TLS{InsecureSkipVerify: true, Certificates: server.TLS.Certificates}, "other.test", 0, "sni=other.test peer=[Acme Co]"},
		{"own suite", TLS{InsecureSkipVerify: true, CipherSuites: []uint16{tls.TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384}}, "other.test", 0, "sni=other.test"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := newClient(t, Config{TLS: tt.tls, Hosts: hosts})
			resp := do(c, Request{URL: "https://" + tt.host + ":" + port + "/"})
			code := 0
			if resp.Err != nil {
				code = resp.Err.Code
			}
			if code != tt.code || !strings.HasSuffix(string(resp.Body), tt.body) {
				t.Errorf("%q %v", resp.Body, resp.Err)
			}
			if code == 0 && resp.TLSVersion != "tls1.2" || tt.tls.CipherSuites != nil && resp.TLSCipher != "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384" {
				t.Errorf("%s %s", resp.TLSVersion, resp.TLSCipher)
			}
		})
	}
}

// newProxy is a forward proxy that demands user:pass for auth.test and reaches
// everything on loopback.
func newProxy(t *testing.T) string {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, port, _ := net.SplitHostPort(r.Host)
		switch {
		case strings.HasPrefix(r.Host, "down.test"):
			w.WriteHeader(http.StatusBadGateway)
			return
		case strings.HasPrefix(r.Host, "auth.test") && r.Header.Get("Proxy-Authorization") != "Basic dXNlcjpwYXNz":
			w.WriteHeader(http.StatusProxyAuthRequired)
			return
		}
		up, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		defer up.Close()
		nc, buffered, _ := http.NewResponseController(w).Hijack()
		defer nc.Close()
		if r.Method == http.MethodConnect {
			io.WriteString(nc, "HTTP/1.1 200 Connected\r\nX-A: b\r\n\r\n")
		} else {
			r.Header.Set("X-Via", r.RequestURI)
			r.Header.Set("Connection", "close")
			r.Write(up)
		}
		go io.Copy(up, buffered)
		io.Copy(nc, up)
	}))
	t.Cleanup(proxy.Close)
	return proxy.Listener.Addr().String()
}

func TestProxies(t *testing.T) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s via %s", r.Host, r.Header.Get("X-Via"))
	})
	plain, secure := httptest.NewServer(handler), httptest.NewTLSServer(handler)
	t.Cleanup(plain.Close)
	t.Cleanup(secure.Close)
	_, pp, _ := net.SplitHostPort(plain.Listener.Addr().String())
	_, sp, _ := net.SplitHostPort(secure.Listener.Addr().String())
	at := newProxy(t)
	socks := newSOCKS(t)
	tests := []struct {
		name, proxy, url string
		status, code     int
		body             string
	}{
		{"plain", "http://" + at, "http://site.test:" + pp + "/a?b", 200, 0, "site.test:" + pp + " via http://site.test:" + pp + "/a?b"},
		{"tunnel", "http://" + at, "https://site.test:" + sp + "/", 200, 0, "site.test:" + sp + " via "},
		{"tunnel refused", "http://" + at, "https://down.test:" + sp + "/", 0, proto.CodeGeneric, ""},
		{"password", "http://user:pass@" + at, "http://auth.test:" + pp + "/", 200, 0, "auth.test:" + pp + " via http://auth.test:" + pp + "/"},
		{"tunnel with password", "http://user:pass@" + at, "https://auth.test:" + sp + "/", 200, 0, "auth.test:" + sp + " via "},
		{"bad password", "http://user:no@" + at, "http://auth.test:" + pp + "/", 407, 0, ""},
		{"unreachable", "http://127.0.0.1:1", "http://site.test/", 0, proto.CodeTCP, ""},
		{"excepted", "http://" + at, "http://direct.test:" + pp + "/", 200, 0, "direct.test:" + pp + " via "},
		{"loopback is excepted", "http://127.0.0.1:1", plain.URL, 200, 0, "127.0.0.1:" + pp + " via "},
		{"SOCKS", "socks5://" + socks, "http://site.test:" + pp + "/", 200, 0, "site.test:" + pp + " via "},
		{"SOCKS and TLS", "socks5://" + socks, "https://site.test:" + sp + "/", 200, 0, "site.test:" + sp + " via "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := newClient(t, Config{
				Proxy: Proxy{HTTP: tt.proxy, HTTPS: tt.proxy, No: "direct.test"},
				Hosts: []HostMapping{{Pattern: "direct.test", IP: loopback}},
				TLS:   TLS{InsecureSkipVerify: true},
			})
			for range 2 {
				resp := do(c, Request{URL: tt.url})
				code := 0
				if resp.Err != nil {
					code = resp.Err.Code
				}
				if code != tt.code || resp.Status != tt.status || string(resp.Body) != tt.body {
					t.Errorf("%d %q %v", resp.Status, resp.Body, resp.Err)
				}
				if code == 0 && resp.RemoteIP != "127.0.0.1" || code != 0 && resp.RemoteIP != "" {
					t.Errorf("remote address %q", resp.RemoteIP)
				}
			}
		})
	}
}

// newSOCKS is a SOCKS5 proxy without authentication that connects every name to
// loopback.
func newSOCKS(t *testing.T) string {
	return strings.TrimPrefix(transporttest.RawServer(t, func(_ int, nc net.Conn, r *bufio.Reader) {
		greeting := make([]byte, 2)
		io.ReadFull(r, greeting)
		io.CopyN(io.Discard, r, int64(greeting[1]))
		nc.Write([]byte{5, 0})
		head := make([]byte, 5)
		io.ReadFull(r, head)
		rest := make([]byte, int(head[4])+2)
		io.ReadFull(r, rest)
		up, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", binary.BigEndian.Uint16(rest[head[4]:])))
		if err != nil {
			return
		}
		nc.Write([]byte{5, 0, 0, 1, 127, 0, 0, 1, 0, 0})
		go func() {
			io.Copy(up, r)
			up.Close()
		}()
		io.Copy(nc, up)
	}), "http://")
}

func TestProxyAuthorization(t *testing.T) {
	c := newClient(t, Config{Proxy: Proxy{HTTP: "http://u:p@127.0.0.1:1"}})
	target, err := c.network.target("http://site.test/")
	if err != nil || target.viaHeader != "Basic "+base64.StdEncoding.EncodeToString([]byte("u:p")) {
		t.Errorf("%+v %v", target, err)
	}
}
