// Package k6crypto is the module k6/crypto: hashes, HMAC and random bytes. The
// hashing is done in vu/value.
package k6crypto

import (
	"encoding/hex"
	"errors"
	"hash"
	"slices"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/conv"
	"github.com/jsload/jsload/vu/value"
)

type module struct{}

// New returns the module.
func New() modules.Module { return module{} }

// Names lists the named exports.
func (module) Names() []string {
	return append(value.HashNames(), "hmac", "createHash", "createHMAC", "randomBytes", "hexEncode")
}

// Instantiate binds the module to a virtual user.
func (module) Instantiate(h *modules.Host) modules.Instance { return &instance{host: h, rt: h.Runtime} }

type instance struct {
	host *modules.Host
	rt   *goja.Runtime
}

// Export makes an export.
func (i *instance) Export(name string) goja.Value {
	switch name {
	case "hmac":
		return i.rt.ToValue(i.hmac)
	case "createHash":
		return i.rt.ToValue(i.createHash)
	case "createHMAC":
		return i.rt.ToValue(i.createHMAC)
	case "randomBytes":
		return i.rt.ToValue(i.randomBytes)
	case "hexEncode":
		return i.rt.ToValue(i.hexEncode)
	}
	if !slices.Contains(value.HashNames(), name) {
		return nil
	}
	return i.rt.ToValue(func(c goja.FunctionCall) goja.Value { return i.sum(name, c) })
}

func (i *instance) data(v goja.Value) []byte {
	b, ok := conv.StringOrBytes(v)
	if !ok {
		conv.Throw(i.rt, errors.New("the input must be a string, an ArrayBuffer or a typed array"))
	}
	return b
}

// sum is a one-shot hash: md5(input, outputEncoding) and its like.
func (i *instance) sum(algorithm string, c goja.FunctionCall) goja.Value {
	h, err := value.NewHash(algorithm)
	if err != nil {
		conv.Throw(i.rt, err)
	}
	h.Write(i.data(c.Argument(0)))
	return i.digest(h, c.Argument(1))
}

// digest gives the sum so far; "binary" asks for an ArrayBuffer.
func (i *instance) digest(h hash.Hash, encoding goja.Value) goja.Value {
	sum := h.Sum(nil)
	name := conv.OptionalString(encoding)
	if name == "binary" {
		return i.rt.ToValue(i.rt.NewArrayBuffer(sum))
	}
	text, err := value.EncodeDigest(sum, name)
	if err != nil {
		conv.Throw(i.rt, err)
	}
	return i.rt.ToValue(text)
}

func (i *instance) hmac(c goja.FunctionCall) goja.Value {
	h := i.newHMAC(c.Argument(0), c.Argument(1))
	h.Write(i.data(c.Argument(2)))
	return i.digest(h, c.Argument(3))
}

func (i *instance) newHMAC(algorithm, key goja.Value) hash.Hash {
	h, err := value.NewHMAC(algorithm.String(), i.data(key))
	if err != nil {
		conv.Throw(i.rt, err)
	}
	return h
}

func (i *instance) createHash(c goja.FunctionCall) goja.Value {
	h, err := value.NewHash(c.Argument(0).String())
	if err != nil {
		conv.Throw(i.rt, err)
	}
	return i.running(h)
}

func (i *instance) createHMAC(c goja.FunctionCall) goja.Value {
	return i.running(i.newHMAC(c.Argument(0), c.Argument(1)))
}

// running is the object with update and digest.
func (i *instance) running(h hash.Hash) goja.Value {
	o := i.rt.NewObject()
	_ = o.Set("update", func(c goja.FunctionCall) goja.Value {
		h.Write(i.data(c.Argument(0)))
		return goja.Undefined()
	})
	_ = o.Set("digest", func(c goja.FunctionCall) goja.Value { return i.digest(h, c.Argument(0)) })
	return o
}

// maxRandomBytes bounds one call of randomBytes.
const maxRandomBytes = 256 << 20

func (i *instance) randomBytes(c goja.FunctionCall) goja.Value {
	n := c.Argument(0).ToInteger()
	if n < 1 || n > maxRandomBytes {
		conv.Throw(i.rt, errors.New("invalid size: it must be between 1 byte and 256 MiB"))
	}
	b := make([]byte, n)
	i.host.Rand.Fill(b)
	return i.rt.ToValue(i.rt.NewArrayBuffer(b))
}

func (i *instance) hexEncode(c goja.FunctionCall) goja.Value {
	return i.rt.ToValue(hex.EncodeToString(i.data(c.Argument(0))))
}
