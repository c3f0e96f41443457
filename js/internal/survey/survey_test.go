package survey

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"os"

	"github.com/jsload/jsload/js/internal/bundle"
	"github.com/jsload/jsload/js/internal/source"
)

func builtins() []bundle.Builtin {
	return []bundle.Builtin{
		{Path: "k6", Names: []string{"check", "group", "sleep"}},
		{Path: "k6/http", Names: []string{"get", "post", "batch"}},
		{Path: "k6/metrics", Names: []string{"Counter", "Trend"}},
		{Path: "k6/execution", Names: []string{"vu", "scenario"}},
	}
}

func class(module string, path []string) string {
	if module == "k6/http" && (path[0] == "get" || path[0] == "post") && len(path) == 1 {
		return "Response"
	}
	return ""
}

// look surveys the project in files, of which script.js or script.ts is the script.
func look(t *testing.T, files map[string]string) *Result {
	t.Helper()
	dir := t.TempDir()
	main := "script.js"
	for name, text := range files {
		if name == "script.ts" {
			main = name
		}
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	src, err := source.New(source.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	m, err := src.Main(t.Context(), main)
	if err != nil {
		t.Fatal(err)
	}
	b, err := bundle.Build(t.Context(), bundle.Config{Source: src, Main: m, Builtins: builtins(), Lenient: true})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Look(Config{Bundle: b, Main: m.URL, Class: class})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// show lists uses as [MODULE ]NAME FILE:LINE.
func show(uses []Use) string {
	var list []string
	for _, u := range uses {
		text := fmt.Sprintf("%s %s:%d", u.Name(), path.Base(u.Place.File), u.Place.Line)
		if u.Module != "" {
			text = u.Module + " " + text
		}
		list = append(list, text)
	}
	slices.Sort(list)
	return strings.Join(slices.Compact(list), "\n")
}

func TestLook(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name                                 string
		files                                map[string]string
		members, globals, options, executors string
	}{
		{
			"ES module", map[string]string{"script.js": `import http, { post } from 'k6/http';
import * as k6 from 'k6';
import { Trend } from "k6/metrics";
import exec from 'k6/execution';
import { unused } from 'k6/nothing';
const t = new Trend('x');
export const options = { vus: 1, scenarios: { a: { executor: 'constant-vus' } } };
export default function () {
  const res = http.get('/');
  k6.check(res, { 'ok': (r) => r.status === 200 && r.json('a') });
  t.add(res.timings.duration);
  post('x').json();
  exec.vu.metrics.tags['a'] = http.nope;
  console.log(__ENV.X, Math.max(1));
  k6['sleep'](1);
}`},
			`k6 check script.js:10
k6 sleep script.js:15
k6/execution vu.metrics.tags.a script.js:13
k6/http Response.json script.js:10
k6/http Response.json script.js:12
k6/http Response.status script.js:10
k6/http Response.timings.duration script.js:11
k6/http get script.js:9
k6/http nope script.js:13
k6/http post script.js:12
k6/metrics Trend script.js:6
k6/metrics Trend.add script.js:11`,
			"Math.max script.js:14\n__ENV.X script.js:14\nconsole.log script.js:14",
			"scenarios script.js:7\nvus script.js:7", "constant-vus script.js:7",
		},
		{
			"CommonJS", map[string]string{"script.js": `const http = require('k6/http'); const { check: c, sleep } = require('k6');
var metrics_1 = __importDefault(require("k6/metrics"));
function __importDefault(m) { return m && m.__esModule ? m : { default: m }; }
exports.options = Object.assign({}, { iterations: 1 }, { duration: '1s' });
exports.default = () => { const { body } = http.get('x'); c(body, {}); new metrics_1.default.Counter('a').add(1); };`},
			`k6 check script.js:1
k6 sleep script.js:1
k6/http Response.body script.js:5
k6/http get script.js:5
k6/metrics Counter script.js:5
k6/metrics Counter.add script.js:5`,
			"Object.assign script.js:4", "duration script.js:4\niterations script.js:4", "",
		},
		{
			"TypeScript over several files", map[string]string{
				"script.ts": `import { base } from './lib/base';
import type { Options } from 'k6/options';
const load: Record<string, Options> = { smoke: { vus: 1 }, peak: { stages: [] } };
export let options: Options = { ...base, ...load[__ENV.LOAD as string] };
export { default } from './lib/base';`,
				"lib/base.ts": `import { group } from 'k6';
export const base = {
  thresholds: {},
};
export default async function (): Promise<void> { await group('a', () => fetch('x')); }`,
			},
			"k6 group base.ts:5", "__ENV.LOAD script.ts:4\nfetch base.ts:5",
			"stages script.ts:3\nthresholds base.ts:3\nvus script.ts:3", "",
		},
		{
			"names of one's own are no globals", map[string]string{"script.js": `
const fetch = () => 1;
function open(process, { a = window, ...rest } = {}) { try { made = 1; } catch (document) { return document; }
  label: for (const location of [made]) { break label; }
  class Buffer { static localStorage = Buffer; #navigator = 1; get() { return this.#navigator; } }
  return (typeof self !== 'undefined' && self.x) ? fetch(arguments, process, rest, Buffer) : a; }
export default () => open(1)`},
			"", "window script.js:3", "", "",
		},
		{
			"options that contain themselves", map[string]string{"script.js": `
var a = { vus: 1, ...a, ...a, ...b, ...b, scenarios: b }, b = { ...b, ...a, ...a, x: b };
export const options = a; export default () => {};`},
			"", "", "scenarios script.js:2\nvus script.js:2\nx script.js:2", "",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := look(t, tt.files)
			for _, c := range []struct{ what, got, want string }{
				{"members", show(r.Members), tt.members}, {"globals", show(r.Globals), tt.globals},
				{"options", show(r.Options), tt.options}, {"executors", show(r.Executors), tt.executors},
			} {
				if c.got != c.want {
					t.Errorf("%s:\n%s\nwant\n%s", c.what, c.got, c.want)
				}
			}
		})
	}
}

// FuzzLook looks at code as bundles have it: whatever parses must be looked at
// without a panic.
func FuzzLook(f *testing.F) {
	for _, seed := range []string{
		`var http = __jsload.module("k6/http"); var options = { ...options2, scenarios: { a: { executor: "x" } } }; var options2 = options; __jsload.register({ "default": () => http.get().json(), options })`,
		`var r = __commonJS({ "jsload-builtin:k6?c"(exports, module) {} }); const { a: { b = fetch } = {}, ...c } = r(); exports.options = exports; class A extends B { static { this.x = c?.[b]?.(); } } label: for (const [d] of c) continue label;`,
		`var a = b, b = a; a.x; module.exports = { options: a ? b : { get vus() { return 1 } } }; (function f(f) { f; })(typeof g); check(a, { x: (a) => a.y, z })`,
		`var { a } = a, [b = c] = b; function d({ e = f, [g]: h }, ...[i]) { try {} catch { j } finally { k: for (var l in m) break k } switch (n) { case o: default: p } }`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, code string) {
		b := &bundle.Bundle{Code: "(function(__jsload) {" + code + "\n})"}
		if r, err := Look(Config{Bundle: b, Main: "file:///script.js", Class: class}); (r == nil) == (err == nil) {
			t.Errorf("%v, %v", r, err)
		}
	})
}
