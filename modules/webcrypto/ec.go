package webcrypto

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/x509"
	"encoding/asn1"
	"math/big"
	"slices"
)

// curveOf returns the curve of a name, nil for an unknown one.
func curveOf(name string) elliptic.Curve {
	switch name {
	case "P-256":
		return elliptic.P256()
	case "P-384":
		return elliptic.P384()
	case "P-521":
		return elliptic.P521()
	}
	return nil
}

func coordinateSize(curve elliptic.Curve) int { return (curve.Params().BitSize + 7) / 8 }

// ecKeys makes and reads keys of ECDSA and ECDH.
type ecKeys struct{ name string }

func (a ecKeys) can(kind string) []string {
	switch {
	case a.name == "ECDSA" && kind == public:
		return []string{"verify"}
	case a.name == "ECDSA":
		return []string{"sign"}
	case kind == private:
		return []string{"deriveKey", "deriveBits"}
	}
	return nil
}

func (a ecKeys) publicKey(curve string, pub *ecdsa.PublicKey, extractable bool, usages []string) *key {
	return &key{
		kind: public, extractable: extractable, usages: only(usages, a.can(public)...), ec: pub,
		algorithm: keyAlgorithm{name: a.name, curve: curve},
	}
}

func (a ecKeys) privateKey(curve string, priv *ecdsa.PrivateKey, extractable bool, usages []string) *key {
	return &key{
		kind: private, extractable: extractable, usages: only(usages, a.can(private)...), ec: &priv.PublicKey, ecPriv: priv,
		algorithm: keyAlgorithm{name: a.name, curve: curve},
	}
}

func (a ecKeys) generate(p *params, extractable bool, usages []string) (result, error) {
	if err := allow(usages, append(a.can(private), a.can(public)...)...); err != nil {
		return nil, err
	}
	priv, err := generateEC(curveOf(p.curve), p.entropy)
	if err != nil {
		return nil, operation("%v", err)
	}
	return &pair{
		public:  a.publicKey(p.curve, &priv.PublicKey, true, usages),
		private: a.privateKey(p.curve, priv, extractable, usages),
	}, nil
}

// generateEC makes a key. The standard library takes no randomness but the
// system's: under a fixed seed the number is drawn here.
func generateEC(curve elliptic.Curve, random entropy) (*ecdsa.PrivateKey, error) {
	if !random.fixed {
		return ecdsa.GenerateKey(curve, random)
	}
	for {
		b := random.bytes(coordinateSize(curve))
		if extra := len(b)*8 - curve.Params().BitSize; extra > 0 {
			b[0] &= 0xFF >> extra
		}
		if priv, err := ecdsa.ParseRawPrivateKey(curve, b); err == nil {
			return priv, nil
		}
	}
}

func (a ecKeys) importKey(p *params, in *material, extractable bool, usages []string) (*key, error) {
	curve := curveOf(p.curve)
	kind := public
	if in.format == "pkcs8" || in.format == "jwk" && in.jwk.D != "" {
		kind = private
	}
	if err := allow(usages, a.can(kind)...); err != nil {
		return nil, err
	}
	var pub *ecdsa.PublicKey
	var priv *ecdsa.PrivateKey
	var err error
	switch in.format {
	case "raw":
		pub, err = ecdsa.ParseUncompressedPublicKey(curve, in.bytes)
	case "spki":
		var parsed any
		parsed, err = x509.ParsePKIXPublicKey(in.bytes)
		pub, _ = parsed.(*ecdsa.PublicKey)
	case "pkcs8":
		var parsed any
		parsed, err = x509.ParsePKCS8PrivateKey(in.bytes)
		priv, _ = parsed.(*ecdsa.PrivateKey)
	default:
		if err := a.checkJWK(p.curve, in, extractable, usages); err != nil {
			return nil, err
		}
		pub, priv, err = in.jwk.ec(curve)
	}
	switch {
	case err != nil:
		return nil, badData("the key cannot be read: %v", err)
	case priv != nil && priv.Curve == curve:
		return a.privateKey(p.curve, priv, extractable, usages), nil
	case pub != nil && pub.Curve == curve:
		return a.publicKey(p.curve, pub, extractable, usages), nil
	}
	return nil, badData("the key is none of the curve %s", p.curve)
}

func (a ecKeys) checkJWK(curve string, in *material, extractable bool, usages []string) error {
	use := "sig"
	if a.name == "ECDH" {
		use = "enc"
	}
	if err := in.jwk.check("EC", use, extractable, usages); err != nil {
		return err
	}
	if in.jwk.Crv != curve {
		return badData("the key is none of the curve %s", curve)
	}
	if a.name == "ECDSA" {
		return in.wantAlg(map[string]string{"P-256": "ES256", "P-384": "ES384", "P-521": "ES512"}[curve])
	}
	return nil
}

