package webcrypto

import (
	"strings"
	"testing"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/globals"
	"github.com/jsload/jsload/modules/moduletest"
)

// prelude are helpers of the snippets.
const prelude = `
const s = crypto.subtle;
const hex = b => [...new Uint8Array(b)].map(x => x.toString(16).padStart(2, "0")).join("");
const un = t => new Uint8Array((t.match(/../g) ?? []).map(x => parseInt(x, 16)));
const b64u = t => btoa(String.fromCharCode(...un(t))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
const enc = t => new TextEncoder().encode(t);
const name = async f => { try { const r = await f(); return "no error: " + r } catch (e) { return e.name + (e instanceof DOMException || e instanceof TypeError ? "" : "!") } };
const names = async (...fs) => { const all = []; for (const f of fs) all.push(await name(f)); return all.join() };
`

func bench(t testing.TB, fixed bool) *moduletest.Bench {
	t.Helper()
	m := globals.New(New())
	b := moduletest.New(t, m, moduletest.Config{})
	b.Host.Run.SeedFixed = fixed
	rt := b.Host.Runtime
	exports := modules.NewExports(rt, m, m.Instantiate(b.Host))
	for _, name := range []string{"crypto", "CryptoKey", "DOMException", "TextEncoder", "btoa"} {
		_ = rt.Set(name, exports.Get(name))
	}
	return b
}

type snippet struct{ code, want string }

func runAll(t *testing.T, all []snippet) {
	t.Helper()
	for _, c := range all {
		v, err := bench(t, false).Eval(prelude + "return (async () => {" + c.code + "})()")
		if err != nil {
			t.Errorf("%s\n%v", c.code, err)
		} else if got := v.String(); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.code, got, c.want)
		}
	}
}

func TestRandom(t *testing.T) {
	runAll(t, []snippet{
		{`const a = new Uint32Array(8); const r = crypto.getRandomValues(a); return (r === a) + "" + a.some(x => x > 0)`, "truetrue"},
		{`const b = new Uint8Array(40); crypto.getRandomValues(b.subarray(10, 30)); return [b.slice(0, 10).every(x => x === 0), b.slice(10, 30).some(x => x > 0), b.slice(30).every(x => x === 0)].join()`, "true,true,true"},
		{`return crypto.getRandomValues(new BigInt64Array(2)).length + crypto.getRandomValues(new Uint8ClampedArray(65536)).length`, "65538"},
		{`return names(() => crypto.getRandomValues(new Uint8Array(65537)), () => crypto.getRandomValues(new Float32Array(1)), () => crypto.getRandomValues([1]), () => crypto.getRandomValues(new DataView(new ArrayBuffer(1))), () => crypto.getRandomValues(new ArrayBuffer(4)), () => crypto.getRandomValues(), () => crypto.getRandomValues("x"))`,
			"QuotaExceededError,TypeMismatchError,TypeMismatchError,TypeMismatchError,TypeMismatchError,TypeError,TypeMismatchError"},
		{`return /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID()) + "" + (crypto.randomUUID() !== crypto.randomUUID())`, "truetrue"},
		{`return [crypto, s, await s.generateKey({name: "AES-GCM", length: 128}, true, ["encrypt"])].map(x => Object.prototype.toString.call(x)).join() + (crypto.subtle === s)`, "[object Crypto],[object SubtleCrypto],[object CryptoKey]true"},
	})
}

