package webcrypto

import (
	"crypto"
	_ "crypto/sha1"   // so that crypto.SHA1 is there
	_ "crypto/sha256" // and SHA256
	_ "crypto/sha512" // and SHA384, SHA512
	"hash"
	"math"
	"slices"
	"strings"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules/conv"
)

// What an algorithm can do is what its value implements.
type (
	encrypter interface {
		encrypt(k *key, p *params, data []byte) ([]byte, error)
		decrypt(k *key, p *params, data []byte) ([]byte, error)
	}
	wrapper interface { // for those that only wrap
		wrap(k *key, data []byte) ([]byte, error)
		unwrap(k *key, data []byte) ([]byte, error)
	}
	signer interface {
		sign(k *key, p *params, data []byte) ([]byte, error)
		verify(k *key, p *params, signature, data []byte) (bool, error)
	}
	generator interface {
		generate(p *params, extractable bool, usages []string) (result, error)
	}
	importer interface {
		importKey(p *params, in *material, extractable bool, usages []string) (*key, error)
	}
	exporter interface {
		exportKey(format string, k *key) (result, error)
	}
	deriver interface {
		deriveBits(k *key, p *params, length int) ([]byte, error)
	}
	lengthener interface { // of the key that deriveKey makes; -1: no length
		keyLength(p *params) (int, error)
	}
)

// result is one of []byte, bool, *key, *pair and *jwk.
type result any

// algorithms by name.
func algorithm(name string) any {
	switch name {
	case "AES-CBC", "AES-CTR", "AES-GCM":
		return aesCipher{aesKeys{name}}
	case "AES-KW":
		return aesWrap{aesKeys{name}}
	case "HMAC":
		return hmacAlgorithm{}
	case "ECDSA":
		return ecdsaAlgorithm{ecKeys{name}}
	case "ECDH":
		return ecdhAlgorithm{ecKeys{name}}
	case "RSASSA-PKCS1-v1_5", "RSA-PSS":
		return rsaSigner{rsaKeys{name}}
	case "RSA-OAEP":
		return rsaCipher{rsaKeys{name}}
	case "PBKDF2":
		return pbkdf2Algorithm{passwordKeys{name}}
	case "HKDF":
		return hkdfAlgorithm{passwordKeys{name}}
	}
	return nil
}

var algorithmNames = [...]string{
	"AES-CBC", "AES-CTR", "AES-GCM", "AES-KW", "HMAC", "ECDSA", "ECDH", "RSASSA-PKCS1-v1_5", "RSA-PSS", "RSA-OAEP", "PBKDF2", "HKDF",
	"SHA-1", "SHA-256", "SHA-384", "SHA-512",
}

// hashOf returns the hash of a name; names have been checked when they were read.
func hashOf(name string) crypto.Hash {
	switch name {
	case "SHA-1":
		return crypto.SHA1
	case "SHA-384":
		return crypto.SHA384
	case "SHA-512":
		return crypto.SHA512
	}
	return crypto.SHA256
}

func newHash(name string) func() hash.Hash { return hashOf(name).New }

func digest(name string, data []byte) []byte {
	h := hashOf(name).New()
	h.Write(data)
	return h.Sum(nil)
}

// params is an algorithm with its parameters as a script gave them.
type params struct {
	name    string
	bytes   map[string][]byte
	numbers map[string]int
	hash    string
	curve   string
	other   *key // the member public
	entropy entropy
}

// number returns a number, or what it is when the script gave none.
func (p *params) number(name string, missing int) int {
	if n, ok := p.numbers[name]; ok {
		return n
	}
	return missing
}

