package globals

import (
	"testing"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/moduletest"
)

// bench is a virtual user that has the globals, made on first use, and the
// additions that code asks for.
func bench(t testing.TB, code string, more ...modules.Module) *moduletest.Bench {
	t.Helper()
	m := New(more...)
	b := moduletest.New(t, m, moduletest.Config{})
	rt := b.Host.Runtime
	inst := m.Instantiate(b.Host).(*instance)
	exports := modules.NewExports(rt, m, inst)
	lazy := rt.ToValue(func(c goja.FunctionCall) goja.Value { return exports.Get(c.Argument(0).String()) })
	define, err := rt.RunString(`(function (names, lazy) {
		for (const name of names) Object.defineProperty(globalThis, name, {
			get() { return lazy(name) }, set(v) { Object.defineProperty(globalThis, name, {value: v, writable: true}) }, configurable: true })
	})`)
	if err != nil {
		t.Fatal(err)
	}
	call, _ := goja.AssertFunction(define)
	if _, err := call(goja.Undefined(), rt.ToValue(m.Names()), lazy); err != nil {
		t.Fatal(err)
	}
	_ = rt.Set("setTimeout", b.Host.Loop.SetTimeout)
	_ = rt.Set("clearTimeout", b.Host.Loop.Clear)
	for _, name := range m.Patches(code) {
		if err := inst.Patch(name); err != nil {
			t.Fatalf("patch %s: %v", name, err)
		}
	}
	return b
}

// snippet is a test: code that returns a value, and that value as text.
type snippet struct{ code, want string }

func (s snippet) run(t *testing.T) {
	t.Helper()
	b := bench(t, s.code)
	v, err := b.Eval("return (async () => {" + s.code + "})()")
	if err != nil {
		t.Errorf("%s\n%v", s.code, err)
		return
	}
	if got := v.String(); got != s.want {
		t.Errorf("%s\n got %s\nwant %s", s.code, got, s.want)
	}
}

func runAll(t *testing.T, all []snippet) {
	t.Helper()
	for _, s := range all {
		s.run(t)
	}
}

func TestText(t *testing.T) {
	runAll(t, []snippet{
		{`return new TextEncoder().encode("aé€😀").join()`, "97,195,169,226,130,172,240,159,152,128"},
		{`return new TextEncoder().encode().length + new TextEncoder().encoding`, "0utf-8"},
		{`return new TextEncoder().encode("\ud800x").join()`, "239,191,189,120"},
		{`const u = new Uint8Array(6); const r = new TextEncoder().encodeInto("a€😀", u); return [r.read, r.written, u].join()`, "2,4,97,226,130,172,0,0"},
		{`return new TextEncoder() instanceof TextEncoder`, "true"},
		{`return new TextDecoder().decode(new Uint8Array([97, 195, 169, 226, 130, 172, 240, 159, 152, 128]))`, "aé€😀"},
		{`return new TextDecoder().decode(new Uint8Array([0xEF, 0xBB, 0xBF, 97])).length`, "1"},
		{`return new TextDecoder("utf-8", {ignoreBOM: true}).decode(new Uint8Array([0xEF, 0xBB, 0xBF, 97])).length`, "2"},
		{`return [...new TextDecoder().decode(new Uint8Array([0xE2, 0x82, 97, 0xFF, 0xE0, 0x80, 0xF0, 0x9F, 0x98]))].map(c => c.codePointAt(0).toString(16)).join()`, "fffd,61,fffd,fffd,fffd,fffd"},
		{`const d = new TextDecoder(); const s = [[0xF0, 0x9F], [0x98, 0x80], [97, 0xE2]].map(b => d.decode(new Uint8Array(b), {stream: true})); s.push(d.decode()); return s.join("|")`, "|😀|a|\uFFFD"},
		{`try { new TextDecoder("utf-8", {fatal: true}).decode(new Uint8Array([0xFF])) } catch (e) { return e.name }`, "TypeError"},
		{`try { new TextDecoder("klingon") } catch (e) { return e.name }`, "RangeError"},
		{`try { new TextDecoder().decode("x") } catch (e) { return e.name }`, "TypeError"},
		{`return new TextDecoder("UTF-16").decode(new Uint8Array([0x3D, 0xD8, 0x00, 0xDE, 0x41, 0])) + new TextDecoder("utf-16be").decode(new Uint8Array([0, 0x42, 0])) `, "😀AB\uFFFD"},
		{`const d = new TextDecoder("utf-16le"); return d.decode(new Uint8Array([0x3D, 0xD8, 0]), {stream: true}).length + d.decode(new Uint8Array([0xDE]))`, "0😀"},
		{`const d = new TextDecoder(" Latin1 "); return d.encoding + d.decode(new Uint8Array([0x80, 0xE9])) + d.fatal`, "windows-1252€éfalse"},
		{`return new TextDecoder().decode(new DataView(new Uint8Array([97, 98, 99]).buffer, 1, 1)) + new TextDecoder().decode(new Uint8Array([100]).buffer)`, "bd"},
	})
}

