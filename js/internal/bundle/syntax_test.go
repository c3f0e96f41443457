package bundle

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// syntaxCases hold every construct of the language up to ES2025, and what is
// about to come; each must get through esbuild, goja's parser and its compiler,
// and yield the given text.
var syntaxCases = []struct{ name, body, want string }{
	{"let const", `let a = 1; const b = 2; { let a = 3; } return a + b`, "3"},
	{"arrows", `const f = (a, b = 2, ...c) => a + b + c.length; return f(1, 2, 3, 4)`, "5"},
	{"destructuring", `const { a, b: { c = 5 }, ...r } = { a: 1, b: {}, d: 4 }; const [x, , y = 9, ...z] = [1, 2]; return [a, c, r.d, x, y, z.length].join()`, "1,5,4,1,9,0"},
	{"object literals", `const k = "x"; const o = { k, [k + 1]: 1, m() { return 2 }, get g() { return 3 }, async n() {}, *i() {}, ...{ s: 4 } }; return [o.k, o.x1, o.m(), o.g, o.s].join()`, "x,1,2,3,4"},
	{"tagged template", "const t = (s, ...v) => s.raw.join('|') + v.join(); return t`a\\n${1}b${2}`", `a\n|b|1,2`},
	{"class fields", `class A { x = 1; static y = 2; #z = 3; static #w = 4; get z() { return this.#z } static w() { return A.#w } #m() { return 5 } m() { return this.#m() } has(o) { return #z in o } static { this.b = 6 } get #p() { return 7 } p() { return this.#p } } const a = new A(); return [a.x, A.y, a.z, A.w(), a.m(), a.has(a), A.b, a.p()].join()`, "1,2,3,4,5,true,6,7"},
	{"auto accessor", `class A { accessor x = 1; static accessor y = 2 } const a = new A(); a.x++; return a.x + A.y`, "4"},
	{"inheritance", `class A { constructor() { this.t = new.target.name } m() { return "a" } } class B extends A { m() { return super.m() + "b" } } return new B().t + new B().m()`, "Bab"},
	{"generators", `function* g() { const x = yield 1; yield* [x, 3] } const i = g(); i.next(); return [i.next(2).value, i.next().value, i.next().done].join()`, "2,3,true"},
	{"spread", `return Math.max(...[1, 2], ...new Set([3]))`, "3"},
	{"for of", `let s = ""; for (const [k, v] of Object.entries({ a: 1, b: 2 })) s += k + v; return s`, "a1b2"},
	{"labels", `outer: for (let i = 0; ; i++) { for (;;) { if (i > 2) break outer; continue outer } } return "done"`, "done"},
	{"optional chaining", `const o = { f: null }; return [o?.a?.b, o.f?.(), o?.["f"] ?? "n"].join("|")`, "||n"},
	{"logical assignment", `let a = null, b = 1, c = 0; a ??= 2; b &&= 3; c ||= 4; return a + b + c`, "9"},
	{"exponent", `let x = 2; x **= 3; return x ** 2`, "64"},
	{"numbers", `return [1_000, 0b11, 0o17, 0xff, .5, 5n ** 2n].join()`, "1000,3,15,255,0.5,25"},
	{"optional catch", `try { throw 1 } catch { return "c" } finally { }`, "c"},
	{"async", `const f = async (x) => { await null; return x }; return await f(1) + await (async () => 2)()`, "3"},
	{"for await", `let s = ""; for await (const x of [Promise.resolve(1), 2]) s += x; return s`, "12"},
	{"async generator", `async function* g() { yield 1; yield await Promise.resolve(2); yield* (async function* () { yield 3 })() } let s = ""; for await (const x of g()) s += x; return s`, "123"},
	{"async generator method", `const o = { async *m() { yield "m" } }; class A { static async *n() { yield "n" } } let s = ""; for await (const x of o.m()) s += x; for await (const x of A.n()) s += x; return s`, "mn"},
	{"regexp flags", `return [/a.c/s.test("a\nc"), /\u{1F600}/u.test("😀"), /foo/y.test("foo"), /(?<y>\d+)/.exec("12").groups.y, /(?<=\$)\d/.test("$4"), /(?<!a)b/.test("ab")].join()`, "true,true,true,12,true,false"},
	{"regexp property literal compiles", `const f = () => /\p{L}/u; return typeof f`, "function"},
	{"regexp v and d compile", `const f = () => [/[\p{L}--[a-z]]/v, /a/d]; return typeof f`, "function"},
	{"decorators", `const d = (v, c) => c.kind === "method" ? function () { return "d" + v.call(this) } : undefined; @((c) => c) class A { @d m() { return "m" } @d f = 1 } return new A().m() + new A().f`, "dm1"},
	{"using", `let s = ""; { using a = { [Symbol.dispose ?? Symbol.for("Symbol.dispose")]() { s += "a" } }; s += "b" } return s`, "ba"},
	{"await using", `let s = ""; { await using a = { async [Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose")]() { s += "a" } }; s += "b" } return s`, "ba"},
	{"unicode names", `const größe = 1, 变量 = 2, $_ = 3; return größe + 变量 + $_`, "6"},
	{"unicode strings", `return "é😀\u{1F600}".length`, "5"},
	{"html comments", "let a = 1; return a", "1"},
	{"eval and Function", `return new Function("a", "return a + 1")(1) + (0, eval)("2")`, "4"},
	{"getter setter static", `class A { static get x() { return 1 } static set x(v) {} static async y() {} } return A.x`, "1"},
	{"symbols and computed", `const s = Symbol("q"); const o = { [s]: 1, [Symbol.iterator]: function* () { yield 7 } }; return o[s] + [...o][0]`, "8"},
	{"comma, void, in, instanceof", `return [(1, 2), void 0, "a" in { a: 1 }, [] instanceof Array, typeof null].join()`, "2,,true,true,object"},
	{"switch", `switch (3) { case 1: return "x"; default: { return "d" } }`, "d"},
	{"nested functions and hoisting", `return f(); function f() { return g(); function g() { return "h" } }`, "h"},
	{"import.meta and import()", `return typeof import.meta.url + (await import("./other.js")).v`, "stringo"},
	{"json with attributes", `return (await import("./d.json", { with: { type: "json" } })).default.j`, "1"},
}

