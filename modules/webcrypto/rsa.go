package webcrypto

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/subtle"
	"crypto/x509"
	"encoding/binary"
	"math/big"
	"strings"
)

// rsaKeys makes and reads keys of the RSA algorithms.
type rsaKeys struct{ name string }

func (a rsaKeys) can(kind string) []string {
	switch {
	case a.name == "RSA-OAEP" && kind == public:
		return []string{"encrypt", "wrapKey"}
	case a.name == "RSA-OAEP":
		return []string{"decrypt", "unwrapKey"}
	case kind == public:
		return []string{"verify"}
	}
	return []string{"sign"}
}

func (a rsaKeys) publicKey(hash string, pub *rsa.PublicKey, extractable bool, usages []string) *key {
	return &key{
		kind: public, extractable: extractable, usages: only(usages, a.can(public)...), rsa: pub,
		algorithm: keyAlgorithm{
			name: a.name, hash: hash, modulusLength: pub.N.BitLen(), exponent: big.NewInt(int64(pub.E)).Bytes(),
		},
	}
}

func (a rsaKeys) privateKey(hash string, priv *rsa.PrivateKey, extractable bool, usages []string) *key {
	k := a.publicKey(hash, &priv.PublicKey, extractable, nil)
	k.kind, k.usages, k.rsaPriv = private, only(usages, a.can(private)...), priv
	return k
}

// The lengths of a modulus that are generated.
const minModulus, maxModulus = 1024, 8192

// maxImported bounds the modulus of a key that is read, in bits.
const maxImported = 16384

func (a rsaKeys) generate(p *params, extractable bool, usages []string) (result, error) {
	if err := allow(usages, append(a.can(private), a.can(public)...)...); err != nil {
		return nil, err
	}
	bits := p.number("modulusLength", 0)
	if bits < minModulus || bits > maxModulus {
		return nil, operation("modulusLength must be between %d and %d", minModulus, maxModulus)
	}
	e := new(big.Int).SetBytes(p.bytes["publicExponent"])
	if e.BitLen() < 2 || e.BitLen() > 31 || e.Bit(0) == 0 {
		return nil, operation("publicExponent must be an odd number over 1 and under 2^31")
	}
	priv, err := generateRSA(bits, int(e.Int64()), p.entropy)
	if err != nil {
		return nil, operation("%v", err)
	}
	return &pair{
		public:  a.publicKey(p.hash, &priv.PublicKey, true, usages),
		private: a.privateKey(p.hash, priv, extractable, usages),
	}, nil
}

// generateRSA makes a key. The standard library knows one exponent and takes no
// randomness but the system's: for others the primes are drawn here.
func generateRSA(bits, e int, random entropy) (*rsa.PrivateKey, error) {
	if !random.fixed && e == 65537 {
		return rsa.GenerateKey(rand.Reader, bits)
	}
	one, exponent := big.NewInt(1), big.NewInt(int64(e))
	for {
		p, q := drawPrime(bits/2, random), drawPrime(bits-bits/2, random)
		n := new(big.Int).Mul(p, q)
		totient := new(big.Int).Mul(new(big.Int).Sub(p, one), new(big.Int).Sub(q, one))
		d := new(big.Int).ModInverse(exponent, totient)
		if p.Cmp(q) == 0 || n.BitLen() != bits || d == nil {
			continue
		}
		priv := &rsa.PrivateKey{PublicKey: rsa.PublicKey{N: n, E: e}, D: d, Primes: []*big.Int{p, q}}
		if err := priv.Validate(); err != nil {
			return nil, err
		}
		priv.Precompute()
		return priv, nil
	}
}

// drawPrime draws a prime whose two highest bits are set, so that a product of
// two has all its bits.
func drawPrime(bits int, random entropy) *big.Int {
	for {
		b := random.bytes((bits + 7) / 8)
		n := new(big.Int).SetBytes(b)
		n.Rsh(n, uint(len(b)*8-bits))
		n.SetBit(n, bits-1, 1)
		n.SetBit(n, bits-2, 1)
		n.SetBit(n, 0, 1)
		if n.ProbablyPrime(20) {
			return n
		}
	}
}

