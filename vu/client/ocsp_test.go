package client

import (
	"crypto"
	"crypto/x509"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"golang.org/x/crypto/ocsp"
)

func TestStapled(t *testing.T) {
	revoked := time.Unix(1_700_000_000, 0)
	tests := []struct {
		name   string
		status int
		staple bool
		want   Stapled
	}{
		{"good", ocsp.Good, true, Stapled{Status: "good"}},
		{"revoked", ocsp.Revoked, true, Stapled{Status: "revoked", Reason: "key_compromise", RevokedAt: revoked.Unix()}},
		{"unknown", ocsp.Unknown, true, Stapled{Status: "unknown"}},
		{"none", 0, false, Stapled{Status: "unknown"}},
	}
	for _, tt := range tests {
		for _, http2 := range []bool{false, true} {
			server := httptest.NewUnstartedServer(http.NotFoundHandler())
			server.EnableHTTP2 = http2
			server.StartTLS()
			pair := &server.TLS.Certificates[0]
			issuer, err := x509.ParseCertificate(pair.Certificate[0])
			if err != nil {
				t.Fatal(err)
			}
			if tt.staple {
				pair.OCSPStaple, err = ocsp.CreateResponse(issuer, issuer, ocsp.Response{
					Status: tt.status, SerialNumber: issuer.SerialNumber, ThisUpdate: revoked, NextUpdate: revoked.Add(time.Hour),
					RevokedAt: revoked, RevocationReason: ocsp.KeyCompromise,
				}, pair.PrivateKey.(crypto.Signer))
				if err != nil {
					t.Fatal(err)
				}
			}
			c := newClient(t, Config{TLS: TLS{InsecureSkipVerify: true}})
			resp := do(c, Request{URL: server.URL})
			got := resp.Stapled()
			if tt.staple && (got.ThisUpdate != revoked.Unix() || got.NextUpdate != revoked.Unix()+3600 || got.ProducedAt == 0) {
				t.Errorf("%s: %+v", tt.name, got)
			}
			got.ThisUpdate, got.NextUpdate, got.ProducedAt = 0, 0, 0
			if got != tt.want || resp.Err != nil {
				t.Errorf("%s: %+v, %v", tt.name, got, resp.Err)
			}
			c.Close()
			server.Close()
		}
	}
	if got := new(Response).Stapled(); got != (Stapled{}) {
		t.Errorf("without TLS: %+v", got)
	}
}
