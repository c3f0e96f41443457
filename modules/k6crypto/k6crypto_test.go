package k6crypto_test

import (
	"testing"

	"github.com/jsload/jsload/modules/k6crypto"
	"github.com/jsload/jsload/modules/moduletest"
)

func TestHashes(t *testing.T) {
	b := moduletest.New(t, k6crypto.New(), moduletest.Config{Init: true})
	// The sums of "abc" are those of the standards that define the algorithms.
	for name, want := range map[string]string{
		"md4":        "a448017aaf21d8525fc10ae87aa6729d",
		"md5":        "900150983cd24fb0d6963f7d28e17f72",
		"sha1":       "a9993e364706816aba3e25717850c26c9cd0d89d",
		"sha256":     "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
		"sha384":     "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7",
		"sha512":     "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
		"sha512_224": "4634270f707b6a54daae7530460842e20e37ed265ceee9a43e8924aa",
		"sha512_256": "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23",
		"ripemd160":  "8eb208f7e05d987a9b044a8e98c6b087f15a0bfc",
	} {
		b.Want(`return m.`+name+`('abc', 'hex')`, want)
		b.Want(`const h = m.createHash('`+name+`'); h.update('a'); h.update(new Uint8Array([98, 99])); return h.digest('hex')`, want)
	}
}

func TestOutputs(t *testing.T) {
	b := moduletest.New(t, k6crypto.New(), moduletest.Config{Init: true})
	for _, tc := range []struct{ snippet, want string }{
		{`m.md5('abc13', 'base64') + ' ' + m.md5('abc13', 'base64url') + ' ' + m.md5('abc13', 'base64rawurl')`, "4b+3FdPOxHma07suUPUj/g== 4b-3FdPOxHma07suUPUj_g== 4b-3FdPOxHma07suUPUj_g"},
		{`const d = m.md5('abc', 'binary'); return (d instanceof ArrayBuffer) + ' ' + d.byteLength + ' ' + m.hexEncode(d)`, "true 16 900150983cd24fb0d6963f7d28e17f72"},
		{`m.hmac('sha256', 'key', 'The quick brown fox jumps over the lazy dog', 'hex')`, "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8"},
		{`const h = m.createHMAC('md5', 'key'); h.update('The quick brown fox '); const first = h.digest('hex'); h.update('jumps over the lazy dog'); return h.digest('hex') + (first === h.digest('hex'))`, "80070713463e7749b90c2dc24911e275false"},
		{`m.hexEncode('hé') + m.hexEncode(new Uint8Array([0, 255]).buffer)`, "68c3a900ff"},
		{`m.randomBytes(9).byteLength + ' ' + (m.hexEncode(m.randomBytes(16)) === m.hexEncode(m.randomBytes(16)))`, "9 false"},
	} {
		if tc.snippet[:2] == "m." {
			tc.snippet = "return " + tc.snippet
		}
		b.Want(tc.snippet, tc.want)
	}
}

// TestWrongUse goes through what ended the process elsewhere.
func TestWrongUse(t *testing.T) {
	b := moduletest.New(t, k6crypto.New(), moduletest.Config{Init: true})
	for snippet, want := range map[string]string{
		`m.createHash('md6')`:             "invalid algorithm",
		`m.createHash()`:                  "invalid algorithm",
		`m.createHMAC('md6', 'k')`:        "invalid algorithm",
		`m.hmac('md6', 'k', 'd', 'hex')`:  "invalid algorithm",
		`m.md5('abc', 'hexx')`:            "invalid output encoding",
		`m.createHash('md5').digest('x')`: "invalid output encoding",
		`m.md5({}, 'hex')`:                "must be a string",
		`m.createHash('md5').update(1)`:   "must be a string",
		`m.createHMAC('md5')`:             "must be a string",
		`m.randomBytes(0)`:                "invalid size",
		`m.randomBytes(-1)`:               "invalid size",
		`m.randomBytes(1e12)`:             "invalid size",
	} {
		b.Throws(snippet, want)
	}
	b.Want(`return Object.keys(m).every((k) => typeof m[k] === 'function')`, "true")
}