func (a rsaKeys) importKey(p *params, in *material, extractable bool, usages []string) (*key, error) {
	kind := public
	if in.format == "pkcs8" || in.format == "jwk" && in.jwk.D != "" {
		kind = private
	}
	if err := allow(usages, a.can(kind)...); err != nil {
		return nil, err
	}
	var parsed any
	var err error
	switch in.format {
	case "spki":
		parsed, err = x509.ParsePKIXPublicKey(in.bytes)
	case "pkcs8":
		parsed, err = x509.ParsePKCS8PrivateKey(in.bytes)
	case "jwk":
		if err := a.checkJWK(p.hash, in, extractable, usages); err != nil {
			return nil, err
		}
		parsed, err = in.jwk.rsa()
	default:
		return nil, notSupported("an RSA key has no format %s", in.format)
	}
	if err != nil {
		return nil, badData("the key cannot be read: %v", err)
	}
	switch k := parsed.(type) {
	case *rsa.PublicKey:
		if k.N.BitLen() <= maxImported {
			return a.publicKey(p.hash, k, extractable, usages), nil
		}
	case *rsa.PrivateKey:
		if k.N.BitLen() <= maxImported {
			return a.privateKey(p.hash, k, extractable, usages), nil
		}
	}
	return nil, badData("the key is no RSA key of at most %d bits", maxImported)
}

// jwkName is the value of alg in a JSON Web Key.
func (a rsaKeys) jwkName(hash string) string {
	switch a.name {
	case "RSA-PSS":
		return jwkHash("PS", hash)
	case "RSA-OAEP":
		return strings.TrimSuffix("RSA-OAEP-"+hash[len("SHA-"):], "-1")
	}
	return jwkHash("RS", hash)
}

func (a rsaKeys) checkJWK(hash string, in *material, extractable bool, usages []string) error {
	use := "sig"
	if a.name == "RSA-OAEP" {
		use = "enc"
	}
	if err := in.jwk.check("RSA", use, extractable, usages); err != nil {
		return err
	}
	if in.jwk.Oth != nil {
		return notSupported("RSA keys of more than two primes are not supported")
	}
	return in.wantAlg(a.jwkName(hash))
}

// rsa reads the numbers of a JSON Web Key.
func (j *jwk) rsa() (any, error) {
	numbers := make([]*big.Int, 0, 5)
	for _, text := range []string{j.N, j.E, j.D, j.P, j.Q} {
		b, err := decodeBase64URL(text)
		if err != nil {
			return nil, err
		}
		numbers = append(numbers, new(big.Int).SetBytes(b))
	}
	n, e, d, p, q := numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]
	if n.BitLen() < 256 || n.BitLen() > maxImported || e.BitLen() < 2 || e.BitLen() > 31 || e.Bit(0) == 0 {
		return nil, badData("n or e is out of range")
	}
	pub := rsa.PublicKey{N: n, E: int(e.Int64())}
	if j.D == "" {
		return &pub, nil
	}
	if p.Sign() == 0 || q.Sign() == 0 {
		return nil, badData("p and q are missing")
	}
	priv := &rsa.PrivateKey{PublicKey: pub, D: d, Primes: []*big.Int{p, q}}
	if err := priv.Validate(); err != nil {
		return nil, err
	}
	priv.Precompute()
	return priv, nil
}

func (a rsaKeys) exportKey(format string, k *key) (result, error) {
	switch {
	case format == "spki" && k.kind == public:
		return result2(x509.MarshalPKIXPublicKey(k.rsa))
	case format == "pkcs8" && k.kind == private:
		return result2(x509.MarshalPKCS8PrivateKey(k.rsaPriv))
	case format == "jwk":
		return a.exportJWK(k), nil
	case format == "raw":
		return nil, notSupported("an RSA key has no format raw")
	}
	return nil, invalidAccess("a %s key has no format %s", k.kind, format)
}

func (a rsaKeys) exportJWK(k *key) *jwk {
	text := func(n *big.Int) string { return encodeBase64URL(n.Bytes()) }
	j := newJWK("RSA", k)
	j.Alg, j.N, j.E = a.jwkName(k.algorithm.hash), text(k.rsa.N), text(big.NewInt(int64(k.rsa.E)))
	if k.kind == private {
		priv := k.rsaPriv
		j.D, j.P, j.Q = text(priv.D), text(priv.Primes[0]), text(priv.Primes[1])
		j.DP, j.DQ, j.QI = text(priv.Precomputed.Dp), text(priv.Precomputed.Dq), text(priv.Precomputed.Qinv)
	}
	return j
}

// rsaSigner is RSASSA-PKCS1-v1_5 and RSA-PSS.
type rsaSigner struct{ rsaKeys }