// members are what is read of an algorithm for an operation; a final "!" says
// that it must be there.
func members(name, op string) []string {
	switch op + " " + name {
	case "encrypt AES-CBC", "decrypt AES-CBC":
		return []string{"iv!"}
	case "encrypt AES-CTR", "decrypt AES-CTR":
		return []string{"counter!", "length!"}
	case "encrypt AES-GCM", "decrypt AES-GCM":
		return []string{"iv!", "additionalData", "tagLength"}
	case "encrypt RSA-OAEP", "decrypt RSA-OAEP":
		return []string{"label"}
	case "sign ECDSA", "verify ECDSA":
		return []string{"hash!"}
	case "sign RSA-PSS", "verify RSA-PSS":
		return []string{"saltLength!"}
	case "generateKey AES-CBC", "generateKey AES-CTR", "generateKey AES-GCM", "generateKey AES-KW",
		"keyLength AES-CBC", "keyLength AES-CTR", "keyLength AES-GCM", "keyLength AES-KW":
		return []string{"length!"}
	case "generateKey HMAC", "importKey HMAC", "keyLength HMAC":
		return []string{"hash!", "length"}
	case "generateKey ECDSA", "generateKey ECDH", "importKey ECDSA", "importKey ECDH":
		return []string{"namedCurve!"}
	case "generateKey RSASSA-PKCS1-v1_5", "generateKey RSA-PSS", "generateKey RSA-OAEP":
		return []string{"modulusLength!", "publicExponent!", "hash!"}
	case "importKey RSASSA-PKCS1-v1_5", "importKey RSA-PSS", "importKey RSA-OAEP":
		return []string{"hash!"}
	case "deriveBits ECDH":
		return []string{"public!"}
	case "deriveBits PBKDF2":
		return []string{"salt!", "iterations!", "hash!"}
	case "deriveBits HKDF":
		return []string{"salt!", "info!", "hash!"}
	}
	return nil
}

// supports tells whether an algorithm can do an operation.
func supports(name, op string) (ok bool) {
	a := algorithm(name)
	switch op {
	case "digest":
		return strings.HasPrefix(name, "SHA-")
	case "encrypt", "decrypt":
		_, ok = a.(encrypter)
	case "wrapKey", "unwrapKey":
		_, ok = a.(wrapper)
	case "sign", "verify":
		_, ok = a.(signer)
	case "generateKey":
		_, ok = a.(generator)
	case "importKey":
		_, ok = a.(importer)
	case "deriveBits":
		_, ok = a.(deriver)
	case "keyLength":
		_, ok = a.(lengthener)
	}
	return ok
}

// params reads an algorithm that a script names for an operation: a name or an
// object.
func (i *instance) params(v goja.Value, op string) (*params, error) {
	name, err := algorithmName(v)
	if err != nil {
		return nil, err
	}
	if !supports(name, op) {
		return nil, notSupported("the algorithm %.40q cannot be used for %s", name, op)
	}
	p := &params{name: name, bytes: map[string][]byte{}, numbers: map[string]int{}, entropy: i.entropy()}
	o, _ := v.(*goja.Object)
	for _, member := range members(name, op) {
		member, required := strings.CutSuffix(member, "!")
		var value goja.Value
		if o != nil {
			value = o.Get(member)
		}
		if value == nil || goja.IsUndefined(value) {
			if required {
				return nil, fail("TypeError", "%s: the member %s is missing", name, member)
			}
			continue
		}
		if err := p.read(member, value); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// algorithmName returns the proper spelling of a name.
func algorithmName(v goja.Value) (string, error) {
	if o, ok := v.(*goja.Object); ok {
		v = o.Get("name")
	}
	if conv.IsNullish(v) {
		return "", fail("TypeError", "the algorithm has no name")
	}
	name := v.ToString().String()
	for _, known := range algorithmNames {
		if strings.EqualFold(name, known) {
			return known, nil
		}
	}
	return "", notSupported("the algorithm %.40q is not known", name)
}

func (p *params) read(member string, v goja.Value) error {
	switch member {
	case "hash":
		name, err := algorithmName(v)
		if err != nil {
			return err
		}
		if !supports(name, "digest") {
			return notSupported("%s is no hash", name)
		}
		p.hash = name
	case "namedCurve":
		p.curve = v.ToString().String()
		if curveOf(p.curve) == nil {
			return notSupported("the curve %.40q is not supported", p.curve)
		}
	case "public":
		o, ok := conv.Self[*keyObject](v)
		if !ok {
			return fail("TypeError", "the member public must be a CryptoKey")
		}
		p.other = o.key
	case "length", "tagLength", "saltLength", "modulusLength", "iterations":
		n, err := enforced(member, v)
		if err != nil {
			return err
		}
		p.numbers[member] = n
	default:
		b, ok := conv.Bytes(v)
		if !ok {
			return fail("TypeError", "the member %s must be an ArrayBuffer or a view of one", member)
		}
		p.bytes[member] = slices.Clone(b)
	}
	return nil
}

// enforced is a number that fits 32 bits.
func enforced(member string, v goja.Value) (int, error) {
	f := math.Trunc(v.ToFloat())
	if !(f >= 0 && f <= math.MaxUint32) {
		return 0, fail("TypeError", "%s is out of range", member)
	}
	return int(f), nil
}
