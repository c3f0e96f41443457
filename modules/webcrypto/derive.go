package webcrypto

import (
	"crypto/hkdf"
	"crypto/pbkdf2"
)

// passwordKeys reads keys that others are derived from.
type passwordKeys struct{ name string }

func (a passwordKeys) importKey(_ *params, in *material, extractable bool, usages []string) (*key, error) {
	if in.format != "raw" {
		return nil, notSupported("%s keys have the format raw only", a.name)
	}
	if err := allow(usages, "deriveKey", "deriveBits"); err != nil {
		return nil, err
	}
	if extractable {
		return nil, fail("SyntaxError", "a %s key cannot be extractable", a.name)
	}
	return &key{
		kind: secret, usages: only(usages, "deriveKey", "deriveBits"), bytes: in.bytes, algorithm: keyAlgorithm{name: a.name},
	}, nil
}

func (passwordKeys) keyLength(*params) (int, error) { return -1, nil }

// maxDerived bounds what is derived at once, in bytes.
const maxDerived = 16 << 20

func derivedSize(length int) (int, error) {
	if length < 0 || length%8 != 0 {
		return 0, operation("the length must be a multiple of 8")
	}
	if length/8 > maxDerived {
		return 0, operation("the length must not be over 16 MiB")
	}
	return length / 8, nil
}

type pbkdf2Algorithm struct{ passwordKeys }

func (pbkdf2Algorithm) deriveBits(k *key, p *params, length int) ([]byte, error) {
	n, err := derivedSize(length)
	if err != nil {
		return nil, err
	}
	rounds := p.number("iterations", 0)
	if rounds == 0 {
		return nil, operation("iterations must not be 0")
	}
	if n == 0 {
		return []byte{}, nil
	}
	b, err := pbkdf2.Key(newHash(p.hash), string(k.bytes), p.bytes["salt"], rounds, n)
	if err != nil {
		return nil, operation("%v", err)
	}
	return b, nil
}

type hkdfAlgorithm struct{ passwordKeys }

func (hkdfAlgorithm) deriveBits(k *key, p *params, length int) ([]byte, error) {
	n, err := derivedSize(length)
	if err != nil {
		return nil, err
	}
	b, err := hkdf.Key(newHash(p.hash), k.bytes, p.bytes["salt"], string(p.bytes["info"]), n)
	if err != nil {
		return nil, operation("%v", err)
	}
	return b, nil
}
