package bundle

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/dop251/goja"
	"github.com/evanw/esbuild/pkg/api"
)

// stack gives the frames of a thrown exception in the user's files, innermost
// first, one to a line.
func stack(t *testing.T, b *Bundle, err error) string {
	t.Helper()
	var ex *goja.Exception
	if !errors.As(err, &ex) {
		t.Fatalf("no exception but %v", err)
	}
	var out []string
	for _, f := range ex.Stack() {
		pos := f.Position()
		if pos.Filename == GlueFile || f.SrcName() == "<native>" {
			continue
		}
		name := strings.TrimPrefix(f.FuncName(), "<anonymous>")
		if shown, ok := b.Functions[name]; ok {
			name = shown
		}
		file := pos.Filename[strings.LastIndexByte(pos.Filename, '/')+1:]
		out = append(out, strings.TrimSpace(name+" "+file+":"+itoa(pos.Line)+":"+itoa(pos.Column)))
	}
	return strings.Join(out, "\n")
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + itoa(n%10)
}

func TestStackPositions(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, files, want string }{
		{"javascript counts columns from 1", `
-- script.js --
import { deep } from './lib/deep.js';
const unrelated = [1, 2];
function local() { return deep(() => { throw new RangeError('from callback'); }); }
export default function () {
  if (unrelated) local();
}
-- lib/deep.js --
export function deep(cb) {
  return [1].map(() => cb())[0];
}
`, `script.js:3:46
deep.js:2:26
deep deep.js:2:17
local script.js:3:31
default script.js:5:23`},
		{"javascript access", `
-- script.js --
export default () => {
  const o = { a: {} };
  if (o.a.b   .c) return 1;
};
`, "default script.js:3:16"},
		{"functions that two files name alike", `
-- script.js --
import { other, Err, name2, name as theirs } from './m.ts';
function login() { other(); } function name() {} Object.freeze(name); theirs();
class Err2 { constructor() { new Err(() => login()); } }
const go = () => new Err2();
const names = () => [login.name, go.name, Err.name, Err2.name, name2.name] + '';
export default function () { if (names() !== 'login,go,Err,Err2,name2') throw names(); const login2 = () => go(); name2(login2); }
-- m.ts --
function login(): void { throw new Error('here'); }
export class Err { constructor(cb: () => void) { cb(); } }
const go = (): void => login();
export const other = (): void => go();
export function name2(cb: () => void) { cb(); } export function name(): void {}
`, `login m.ts:1:31
go m.ts:3:29
other m.ts:4:36
login script.js:2:25
script.js:3:44
m.ts:2:52
script.js:3:30
go script.js:4:18
login2 script.js:6:109
name2 m.ts:5:43
default script.js:6:120`},
		{"typescript has the columns of its map", `
-- script.ts --
import { go } from './m.ts';
type Unused = { a: string };
export default function (): void { go({ k: 1 }); }
-- m.ts --
export interface K {
  k: number;
}
export function go(p: K): void {
  const inner = (q: K): void => {
    throw new TypeError('deep ts ' + q.k);
  };
  inner(p);
}
`, `inner m.ts:6:10
go m.ts:8:8
default script.ts:3:38`},
		{"typescript arrow as default", `
-- script.ts --
abstract class Shape { abstract area(): number; }


export default (): void => {
  const fail = (): void => {
    const o: any = undefined;

    o.boom();
  };
  fail();
};
`, `fail script.ts:8:4
default script.ts:10:7`},
		{"wrapped modules", `
-- script.js --
const m = require("./c.js");
exports.default = function () { return m.f(); };
-- c.js --
const e = require("./e.js");
exports.f = () => e.default(1);
-- e.js --
export default function (x) {
  return x.y.z;
}
`, `default e.js:2:14
c.js:2:28
script.js:2:43`},
		{"thrown while a wrapped module loads", `
-- script.js --
exports.default = function () { require("./c.js"); };
-- c.js --
const x = 1;
module.exports = x.a.b;
`, `c.js:2:22
script.js:1:33`},
		{"after import.meta and namespaces on one line", `
-- script.js --
import * as http from "k6/http"; const u = import.meta.url; export default function named() { http.get(u); u.a.b; }
`, "named script.js:1:112"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := mustBuild(t, tt.files)
			h, err := run(t, b)
			if err != nil {
				t.Fatal(err)
			}
			_, err = h.call("default")
			if got := stack(t, b, err); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s\n%s", got, tt.want, b.Code)
			}
		})
	}
}

