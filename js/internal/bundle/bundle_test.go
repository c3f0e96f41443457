package bundle

import (
	"testing"
)

func TestModules(t *testing.T) {
	t.Parallel()
	for _, tt := range moduleCases {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := outcome(t, tt.files); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// moduleCases are small projects; want is what the default export returns.
var moduleCases = []struct{ name, files, want string }{
	{"builtin named, default, namespace", `
-- script.js --
import k6, * as ns from "k6";
import http, { get, del as d } from 'k6/http';
export default () => [k6.check(), ns.sleep(), Object.keys(ns).join("+"), http.post(), get(), d(), k6 === ns].join();
`, "k6.check,k6.sleep,check+group+sleep+fail,k6/http.post,k6/http.get,k6/http.del,true"},
	{"missing name of a builtin", `
-- script.js --
import { Missing, get } from "k6/http";
import { Other } from "k6";
export default function () { return typeof Missing + typeof Other + get(); }
`, "undefinedundefinedk6/http.get"},
	{"extension-less, index, json, spaces", `
-- a dir/script.ts --
import { one } from "./lib/one";
import { two } from "./lib";
import data, { deep } from "./data.json";
import { three } from "./sub dir/../sub dir/m o d.js";
export default (): string => [one, two, data.deep.er, deep.er, three].join();
-- a dir/lib/one.ts --
export const one: number = 1;
-- a dir/lib/index.ts --
export const two = 2;
-- a dir/data.json --
{"deep": {"er": "x"}}
-- a dir/sub dir/m o d.js --
export const three = 3;
`, "1,2,x,x,3"},
	{"tsconfig paths", `
-- script.ts --
import { v } from "@lib/v";
import { w } from "helpers/w";
export default () => v + w;
-- tsconfig.json --
{"compilerOptions": {"baseUrl": "./src", "paths": {"@lib/*": ["lib/*"]}}}
-- src/lib/v.ts --
export enum E { A = 1, B }
export namespace N { export const inside = 5 }
export const v = E.B + N.inside;
-- src/helpers/w.ts --
export const w = 10;
`, "17"},
	{"packages: exports, module, browser, main", `
-- script.js --
import a from "a";
import { sub } from "a/sub";
import b from "b";
import c from "c";
import d, { e } from "@scope/d";
export default () => [a, sub, b, c, d.e, e].join();
-- node_modules/a/package.json --
{"name": "a", "exports": {".": {"node": "./node.js", "import": "./esm.js"}, "./sub": "./sub.mjs"}}
-- node_modules/a/esm.js --
export default "a-esm";
-- node_modules/a/node.js --
module.exports = "a-node";
-- node_modules/a/sub.mjs --
export const sub = "a-sub";
-- node_modules/b/package.json --
{"name": "b", "main": "main.js", "module": "esm.js"}
-- node_modules/b/main.js --
module.exports = "b-main";
-- node_modules/b/esm.js --
export default "b-esm";
-- node_modules/c/package.json --
{"name": "c", "main": "main.js", "browser": {"./main.js": "./web.js"}}
-- node_modules/c/main.js --
module.exports = require("fs");
-- node_modules/c/web.js --
module.exports = "c-web";
-- node_modules/@scope/d/package.json --
{"name": "@scope/d", "main": "lib"}
-- node_modules/@scope/d/lib/index.js --
exports.e = "d-main";
`, "a-esm,a-sub,b-esm,c-web,d-main,d-main"},
	{"commonjs script", `
-- script.js --
const lib = require('./lib/cjs.js'); const http = require('k6/http'); const { check } = require('k6');
module.exports.default = function () { return [lib.a, lib.f(), http.get(), check()].join(); };
module.exports.options = { iterations: 2 };
-- lib/cjs.js --
module.exports = { a: 1, f: () => 'called' };
`, "1,called,k6/http.get,k6.check"},
	{"commonjs is sloppy", `
-- script.js --
exports.default = function () { implicit = 5; return String(this === globalThis) + implicit; };
`, "true5"},
	{"modules strict, commonjs sloppy, and strict on demand", `
-- script.js --
import { mode } from "./esm.js";
import sloppy from "./sloppy.js";
import strict from "./strict.js";
const own = (function () { return this === undefined; })();
export default () => [own, mode(), sloppy.mode(), sloppy.esm(), strict.mode(), implicit].join();
-- esm.js --
export function mode() { return (function () { return this === undefined; })(); }
-- sloppy.js --
const e = require("./esm.js");
exports.mode = () => { implicit = 7; return (function () { return this === undefined; })(); };
exports.esm = () => e.mode();
-- strict.js --
/* a licence
   of two lines */
'use strict';
exports.mode = () => (function () { return this === undefined; })();
`, "true,true,false,true,true,7"},
	{"commonjs script with modules and await", `
-- script.js --
import { a } from "./a.js";
import c from "./c.js";
const v = await Promise.resolve(3);
export default () => [a, c.x, v].join();
-- a.js --
export const a = await 1;
-- c.js --
exports.x = 2;
`, "1,2,3"},
	{"commonjs in a package of type module", `
-- script.js --
const x = require("./x.js");
exports.default = () => x.v;
-- x.js --
module.exports = { v: "cjs" };
-- package.json --
{"type": "module"}
`, "cjs"},
	{"commonjs with top-level return", `
-- script.js --
import x from "./x.js";
export default () => x.v;
-- x.js --
exports.v = 1;
if (exports.v) return;
exports.v = 2;
`, "1"},
	{"esm and cjs both ways", `
-- script.js --
import def, { named } from "./c.js";
import * as all from "./c.js";
export default () => [def.named, named, Object.keys(all).sort().join("+"), def.fromESM].join();
-- c.js --
const e = require("./e.js");
exports.named = "n";
exports.fromESM = e.default + e.x;
-- e.js --
export default "D"; export const x = "X";
`, "n,n,default+fromESM+named,DX"},
	{"umd", `
-- script.js --
import lib from './umd.js';
export default function () { return lib.add(1, 2) + typeof globalThis.Lib; }
-- umd.js --
(function (root, factory) { if (typeof exports === 'object' && typeof module !== 'undefined') module.exports = factory(); else if (typeof define === 'function' && define.amd) define([], factory); else root.Lib = factory(); })(typeof globalThis !== 'undefined' ? globalThis : this, function () { return { add: function (a, b) { return a + b; } }; });
`, "3undefined"},
	{"webpack output for commonjs", `
-- script.js --
(()=>{var e={n:t=>{var r=t&&t.__esModule?()=>t.default:()=>t;return e.d(r,{a:r}),r},d:(t,r)=>{for(var o in r)e.o(r,o)&&!e.o(t,o)&&Object.defineProperty(t,o,{enumerable:!0,get:r[o]})},o:(e,t)=>Object.prototype.hasOwnProperty.call(e,t),r:e=>{Object.defineProperty(e,"__esModule",{value:!0})}},t={};e.r(t),e.d(t,{default:()=>n,options:()=>i});const r=require("k6/http");var o=e.n(r);const i={vus:1};function n(){return o().get()}module.exports=t})();
`, "k6/http.get"},
	{"rollup output", `
-- script.js --
import http from 'k6/http';
var options = { vus: 1 };
function main() { return http.get(); }
export { main as default, options };
`, "k6/http.get"},
	{"bom, crlf, hashbang", "-- script.js --\n\ufeff#!/usr/bin/env jsload\r\nimport {v} from './v.js'\r\nexport default () => v\r\n-- v.js --\n\ufeffexport const v = 'ok'\r\n", "ok"},
	{"cycle", `
-- script.js --
import { a } from './a.js';
export default function () { return a(); }
-- a.js --
import { b } from './b.js';
export function a() { return 'a' + b(); }
export const val = 'V';
-- b.js --
import { val } from './a.js';
export function b() { return 'b' + val; }
`, "abV"},
	{"cycle through the hoisted default export", `
-- script.js --
import './a.js';
import { seen } from './b.js';
export default function () { return seen; }
-- a.js --
import { seen } from './b.js';
export default function () { return 'early'; }
-- b.js --
import a from './a.js';
export const seen = a();
`, "early"},
	{"live bindings", `
-- script.js --
import { count, bump } from './live.js';
export default function () { bump(); return count; }
-- live.js --
export let count = 0; export function bump() { count += 1; }
`, "1"},
	{"export forms", `
-- script.js --
import { a, b as c, default as d } from './e.js';
import * as all from './e.js';
function main() { return [a, c, d, Object.keys(all).sort().join("+"), String(all[Symbol.toStringTag])].join(); }
export { main as default };
-- e.js --
const a = 1, b = 2; export { a, b }; export { a as again }; export default 'dflt'; export class K {} export function* g() {} export let later; later = 3;
`, "1,2,dflt,K+a+again+b+default+g+later,Module"},
	{"evaluated once", `
-- script.js --
import { n } from './a.js';
import { m } from './b.js';
export default () => n() + m() + globalThis.times;
-- a.js --
import { count } from './c.js'; export const n = () => count();
-- b.js --
const c = require('./c.js'); export const m = () => c.count();
-- c.js --
globalThis.times = (globalThis.times || 0) + 1;
let i = 0; export const count = () => String(++i);
`, "121"},
	{"top-level await", `
-- script.js --
import { v } from './a.js';
const w = await Promise.resolve(2);
export default () => v + w;
-- a.js --
export const v = await Promise.resolve(1);
`, "3"},
	{"import() of a literal", `
-- script.js --
export default async function () { const m = await import('./lib.js'); const k = await import('k6'); return [m.v, k.check(), k.default.sleep()].join(); }
-- lib.js --
export const v = 5;
`, "5,k6.check,k6.sleep"},
	{"computed import() and require()", `
-- lib/script.js --
const names = ["./one.js", "../two.js"];
import "./one.js"; import "../two.js";
const viaRequire = names.map((n) => require(n).v).join();
export default async function () { return viaRequire; }
-- lib/one.js --
export const v = 1;
-- two.js --
exports.v = 2;
`, "1,2"},
	{"computed import() of a bundled module", `
-- script.js --
import "./lib/one.js";
const p = "./lib/" + ["one"].join() + ".js", q = ["./lib/one.js"][0];
export default async function () { return (await import(q)).v; }
-- lib/one.js --
export const v = 1;
`, "1"},
	{"optional require", `
-- script.js --
import { has } from "pkg";
export default () => has;
-- node_modules/pkg/index.js --
try { require("not-there"); exports.has = "yes"; } catch (e) { exports.has = "no"; }
`, "no"},
	{"computed require in commonjs", `
-- script.js --
require("./sub/a.js");
exports.default = () => require("./sub/a.js").inner;
-- sub/a.js --
const name = "./b.js";
exports.inner = require(name).v;
require("./b.js");
-- sub/b.js --
exports.v = "b";
`, "b"},
	{"glob import", `
-- script.js --
export default async function () { const n = "two"; return (await import("./parts/" + n + ".js")).v; }
-- parts/one.js --
export const v = 1;
-- parts/two.js --
export const v = 2;
`, "2"},
	{"import.meta", `
-- script.js --
import { u } from "./sub/m.js";
export default () => [import.meta.url.split("/").pop(), import.meta.resolve("./x.txt").split("/").pop(), u].join();
-- sub/m.js --
export const u = import.meta.resolve("../y").split("/").pop();
`, "script.js,x.txt,y"},
	{"names that clash with the host's", `
-- script.js --
import { get } from "k6/http";
const __jsload = 1, require = 2, module_k6_http = 3, check = 4;
export default () => [get(), __jsload, require, module_k6_http, check].join();
`, "k6/http.get,1,2,3,4"},
	{"re-exports of builtins", `
-- script.js --
import { get, sleep, h } from "./all.js";
export default () => [get(), sleep(), h.post()].join();
-- all.js --
export * from "k6/http"; export * from "k6"; export * as h from "k6/http";
`, "k6/http.get,k6.sleep,k6/http.post"},
	{"typescript that only types", `
-- script.ts --
import type { Options } from "k6/options";
import { RefinedResponse } from "k6/http";
import http, { type Params } from "k6/http";
export const options: Options = { iterations: 2 };
const p: Params = {}; let r: RefinedResponse<"text">;
export default function (): string { return <string>http.get() as any satisfies string; }
`, "k6/http.get"},
	{"decorators of typescript", `
-- script.ts --
function seal(c: any) { c.sealed = true; }
function field(t: any, k: string) { t.fields = [...(t.fields ?? []), k]; }
@seal class A { @field x = 1; @field y = 2; }
export default () => [(A as any).sealed, (new A() as any).fields.join("+")].join();
-- tsconfig.json --
{"compilerOptions": {"experimentalDecorators": true}}
`, "true,x+y"},
	{"use k6 directive", `
-- script.js --
"use k6 >= 1.0";
import { get } from "k6/http";
export default () => get();
`, "k6/http.get"},
	{"no exports but the default of a class", `
-- script.js --
class A { m() { return "m"; } }
export default () => new A().m();
`, "m"},
	{"strict mode in modules", `
-- script.js --
export default function () { return [(() => { try { Object.freeze({ a: 1 }).a = 2; return 'silent'; } catch (e) { return e.name; } })(), (function () { return this === undefined; })()].join(); }
`, "TypeError,true"},
	{"assignment to constants", `
-- script.js --
const top = 1;
export default () => { const c = 1; const r = []; for (const f of [() => { c = 2; }, () => { top++; }, () => { [c] = [3]; }]) { try { f(); r.push("none"); } catch (e) { r.push(e.message); } } return r.join() + c + top; };
`, "Assignment to constant variable.,Assignment to constant variable.,Assignment to constant variable.11"},
	{"namespace alias that is an export", `
-- script.js --
import * as get from "k6/http";
import { get as g } from "k6/http";
export default () => get.post() + g();
`, "k6/http.postk6/http.get"},
}
