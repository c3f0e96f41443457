// Package webcrypto provides the global crypto: getRandomValues, randomUUID and
// the whole of crypto.subtle for AES, HMAC, ECDSA, ECDH, RSA, PBKDF2, HKDF and
// SHA, as the Web Cryptography API says.
//
// modules/all makes its exports globals through modules/globals. Algorithms are
// plain Go over values and know nothing of the interpreter (the files named after
// them); this file and subtle.go are the way in and out. Errors are instances of
// the global DOMException. What takes long runs on a goroutine of its own.
package webcrypto

import (
	"crypto/rand"
	"encoding/hex"
	"io"
	"reflect"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/conv"
)

type module struct{}

// New returns the module.
func New() modules.Module { return module{} }

// Names lists the named exports.
func (module) Names() []string { return []string{"crypto", "Crypto", "SubtleCrypto", "CryptoKey"} }

// Instantiate binds the module to a virtual user.
func (module) Instantiate(h *modules.Host) modules.Instance { return &instance{host: h, rt: h.Runtime} }

type instance struct {
	host *modules.Host
	rt   *goja.Runtime

	cryptoClass, subtleClass, keyClass *conv.Class
}

// Export makes an export.
func (i *instance) Export(name string) goja.Value {
	switch name {
	case "crypto":
		return i.crypto().Wrap(&cryptoObject{inst: i})
	case "Crypto":
		return i.crypto().Constructor
	case "SubtleCrypto":
		return i.subtle().Constructor
	case "CryptoKey":
		return i.keys().Constructor
	}
	return nil
}

// cryptoObject is the Go side of the global crypto.
type cryptoObject struct {
	conv.Own
	inst   *instance
	subtle *goja.Object
}

// Get returns the one attribute, subtle.
func (o *cryptoObject) Get(name string) goja.Value {
	if name != "subtle" {
		return o.Own.Get(name)
	}
	if o.subtle == nil {
		o.subtle = o.inst.subtle().Wrap(&subtleObject{})
	}
	return o.subtle
}

// Has reports whether there is such an attribute.
func (o *cryptoObject) Has(name string) bool { return name == "subtle" || o.Own.Has(name) }

func (i *instance) crypto() *conv.Class {
	if i.cryptoClass == nil {
		i.cryptoClass = conv.NewClass(i.rt, conv.ClassSpec{Name: "Crypto", Method: func(name string) func(goja.FunctionCall) goja.Value {
			switch name {
			case "getRandomValues":
				return i.getRandomValues
			case "randomUUID":
				return i.randomUUID
			}
			return nil
		}})
	}
	return i.cryptoClass
}

// maxRandomValues bounds one call of getRandomValues, by the standard.
const maxRandomValues = 65536

// getRandomValues fills a typed array of integers in place.
func (i *instance) getRandomValues(c goja.FunctionCall) goja.Value {
	if len(c.Arguments) == 0 {
		panic(i.rt.NewTypeError("getRandomValues needs a typed array"))
	}
	v := c.Arguments[0]
	b, ok := conv.Bytes(v)
	if !ok || !holdsIntegers(v) {
		panic(conv.DOMException(i.rt, "TypeMismatchError", "getRandomValues needs a typed array of integers"))
	}
	if len(b) > maxRandomValues {
		panic(conv.DOMException(i.rt, "QuotaExceededError", "getRandomValues gives at most 65536 bytes at once"))
	}
	i.host.Rand.Fill(b)
	return v
}

func holdsIntegers(v goja.Value) bool {
	t := v.ExportType()
	if t == nil || t.Kind() != reflect.Slice {
		return false
	}
	k := t.Elem().Kind()
	return k >= reflect.Int8 && k <= reflect.Int64 || k >= reflect.Uint8 && k <= reflect.Uint64
}

// randomUUID gives a UUID of version 4.
func (i *instance) randomUUID(goja.FunctionCall) goja.Value {
	var b [16]byte
	i.host.Rand.Fill(b[:])
	b[6] = b[6]&0x0F | 0x40
	b[8] = b[8]&0x3F | 0x80
	var text [36]byte
	hex.Encode(text[:8], b[:4])
	hex.Encode(text[9:13], b[4:6])
	hex.Encode(text[14:18], b[6:8])
	hex.Encode(text[19:23], b[8:10])
	hex.Encode(text[24:], b[10:])
	text[8], text[13], text[18], text[23] = '-', '-', '-', '-'
	return i.rt.ToValue(string(text[:]))
}

// entropy is a source of random bytes for one operation, which may run beside
// the script. Under a fixed seed it repeats from run to run.
type entropy struct {
	io.Reader
	fixed bool
}

func (i *instance) entropy() entropy {
	if !i.host.Run.SeedFixed {
		return entropy{Reader: rand.Reader}
	}
	return entropy{Reader: filler{modules.NewRandom(i.host.Rand.Uint64(), i.host.Rand.Uint64(), true)}, fixed: true}
}

type filler struct{ r *modules.Random }

// Read fills p.
func (f filler) Read(p []byte) (int, error) { f.r.Fill(p); return len(p), nil }

func (e entropy) bytes(n int) []byte {
	b := make([]byte, n)
	_, _ = io.ReadFull(e, b) // neither source fails
	return b
}