func TestBase64(t *testing.T) {
	runAll(t, []snippet{
		{`return btoa("a\xffb") + btoa("")`, "Yf9i"},
		{`return [...atob(" Yf 9i\n")].map(c => c.charCodeAt(0)).join() + atob("YQ") + atob("YQ==")`, "97,255,98aa"},
		{`try { btoa("€") } catch (e) { return e.name + e.code + (e instanceof DOMException) + (e instanceof Error) }`, "InvalidCharacterError5truetrue"},
		{`return ["YQ=", "Y", "Y===", "a-b_", "YQ==="].map(s => { try { return atob(s) } catch (e) { return e.name } }).join()`, "InvalidCharacterError,InvalidCharacterError,InvalidCharacterError,InvalidCharacterError,InvalidCharacterError"},
		{`try { atob() } catch (e) { return e.name }`, "TypeError"},
	})
}

func TestMicrotaskAndPerformance(t *testing.T) {
	runAll(t, []snippet{
		{`const order = []; queueMicrotask(() => order.push(2)); order.push(1); await null; await null; order.push(3); return order.join()`, "1,2,3"},
		{`try { queueMicrotask(1) } catch (e) { return e.name }`, "TypeError"},
		{`const a = performance.now(); for (let i = 0; i < 1e4; i++); const b = performance.now(); return b > a && a >= 0 && Math.abs(performance.timeOrigin + b - Date.now()) < 5000`, "true"},
		{`return JSON.stringify(Object.keys(performance.toJSON()))`, `["timeOrigin"]`},
	})
}

func TestDOMException(t *testing.T) {
	runAll(t, []snippet{
		{`const e = new DOMException("m", "AbortError"); return [e.name, e.message, e.code, e, Object.prototype.toString.call(e), e instanceof Error, typeof e.stack].join()`, "AbortError,m,20,AbortError: m,[object DOMException],true,string"},
		{`const e = new DOMException("m", {name: "X", cause: 1}); return [e.name, e.cause, e.code, new DOMException().name].join()`, "X,1,0,Error"},
	})
}