func TestStackOfInit(t *testing.T) {
	t.Parallel()
	b := mustBuild(t, `
-- script.js --
import './lib/bad.js';
export default function () {}
-- lib/bad.js --
function inner() { throw new Error('module failed'); }
inner();
`)
	_, err := run(t, b)
	if got, want := stack(t, b, err), "inner bad.js:1:26\nbad.js:2:6"; got != want {
		t.Errorf("got\n%s\nwant\n%s\n%s", got, want, b.Code)
	}
}

// TestErrorStack reads the stack as a script sees it, which no host can edit.
func TestErrorStack(t *testing.T) {
	t.Parallel()
	got := outcome(t, `
-- script.js --
export default function () { return new Error("x").stack; }
`)
	if !strings.Contains(got, "at default (file:///") || !strings.Contains(got, "script.js:1:37") {
		t.Errorf("stack is %q", got)
	}
}

func TestMapRoundTrip(t *testing.T) {
	t.Parallel()
	b := mustBuild(t, moduleCases[0].files)
	m, err := decodeMap(b.SourceMap)
	if err != nil {
		t.Fatal(err)
	}
	if again := string(m.encode()); again != string(b.SourceMap) {
		t.Errorf("decoded and encoded the map is\n%s\nnot\n%s", again, b.SourceMap)
	}
}

func FuzzDecodeMap(f *testing.F) {
	f.Add(`AAAA;AACA,IAAI`)
	f.Add(`;;gggggggggB`)
	f.Fuzz(func(t *testing.T, mappings string) {
		m, err := decodeMap([]byte(`{"version":3,"sources":["a"],"mappings":` + quote(mappings) + `}`))
		if err != nil {
			return
		}
		again, err := decodeMap(m.encode())
		if err != nil {
			t.Fatal(err)
		}
		if len(again.lines) != len(m.lines) {
			t.Fatalf("%d lines became %d", len(m.lines), len(again.lines))
		}
	})
}

// TestMapsOfInputs: the stacks of a script that another tool bundled lead to what
// that tool read, if it left a map.
func TestMapsOfInputs(t *testing.T) {
	t.Parallel()
	const want = "boom lib.ts:3:9\nmain_default main.ts:3:3"
	for name, tt := range map[string]struct {
		kind api.SourceMap
		want string
	}{
		"inline":  {api.SourceMapInline, want},
		"a file":  {api.SourceMapLinked, want},
		"missing": {api.SourceMapLinked, "boom script.js:1:1\nmain_default script.js:1:1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, _ := project(t, `
-- src/main.ts --
import { boom } from "./lib";
export default function () {
  boom();
}
-- src/lib.ts --
export function boom(): never {

  throw new Error("mapped");
}
`)
			res := api.Build(api.BuildOptions{
				EntryPoints: []string{filepath.Join(dir, "src/main.ts")}, Bundle: true, Write: true, Outfile: filepath.Join(dir, "script.js"),
				Sourcemap: tt.kind, Format: api.FormatESModule, MinifyWhitespace: true, LogLevel: api.LogLevelSilent,
			})
			if len(res.Errors) > 0 {
				t.Fatal(res.Errors)
			}
			if name == "missing" {
				if err := os.Remove(filepath.Join(dir, "script.js.map")); err != nil {
					t.Fatal(err)
				}
			}
			b, err := Build(t.Context(), config(t, dir, "script.js"))
			if err != nil {
				t.Fatal(err)
			}
			h, err := run(t, b)
			if err != nil {
				t.Fatal(err)
			}
			_, err = h.call("default")
			got := stack(t, b, err)
			if name == "missing" {
				got = regexp.MustCompile(`:\d+\b`).ReplaceAllString(got, ":1")
			}
			if got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}
