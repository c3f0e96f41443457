package options

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"strings"
	"testing"
)

func TestParseHostMapping(t *testing.T) {
	tests := []struct {
		source, target string
		want           HostMapping
	}{
		{"A.Test", "10.0.0.1", HostMapping{Pattern: "a.test"}},
		{"*.w.test:80", "10.0.0.1:8080", HostMapping{Pattern: "*.w.test", Port: 80, TargetPort: 8080}},
		{"six.test", "::1", HostMapping{Pattern: "six.test"}},
		{"six.test", "[::1]:8443", HostMapping{Pattern: "six.test", TargetPort: 8443}},
		{"[::2]:80", "[::1]", HostMapping{Pattern: "::2", Port: 80}},
		{"10.0.0.9", "10.0.0.1", HostMapping{Pattern: "10.0.0.9"}},
	}
	for _, test := range tests {
		got, err := ParseHostMapping(test.source, test.target)
		if err != nil || got.Pattern != test.want.Pattern || got.Port != test.want.Port || got.TargetPort != test.want.TargetPort || !got.IP.IsValid() {
			t.Errorf("%s to %s: %+v, %v", test.source, test.target, got, err)
		}
	}
}

func TestLocalIPs(t *testing.T) {
	tests := []struct{ text, want string }{
		{"127.0.0.11", "127.0.0.11 127.0.0.11 127.0.0.11"},
		{"127.0.0.20-127.0.0.21", "127.0.0.20 127.0.0.21 127.0.0.20"},
		{"127.0.0.32/30", "127.0.0.33 127.0.0.34 127.0.0.33"},
		{"127.0.0.34/31", "127.0.0.34 127.0.0.35 127.0.0.34"},
		{"127.0.0.5/32, ::1", "127.0.0.5 ::1 127.0.0.5"},
		{"fd00::ffff:ffff:ffff:ffff-fd00:0:0:1::1", "fd00::ffff:ffff:ffff:ffff fd00:0:0:1:: fd00:0:0:1::1"},
		{"fd00::/16,10.0.0.1", "fd00:: fd00::1 fd00::2"},
	}
	for _, test := range tests {
		pool, err := ParseLocalIPs(test.text)
		if err != nil || pool.Empty() {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		var got []string
		for vu := uint64(1); vu <= 3; vu++ {
			got = append(got, pool.For(vu).String())
		}
		if strings.Join(got, " ") != test.want || pool.String() != test.text {
			t.Errorf("%s: %v, want %s", test.text, got, test.want)
		}
	}
}

func TestKeyPair(t *testing.T) {
	cert, key, locked := makeKeyPair(t)
	other, _, _ := makeKeyPair(t)
	tests := []struct{ name, cert, key, password, want string }{
		{"plain", cert, key, "", ""},
		{"locked", cert, locked, "secret", ""},
		{"wrong password", cert, locked, "sesame", "password is missing or wrong"},
		{"no password", cert, locked, "", "password is missing or wrong"},
		{"another's key", other, key, "", "cannot be used"},
		{"no key", cert, "", "", "not PEM"},
		{"no certificate", "", key, "", "cannot be used"},
		{"PKCS#8", cert, "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n", "secret", "PKCS#8"},
	}
	for _, test := range tests {
		pair, err := KeyPair(test.cert, test.key, test.password)
		if (test.want == "") != (err == nil) || !strings.Contains(errorText(err), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
		if err == nil && len(pair.Certificate) == 0 {
			t.Errorf("%s: no certificate", test.name)
		}
	}
}

// makeKeyPair makes a certificate, its key, and the key behind "secret".
func makeKeyPair(t *testing.T) (cert, key, locked string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	//lint:ignore SA1019 the option reads this old form, so the test makes it
	block, err := x509.EncryptPEMBlock(rand.Reader, "EC PRIVATE KEY", keyDER, []byte("secret"), x509.PEMCipherAES256)
	if err != nil {
		t.Fatal(err)
	}
	text := func(kind string, der []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
	}
	return text("CERTIFICATE", der), text("EC PRIVATE KEY", keyDER), string(pem.EncodeToMemory(block))
}

// Client certificates read back as they print, and domains are deprecated.
func TestClientCertificates(t *testing.T) {
	cert, key, _ := makeKeyPair(t)
	in := jsonOf(t, []ClientCertificate{{Cert: cert, Key: key, Domains: []string{"a.test"}}})
	layer := Script([]byte(`{"tlsAuth": ` + in + `}`))
	if err := layer.Err(); err != nil {
		t.Fatal(err)
	}
	if out := jsonOf(t, layer.Options.TLSAuth); out != in {
		t.Errorf("%s reads back as %s", in, out)
	}
	if len(layer.Warnings) != 1 || !strings.Contains(layer.Warnings[0].Message, "deprecated") {
		t.Errorf("warnings %v", layer.Warnings)
	}
}

func TestNearest(t *testing.T) {
	names := []string{"vus", "duration", "iterations", "preAllocatedVUs", "maxVUs", "systemTags"}
	tests := []struct{ word, want string }{
		{"preallocatedvus", "preAllocatedVUs"},
		{"durration", "duration"},
		{"duraiton", "duration"},
		{"vu", ""},
		{"vuss", "vus"},
		{"nonsense", ""},
		{strings.Repeat("x", 1000), ""},
	}
	for _, test := range tests {
		if got := nearest(test.word, names); got != test.want {
			t.Errorf("%s: %q, want %q", test.word, got, test.want)
		}
	}
}
