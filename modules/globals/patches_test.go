package globals

import (
	"runtime"
	"slices"
	"testing"
	"time"
)

func TestPatches(t *testing.T) {
	runAll(t, []snippet{
		{`const {promise, resolve} = Promise.withResolvers(); resolve(4); class P extends Promise {} return await promise + "" + (P.withResolvers().promise instanceof P)`, "4true"},
		{`const g = Object.groupBy([1, 2, 3], x => x % 2 ? "odd" : "even"); return JSON.stringify(g) + Object.getPrototypeOf(g)`, `{"odd":[1,3],"even":[2]}null`},
		{`const k = {}; const m = Map.groupBy("aba", c => c === "a" ? k : 1); return m.get(k).join() + m.get(1)`, "a,ab"},
		{`try { Object.groupBy(null, x => x) } catch (e) { return e.name }`, "TypeError"},
		{`return (await Array.fromAsync([1, Promise.resolve(2)], async (x, i) => x * 10 + i)).join() + (await Array.fromAsync({length: 2, 0: "a", 1: Promise.resolve("b")})).join("")`, "10,21ab"},
		{`let n = 0; const it = {[Symbol.asyncIterator]() { return {async next() { return {done: n > 2, value: n++} }} }}; return (await Array.fromAsync(it)).join()`, "0,1,2"},
		{`let closed = 0; const it = {[Symbol.iterator]() { return {next: () => ({value: 1, done: false}), return() { closed++; return {} }} }}; try { await Array.fromAsync(it, () => { throw 1 }) } catch (e) { return e + closed }`, "2"},
		{`return ["a😀", "\ud800", "x\udc00y"].map(s => s.isWellFormed() + s.toWellFormed()).join()`, "truea😀,false\uFFFD,falsex\uFFFDy"},
		{`return RegExp.escape("a.b*c-1 \n\u2028/") + new RegExp(RegExp.escape("1+1 (x)")).test("1+1 (x)")`, `\x61\.b\*c\x2d1\x20\n\u2028\/true`},
		{`return typeof Symbol.dispose + typeof Symbol.asyncDispose + (Symbol.dispose === Symbol.for("Symbol.dispose"))`, "symbolsymboltrue"},
		{`class E { constructor() { Error.captureStackTrace(this, E) } get name() { return "E" } get message() { return "m" } } function outer() { return new E() } const s = outer().stack.split("\n"); return s[0] + s[1].includes("outer") + Object.keys(outer()).length`, "E: mtrue0"},
		{`const e = new TypeError("x"); Error.captureStackTrace(e); return e.stack.startsWith("TypeError: x\n\tat ")`, "true"},
	})
}

func TestIteratorHelpers(t *testing.T) {
	runAll(t, []snippet{
		{`return [1, 2, 3].values().map(x => x * 2).filter(x => x > 2).toArray().join()`, "4,6"},
		{`function* g() { try { yield 1; yield 2; yield 3 } finally { out.push("closed") } } const out = []; out.push(...g().take(2)); return out.join()`, "closed,1,2"},
		{`return [...new Set([1, 2, 3]).values().drop(1)].join() + new Map([[1, 2]]).entries().flatMap(e => e).toArray().join()`, "2,31,2"},
		{`const v = () => [1, 2, 3].values(); let n = 0; v().forEach((x, i) => n += x * i); return [v().reduce((a, b) => a + b), v().reduce((a, b) => a + b, 10), v().some(x => x > 2), v().every(x => x > 2), v().find(x => x > 1), v().find(x => x > 5), n].join()`, "6,16,true,false,2,,8"},
		{`const it = Iterator.from({next() { return {done: this.n > 1, value: this.n++} }, n: 0}); return it.toArray().join() + (it instanceof Iterator) + Iterator.from("ab").map(c => c + c).toArray()`, "0,1trueaa,bb"},
		{`class My extends Iterator { n = 0; next() { return {value: this.n++, done: this.n > 3} } } return new My().map(x => x + 1).toArray().join()`, "1,2,3"},
		{`return [() => new Iterator(), () => [].values().map(1), () => [].values().take(-1), () => [].values().take(NaN), () => [].values().reduce((a, b) => a), () => [].values().flatMap(x => x) && [1].values().flatMap(x => x).toArray()].map(f => { try { return f() } catch (e) { return e.name } }).join()`, "TypeError,TypeError,RangeError,RangeError,TypeError,TypeError"},
		{`let closed = 0; const it = {__proto__: [].values().__proto__.__proto__, next: () => ({value: 1, done: false}), return() { closed++; return {} }}; try { it.map(() => { throw 5 }).next() } catch (e) { return e + closed } function* f() {}`, "6"},
		{`const h = [1, 2].values().map(x => x); h.return(); return JSON.stringify(h.next()) + Object.prototype.toString.call(h) + [...h].length`, `{"done":true}[object Iterator Helper]0`},
	})
}

func TestPatchesWanted(t *testing.T) {
	m := New()
	for code, want := range map[string][]string{
		`import http from "k6/http"; http.get(u).headers.map(x => 1)`: nil,
		`Object.entries(o).map(x => x)`:                               nil,
		`new Map().entries().map(x => x)`:                             {"iterator"},
		`function* g() {} g().take(1)`:                                {"iterator"},
		`class A { *g() {} } new A().g().toArray()`:                   {"iterator"},
		`function* g() {}`:                                            nil,
		`_.groupBy(x, "a")`:                                           nil,
		`Object.groupBy(x, f)`:                                        {"objectGroupBy"},
		`new RegExp("\\p{L}", "u")`:                                   {"regexp"},
		`(5).toLocaleString()`:                                        {"locale"},
	} {
		if got := m.Patches(code); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", code, got, want)
		}
	}
}

