package client

import (
	"time"

	"golang.org/x/crypto/ocsp"
)

// Stapled is what a server said about its certificate in the handshake.
type Stapled struct {
	// Status is "good", "revoked", "server_failed" or "unknown", which is also said
	// when nothing usable was stapled; it is empty without TLS.
	Status string
	// Reason is why a certificate was revoked, such as "key_compromise".
	Reason string
	// The times are in seconds since 1970; zero if not given.
	ProducedAt, ThisUpdate, NextUpdate, RevokedAt int64
}

// Stapled reads the OCSP answer that came with the last exchange's connection. Its
// signature is not checked.
func (r *Response) Stapled() Stapled {
	if r.TLSVersion == "" {
		return Stapled{}
	}
	o, err := ocsp.ParseResponse(r.OCSP, nil)
	if err != nil {
		return Stapled{Status: "unknown"}
	}
	s := Stapled{
		Status:     map[int]string{ocsp.Good: "good", ocsp.Revoked: "revoked", ocsp.ServerFailed: "server_failed"}[o.Status],
		ProducedAt: unix(o.ProducedAt), ThisUpdate: unix(o.ThisUpdate), NextUpdate: unix(o.NextUpdate), RevokedAt: unix(o.RevokedAt),
	}
	if s.Status == "" {
		s.Status = "unknown"
	}
	if o.Status == ocsp.Revoked {
		s.Reason = revocations[o.RevocationReason]
	}
	return s
}

// revocations are the names of the reasons; it is never changed.
var revocations = map[int]string{
	ocsp.Unspecified:          "unspecified",
	ocsp.KeyCompromise:        "key_compromise",
	ocsp.CACompromise:         "ca_compromise",
	ocsp.AffiliationChanged:   "affiliation_changed",
	ocsp.Superseded:           "superseded",
	ocsp.CessationOfOperation: "cessation_of_operation",
	ocsp.CertificateHold:      "certificate_hold",
	ocsp.RemoveFromCRL:        "remove_from_crl",
	ocsp.PrivilegeWithdrawn:   "privilege_withdrawn",
	ocsp.AACompromise:         "aa_compromise",
}

// unix leaves times out that were not given.
func unix(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}