// ec reads the numbers of a JSON Web Key.
func (j *jwk) ec(curve elliptic.Curve) (*ecdsa.PublicKey, *ecdsa.PrivateKey, error) {
	size := coordinateSize(curve)
	point := make([]byte, 0, 1+2*size)
	point = append(point, 4)
	for _, text := range []string{j.X, j.Y} {
		b, err := decodeBase64URL(text)
		if err != nil || len(b) != size {
			return nil, nil, badData("the coordinates must have %d bytes", size)
		}
		point = append(point, b...)
	}
	pub, err := ecdsa.ParseUncompressedPublicKey(curve, point)
	if err != nil || j.D == "" {
		return pub, nil, err
	}
	d, err := decodeBase64URL(j.D)
	if err != nil || len(d) != size {
		return nil, nil, badData("the private number must have %d bytes", size)
	}
	priv, err := ecdsa.ParseRawPrivateKey(curve, d)
	if err == nil && !priv.PublicKey.Equal(pub) {
		err = badData("the public and the private part do not belong together")
	}
	return nil, priv, err
}

func (a ecKeys) exportKey(format string, k *key) (result, error) {
	switch {
	case format == "raw" && k.kind == public:
		return result2(k.ec.Bytes())
	case format == "spki" && k.kind == public:
		return result2(x509.MarshalPKIXPublicKey(k.ec))
	case format == "pkcs8" && k.kind == private:
		return result2(x509.MarshalPKCS8PrivateKey(k.ecPriv))
	case format == "jwk":
		return a.exportJWK(k)
	}
	return nil, invalidAccess("a %s key has no format %s", k.kind, format)
}

// result2 is the outcome of a function of the standard library.
func result2(b []byte, err error) (result, error) {
	if err != nil {
		return nil, operation("%v", err)
	}
	return b, nil
}

func (a ecKeys) exportJWK(k *key) (result, error) {
	point, err := k.ec.Bytes()
	if err != nil {
		return nil, operation("%v", err)
	}
	half := 1 + (len(point)-1)/2
	j := newJWK("EC", k)
	j.Crv, j.X, j.Y = k.algorithm.curve, encodeBase64URL(point[1:half]), encodeBase64URL(point[half:])
	if k.kind == private {
		d, err := k.ecPriv.Bytes()
		if err != nil {
			return nil, operation("%v", err)
		}
		j.D = encodeBase64URL(d)
	}
	return j, nil
}

type ecdsaAlgorithm struct{ ecKeys }

// sign gives the two numbers of a signature one after the other.
func (ecdsaAlgorithm) sign(k *key, p *params, data []byte) ([]byte, error) {
	if k.kind != private {
		return nil, invalidAccess("only a private key signs")
	}
	sum := digest(p.hash, data)
	var der []byte
	var err error
	if p.entropy.fixed {
		der, err = k.ecPriv.Sign(nil, sum, hashOf(p.hash)) // deterministic, by RFC 6979
	} else {
		der, err = k.ecPriv.Sign(p.entropy, sum, hashOf(p.hash))
	}
	var numbers struct{ R, S *big.Int }
	if err == nil {
		_, err = asn1.Unmarshal(der, &numbers)
	}
	if err != nil {
		return nil, operation("%v", err)
	}
	size := coordinateSize(k.ec.Curve)
	out := make([]byte, 2*size)
	numbers.R.FillBytes(out[:size])
	numbers.S.FillBytes(out[size:])
	return out, nil
}

func (ecdsaAlgorithm) verify(k *key, p *params, signature, data []byte) (bool, error) {
	if k.kind != public {
		return false, invalidAccess("only a public key verifies")
	}
	size := coordinateSize(k.ec.Curve)
	if len(signature) != 2*size {
		return false, nil
	}
	r, s := new(big.Int).SetBytes(signature[:size]), new(big.Int).SetBytes(signature[size:])
	return ecdsa.Verify(k.ec, digest(p.hash, data), r, s), nil
}

type ecdhAlgorithm struct{ ecKeys }

// deriveBits gives the first bits of the shared secret; a length of -1 means all.
func (ecdhAlgorithm) deriveBits(k *key, p *params, length int) ([]byte, error) {
	if k.kind != private {
		return nil, invalidAccess("the base key must be a private one")
	}
	other := p.other
	if other.kind != public || other.algorithm.name != "ECDH" || other.algorithm.curve != k.algorithm.curve {
		return nil, invalidAccess("public must be a public ECDH key of the same curve")
	}
	mine, err := k.ecPriv.ECDH()
	if err != nil {
		return nil, operation("%v", err)
	}
	theirs, err := other.ec.ECDH()
	if err != nil {
		return nil, operation("%v", err)
	}
	shared, err := mine.ECDH(theirs)
	if err != nil {
		return nil, operation("%v", err)
	}
	if length < 0 {
		return shared, nil
	}
	if length > len(shared)*8 {
		return nil, operation("the shared secret has only %d bits", len(shared)*8)
	}
	out := slices.Clone(shared[:(length+7)/8])
	if extra := len(out)*8 - length; extra > 0 {
		out[len(out)-1] &= 0xFF << extra
	}
	return out, nil
}