func TestRegExpProperties(t *testing.T) {
	runAll(t, []snippet{
		{`return new RegExp("\\p{L}+", "u").exec("123été!")[0] + RegExp("[\\p{Lu}_]+", "u").exec("aBÉ_c")[0]`, "étéBÉ_"},
		{`const r = new RegExp("\\P{L}+", "gu"); return "a1b-c".replace(r, "") + r.source + r.flags + r`, `abc\P{L}+gu/\P{L}+/gu`},
		{`return new RegExp("[^\\P{Script=Greek}]", "u").test("α") + "" + new RegExp("\\p{sc=Grek}\\p{Script=Latin}", "u").test("αz") + new RegExp("\\p{Emoji_Presentation}", "u").test("😀") + new RegExp("\\p{Extended_Pictographic}", "u").test("a")`, "truetruetruefalse"},
		{`return ["Letter", "gc=Nd", "General_Category=Uppercase_Letter", "Alphabetic", "White_Space", "ASCII", "Any", "Assigned", "ID_Start", "Emoji", "P", "Sc", "Cased_Letter", "Cn"].map(p => +new RegExp("^\\p{" + p + "}$", "u").test("A")).join("")`, "10110111100010"},
		{`return ["Nope", "scx=Greek", "sc=Nope", "", "L", "lowercase"].map(p => { try { new RegExp("\\p{" + p + "}", "u"); return "ok" } catch (e) { return e.name } }).join()`, "SyntaxError,SyntaxError,SyntaxError,SyntaxError,ok,SyntaxError"},
		{`return ["\\p", "\\pL", "\\p{L"].map(p => { try { new RegExp(p, "u"); return "ok" } catch (e) { return e.name } }).join() + "\\p{L}"`, `SyntaxError,SyntaxError,SyntaxError\p{L}`},
		{`return new RegExp("\\p{L}").test("p{L}")`, "true"},
		{`const r = new RegExp("\\p{Lu}", "u"); return [r instanceof RegExp, /x/ instanceof RegExp, r.constructor === RegExp, RegExp(r) === r, new RegExp(r) !== r, new RegExp(r, "gu").flags, new RegExp(r).source, RegExp.name, RegExp.prototype.constructor === RegExp, Object.prototype.toString.call(r)].join()`, `true,true,true,true,true,gu,\p{Lu},RegExp,true,[object RegExp]`},
		{`class R extends RegExp { x() { return 1 } } const r = new R("\\p{L}", "u"); return r.x() + "" + r.test("é") + (r instanceof R)`, "1truetrue"},
		{`return "aÉb".split(new RegExp("\\p{Lu}", "u")).join("|") + [..."éa1".matchAll(new RegExp("(\\p{L})", "gu"))].length + "x1".search(new RegExp("\\p{N}", "u"))`, "a|b21"},
		{`return new RegExp("(?<=\\p{Sc})\\d+", "u").exec("€42")[0]`, "42"},
		{`const at = () => new RegExp("\\p{L}", "gu"); const a = at(), b = at(); a.test("é"); return a !== b && a.lastIndex === 1 && b.lastIndex === 0`, "true"},
	})
}

func FuzzRewriteProperties(f *testing.F) {
	for _, s := range []string{`\p{L}`, `[\P{sc=Greek}-z]`, `\\p{L}`, `\p{`, `[`, `\`, `\p{Emoji}\p{Cs}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out, err := rewriteProperties(s)
		if err == nil && len(s) > 0 && len(out) == 0 {
			t.Fatalf("%q became nothing", s)
		}
	})
}

func TestWeakRef(t *testing.T) {
	runAll(t, []snippet{
		{`const o = {a: 1}; const w = new WeakRef(o); return w.deref().a + Object.prototype.toString.call(w)`, "1[object WeakRef]"},
		{`return [() => new WeakRef(1), () => new FinalizationRegistry(1), () => new FinalizationRegistry(() => 0).register(1), () => WeakRef.prototype.deref.call({})].map(f => { try { f(); return "" } catch (e) { return e.name } }).join()`, "TypeError,TypeError,TypeError,TypeError"},
		{`const token = {}, r = new FinalizationRegistry(() => 0); r.register({}, 1, token); return r.unregister(token) + "" + r.unregister(token)`, "truefalse"},
	})
}

func TestWeakRefLetsGo(t *testing.T) {
	b := bench(t, "")
	if _, err := b.Eval(`globalThis.gone = []; globalThis.registry = new FinalizationRegistry(h => gone.push(h));
		(() => { const o = {big: new Uint8Array(1000)}; globalThis.ref = new WeakRef(o); registry.register(o, "held") })()`); err != nil {
		t.Fatal(err)
	}
	for range 200 {
		runtime.GC()
		time.Sleep(time.Millisecond)
		v, err := b.Eval(`return ref.deref() === undefined && gone.join()`)
		if err != nil {
			t.Fatal(err)
		}
		if v.String() == "held" {
			return
		}
	}
	t.Error("the target was never let go of, or its registry not told")
}