func TestSyntax(t *testing.T) {
	t.Parallel()
	for _, tt := range syntaxCases {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := outcome(t, "-- script.js --\nexport default async function () { "+tt.body+" }\n-- other.js --\nexport const v = 'o';\n-- d.json --\n{\"j\": 1}\n")
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// TestTypeScriptSyntax does the same for what only TypeScript has.
func TestTypeScriptSyntax(t *testing.T) {
	t.Parallel()
	got := outcome(t, `
-- script.ts --
import type { X } from "./missing-types";
import { type Y, value } from "./values";
import fs = require("./cjs");
enum Plain { A, B = 5, C } const enum Const { Q = "q" } declare const ambient: number;
namespace Outer { export namespace Inner { export const v = "ns" } }
abstract class Shape<in out T = unknown> { constructor(protected readonly side: number, public label?: string) {} abstract area(): T; declare note: string; private override?: never; }
class Sq extends Shape<number> { override area() { return this.side ** 2 } }
function over(a: string): string; function over(a: number): number; function over(a: any): any { return a }
function asserts(x: unknown): asserts x is string {}
type Fn = typeof over; interface I { [k: string]: unknown; (x: number): void; new (): I; readonly a?: string }
let tuple: readonly [a: number, b?: string, ...rest: boolean[]] = [1];
const sat = { a: 1 } satisfies Record<string, number>; const as = sat as const; const nn = sat!.a!;
type Cond<T> = T extends (infer U extends string)[] ? U : never; type Tpl = `+"`a${string}`"+`;
let generic = <T,>(x: T): T => x; let inst = generic<string>;
export type { X }; export default (): string => [Plain.C, Plain[5], Const.Q, Outer.Inner.v, new Sq(3).area(), over(1), tuple.length, nn, generic<number>(2), inst("i"), value, fs.c].join();
-- values.ts --
export interface Y {} export const value = "val";
-- cjs.cts --
module.exports = { c: "cts" };
-- package.json --
{}
`)
	if want := "6,B,q,ns,9,1,1,1,2,i,val,cts"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestSupportedIsComplete compares our list of features with that of the
// esbuild in use, so that a new version cannot bring syntax that nobody has
// tried in goja.
func TestSupportedIsComplete(t *testing.T) {
	t.Parallel()
	table, err := os.ReadFile(filepath.Join(esbuildDir(t), "internal", "compat", "js_table.go"))
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`(?m)^\t"([a-z0-9-]+)":\s+\w+,$`).FindAllStringSubmatch(string(table), -1)
	if len(names) < 50 {
		t.Fatalf("only %d features found in esbuild's table", len(names))
	}
	ours := supported()
	var known []string
	for _, n := range names {
		known = append(known, n[1])
		if _, ok := ours[n[1]]; !ok {
			t.Errorf("esbuild knows %q, which supported() does not mention", n[1])
		}
	}
	for name := range ours {
		if !slices.Contains(known, name) {
			t.Errorf("esbuild does not know %q any more", name)
		}
	}
}

// esbuildDir finds the sources of the esbuild that this test is linked with.
func esbuildDir(t *testing.T) string {
	t.Helper()
	pc := runtime.FuncForPC(esbuildEntry())
	file, _ := pc.FileLine(pc.Entry())
	i := strings.Index(file, "/pkg/api/")
	if i < 0 {
		t.Fatalf("no esbuild in %s", file)
	}
	return file[:i]
}
