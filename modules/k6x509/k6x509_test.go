package k6x509

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jsload/jsload/modules/moduletest"
)

// certificate makes a self-signed certificate and returns it in DER.
func certificate(t testing.TB, signer crypto.Signer) []byte {
	t.Helper()
	uri, err := url.Parse("spiffe://example/workload")
	if err != nil {
		t.Fatal(err)
	}
	name := pkix.Name{
		CommonName: "example.test", Country: []string{"DE"}, Province: []string{"Bavaria"}, Locality: []string{"Munich"},
		Organization: []string{"Example"}, OrganizationalUnit: []string{"Load", "Test"}, PostalCode: []string{"80331"}, StreetAddress: []string{"Street 1"},
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: name, Issuer: name,
		NotBefore: time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC), NotAfter: time.Date(2040, 1, 2, 3, 4, 5, 0, time.UTC),
		DNSNames: []string{"example.test", "*.example.test"}, EmailAddresses: []string{"a@example.test"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}, URIs: []*url.URL{uri},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, signer.Public(), signer)
	if err != nil {
		t.Fatal(err)
	}
	return der
}

func literal(der []byte) string {
	return strconv.Quote(string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
}

func TestCertificate(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der := certificate(t, key)
	text := literal(der)
	sum := sha1.Sum(der)
	print := make([]string, len(sum))
	for i, c := range sum {
		print[i] = strconv.Itoa(int(c))
	}
	b := moduletest.New(t, New(), moduletest.Config{})
	for _, c := range []struct{ code, want string }{
		{`const c = m.parse(PEM); return Object.keys(c).join()`, "subject,issuer,notBefore,notAfter,altNames,signatureAlgorithm,fingerPrint,publicKey"},
		{`const c = m.parse(PEM); return [c.notBefore, c.notAfter, c.signatureAlgorithm, c.publicKey.algorithm, c.publicKey.key.curve, c.publicKey.key.x.length].join()`, "2020-01-02T03:04:05Z,2040-01-02T03:04:05Z,ECDSA-SHA256,ECDSA,P-256,32"},
		{`return m.parse(PEM).fingerPrint.join()`, strings.Join(print, ",")},
		{`return m.getAltNames(PEM).join()`, "example.test,*.example.test,a@example.test,127.0.0.1,::1,spiffe://example/workload"},
		{`const {names, ...s} = m.getSubject(PEM); return JSON.stringify(s)`, `{"commonName":"example.test","country":"DE","stateOrProvinceName":"Bavaria","localityName":"Munich","organizationName":"Example","postalCode":"80331","streetAddress":"Street 1","organizationalUnitName":["Load","Test"]}`},
		{`const i = m.getIssuer(PEM); return i.commonName + JSON.stringify(i.names.find(n => n.type === "2.5.4.6"))`, `example.test{"type":"2.5.4.6","value":"DE"}`},
		{`return JSON.stringify(m.parse(PEM).subject) === JSON.stringify(m.getSubject(PEM))`, "true"},
	} {
		if got := b.Text(strings.ReplaceAll(c.code, "PEM", text)); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.code, got, c.want)
		}
	}
}

func TestPublicKeys(t *testing.T) {
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	_, edKey, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	b := moduletest.New(t, New(), moduletest.Config{})
	if got := b.Text(`const k = m.parse(` + literal(certificate(t, rsaKey)) + `).publicKey; return [k.algorithm, k.key.e, k.key.n.length].join()`); got != "RSA,65537,256" {
		t.Error(got)
	}
	if got := b.Text(`const k = m.parse(` + literal(certificate(t, edKey)) + `).publicKey; return [k.algorithm, k.key.publicKey.length].join()`); got != "Ed25519,32" {
		t.Error(got)
	}
}

func TestBadInput(t *testing.T) {
	b := moduletest.New(t, New(), moduletest.Config{})
	got := b.Text(`return ["", "x", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----", 5, null, undefined, {}, "-".repeat(1e6)].map(v => ["parse", "getAltNames", "getIssuer", "getSubject"].map(f => {
		try { m[f](v); return "no error" } catch (e) { return e.name } }).join()).filter(s => s !== "GoError,GoError,GoError,GoError").length`)
	if got != "0" {
		t.Error(got)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		b := moduletest.New(t, New(), moduletest.Config{Init: true})
		if c, err := parse(text); err == nil {
			instance{b.Host.Runtime}.certificate(c)
		}
	})
}