func (a rsaSigner) sign(k *key, p *params, data []byte) ([]byte, error) {
	if k.kind != private {
		return nil, invalidAccess("only a private key signs")
	}
	hash, sum := hashOf(k.algorithm.hash), digest(k.algorithm.hash, data)
	var out []byte
	var err error
	salt := p.number("saltLength", 0)
	switch {
	case a.name != "RSA-PSS":
		out, err = rsa.SignPKCS1v15(nil, k.rsaPriv, hash, sum)
	case salt == 0:
		out, err = signUnsalted(k, sum)
	default:
		if salt > k.rsa.Size() {
			return nil, operation("saltLength is too large for the key")
		}
		out, err = rsa.SignPSS(p.entropy, k.rsaPriv, hash, sum, &rsa.PSSOptions{SaltLength: salt})
	}
	if err != nil {
		return nil, operation("%v", err)
	}
	return out, nil
}

func (a rsaSigner) verify(k *key, p *params, signature, data []byte) (bool, error) {
	if k.kind != public {
		return false, invalidAccess("only a public key verifies")
	}
	hash, sum := hashOf(k.algorithm.hash), digest(k.algorithm.hash, data)
	salt := p.number("saltLength", 0)
	switch {
	case a.name != "RSA-PSS":
		return rsa.VerifyPKCS1v15(k.rsa, hash, sum, signature) == nil, nil
	case salt == 0:
		return verifyUnsalted(k, sum, signature), nil
	}
	return salt <= k.rsa.Size() && rsa.VerifyPSS(k.rsa, hash, sum, signature, &rsa.PSSOptions{SaltLength: salt}) == nil, nil
}

// A salt of no bytes is what the standard library takes for "any": without salt
// the encoded message (RFC 8017, 9.1.1) is always the same, and made here.

func unsalted(k *key, sum []byte) ([]byte, error) {
	h := hashOf(k.algorithm.hash).New()
	bits := k.rsa.N.BitLen() - 1
	em := make([]byte, (bits+7)/8)
	if len(em) < h.Size()+2 {
		return nil, operation("the key is too short for the hash")
	}
	h.Write(make([]byte, 8))
	h.Write(sum)
	top := h.Sum(nil)
	db := em[:len(em)-len(top)-1]
	db[len(db)-1] = 1
	mask := make([]byte, 0, len(db)+len(top))
	for counter := uint32(0); len(mask) < len(db); counter++ {
		h.Reset()
		h.Write(top)
		h.Write(binary.BigEndian.AppendUint32(nil, counter))
		mask = h.Sum(mask)
	}
	subtle.XORBytes(db, db, mask)
	db[0] &= 0xFF >> (8*len(em) - bits)
	copy(em[len(db):], top)
	em[len(em)-1] = 0xBC
	return em, nil
}

func signUnsalted(k *key, sum []byte) ([]byte, error) {
	em, err := unsalted(k, sum)
	if err != nil {
		return nil, err
	}
	n := new(big.Int).SetBytes(em)
	return n.Exp(n, k.rsaPriv.D, k.rsa.N).FillBytes(make([]byte, k.rsa.Size())), nil
}

func verifyUnsalted(k *key, sum, signature []byte) bool {
	em, err := unsalted(k, sum)
	n := new(big.Int).SetBytes(signature)
	if err != nil || len(signature) != k.rsa.Size() || n.Cmp(k.rsa.N) >= 0 {
		return false
	}
	n.Exp(n, big.NewInt(int64(k.rsa.E)), k.rsa.N)
	return n.Cmp(new(big.Int).SetBytes(em)) == 0
}

// rsaCipher is RSA-OAEP.
type rsaCipher struct{ rsaKeys }

func (rsaCipher) encrypt(k *key, p *params, data []byte) ([]byte, error) {
	if k.kind != public {
		return nil, invalidAccess("only a public key encrypts")
	}
	out, err := rsa.EncryptOAEP(newHash(k.algorithm.hash)(), p.entropy, k.rsa, data, p.bytes["label"])
	if err != nil {
		return nil, operation("%v", err)
	}
	return out, nil
}

func (rsaCipher) decrypt(k *key, p *params, data []byte) ([]byte, error) {
	if k.kind != private {
		return nil, invalidAccess("only a private key decrypts")
	}
	out, err := rsa.DecryptOAEP(newHash(k.algorithm.hash)(), nil, k.rsaPriv, data, p.bytes["label"])
	if err != nil {
		return nil, operation("the data cannot be decrypted")
	}
	return out, nil
}