// The values are those of FIPS 180-4 and the examples of NIST.
func TestDigest(t *testing.T) {
	runAll(t, []snippet{
		{`return hex(await s.digest("SHA-1", enc("abc")))`, "a9993e364706816aba3e25717850c26c9cd0d89d"},
		{`return hex(await s.digest({name: "sha-256"}, enc("abc").buffer))`, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
		{`return hex(await s.digest("SHA-384", enc("abc")))`, "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"},
		{`return hex(await s.digest("SHA-512", new DataView(enc("xabc").buffer, 1)))`, "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"},
		{`return names(() => s.digest("MD5", enc("")), () => s.digest("SHA-1", "x"), () => s.digest("SHA-1"), () => s.digest({}, enc("")), () => s.digest("AES-CBC", enc("")), () => s.digest(null, enc("")))`,
			"NotSupportedError,TypeError,TypeError,TypeError,NotSupportedError,TypeError"},
	})
}

// The values are those of NIST SP 800-38A, of the GCM test vectors and RFC 3394.
func TestAES(t *testing.T) {
	runAll(t, []snippet{
		{`const k = await s.importKey("raw", un("2b7e151628aed2a6abf7158809cf4f3c"), "AES-CBC", false, ["encrypt", "decrypt"]);
		  const iv = un("000102030405060708090a0b0c0d0e0f"); const c = await s.encrypt({name: "AES-CBC", iv}, k, un("6bc1bee22e409f96e93d7e117393172a"));
		  return hex(c).slice(0, 32) + c.byteLength + hex(await s.decrypt({name: "AES-CBC", iv}, k, c))`, "7649abac8119b246cee98e9b12e9197d326bc1bee22e409f96e93d7e117393172a"},
		{`const k = await s.importKey("raw", un("2b7e151628aed2a6abf7158809cf4f3c"), "AES-CTR", false, ["encrypt", "decrypt"]);
		  const a = {name: "AES-CTR", counter: un("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"), length: 128};
		  return hex(await s.encrypt(a, k, un("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51")))`, "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"},
		{`const k = await s.importKey("raw", un("2b7e151628aed2a6abf7158809cf4f3c"), "AES-CTR", false, ["encrypt", "decrypt"]); // the counter overflows its 8 bits
		  const e = (c, n) => s.encrypt({name: "AES-CTR", counter: un("000102030405060708090a0b0c0d0e" + c), length: 8}, k, new Uint8Array(n));
		  return hex(await e("ff", 32)) === hex(await e("ff", 16)) + hex(await e("00", 16))`, "true"},
		{`const k = await s.importKey("raw", new Uint8Array(16), "AES-GCM", false, ["encrypt", "decrypt"]); const a = {name: "AES-GCM", iv: new Uint8Array(12)};
		  const c = await s.encrypt(a, k, new Uint8Array(16)); return hex(c) + hex(await s.decrypt(a, k, c))`, "0388dace60b6a392f328c2b971b2fe78ab6e47d42cec13bdf53a67b21257bddf00000000000000000000000000000000"},
		{`const k = await s.generateKey({name: "AES-GCM", length: 256}, false, ["encrypt", "decrypt"]); const out = [];
		  for (const tagLength of [32, 64, 96, 104, 112, 120, 128]) for (const n of [1, 12, 16, 60]) {
		    const a = {name: "AES-GCM", iv: crypto.getRandomValues(new Uint8Array(n)), additionalData: enc("more"), tagLength}; const c = await s.encrypt(a, k, enc("some text"));
		    if (c.byteLength !== 9 + tagLength / 8 || hex(await s.decrypt(a, k, c)) !== hex(enc("some text"))) out.push([tagLength, n]);
		    new Uint8Array(c)[0] ^= 1; if (await name(() => s.decrypt(a, k, c)) !== "OperationError") out.push("tag"); }
		  return out.join()`, ""},
		{`const k = await s.importKey("raw", un("000102030405060708090a0b0c0d0e0f"), "AES-KW", false, ["wrapKey", "unwrapKey"]);
		  const data = await s.importKey("raw", un("00112233445566778899aabbccddeeff"), "AES-GCM", true, ["encrypt"]);
		  const w = await s.wrapKey("raw", data, k, "AES-KW"); const u = await s.unwrapKey("raw", w, k, "AES-KW", "AES-GCM", true, ["decrypt"]);
		  new Uint8Array(w)[3] ^= 1; return hex(await s.exportKey("raw", u)) + await name(() => s.unwrapKey("raw", w, k, "AES-KW", "AES-GCM", true, ["decrypt"]))`, "00112233445566778899aabbccddeeffOperationError"},
		{`const k = await s.importKey("raw", un("000102030405060708090a0b0c0d0e0f"), "AES-KW", false, ["wrapKey"]);
		  return hex(await s.wrapKey("raw", await s.importKey("raw", un("00112233445566778899aabbccddeeff"), "AES-GCM", true, ["encrypt"]), k, "AES-KW"))`, "1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5"},
		{`const k = await s.generateKey({name: "AES-CBC", length: 128}, true, ["encrypt", "decrypt"]); const iv = new Uint8Array(16);
		  return names(() => s.encrypt({name: "AES-CBC", iv: new Uint8Array(15)}, k, enc("")), () => s.encrypt({name: "AES-CBC"}, k, enc("")), () => s.decrypt({name: "AES-CBC", iv}, k, enc("x")), () => s.decrypt({name: "AES-CBC", iv}, k, new Uint8Array(16)),
		    () => s.encrypt({name: "AES-GCM", iv}, k, enc("")), () => s.sign("HMAC", k, enc("")), () => s.encrypt({name: "AES-CBC", iv}, {}, enc("")), () => s.encrypt({name: "AES-CBC", iv}, k, "x"), () => s.encrypt({name: "AES-CBC", iv: 5}, k, enc("")))`,
			"OperationError,TypeError,OperationError,OperationError,InvalidAccessError,InvalidAccessError,TypeError,TypeError,TypeError"},
		{`const k = await s.generateKey({name: "AES-CTR", length: 128}, true, ["encrypt"]); const c = (counter, length, n = 1) => () => s.encrypt({name: "AES-CTR", counter, length}, k, new Uint8Array(n));
		  const z = new Uint8Array(16); return names(c(z, 0), c(z, 129), c(new Uint8Array(4), 8), c(z, 1, 33), c(z, -1), c(z, 1e10), c(z, NaN), () => s.decrypt({name: "AES-CTR", counter: z, length: 1}, k, z))`,
			"OperationError,OperationError,OperationError,OperationError,TypeError,TypeError,TypeError,InvalidAccessError"},
		{`const k = await s.generateKey({name: "AES-GCM", length: 128}, true, ["encrypt", "decrypt"]); const e = (iv, tagLength) => () => s.encrypt({name: "AES-GCM", iv, tagLength}, k, enc(""));
		  return names(e(new Uint8Array(0)), e(new Uint8Array(12), 33), e(new Uint8Array(12), 0), () => s.decrypt({name: "AES-GCM", iv: new Uint8Array(12)}, k, enc("short")))`, "OperationError,OperationError,OperationError,OperationError"},
		{`return names(() => s.generateKey({name: "AES-GCM", length: 100}, true, ["encrypt"]), () => s.generateKey({name: "AES-GCM"}, true, ["encrypt"]), () => s.generateKey({name: "AES-GCM", length: 128}, true, []), () => s.generateKey({name: "AES-GCM", length: 128}, true, ["sign"]),
		    () => s.generateKey({name: "AES-GCM", length: 128}, true, ["fly"]), () => s.generateKey({name: "AES-GCM", length: 128}, true), () => s.generateKey("PBKDF2", true, ["deriveBits"]), () => s.importKey("raw", new Uint8Array(5), "AES-GCM", true, ["encrypt"]), () => s.importKey("spki", new Uint8Array(16), "AES-GCM", true, ["encrypt"]), () => s.importKey("tree", new Uint8Array(16), "AES-GCM", true, ["encrypt"]))`,
			"OperationError,TypeError,SyntaxError,SyntaxError,TypeError,TypeError,NotSupportedError,DataError,NotSupportedError,TypeError"},
		{`const k = await s.generateKey({name: "AES-GCM", length: 192}, true, ["decrypt", "encrypt"]); "use strict"; let refused; try { k.type = "x" } catch (e) { refused = e.name }
		  return [k.type, k.extractable, JSON.stringify(k.algorithm), k.usages.join("+"), k.usages === k.usages, k instanceof CryptoKey, await name(() => new CryptoKey()), k.type].join()`, `secret,true,{"name":"AES-GCM","length":192},encrypt+decrypt,true,true,TypeError,secret`},
		{`const j = await s.exportKey("jwk", await s.importKey("raw", new Uint8Array(32), "AES-CTR", true, ["encrypt"])); return JSON.stringify(j)`, `{"kty":"oct","alg":"A256CTR","k":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","key_ops":["encrypt"],"ext":true}`},
		{`const j = (o, x = true, u = ["encrypt"]) => () => s.importKey("jwk", {kty: "oct", k: "AAAAAAAAAAAAAAAAAAAAAA", ...o}, "AES-GCM", x, u).then(k => k.algorithm.length);
		  return names(j({}), j({kty: "RSA"}), j({k: "*"}), j({k: undefined}), j({alg: "A256GCM"}), j({alg: "A128GCM"}), j({use: "sig"}), j({key_ops: ["decrypt"]}), j({key_ops: ["encrypt", "encrypt"]}), j({ext: false}), j({ext: false}, false), () => s.importKey("jwk", enc("x"), "AES-GCM", true, ["encrypt"]), () => s.importKey("jwk", 5, "AES-GCM", true, ["encrypt"]))`,
			"no error: 128,DataError,DataError,DataError,DataError,no error: 128,DataError,DataError,DataError,DataError,no error: 128,TypeError,TypeError"},
	})
}

// The values are those of RFC 4231.
func TestHMAC(t *testing.T) {
	runAll(t, []snippet{
		{`const k = await s.importKey("raw", un("0b".repeat(20)), {name: "HMAC", hash: "SHA-256"}, true, ["sign", "verify"]); const m = await s.sign("HMAC", k, enc("Hi There"));
		  return [hex(m), await s.verify("hmac", k, m, enc("Hi There")), await s.verify("HMAC", k, m, enc("Ho There")), await s.verify("HMAC", k, new Uint8Array(3), enc(""))].join()`, "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7,true,false,false"},
		{`const k = await s.importKey("raw", enc("Jefe"), {name: "HMAC", hash: {name: "SHA-512"}}, true, ["sign"]); return hex(await s.sign("HMAC", k, enc("what do ya want for nothing?")))`,
			"164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"},
		{`const l = async (hash, length) => (await s.generateKey({name: "HMAC", hash, length}, true, ["sign"])).algorithm.length; return [await l("SHA-1"), await l("SHA-256"), await l("SHA-384"), await l("SHA-512", 77)].join()`, "512,512,1024,77"},
		{`const k = await s.importKey("jwk", {kty: "oct", k: "c2VjcmV0", alg: "HS384"}, {name: "HMAC", hash: "SHA-384"}, true, ["verify"]); return JSON.stringify([k.algorithm, await s.exportKey("jwk", k)])`,
			`[{"name":"HMAC","hash":{"name":"SHA-384"},"length":48},{"kty":"oct","alg":"HS384","k":"c2VjcmV0","key_ops":["verify"],"ext":true}]`},
		{`const i = (b, a) => () => s.importKey("raw", b, {name: "HMAC", hash: "SHA-1", ...a}, false, ["sign"]); const k = await s.importKey("raw", enc("x"), {name: "HMAC", hash: "SHA-1"}, false, ["verify"]);
		  return names(i(enc("")), i(enc("ab"), {length: 17}), i(enc("ab"), {length: 8}), i(enc("ab"), {hash: "MD5"}), i(enc("ab"), {hash: undefined}), i(enc("ab"), {hash: "AES-CBC"}), () => s.sign("HMAC", k, enc("")), () => s.exportKey("raw", k), () => s.generateKey({name: "HMAC", hash: "SHA-1", length: 0}, true, ["sign"]), () => s.generateKey({name: "HMAC", hash: "SHA-1", length: 4e9}, true, ["sign"]))`,
			"DataError,DataError,DataError,NotSupportedError,TypeError,NotSupportedError,InvalidAccessError,InvalidAccessError,OperationError,OperationError"},
	})
}

// The values are those of RFC 6070 and RFC 5869.
func TestDerive(t *testing.T) {
	runAll(t, []snippet{
		{`const k = await s.importKey("raw", enc("password"), "PBKDF2", false, ["deriveBits", "deriveKey"]); const d = iterations => s.deriveBits({name: "PBKDF2", hash: "SHA-1", salt: enc("salt"), iterations}, k, 160);
		  return hex(await d(1)) + hex(await d(4096))`, "0c60c80f961f0e71f3a9b524af6012062fe037a64b007901b765489abead49d926f721d065a429c1"},
		{`const k = await s.importKey("raw", enc("p"), "PBKDF2", false, ["deriveBits"]); const b = await s.deriveBits({name: "PBKDF2", hash: "SHA-256", salt: enc("s"), iterations: 20000}, k, 256); return b.byteLength`, "32"},
		{`const k = await s.importKey("raw", un("0b".repeat(22)), "HKDF", false, ["deriveBits"]); return hex(await s.deriveBits({name: "HKDF", hash: "SHA-256", salt: un("000102030405060708090a0b0c"), info: un("f0f1f2f3f4f5f6f7f8f9")}, k, 336))`,
			"3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"},
		{`const k = await s.importKey("raw", enc("password"), "PBKDF2", false, ["deriveKey"]); const d = await s.deriveKey({name: "PBKDF2", hash: "SHA-256", salt: enc("salt"), iterations: 10}, k, {name: "AES-GCM", length: 256}, true, ["encrypt"]);
		  const h = await s.deriveKey({name: "PBKDF2", hash: "SHA-256", salt: enc("salt"), iterations: 10}, k, {name: "HMAC", hash: "SHA-1"}, true, ["sign"]); return d.algorithm.length + d.usages + h.algorithm.length`, "256encrypt512"},
		{`const k = await s.importKey("raw", enc("p"), "PBKDF2", false, ["deriveBits"]); const d = (a, n, key = k) => () => s.deriveBits({name: "PBKDF2", hash: "SHA-1", salt: enc("s"), iterations: 1, ...a}, key, n);
		  return names(d({}, 7), d({iterations: 0}, 8), d({}, null), d({}, 4294967288), d({}, 1e12), d({salt: "x"}, 8), d({iterations: -1}, 8), d({}, 8, {}), () => s.importKey("raw", enc("p"), "PBKDF2", true, ["deriveBits"]), () => s.importKey("jwk", {}, "PBKDF2", false, ["deriveBits"]), () => s.importKey("raw", enc("p"), "PBKDF2", false, []),
		    () => s.deriveKey({name: "PBKDF2", hash: "SHA-1", salt: enc("s"), iterations: 1}, k, {name: "AES-GCM", length: 128}, true, ["encrypt"]), () => s.exportKey("raw", k))`,
			"OperationError,OperationError,OperationError,OperationError,TypeError,TypeError,TypeError,TypeError,SyntaxError,NotSupportedError,SyntaxError,InvalidAccessError,NotSupportedError"},
		{`const k = await s.importKey("raw", enc("p"), "HKDF", false, ["deriveBits"]); return names(() => s.deriveBits({name: "HKDF", hash: "SHA-1", salt: enc(""), info: enc("")}, k, 255 * 160 + 8))`, "OperationError"},
	})
}

// The values are those of NIST's ECDH CAVS vectors and of RFC 6979, A.2.5.
func TestEC(t *testing.T) {
	const ecdhKeys = `
		const mine = {kty: "EC", crv: "P-256", d: b64u("7d7dc5f71eb29ddaf80d6214632eeae03d9058af1fb6d22ed80badb62bc1a534"), x: b64u("ead218590119e8876b29146ff89ca61770c4edbbf97d38ce385ed281d8a6b230"), y: b64u("28af61281fd35e2fa7002523acc85a429cb06ee6648325389f59edfce1405141")};
		const theirs = un("04700c48f77f56584c5cc632ca65640db91b6bacce3a4df6b42ce7cc838833d287db71e509e3fd9b060ddb20ba5c51dcc5948d46fbf640dfe0441782cab85fa4ac");
		const ecdh = {name: "ECDH", namedCurve: "P-256"}; const k = await s.importKey("jwk", mine, ecdh, true, ["deriveBits", "deriveKey"]); const pub = await s.importKey("raw", theirs, ecdh, true, []);`
	const ecdsaKeys = `
		const x = b64u("60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"), y = b64u("7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"), d = b64u("c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721");
		const a = {name: "ECDSA", namedCurve: "P-256", hash: "SHA-256"}; const pub = await s.importKey("jwk", {kty: "EC", crv: "P-256", x, y}, a, true, ["verify"]); const k = await s.importKey("jwk", {kty: "EC", crv: "P-256", x, y, d}, a, true, ["sign"]);`
	runAll(t, []snippet{
		{ecdhKeys + `return hex(await s.deriveBits({name: "ECDH", public: pub}, k, null)) + hex(await s.deriveBits({name: "ECDH", public: pub}, k, 12))`, "46fc62106420ff012e54a434fbdd2d25ccc5852060561e68040dd7778997bd7b46f0"},
		{ecdhKeys + `const g = await s.deriveKey({name: "ECDH", public: pub}, k, {name: "AES-CBC", length: 256}, true, ["encrypt"]); return hex(await s.exportKey("raw", g))`, "46fc62106420ff012e54a434fbdd2d25ccc5852060561e68040dd7778997bd7b"},
		{ecdhKeys + `const other = (await s.generateKey({name: "ECDH", namedCurve: "P-384"}, true, ["deriveBits"])); return names(() => s.deriveBits({name: "ECDH", public: other.publicKey}, k, 8), () => s.deriveBits({name: "ECDH", public: k}, k, 8), () => s.deriveBits({name: "ECDH", public: pub}, pub, 8), () => s.deriveBits({name: "ECDH", public: pub}, k, 264), () => s.deriveBits({name: "ECDH"}, k, 8), () => s.deriveBits({name: "ECDH", public: {}}, k, 8))`,
			"InvalidAccessError,InvalidAccessError,InvalidAccessError,OperationError,TypeError,TypeError"},
		{ecdsaKeys + `const sig = un("efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8");
		  const own = await s.sign(a, k, enc("sample")); return [await s.verify(a, pub, sig, enc("sample")), await s.verify(a, pub, sig, enc("simple")), await s.verify(a, pub, own, enc("sample")), await s.verify(a, pub, sig.slice(1), enc("sample")), await s.verify(a, pub, new Uint8Array(64), enc("sample"))].join()`, "true,false,true,false,false"},
		{ecdsaKeys + `return JSON.stringify(await s.exportKey("jwk", k)) === JSON.stringify({kty: "EC", crv: "P-256", x, y, d, key_ops: ["sign"], ext: true})`, "true"},
		{`const bad = []; for (const namedCurve of ["P-256", "P-384", "P-521"]) for (const n of ["ECDSA", "ECDH"]) { const a = {name: n, namedCurve, hash: "SHA-512"}; const us = n === "ECDSA" ? ["sign", "verify"] : ["deriveBits"];
		    const {publicKey, privateKey} = await s.generateKey(a, true, us); const pu = n === "ECDSA" ? ["verify"] : [], ru = n === "ECDSA" ? ["sign"] : ["deriveBits"];
		    for (const f of ["raw", "spki", "jwk"]) { const e = await s.exportKey(f, publicKey); const again = await s.exportKey(f, await s.importKey(f, e, a, true, pu)); if (JSON.stringify(f === "jwk" ? e : hex(e)) !== JSON.stringify(f === "jwk" ? again : hex(again))) bad.push(f) }
		    for (const f of ["pkcs8", "jwk"]) { const k = await s.importKey(f, await s.exportKey(f, privateKey), a, true, ru); if (n === "ECDSA" && !await s.verify(a, publicKey, await s.sign(a, k, enc("m")), enc("m"))) bad.push(f + namedCurve) }
		    bad.push(await names(() => s.exportKey("pkcs8", publicKey), () => s.exportKey("spki", privateKey), () => s.exportKey("raw", privateKey))) }
		  return [...new Set(bad)].join()`, "InvalidAccessError,InvalidAccessError,InvalidAccessError"},
		{`const a = {name: "ECDSA", namedCurve: "P-256", hash: "SHA-256"}; const g = await s.generateKey({name: "ECDSA", namedCurve: "P-384"}, true, ["sign"]); const spki = await s.exportKey("spki", g.publicKey); const j = await s.exportKey("jwk", g.privateKey);
		  return names(() => s.importKey("spki", spki, a, true, ["verify"]), () => s.importKey("raw", un("04" + "00".repeat(64)), a, true, ["verify"]), () => s.importKey("pkcs8", enc("junk"), a, true, ["sign"]), () => s.importKey("jwk", j, a, true, ["sign"]), () => s.importKey("jwk", {...j, d: "AAAA"}, {...a, namedCurve: "P-384"}, true, ["sign"]),
		    () => s.importKey("jwk", {...j, d: j.x}, {...a, namedCurve: "P-384"}, true, ["sign"]), () => s.generateKey({name: "ECDSA", namedCurve: "P-1"}, true, ["sign"]), () => s.generateKey(a, true, ["verify"]), () => s.sign({name: "ECDSA"}, g.privateKey, enc("")), () => s.verify(a, g.privateKey, new Uint8Array(96), enc("")), () => s.importKey("spki", spki, {name: "ECDH", namedCurve: "P-384"}, true, ["deriveBits"]))`,
			"DataError,DataError,DataError,DataError,DataError,DataError,NotSupportedError,SyntaxError,TypeError,InvalidAccessError,SyntaxError"},
	})
}

func TestRSA(t *testing.T) {
	runAll(t, []snippet{
		{`const bad = []; for (const n of ["RSASSA-PKCS1-v1_5", "RSA-PSS"]) { const a = {name: n, modulusLength: 1024, publicExponent: un("010001"), hash: "SHA-256", saltLength: n === "RSA-PSS" ? 20 : 0};
		    const {publicKey, privateKey} = await s.generateKey(a, true, ["sign", "verify"]); const sig = await s.sign(a, privateKey, enc("m"));
		    bad.push(sig.byteLength, await s.verify(a, publicKey, sig, enc("m")), await s.verify(a, publicKey, sig, enc("n")), publicKey.algorithm.modulusLength, hex(publicKey.algorithm.publicExponent), publicKey.usages, privateKey.usages);
		    for (const f of ["pkcs8", "jwk"]) { const k = await s.importKey(f, await s.exportKey(f, privateKey), a, true, ["sign"]); bad.push(await s.verify(a, publicKey, await s.sign(a, k, enc("m")), enc("m"))) }
		    for (const f of ["spki", "jwk"]) { const k = await s.importKey(f, await s.exportKey(f, publicKey), a, true, ["verify"]); bad.push(await s.verify(a, k, sig, enc("m"))) } }
		  return bad.join()`, strings.TrimSuffix(strings.Repeat("128,true,false,1024,010001,verify,sign,true,true,true,true,", 2), ",")},
		{`const a = {name: "RSA-PSS", modulusLength: 1032, publicExponent: un("03"), hash: "SHA-1"}; const {publicKey, privateKey} = await s.generateKey(a, false, ["sign", "verify"]);
		  const sig = await s.sign({name: "RSA-PSS", saltLength: 0}, privateKey, enc("m")); const v = (saltLength, m = "m", g = sig) => s.verify({name: "RSA-PSS", saltLength}, publicKey, g, enc(m));
		  return [await v(0), await v(0, "n"), await v(20), await v(0, "m", await s.sign({name: "RSA-PSS", saltLength: 20}, privateKey, enc("m"))), hex(publicKey.algorithm.publicExponent), await name(() => s.sign({name: "RSA-PSS", saltLength: 5000}, privateKey, enc("m"))), await v(5000)].join()`, "true,false,false,false,03,OperationError,false"},
		{`const a = {name: "RSA-OAEP", modulusLength: 1024, publicExponent: un("010001"), hash: "SHA-256"}; const {publicKey, privateKey} = await s.generateKey(a, true, ["encrypt", "decrypt", "wrapKey", "unwrapKey"]); const label = enc("l");
		  const c = await s.encrypt({name: "RSA-OAEP", label}, publicKey, enc("text")); const aes = await s.generateKey({name: "AES-CBC", length: 128}, true, ["encrypt"]); const w = await s.wrapKey("raw", aes, publicKey, "RSA-OAEP");
		  const u = await s.unwrapKey("raw", w, privateKey, "RSA-OAEP", "AES-CBC", true, ["decrypt"]); const j = await s.exportKey("jwk", publicKey);
		  return [hex(await s.decrypt({name: "RSA-OAEP", label}, privateKey, c)) === hex(enc("text")), await name(() => s.decrypt("RSA-OAEP", privateKey, c)), await name(() => s.encrypt("RSA-OAEP", publicKey, new Uint8Array(63))), await name(() => s.decrypt({name: "RSA-OAEP", label}, publicKey, c)), hex(await s.exportKey("raw", aes)) === hex(await s.exportKey("raw", u)), j.alg, j.kty, j.e].join()`,
			"true,OperationError,OperationError,InvalidAccessError,true,RSA-OAEP-256,RSA,AQAB"},
		{`const g = (modulusLength, e = "010001", us = ["sign"]) => () => s.generateKey({name: "RSA-PSS", modulusLength, publicExponent: un(e), hash: "SHA-1"}, true, us);
		  return names(g(512), g(100000), g(-1), g(1024, "02"), g(1024, ""), g(1024, "01"), g(1024, "ffffffffff"), g(1024, "010001", ["encrypt"]), g(1024, "010001", ["verify"]), () => s.importKey("raw", enc("x"), {name: "RSA-PSS", hash: "SHA-1"}, true, ["verify"]), () => s.importKey("spki", enc("x"), {name: "RSA-PSS", hash: "SHA-1"}, true, ["verify"]),
		    () => s.importKey("jwk", {kty: "RSA", n: "AAAA", e: "AQAB"}, {name: "RSA-PSS", hash: "SHA-1"}, true, ["verify"]), () => s.importKey("jwk", {kty: "RSA", n: "*", e: "AQAB"}, {name: "RSA-PSS", hash: "SHA-1"}, true, ["verify"]), () => s.importKey("jwk", {kty: "RSA", n: "AQAB", e: "AQAB", oth: []}, {name: "RSA-PSS", hash: "SHA-1"}, true, ["verify"]))`,
			"OperationError,OperationError,TypeError,OperationError,OperationError,OperationError,OperationError,SyntaxError,SyntaxError,NotSupportedError,DataError,DataError,DataError,NotSupportedError"},
	})
}

func TestWrapJWK(t *testing.T) {
	runAll(t, []snippet{
		{`const kw = await s.generateKey({name: "AES-KW", length: 256}, false, ["wrapKey", "unwrapKey"]); const gcm = await s.generateKey({name: "AES-GCM", length: 128}, false, ["encrypt", "wrapKey", "unwrapKey"]); const out = [];
		  const h = await s.generateKey({name: "HMAC", hash: "SHA-256"}, true, ["sign", "verify"]); const iv = new Uint8Array(12);
		  for (const [k, a] of [[kw, "AES-KW"], [gcm, {name: "AES-GCM", iv}]]) { const w = await s.wrapKey("jwk", h, k, a); const u = await s.unwrapKey("jwk", w, k, a, {name: "HMAC", hash: "SHA-256"}, true, ["sign"]); out.push(hex(await s.exportKey("raw", u)) === hex(await s.exportKey("raw", h))) }
		  const w = await s.encrypt({name: "AES-GCM", iv}, gcm, enc("[".repeat(20000)));
		  const hidden = await s.generateKey({name: "HMAC", hash: "SHA-256"}, false, ["sign"]);
		  out.push(await names(() => s.unwrapKey("jwk", w, gcm, {name: "AES-GCM", iv}, {name: "HMAC", hash: "SHA-256"}, true, ["sign"]), () => s.wrapKey("raw", hidden, kw, "AES-KW"), () => s.wrapKey("raw", h, h, "AES-KW"), () => s.wrapKey("raw", h, kw, "HMAC"), () => s.wrapKey("raw", h, kw)));
		  return out.join()`, "true,true,DataError,InvalidAccessError,InvalidAccessError,NotSupportedError,TypeError"},
	})
}

// TestSeed checks that a fixed seed fixes keys, signatures and cipher texts.
func TestSeed(t *testing.T) {
	const code = prelude + `return (async () => { const out = [crypto.randomUUID()];
		const ec = await s.generateKey({name: "ECDSA", namedCurve: "P-521"}, true, ["sign"]); out.push(hex(await s.exportKey("pkcs8", ec.privateKey)), hex(await s.sign({name: "ECDSA", hash: "SHA-256"}, ec.privateKey, enc("m"))));
		const r = await s.generateKey({name: "RSA-OAEP", modulusLength: 1024, publicExponent: un("010001"), hash: "SHA-1"}, true, ["encrypt", "decrypt"]); out.push(hex(await s.exportKey("pkcs8", r.privateKey)));
		const c = await s.encrypt("RSA-OAEP", r.publicKey, enc("m")); out.push(hex(c), hex(await s.decrypt("RSA-OAEP", r.privateKey, c)));
		out.push(hex(await s.exportKey("raw", await s.generateKey({name: "AES-CBC", length: 256}, true, ["encrypt"])))); return out.join(" ") })()`
	var outcomes []string
	for range 2 {
		v, err := bench(t, true).Eval(code)
		if err != nil {
			t.Fatal(err)
		}
		outcomes = append(outcomes, v.String())
	}
	if outcomes[0] != outcomes[1] {
		t.Errorf("two runs differ:\n%s\n%s", outcomes[0], outcomes[1])
	}
}

// TestHostileArguments calls every method with what it does not expect: the
// outcome is a rejected promise, never a panic nor an exception.
func TestHostileArguments(t *testing.T) {
	b := bench(t, false)
	v, err := b.Eval(prelude + `return (async () => { const key = await s.generateKey({name: "AES-GCM", length: 128}, true, ["encrypt"]); const bad = [];
		const thrower = {get name() { throw new RangeError("mine") }}, odd = [undefined, null, 0, -1, 1e300, NaN, "", "raw", "jwk", "AES-GCM", {}, [], thrower, {name: "ECDH", public: key, namedCurve: "P-256", length: 1e20}, new Uint8Array(3), key, Symbol("s"), () => 1, new Proxy({}, {get() { throw new RangeError("proxy") }})];
		for (const m of ["digest", "encrypt", "decrypt", "sign", "verify", "generateKey", "importKey", "exportKey", "deriveBits", "deriveKey", "wrapKey", "unwrapKey"])
			for (let n = 0; n < 300; n++) { const args = []; for (let k = 0; k < 7; k++) args.push(odd[(n * 7 + k * (n + 3)) % odd.length]);
				let p; try { p = s[m](...args) } catch (e) { bad.push(m + " threw " + e); continue } if (!(p instanceof Promise)) bad.push(m); else await p.catch(e => { if (!(e instanceof Error)) bad.push(m + e) }) }
		return bad.slice(0, 5).join() })()`)
	if err != nil {
		t.Fatal(err)
	}
	if v.String() != "" {
		t.Error(v)
	}
}

func TestExperimental(t *testing.T) {
	m := NewExperimental()
	b := moduletest.New(t, m, moduletest.Config{})
	_ = b.Host.Runtime.Set("crypto", New().Instantiate(b.Host).Export("crypto"))
	if got := b.Text(`return m.crypto === crypto && m.other === undefined`); got != "true" {
		t.Error(got)
	}
	m.Instantiate(b.Host)
	if log := b.Log(); strings.Count(log, "deprecated") != 1 {
		t.Errorf("log: %s", log)
	}
}

func FuzzImport(f *testing.F) {
	f.Add("spki", []byte{0x30, 0x59}, "")
	f.Add("jwk", []byte(nil), `{"kty":"RSA","n":"AQAB","e":"AQAB"}`)
	f.Add("jwk", []byte(nil), `{"kty":"EC","crv":"P-256","x":"AA","y":"AA","d":"AA"}`)
	f.Fuzz(func(t *testing.T, format string, data []byte, text string) {
		in, err := unwrapped(format, data)
		switch format {
		case "raw", "spki", "pkcs8":
		case "jwk":
			in, err = unwrapped(format, []byte(text))
		default:
			return // methods refuse it
		}
		if err != nil {
			return
		}
		for _, name := range algorithmNames {
			a, ok := algorithm(name).(importer)
			if !ok {
				continue
			}
			p := &params{name: name, hash: "SHA-256", curve: "P-256"}
			k, err := a.importKey(p, in, true, nil)
			if ex, ok := a.(exporter); ok && err == nil {
				_, _ = ex.exportKey(format, k)
			}
		}
	})
}

func BenchmarkHMACSign(b *testing.B) {
	bn := bench(b, false)
	v, err := bn.Eval(prelude + `return (async () => { const k = await s.importKey("raw", enc("key"), {name: "HMAC", hash: "SHA-256"}, false, ["sign"]); const d = enc("data"); return () => s.sign("HMAC", k, d) })()`)
	if err != nil {
		b.Fatal(err)
	}
	call, _ := goja.AssertFunction(v)
	for b.Loop() {
		if _, err := call(goja.Undefined()); err != nil {
			b.Fatal(err)
		}
	}
}
