package js

import (
	"crypto/tls"
	"crypto/x509"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/jsload/jsload/js/internal/source"
	"github.com/jsload/jsload/vu/client"
	"github.com/jsload/jsload/vu/client/proto"
	"github.com/jsload/jsload/vu/options"
)

// network says how the virtual users of the test reach their servers.
func (t *Test) network() (client.Config, error) {
	o := t.Options.WithDefaults()
	roots, err := roots(t.cfg.Process)
	if err != nil {
		return client.Config{}, err
	}
	protocol, err := proto.ParseProtocol(o.HTTP.V)
	if err != nil {
		return client.Config{}, err
	}
	cfg := client.Config{
		Epoch:               t.cfg.Epoch.Time(0),
		UserAgent:           o.UserAgent.Or(t.cfg.UserAgent),
		MaxRedirects:        int(o.MaxRedirects.V),
		IdleConns:           int(o.Batch.V),
		IdleConnsPerHost:    int(o.BatchPerHost.V),
		Protocol:            protocol,
		NoHTTP2:             noHTTP2(t.cfg.Process),
		NoConnectionReuse:   o.NoConnectionReuse.V,
		NoVUConnectionReuse: o.NoVUConnectionReuse.V,
		NoCookiesReset:      o.NoCookiesReset.V,
		DNS:                 dnsConfig(o.DNS),
		BlockHostnames:      o.BlockHostnames.V,
		BlacklistIPs:        o.BlacklistIPs.V,
		TLS:                 tlsConfig(o),
		Proxy:               proxies(t.cfg.Process),
	}
	cfg.TLS.RootCAs = roots
	for _, m := range o.Hosts.V {
		cfg.Hosts = append(cfg.Hosts, client.HostMapping{Pattern: m.Pattern, Port: m.Port, IP: m.IP, TargetPort: m.TargetPort})
	}
	if o.LocalIPs.Set && !o.LocalIPs.V.Empty() {
		cfg.LocalIP = func(vu uint64) netip.Addr { return o.LocalIPs.V.For(max(vu, 1)) }
	}
	return cfg, nil
}

// noHTTP2 reports whether GODEBUG turns HTTP/2 off, as it does for Go's own client.
func noHTTP2(vars map[string]string) bool {
	return slices.Contains(strings.Split(vars["GODEBUG"], ","), "http2client=0")
}

// roots are the authorities that SSL_CERT_FILE names; nil means the system's.
func roots(vars map[string]string) (*x509.CertPool, error) {
	file := vars["SSL_CERT_FILE"]
	if file == "" {
		return nil, nil
	}
	return source.Roots(file)
}

func dnsConfig(d options.DNS) client.DNS {
	ttl := time.Duration(d.TTL.V.Duration)
	if d.TTL.V.Forever {
		ttl = -1
	}
	return client.DNS{TTL: ttl, Select: d.Select.V, Policy: d.Policy.V}
}

func tlsConfig(o options.Options) client.TLS {
	cfg := client.TLS{
		MinVersion:         o.TLSVersion.V.Min,
		MaxVersion:         o.TLSVersion.V.Max,
		InsecureSkipVerify: o.InsecureSkipTLSVerify.V,
	}
	for _, s := range o.TLSCipherSuites.V {
		cfg.CipherSuites = append(cfg.CipherSuites, s.ID)
	}
	var certificates []tls.Certificate
	for _, c := range o.TLSAuth.V {
		certificates = append(certificates, c.Certificate)
	}
	cfg.Certificates = certificates
	return cfg
}

// proxies reads the usual variables, in capitals or not.
func proxies(vars map[string]string) client.Proxy {
	value := func(name string) string {
		if v := vars[name]; v != "" {
			return v
		}
		return vars[strings.ToLower(name)]
	}
	return client.Proxy{HTTP: value("HTTP_PROXY"), HTTPS: value("HTTPS_PROXY"), No: value("NO_PROXY")}
}
