package bundle

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/js/internal/source"
)

func TestExports(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, src string
		want      []string
		commonJS  bool
		async     bool
	}{
		{"module", `export default () => 1; export const options = {}; export function setup() {} const x = 1; export { x as "some name", x as if }`,
			[]string{"default", "if", "options", "setup", "some name"}, false, false},
		{"nothing exported", `import "k6"`, []string{}, false, false},
		{"commonjs", `exports.options = {}`, nil, true, false},
		{"neither", `var x = 1`, []string{}, true, false},
		{"awaiting", `export const v = await 1`, []string{"v"}, false, true},
		{"await inside only", `export const f = async () => { await 1 }`, []string{"f"}, false, false},
		{"await in a string", `export const f = "await"`, []string{"f"}, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := mustBuild(t, "-- script.js --\n"+tt.src+"\n")
			if !slices.Equal(b.Exports, tt.want) || (b.Exports == nil) != (tt.want == nil) || b.CommonJS != tt.commonJS || b.Async != tt.async {
				t.Errorf("exports %q, CommonJS %v, async %v", b.Exports, b.CommonJS, b.Async)
			}
			h, err := run(t, b)
			if err != nil {
				t.Fatal(err)
			}
			if got := h.exports.Keys(); tt.want != nil && !slices.Equal(slices.Sorted(slices.Values(got)), tt.want) {
				t.Errorf("registered %q", got)
			}
		})
	}
}

func TestUses(t *testing.T) {
	t.Parallel()
	b := mustBuild(t, `
-- script.js --
import "./a.js";
import http from "k6/http"; // not used
export default () => require("k6/data");
-- a.js --
// "k6" in a comment
import { check } from 'k6'; check();
`)
	var got []string
	for _, u := range b.Builtins {
		got = append(got, u.Path+" "+u.Location.File[strings.LastIndexByte(u.Location.File, '/')+1:]+":"+itoa(u.Location.Line)+":"+itoa(u.Location.Column))
	}
	if want := []string{"k6 a.js:2:23", "k6/data script.js:3:30", "k6/http script.js:2:18"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if strings.Contains(b.Code, `"k6/http"`) {
		t.Error("a module that nothing uses is in the bundle")
	}
}

// TestCost looks at the code made for built-in modules: plain variables, no
// namespace objects, no interop helpers.
func TestCost(t *testing.T) {
	t.Parallel()
	b := mustBuild(t, `
-- script.js --
import http, { get } from "k6/http";
import * as k6 from "k6";
export default function () { k6.check(get(), {}); http.post(); }
`)
	for _, helper := range []string{"__export", "__toESM", "__commonJS", "defineProperty", getMark} {
		if strings.Contains(b.Code, helper) {
			t.Errorf("%s in\n%s", helper, b.Code)
		}
	}
	if !strings.Contains(b.Code, "var get = module_k6_http.get;") {
		t.Errorf("no plain variable in\n%s", b.Code)
	}
}

func TestDeterminism(t *testing.T) {
	t.Parallel()
	dir, main := project(t, `
-- script.js --
import { a } from "./a.js"; import { b } from "./b.js"; import "./c.js";
export default () => [a, b, import.meta.url];
-- a.js --
export const a = import.meta.url;
-- b.js --
export const b = import.meta.url;
-- c.js --
exports.x = require("./a.js");
`)
	first, err := Build(t.Context(), config(t, dir, main))
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		again, err := Build(t.Context(), config(t, dir, main))
		if err != nil {
			t.Fatal(err)
		}
		if again.Code != first.Code || string(again.SourceMap) != string(first.SourceMap) {
			t.Fatalf("the same input gave\n%s\nand\n%s", first.Code, again.Code)
		}
	}
}

func TestNodeStubs(t *testing.T) {
	t.Parallel()
	const files = `
-- script.js --
import { half } from "half";
import { EventEmitter } from "events";
export default () => half() + typeof EventEmitter;
-- node_modules/half/package.json --
{"name": "half"}
-- node_modules/half/index.js --
const fs = require("fs"); const { join } = require("path");
require("node:fs/promises");
exports.half = () => typeof fs.readFileSync + typeof join;
-- node_modules/events/index.js --
exports.EventEmitter = class {};
`
	if got, want := outcome(t, files), "undefinedundefinedfunction"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	b := mustBuild(t, files)
	var got []string
	for _, w := range b.Warnings {
		got = append(got, w.Message)
	}
	if len(got) != 3 || got[0] != `the package "half" imports "fs" of Node, which is empty here` {
		t.Errorf("warnings %q", got)
	}
}