func TestClone(t *testing.T) {
	runAll(t, []snippet{
		{`const o = {a: [1, {b: new Date(5)}], s: "x", n: null, u: undefined, big: 10n}; o.self = o; const c = structuredClone(o);
		  return c !== o && c.self === c && c.a !== o.a && c.a[1].b.getTime() === 5 && c.a[1].b !== o.a[1].b && "u" in c && c.big === 10n && c.n === null`, "true"},
		{`const k = {}; const c = structuredClone(new Map([[k, new Set([k, 1])]])); const [key, set] = [...c][0]; return c instanceof Map && set.has(key) && set.has(1) && key !== k`, "true"},
		{`const r = structuredClone(/a+/gi); return r.source + r.flags + r.test("xA")`, "a+gitrue"},
		{`const b = new ArrayBuffer(8); const v = {x: new Uint8Array(b, 2, 3), y: new Float64Array(b), z: new DataView(b, 1)}; v.x[0] = 7; const c = structuredClone(v);
		  b.slice; v.x[0] = 9; return [c.x.length, c.x.byteOffset, c.x[0], c.x.buffer === c.y.buffer, c.y.length, c.z.byteLength, c.z.buffer === c.x.buffer, c.x.constructor.name].join()`, "3,2,7,true,1,7,true,Uint8Array"},
		{`const e = structuredClone(new RangeError("m", {cause: {a: 1}})); return [e instanceof RangeError, e.message, e.cause.a, e.stack.includes("RangeError")].join()`, "true,m,1,true"},
		{`const a = [1, , 3]; a.extra = 4; const c = structuredClone(a); return [c.length, 1 in c, c.extra, structuredClone(Object(true)) instanceof Boolean].join()`, "3,false,4,true"},
		{`class P { x = 1; get y() { return 2 } } const c = structuredClone(new P()); return JSON.stringify(c) + (c instanceof P)`, `{"x":1}false`},
		{`return [() => 1, {a() {}}, Symbol("s"), Promise.resolve(), new WeakMap(), new Proxy({}, {}), new URL("http://x/"), [class {}]].map(v => { try { structuredClone(v); return "no" } catch (e) { return e.name + e.code } }).join()`,
			"DataCloneError25,DataCloneError25,DataCloneError25,DataCloneError25,DataCloneError25,DataCloneError25,DataCloneError25,DataCloneError25"},
		{`const b = new ArrayBuffer(4); const c = structuredClone({b}, {transfer: [b]}); return c.b.byteLength + "," + b.byteLength`, "4,0"},
		{`let deep = {}; let d = deep; for (let i = 0; i < 10000; i++) d = d.next = {}; return typeof structuredClone(deep).next.next`, "object"},
		{`try { structuredClone() } catch (e) { return e.name }`, "TypeError"},
	})
}

func TestURL(t *testing.T) {
	runAll(t, []snippet{
		{`const u = new URL("../c?x=1&y=2#h", "https://u:p@e.com:8443/a/b/d"); return [u.href, u.origin, u.protocol, u.username, u.password, u.host, u.hostname, u.port, u.pathname, u.search, u.hash].join(" ")`,
			"https://u:p@e.com:8443/a/c?x=1&y=2#h https://e.com:8443 https: u p e.com:8443 e.com 8443 /a/c ?x=1&y=2 #h"},
		{`const u = new URL("http://e.com"); u.pathname = "/a b"; u.search = "q=ü"; u.hash = "x"; u.port = 81; u.protocol = "https"; return u + "|" + JSON.stringify({u}) + "|" + u.toJSON()`,
			`https://e.com:81/a%20b?q=%C3%BC#x|{"u":"https://e.com:81/a%20b?q=%C3%BC#x"}|https://e.com:81/a%20b?q=%C3%BC#x`},
		{`const u = new URL("http://e.com/?a=1"); const p = u.searchParams; p.append("b", "x y"); const first = u.href; u.search = "?z=9"; return [first, p.get("z"), p.size, u.searchParams === p].join()`, "http://e.com/?a=1&b=x+y,9,1,true"},
		{`const u = new URL("http://e.com/?a=1"); u.searchParams.delete("a"); return u.href`, "http://e.com/"},
		{`try { new URL("nope") } catch (e) { return e instanceof TypeError && e.message }`, "Invalid URL: nope"},
		{`return [URL.canParse("x:y"), URL.canParse("y"), URL.canParse("y", "http://h"), URL.parse("y"), URL.parse("/y", "http://h").href].join()`, "true,false,true,,http://h/y"},
		{`const u = new URL("http://h/"); try { "use strict"; u.origin = "x" } catch (e) { return e.name + u.origin }`, "TypeErrorhttp://h"},
		{`class My extends URL { get short() { return this.hostname } } const u = new My("http://h.x/"); return [u.short, u instanceof My, u instanceof URL, Object.prototype.toString.call(u)].join()`, "h.x,true,true,[object URL]"},
		{`const u = new URL("http://h/"); u.mine = 5; return u.mine + Object.keys(u).join() + ("href" in u)`, "5minetrue"},
		{`try { URL.prototype.toString.call({}) } catch (e) { return e.name }`, "TypeError"},
		{`try { new URL() } catch (e) { return e.name }`, "TypeError"},
	})
}

