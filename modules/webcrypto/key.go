package webcrypto

import (
	"crypto/ecdsa"
	"crypto/rsa"
	"slices"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules/conv"
)

// The kinds of keys.
const (
	secret  = "secret"
	public  = "public"
	private = "private"
)

// key is a cryptographic key; it is not changed once it is made.
type key struct {
	kind        string
	extractable bool
	usages      []string
	algorithm   keyAlgorithm

	bytes   []byte // of secret keys
	ec      *ecdsa.PublicKey
	ecPriv  *ecdsa.PrivateKey
	rsa     *rsa.PublicKey
	rsaPriv *rsa.PrivateKey
}

// keyAlgorithm is what a key is for; fields that do not apply are zero.
type keyAlgorithm struct {
	name          string
	length        int // bits
	hash          string
	curve         string
	modulusLength int
	exponent      []byte
}

// pair is a public key and its private one.
type pair struct{ public, private *key }

// allUsages are the usages in the order that keys list them.
var allUsages = [...]string{"encrypt", "decrypt", "sign", "verify", "deriveKey", "deriveBits", "wrapKey", "unwrapKey"}

// only keeps those usages that a key of one kind can have.
func only(usages []string, can ...string) []string {
	var kept []string
	for _, u := range allUsages {
		if slices.Contains(usages, u) && slices.Contains(can, u) {
			kept = append(kept, u)
		}
	}
	return kept
}

// allow checks that all usages are among those that an algorithm knows.
func allow(usages []string, can ...string) error {
	for _, u := range usages {
		if !slices.Contains(can, u) {
			return badUsage(u)
		}
	}
	return nil
}

// may checks that an operation of an algorithm can use the key.
func (k *key) may(algorithm, usage string) error {
	if k.algorithm.name != algorithm {
		return invalidAccess("the key is for %s and not for %s", k.algorithm.name, algorithm)
	}
	if !slices.Contains(k.usages, usage) {
		return invalidAccess("the key does not have the usage %q", usage)
	}
	return nil
}

// keyObject is the Go side of a CryptoKey.
type keyObject struct {
	conv.Own
	inst              *instance
	key               *key
	algorithm, usages goja.Value // made on first use, and the same ever after
}

// Get returns an attribute.
func (o *keyObject) Get(name string) goja.Value {
	rt := o.inst.rt
	switch name {
	case "type":
		return rt.ToValue(o.key.kind)
	case "extractable":
		return rt.ToValue(o.key.extractable)
	case "algorithm":
		if o.algorithm == nil {
			o.algorithm = o.key.algorithm.object(o.inst)
		}
		return o.algorithm
	case "usages":
		if o.usages == nil {
			items := make([]any, len(o.key.usages))
			for n, u := range o.key.usages {
				items[n] = u
			}
			o.usages = rt.NewArray(items...)
		}
		return o.usages
	}
	return o.Own.Get(name)
}

// Set refuses to change the attributes.
func (o *keyObject) Set(name string, v goja.Value) bool {
	switch name {
	case "type", "extractable", "algorithm", "usages":
		return false
	}
	return o.Own.Set(name, v)
}

// Has reports whether there is such an attribute.
func (o *keyObject) Has(name string) bool { return o.Get(name) != nil }

// Keys lists the attributes, so that a key can be looked at.
func (o *keyObject) Keys() []string {
	return append([]string{"type", "extractable", "algorithm", "usages"}, o.Own.Keys()...)
}

func (a keyAlgorithm) object(i *instance) goja.Value {
	o := i.rt.NewObject()
	_ = o.Set("name", a.name)
	if a.modulusLength > 0 {
		_ = o.Set("modulusLength", a.modulusLength)
		_ = o.Set("publicExponent", i.uint8Array(a.exponent))
	}
	if a.hash != "" {
		h := i.rt.NewObject()
		_ = h.Set("name", a.hash)
		_ = o.Set("hash", h)
	}
	if a.length > 0 {
		_ = o.Set("length", a.length)
	}
	if a.curve != "" {
		_ = o.Set("namedCurve", a.curve)
	}
	return o
}

func (i *instance) uint8Array(b []byte) goja.Value {
	o, err := i.rt.New(i.rt.GlobalObject().Get("Uint8Array"), i.rt.ToValue(i.rt.NewArrayBuffer(slices.Clone(b))))
	if err != nil {
		conv.Throw(i.rt, err)
	}
	return o
}

func (i *instance) keys() *conv.Class {
	if i.keyClass == nil {
		none := func(string) func(goja.FunctionCall) goja.Value { return nil }
		i.keyClass = conv.NewClass(i.rt, conv.ClassSpec{Name: "CryptoKey", Method: none})
	}
	return i.keyClass
}

func (i *instance) wrap(k *key) *goja.Object { return i.keys().Wrap(&keyObject{inst: i, key: k}) }
