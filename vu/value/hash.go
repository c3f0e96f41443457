package value

import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"

	//lint:ignore SA1019 scripts may ask for it by name
	"golang.org/x/crypto/md4" //nolint:staticcheck // scripts may ask for it by name
	//lint:ignore SA1019 scripts may ask for it by name
	"golang.org/x/crypto/ripemd160" //nolint:staticcheck // scripts may ask for it by name
)

// HashNames are the hash algorithms that scripts may name.
func HashNames() []string {
	return []string{"md4", "md5", "sha1", "sha256", "sha384", "sha512", "sha512_224", "sha512_256", "ripemd160"}
}

// ErrAlgorithm says that a hash algorithm is not known.
var ErrAlgorithm = errors.New("invalid algorithm")

// ErrOutputEncoding says that the encoding of a digest is not known.
var ErrOutputEncoding = errors.New("invalid output encoding")

func hasher(name string) (func() hash.Hash, error) {
	switch name {
	case "md4":
		return md4.New, nil
	case "md5":
		return md5.New, nil
	case "sha1":
		return sha1.New, nil
	case "sha256":
		return sha256.New, nil
	case "sha384":
		return sha512.New384, nil
	case "sha512":
		return sha512.New, nil
	case "sha512_224":
		return sha512.New512_224, nil
	case "sha512_256":
		return sha512.New512_256, nil
	case "ripemd160":
		return ripemd160.New, nil
	}
	return nil, fmt.Errorf("%w: %s", ErrAlgorithm, name)
}

// NewHash returns a running hash of an algorithm.
func NewHash(name string) (hash.Hash, error) {
	h, err := hasher(name)
	if err != nil {
		return nil, err
	}
	return h(), nil
}

// NewHMAC returns a running HMAC over an algorithm.
func NewHMAC(name string, key []byte) (hash.Hash, error) {
	h, err := hasher(name)
	if err != nil {
		return nil, err
	}
	return hmac.New(h, key), nil
}

// EncodeDigest writes a digest in one of the textual encodings "hex", "base64",
// "base64url" and "base64rawurl".
func EncodeDigest(sum []byte, encoding string) (string, error) {
	switch encoding {
	case "hex":
		return hex.EncodeToString(sum), nil
	case "base64":
		return base64.StdEncoding.EncodeToString(sum), nil
	case "base64url":
		return base64.URLEncoding.EncodeToString(sum), nil
	case "base64rawurl":
		return base64.RawURLEncoding.EncodeToString(sum), nil
	}
	return "", fmt.Errorf("%w: %s", ErrOutputEncoding, encoding)
}
