package webcrypto

import (
	"encoding/base64"
	"encoding/json"
	"slices"
)

// material is what a key is read from.
type material struct {
	format string // "raw", "spki", "pkcs8" or "jwk"
	bytes  []byte // of all but jwk
	jwk    *jwk
}

// jwk is a JSON Web Key (RFC 7517, RFC 7518). Empty members are not there.
type jwk struct {
	Kty    string   `json:"kty"`
	Use    string   `json:"use,omitempty"`
	KeyOps []string `json:"key_ops,omitempty"`
	Alg    string   `json:"alg,omitempty"`
	Ext    *bool    `json:"ext,omitempty"`
	Crv    string   `json:"crv,omitempty"`
	X      string   `json:"x,omitempty"`
	Y      string   `json:"y,omitempty"`
	D      string   `json:"d,omitempty"`
	N      string   `json:"n,omitempty"`
	E      string   `json:"e,omitempty"`
	P      string   `json:"p,omitempty"`
	Q      string   `json:"q,omitempty"`
	DP     string   `json:"dp,omitempty"`
	DQ     string   `json:"dq,omitempty"`
	QI     string   `json:"qi,omitempty"`
	K      string   `json:"k,omitempty"`
	// Oth are further primes, which nobody supports.
	Oth json.RawMessage `json:"oth,omitempty"`
}

func newJWK(kty string, k *key) *jwk {
	ext := k.extractable
	return &jwk{Kty: kty, KeyOps: append([]string{}, k.usages...), Ext: &ext}
}

// check compares what the key says of itself with what it is imported for.
func (j *jwk) check(kty, use string, extractable bool, usages []string) error {
	if j.Kty != kty {
		return badData("kty must be %s", kty)
	}
	if len(usages) > 0 && j.Use != "" && j.Use != use {
		return badData("use must be %s", use)
	}
	if j.KeyOps != nil {
		for n, op := range j.KeyOps {
			if slices.Contains(j.KeyOps[:n], op) {
				return badData("key_ops names %q twice", op)
			}
		}
		for _, u := range usages {
			if !slices.Contains(j.KeyOps, u) {
				return badData("key_ops does not allow %s", u)
			}
		}
	}
	if j.Ext != nil && !*j.Ext && extractable {
		return badData("ext forbids an extractable key")
	}
	return nil
}

// wantAlg checks alg of a JSON Web Key, if it has one.
func (m *material) wantAlg(name string) error {
	if m.jwk != nil && m.jwk.Alg != "" && m.jwk.Alg != name {
		return badData("alg must be %s", name)
	}
	return nil
}

// secretBytes are the bytes of a secret key.
func (m *material) secretBytes(use string, extractable bool, usages []string) ([]byte, error) {
	switch m.format {
	case "raw":
		return m.bytes, nil
	case "jwk":
		if err := m.jwk.check("oct", use, extractable, usages); err != nil {
			return nil, err
		}
		b, err := decodeBase64URL(m.jwk.K)
		if err != nil || m.jwk.K == "" {
			return nil, badData("k must be base64url")
		}
		return b, nil
	}
	return nil, notSupported("a secret key has no format %s", m.format)
}

func exportSecret(format string, k *key, alg string) (result, error) {
	switch format {
	case "raw":
		return slices.Clone(k.bytes), nil
	case "jwk":
		j := newJWK("oct", k)
		j.K, j.Alg = encodeBase64URL(k.bytes), alg
		return j, nil
	}
	return nil, notSupported("a secret key has no format %s", format)
}

func encodeBase64URL(b []byte) string          { return base64.RawURLEncoding.EncodeToString(b) }
func decodeBase64URL(s string) ([]byte, error) { return base64.RawURLEncoding.DecodeString(s) }
