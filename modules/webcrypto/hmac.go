package webcrypto

import "crypto/hmac"

// hmacAlgorithm is HMAC.
type hmacAlgorithm struct{}

func hmacCan() []string { return []string{"sign", "verify"} }

func (hmacAlgorithm) key(hash string, b []byte, bits int, extractable bool, usages []string) *key {
	return &key{
		kind: secret, extractable: extractable, usages: only(usages, hmacCan()...), bytes: b,
		algorithm: keyAlgorithm{name: "HMAC", hash: hash, length: bits},
	}
}

// maxKeyBits bounds keys whose length a script chooses.
const maxKeyBits = 1 << 20

func (a hmacAlgorithm) generate(p *params, extractable bool, usages []string) (result, error) {
	if err := allow(usages, hmacCan()...); err != nil {
		return nil, err
	}
	bits, err := a.keyLength(p)
	if err != nil {
		return nil, operation("the length of a key must be between 1 and %d bits", maxKeyBits)
	}
	return a.key(p.hash, p.entropy.bytes((bits+7)/8), bits, extractable, usages), nil
}

func (hmacAlgorithm) keyLength(p *params) (int, error) {
	n := p.number("length", hashOf(p.hash).New().BlockSize()*8)
	if n < 1 || n > maxKeyBits {
		return 0, fail("TypeError", "the length of a key must be between 1 and %d bits", maxKeyBits)
	}
	return n, nil
}

// jwkName is the value of alg in a JSON Web Key, such as HS256.
func jwkHash(prefix, hash string) string { return prefix + hash[len("SHA-"):] }

func (a hmacAlgorithm) importKey(p *params, in *material, extractable bool, usages []string) (*key, error) {
	if err := allow(usages, hmacCan()...); err != nil {
		return nil, err
	}
	b, err := in.secretBytes("sig", extractable, usages)
	if err != nil {
		return nil, err
	}
	if err := in.wantAlg(jwkHash("HS", p.hash)); err != nil {
		return nil, err
	}
	bits := len(b) * 8
	if bits == 0 {
		return nil, badData("the key is empty")
	}
	if n, given := p.numbers["length"]; given {
		if n > bits || n <= bits-8 {
			return nil, badData("the key does not have the given length")
		}
		bits = n
	}
	return a.key(p.hash, b, bits, extractable, usages), nil
}

func (hmacAlgorithm) exportKey(format string, k *key) (result, error) {
	return exportSecret(format, k, jwkHash("HS", k.algorithm.hash))
}

func (hmacAlgorithm) sign(k *key, _ *params, data []byte) ([]byte, error) {
	h := hmac.New(newHash(k.algorithm.hash), k.bytes)
	h.Write(data)
	return h.Sum(nil), nil
}

func (a hmacAlgorithm) verify(k *key, p *params, signature, data []byte) (bool, error) {
	sum, err := a.sign(k, p, data)
	return hmac.Equal(sum, signature), err
}
