package options

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// TLSVersions are the lowest and highest versions of TLS, as in package
// crypto/tls; 0 means its default. Min above Max fails each connection.
type TLSVersions struct {
	Min, Max uint16
}

// tlsVersionNames are the names of versions from TLS 1.0 on, in order.
func tlsVersionNames() []string { return []string{"tls1.0", "tls1.1", "tls1.2", "tls1.3"} }

func parseTLSVersion(text string) (uint16, error) {
	if text == "" {
		return 0, nil
	}
	i := slices.Index(tlsVersionNames(), text)
	if i < 0 {
		return 0, fmt.Errorf("%q is none of %s", text, strings.Join(tlsVersionNames(), ", "))
	}
	return tls.VersionTLS10 + uint16(i), nil
}

func tlsVersionName(version uint16) string {
	if version < tls.VersionTLS10 {
		return ""
	}
	return tlsVersionNames()[version-tls.VersionTLS10]
}

// MarshalJSON gives the names of both versions.
func (v TLSVersions) MarshalJSON() ([]byte, error) {
	var o object
	o.add("min", tlsVersionName(v.Min))
	o.add("max", tlsVersionName(v.Max))
	return o.MarshalJSON()
}

// parseTLSVersions reads one version for both ends.
func parseTLSVersions(text string) (TLSVersions, error) {
	version, err := parseTLSVersion(text)
	return TLSVersions{version, version}, err
}

func (d *decoder) tlsVersions(path string, n node) (v TLSVersions, ok bool) {
	if n.kind != kindObject {
		return parsed(parseTLSVersions)(d, path, n)
	}
	ok = d.knownFields(path, n, []string{"min", "max"})
	for i, key := range []string{"min", "max"} {
		if item := n.member(key); item.kind != kindNull {
			version, known := parsed(parseTLSVersion)(d, path+"."+key, item)
			*[]*uint16{&v.Min, &v.Max}[i] = version
			ok = ok && known
		}
	}
	return v, ok
}

// CipherSuite is one cipher suite allowed below TLS 1.3.
type CipherSuite struct {
	ID   uint16
	Name string
}

// MarshalText gives the suite's name.
func (c CipherSuite) MarshalText() ([]byte, error) { return []byte(c.Name), nil }

func parseCipherSuite(text string) (CipherSuite, error) {
	var names []string
	for _, suite := range append(tls.CipherSuites(), tls.InsecureCipherSuites()...) {
		if suite.Name == text {
			return CipherSuite{ID: suite.ID, Name: suite.Name}, nil
		}
		names = append(names, suite.Name)
	}
	hint := ""
	if name := nearest(text, names); name != "" {
		hint = ": did you mean " + name + "?"
	}
	return CipherSuite{}, fmt.Errorf("unknown cipher suite %q%s", text, hint)
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

// MarshalJSON gives the certificate as it was written.
func (c ClientCertificate) MarshalJSON() ([]byte, error) {
	var o object
	o.add("cert", c.Cert)
	o.add("key", c.Key)
	o.add("password", Null[string]{V: c.Password, Set: c.Password != ""})
	o.add("domains", c.Domains)
	return o.MarshalJSON()
}

func (d *decoder) clientCertificates(path string, n node) ([]ClientCertificate, bool) {
	certificates, ok := list(d, path, n, d.clientCertificate)
	if slices.ContainsFunc(certificates, func(c ClientCertificate) bool { return c.Domains != nil }) {
		d.warn(path, "leave it out", "the option \"domains\" of %s is deprecated: servers choose among all certificates", path)
	}
	return certificates, ok
}

func (d *decoder) clientCertificate(path string, n node) (c ClientCertificate, ok bool) {
	if n.kind != kindObject {
		d.bad(path, "write { cert: open('cert.pem'), key: open('key.pem') }", "must be an object, not %s", n.kind)
		return c, false
	}
	ok = d.knownFields(path, n, []string{"cert", "key", "password", "domains"})
	for i, key := range n.keys {
		at, item, known := path+"."+key, n.items[i], true
		switch {
		case item.kind == kindNull:
		case key == "cert":
			c.Cert, known = d.text(at, item)
		case key == "key":
			c.Key, known = d.text(at, item)
		case key == "password":
			c.Password, known = d.text(at, item)
		case key == "domains":
			c.Domains, known = d.texts(at, item)
		}
		ok = ok && known
	}
	if !ok {
		return c, false
	}
	certificate, err := KeyPair(c.Cert, c.Key, c.Password)
	if err != nil {
		d.bad(path, "", "%v", err)
		return c, false
	}
	c.Certificate = certificate
	return c, true
}

var (
	errNoKey     = errors.New("the key is not PEM")
	errPassword  = errors.New("the key is encrypted: its password is missing or wrong")
	errEncrypted = errors.New("keys encrypted as PKCS#8 cannot be read (decrypt it with openssl pkey)")
)

// KeyPair parses a certificate and its key, both PEM, decrypting the key if need
// be. An empty password means that the key is plain.
func KeyPair(cert, key, password string) (tls.Certificate, error) {
	block, _ := pem.Decode([]byte(key))
	if block == nil {
		return tls.Certificate{}, errNoKey
	}
	if block.Type == "ENCRYPTED PRIVATE KEY" {
		return tls.Certificate{}, errEncrypted
	}
	//lint:ignore SA1019 this old form of encryption is what the option is about
	if x509.IsEncryptedPEMBlock(block) {
		//lint:ignore SA1019 see above
		der, err := x509.DecryptPEMBlock(block, []byte(password))
		if err != nil {
			return tls.Certificate{}, errPassword
		}
		key = string(pem.EncodeToMemory(&pem.Block{Type: block.Type, Bytes: der}))
	}
	certificate, err := tls.X509KeyPair([]byte(cert), []byte(key))
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("the certificate and its key cannot be used: %w", err)
	}
	return certificate, nil
}