func TestURLSearchParams(t *testing.T) {
	runAll(t, []snippet{
		{`const p = new URLSearchParams("?a=1&b=2&a=3"); return [p.get("a"), p.getAll("a"), p.has("b"), p.has("a", "3"), p.has("a", "9"), p.get("zz"), p.size].join("|")`, "1|1,3|true|true|false||3"},
		{`const p = new URLSearchParams({x: 1, y: [2, 3], "ä": null}); return p.toString()`, "x=1&y=2%2C3&%C3%A4=null"},
		{`const p = new URLSearchParams([["a", "b"], new Set(["c", "d"])]); p.set("a", "z"); p.append("a", "q"); p.set("n", "1"); p.delete("a", "q"); return p + ""`, "a=z&c=d&n=1"},
		{`const p = new URLSearchParams(new Map([["m", 1]])); return new URLSearchParams(p).toString() + new URLSearchParams().size`, "m=10"},
		{`const p = new URLSearchParams("b=2&a=1&b=1"); p.sort(); return [...p].map(e => e.join("")).join() + [...p.keys()] + [...p.values()] + Object.fromEntries(p).b`, "a1,b2,b1a,b,b1,2,11"},
		{`const out = []; new URLSearchParams("a=1&b=2").forEach(function (v, k, p) { out.push(v + k + (p instanceof URLSearchParams) + this.t) }, {t: 7}); return out.join()`, "1atrue7,2btrue7"},
		{`const it = new URLSearchParams("a=1").entries(); return Object.prototype.toString.call(it) + JSON.stringify([it.next(), it.next()]) + (it[Symbol.iterator]() === it)`, `[object URLSearchParams Iterator][{"value":["a","1"],"done":false},{"done":true}]true`},
		{`return ["a", [1], [[1]], [[1, 2, 3]]].map(x => { try { return "" + new URLSearchParams(x) } catch (e) { return e.name } }).join()`, "a=,TypeError,TypeError,TypeError"},
		{`try { new URLSearchParams().append("a") } catch (e) { return e.name }`, "TypeError"},
		{`const p = new URLSearchParams("a=1&a=2&b=3"); for (const [k] of p) p.delete(k); return p + ""`, "b=3"},
	})
}

func TestAbort(t *testing.T) {
	runAll(t, []snippet{
		{`const c = new AbortController(); const seen = []; c.signal.addEventListener("abort", e => seen.push(e.type + (e.target === c.signal))); c.signal.onabort = () => seen.push("on");
		  c.abort(); c.abort("again"); return [seen, c.signal.aborted, c.signal.reason.name, c.signal instanceof EventTarget].join()`, "on,aborttrue,true,AbortError,true"},
		{`const s = AbortSignal.abort("why"); try { s.throwIfAborted() } catch (e) { return e + s.reason }`, "whywhy"},
		{`const s = AbortSignal.timeout(5); setTimeout(() => 0, 10000); const e = await new Promise(r => s.addEventListener("abort", r)); clearTimeout(1); return [e.type, s.aborted, s.reason.name].join()`, "abort,true,TimeoutError"},
		{`const a = new AbortController(), b = new AbortController(); const s = AbortSignal.any([a.signal, b.signal]); const t = AbortSignal.any([s]); let n = 0; t.onabort = () => n++; b.abort(3); return [s.aborted, t.reason, n, AbortSignal.any([s]).aborted, AbortSignal.any([]).aborted].join()`, "true,3,1,true,false"},
		{`return [() => new AbortSignal(), () => AbortSignal.timeout(-1), () => AbortSignal.timeout("x"), () => AbortSignal.any([1]), () => new Event()].map(f => { try { f(); return "" } catch (e) { return e.name } }).join()`, "TypeError,TypeError,TypeError,TypeError,TypeError"},
		{`const t = new EventTarget(); const out = []; const h = {handleEvent(e) { out.push(this === h) }}; t.addEventListener("x", h); t.addEventListener("x", h); t.addEventListener("x", e => { out.push(2); e.preventDefault(); e.stopImmediatePropagation() }, {once: true}); t.addEventListener("x", () => out.push(3));
		  out.push(t.dispatchEvent(new Event("x", {cancelable: true}))); t.removeEventListener("x", h); out.push(t.dispatchEvent(new Event("x"))); return out.join()`, "true,2,false,3,true"},
		{`const c = new AbortController(), t = new EventTarget(); let n = 0; t.addEventListener("x", () => n++, {signal: c.signal}); t.dispatchEvent(new Event("x")); c.abort(); t.dispatchEvent(new Event("x")); return n`, "1"},
	})
}
