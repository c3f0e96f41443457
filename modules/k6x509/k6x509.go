// Package k6x509 is the module k6/crypto/x509: what is in a certificate. The
// work is done by crypto/x509 of the standard library.
package k6x509

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/conv"
)

type module struct{}

// New returns the module.
func New() modules.Module { return module{} }

// Names lists the named exports.
func (module) Names() []string { return []string{"parse", "getAltNames", "getIssuer", "getSubject"} }

// Instantiate binds the module to a virtual user.
func (module) Instantiate(h *modules.Host) modules.Instance { return instance{h.Runtime} }

type instance struct{ rt *goja.Runtime }

// Export makes an export: a function of a certificate in PEM.
func (i instance) Export(name string) goja.Value {
	var part func(*x509.Certificate) goja.Value
	switch name {
	case "parse":
		part = i.certificate
	case "getAltNames":
		part = func(c *x509.Certificate) goja.Value { return i.texts(altNames(c)) }
	case "getIssuer":
		part = func(c *x509.Certificate) goja.Value { return i.issuer(&c.Issuer) }
	case "getSubject":
		part = func(c *x509.Certificate) goja.Value { return i.subject(&c.Subject) }
	default:
		return nil
	}
	return i.rt.ToValue(func(c goja.FunctionCall) goja.Value {
		text, ok := conv.StringOrBytes(c.Argument(0))
		if !ok {
			conv.Throw(i.rt, errors.New("the certificate must be a string in PEM"))
		}
		cert, err := parse(text)
		if err != nil {
			conv.Throw(i.rt, err)
		}
		return part(cert)
	})
}

func parse(text []byte) (*x509.Certificate, error) {
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, errors.New("reading a certificate: it is not in PEM")
	}
	cert, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("reading a certificate: %w", err)
	}
	return cert, nil
}

// member is one member of an object, so that objects keep their order.
type member struct {
	name  string
	value any
}

func (i instance) object(members ...member) *goja.Object {
	o := i.rt.NewObject()
	for _, m := range members {
		_ = o.Set(m.name, m.value)
	}
	return o
}

func (i instance) texts(list []string) goja.Value {
	items := make([]any, len(list))
	for n, s := range list {
		items[n] = s
	}
	return i.rt.NewArray(items...)
}

// octets is an array of numbers.
func (i instance) octets(b []byte) goja.Value {
	items := make([]any, len(b))
	for n, c := range b {
		items[n] = int64(c)
	}
	return i.rt.NewArray(items...)
}

func (i instance) certificate(c *x509.Certificate) goja.Value {
	print := sha1.Sum(c.Raw)
	return i.object(
		member{"subject", i.subject(&c.Subject)},
		member{"issuer", i.issuer(&c.Issuer)},
		member{"notBefore", c.NotBefore.Format(time.RFC3339)},
		member{"notAfter", c.NotAfter.Format(time.RFC3339)},
		member{"altNames", i.texts(altNames(c))},
		member{"signatureAlgorithm", c.SignatureAlgorithm.String()},
		member{"fingerPrint", i.octets(print[:])},
		member{"publicKey", i.publicKey(c)},
	)
}

// altNames are the other names of a subject: hosts, mail addresses, IP addresses
// and URIs.
func altNames(c *x509.Certificate) []string {
	names := append(append([]string{}, c.DNSNames...), c.EmailAddresses...)
	for _, ip := range c.IPAddresses {
		names = append(names, ip.String())
	}
	for _, u := range c.URIs {
		names = append(names, u.String())
	}
	return names
}

// first is the first of several values; nearly always there is but one.
func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// common are the members that subjects and issuers share.
func common(n *pkix.Name) []member {
	return []member{
		{"commonName", n.CommonName},
		{"country", first(n.Country)},
		{"stateOrProvinceName", first(n.Province)},
		{"localityName", first(n.Locality)},
		{"organizationName", first(n.Organization)},
	}
}

func (i instance) issuer(n *pkix.Name) goja.Value {
	return i.object(append(common(n), member{"names", i.names(n)})...)
}

func (i instance) subject(n *pkix.Name) goja.Value {
	return i.object(append(common(n),
		member{"postalCode", first(n.PostalCode)},
		member{"streetAddress", first(n.StreetAddress)},
		member{"organizationalUnitName", i.texts(n.OrganizationalUnit)},
		member{"names", i.names(n)},
	)...)
}

// names are all parts of a name as {type, value}, the type as an object
// identifier.
func (i instance) names(n *pkix.Name) goja.Value {
	items := make([]any, len(n.Names))
	for k, part := range n.Names {
		items[k] = i.object(member{"type", part.Type.String()}, member{"value", fmt.Sprint(part.Value)})
	}
	return i.rt.NewArray(items...)
}

func (i instance) publicKey(c *x509.Certificate) goja.Value {
	number := func(n *big.Int) goja.Value { return i.octets(n.Bytes()) }
	var key *goja.Object
	switch k := c.PublicKey.(type) {
	case *rsa.PublicKey:
		key = i.object(member{"e", k.E}, member{"n", number(k.N)})
	case *ecdsa.PublicKey:
		key = i.object(member{"curve", k.Params().Name})
		if point, err := k.Bytes(); err == nil {
			half := 1 + (len(point)-1)/2
			_ = key.Set("x", i.octets(point[1:half]))
			_ = key.Set("y", i.octets(point[half:]))
		}
	case ed25519.PublicKey:
		key = i.object(member{"publicKey", i.octets(k)})
	default:
		key = i.object()
	}
	return i.object(member{"algorithm", c.PublicKeyAlgorithm.String()}, member{"key", key})
}