func TestStdin(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"javascript": `import { v } from "./v"; export default () => v < 2 > (1)`,
		"typescript": `import { v } from "./v"; interface A { b: string } export default (): boolean => (v as number) < 2`,
	} {
		dir, _ := project(t, "-- v.ts --\nexport const v: number = 1;\n")
		src, err := source.New(source.Config{Dir: dir, Stdin: strings.NewReader(text)})
		if err != nil {
			t.Fatal(err)
		}
		m, err := src.Main(t.Context(), "-")
		if err != nil {
			t.Fatal(err)
		}
		b, err := Build(t.Context(), Config{Source: src, Main: m, Builtins: testBuiltins()})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if _, err := run(t, b); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestInclude follows a require() of a file that nothing names: the host finds
// that it is not bundled and bundles again.
func TestInclude(t *testing.T) {
	t.Parallel()
	dir, main := project(t, `
-- script.js --
const name = ["file://", "DIR/l.js"].join("");
const loaded = require(name);
export default () => loaded.l;
-- l.js --
exports.l = "late";
`)
	cfg := config(t, dir, main)
	b, err := Build(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	u, builtin, err := b.Resolve(cfg.Main.URL, "file://"+dir+"/l.js")
	if err != nil || builtin || b.Includes(u) {
		t.Fatalf("resolved to %q, %v, %v", u, builtin, err)
	}
	cfg.Include = []string{u}
	if b, err = Build(t.Context(), cfg); err != nil || !b.Includes(u) {
		t.Fatalf("%v, includes it: %v", err, b.Includes(u))
	}
	h, err := run(t, b)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := h.call("default"); got != "late" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestResolveComputed(t *testing.T) {
	t.Parallel()
	dir, main := project(t, "-- script.js --\nexport default 1\n-- lib/x.ts --\n-- y/index.js --\n")
	b, err := Build(t.Context(), config(t, dir, main))
	if err != nil {
		t.Fatal(err)
	}
	base := source.FileURL(dir + "/script.js")
	for spec, want := range map[string]string{"./lib/x": "/lib/x.ts", "./y": "/y/index.js", "./gone.js": "/gone.js", "k6/http": "k6/http"} {
		got, _, err := b.Resolve(base, spec)
		if strings.TrimPrefix(got, source.FileURL(dir)) != want {
			t.Errorf("%s is %q, %v", spec, got, err)
		}
	}
	if _, _, err := b.Resolve(base, "lodash"); !errors.Is(err, source.ErrBare) {
		t.Errorf("a package: %v", err)
	}
}

// TestModuleOf checks which module open() and require() belong to: the one
// whose top level runs, not the one the function stands in.
func TestModuleOf(t *testing.T) {
	t.Parallel()
	b := mustBuild(t, `
-- script.js --
import { where } from "./lib/m.js";
import "./lib/c.js";
base("main");
where("called from main");
export default 1;
-- lib/m.js --
base("module");
export function where(label) { base(label); }
-- lib/c.js --
base("commonjs");
exports.f = () => 1;
require("./d.js").where("called from commonjs");
-- lib/d.js --
base("wrapped module");
export const where = (label) => { [1].forEach(() => base(label)); };
`)
	h := &host{vm: goja.New(), bundle: b}
	got := map[string]string{}
	_ = h.vm.Set("base", func(label string) {
		u := h.base()
		got[label] = u[strings.LastIndexByte(u, '/')+1:]
	})
	v, err := h.vm.RunProgram(compile(t, b))
	if err != nil {
		t.Fatal(err)
	}
	obj := h.vm.NewObject()
	_ = obj.Set("register", func(goja.FunctionCall) goja.Value { return nil })
	call, _ := goja.AssertFunction(v)
	if _, err := call(goja.Undefined(), obj); err != nil {
		t.Fatal(err)
	}
	for label, want := range map[string]string{
		"main": "script.js", "module": "m.js", "called from main": "script.js",
		"commonjs": "c.js", "called from commonjs": "c.js", "wrapped module": "d.js",
	} {
		if got[label] != want {
			t.Errorf("%s: %q, want %q", label, got[label], want)
		}
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	dir, main := project(t, "-- script.js --\nexport default 1\n")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Build(ctx, config(t, dir, main)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
