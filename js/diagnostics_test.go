package js

import (
	"bytes"
	"context"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/vu"
)

// TestInitChain demands that an exception in an imported file says by which
// imports it came in, and nothing of the kind for the script itself.
func TestInitChain(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, script, want string }{
		{"imported", `import './lib/a'; export default () => {};`, "file://DIR/lib/deep/b.ts is imported by file://DIR/lib/a.ts, which is imported by file://DIR/script.js"},
		{"the script", `throw new Error("b"); export default () => {};`, ""},
		{"required", `require('./lib/a'); exports.default = () => {};`, "file://DIR/lib/deep/b.ts is imported by file://DIR/lib/a.ts, which is imported by file://DIR/script.js"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			cfg := checkConfig(t, map[string]string{
				"script.js": tt.script, "lib/a.ts": `import './deep/b';`, "lib/deep/b.ts": "const x: number = 1;\nif (x) throw new Error('b');",
			})
			_, err := Load(context.Background(), cfg)
			coded, ok := errors.AsType[interface {
				error
				ExitCode() int
			}](err)
			if !ok || coded.ExitCode() != vu.ExitScript || !strings.HasPrefix(err.Error(), "Error: b\n") {
				t.Fatalf("got %v", err)
			}
			hint := ""
			if h, ok := errors.AsType[interface {
				error
				LogHint() string
			}](err); ok {
				hint = h.LogHint()
			}
			if got := strings.ReplaceAll(hint, cfg.Dir, "DIR"); got != tt.want {
				t.Errorf("hint %q, want %q", got, tt.want)
			}
		})
	}
}

// TestStacks demands positions in the files that the user wrote or installed.
func TestStacks(t *testing.T) {
	t.Parallel()
	b, err := load(t, map[string]string{
		"script.js": `import { buy } from './shop/cart.ts';
export default function () { buy(3); }`,
		"shop/cart.ts": `import { divide } from 'maths';
interface Item { price: number }

export const buy = (n: number): Item => {
  const item: Item = { price: divide(n, 0) };
  return item;
};`,
		"node_modules/maths/package.json": `{"name": "maths", "main": "lib/index.js"}`,
		"node_modules/maths/lib/index.js": "'use strict';\n\nexports.divide = function quotient(a, b) {\n  if (b === 0) {\n    throw new RangeError('division by zero');\n  }\n  return a / b;\n};",
	})
	if err != nil {
		t.Fatal(err)
	}
	b.iterate(t, 1)
	log := b.log.String()
	for _, want := range []string{
		"RangeError: division by zero", "at quotient (file://DIR/node_modules/maths/lib/index.js:5:11)",
		"at buy (file://DIR/shop/cart.ts:5:", "at default (file://DIR/script.js:2:33)",
	} {
		if !strings.Contains(strings.ReplaceAll(log, b.dir(), "DIR"), want) {
			t.Errorf("no %q in\n%s", want, log)
		}
	}
	if strings.Contains(log, "jsload:") {
		t.Errorf("frames of jsload's own in\n%s", log)
	}
}

func (b *bench) dir() string { return b.test.cfg.Dir }

// TestNesting demands an error where parsers would end the process.
func TestNesting(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 200_000) + strings.Repeat("]", 200_000)
	for name, files := range map[string]map[string]string{
		"script":     {"script.js": "export default " + deep},
		"import":     {"script.js": "import x from './x.ts'; export default () => x", "x.ts": "export default " + deep},
		"JSON":       {"script.js": "import x from './x.json'; export default () => x", "x.json": deep},
		"JSON.parse": {"script.js": "JSON.parse(open('x.json')); export default () => {}", "x.json": deep},
		"options":    {"script.js": "export const options = { ext: JSON.parse(open('x.json')) }; export default () => {}", "x.json": strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := load(t, files)
			if err == nil || !strings.Contains(err.Error(), "nest") {
				t.Errorf("got %.200v", err)
			}
		})
	}
}

// origin serves modules over https and counts the requests.
func origin(t *testing.T, modules map[string]string) (server *httptest.Server, certificate string, asked *atomic.Int32) {
	t.Helper()
	asked = &atomic.Int32{}
	server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		text, ok := modules[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write([]byte(text))
	}))
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	t.Cleanup(server.Close)
	dir := t.TempDir()
	write(t, dir, "cert.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})))
	return server, filepath.Join(dir, "cert.pem"), asked
}

// TestRemote fetches with the certificates of SSL_CERT_FILE, keeps what was
// fetched and takes it from there.
func TestRemote(t *testing.T) {
	t.Parallel()
	server, certificate, asked := origin(t, map[string]string{"/lib/a.js": `import { b } from "./b.js"; export const a = "a" + b;`, "/lib/b.js": `export const b = "b";`})
	cfg := checkConfig(t, map[string]string{"script.js": fmt.Sprintf(`import { a } from "%s/lib/a.js"; export const options = { tags: { a } }; export default () => {}`, server.URL)})
	cfg.Process = map[string]string{"SSL_CERT_FILE": certificate, "JSLOAD_MODULE_CACHE": t.TempDir()}
	for _, tt := range []struct {
		what    string
		offline bool
		asked   int32
	}{{"first", false, 2}, {"again", false, 4}, {"offline", true, 4}} {
		cfg.Offline = tt.offline
		test, err := Load(context.Background(), cfg)
		if err != nil {
			t.Fatalf("%s: %v", tt.what, err)
		}
		if test.Options.Tags.V["a"] != "ab" || asked.Load() != tt.asked {
			t.Errorf("%s: tags %v, %d requests", tt.what, test.Options.Tags.V, asked.Load())
		}
	}
	cfg.Process = map[string]string{"SSL_CERT_FILE": certificate, "JSLOAD_MODULE_CACHE": t.TempDir()}
	if _, err := Load(context.Background(), cfg); err == nil || !strings.Contains(err.Error(), "not in the cache") {
		t.Errorf("offline without a copy: %v", err)
	}
	cfg.Offline, cfg.Process = false, map[string]string{}
	if _, err := Load(context.Background(), cfg); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("unknown certificate: %v", err)
	}
}

// TestRemoteLibrary takes a library of somebody else's through the life of its copy:
// fetched, reused offline, changed at its server, and edited where it is kept.
func TestRemoteLibrary(t *testing.T) {
	t.Parallel()
	const umd = `(function (root, factory) {
  if (typeof define === "function" && define.amd) define([], factory);
  else if (typeof module === "object" && typeof exports !== "undefined") module.exports = factory();
  else root.Table = factory();
})(this, function () { return { rows: (text) => text.split("\n").map((l) => l.split(",")), edition: "1" }; });`
	modules := map[string]string{"/table/5.1.1/index.js": umd}
	server, certificate, asked := origin(t, modules)
	cfg := checkConfig(t, map[string]string{"script.js": fmt.Sprintf(`import table, { edition } from "%s/table/5.1.1/index.js";
export const options = { tags: { cell: table.rows("a,b\nc,d")[1][0], edition } }; export default () => {}`, server.URL)})
	cache := t.TempDir()
	cfg.Process = map[string]string{"SSL_CERT_FILE": certificate, "JSLOAD_MODULE_CACHE": cache}
	var log bytes.Buffer
	cfg.Log = plainLog(&log)
	run := func(offline bool, edition string) {
		t.Helper()
		cfg.Offline = offline
		test, err := Load(context.Background(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		if got := test.Options.Tags.V; got["cell"] != "c" || got["edition"] != edition {
			t.Errorf("tags %v, want edition %s", got, edition)
		}
	}
	run(false, "1")
	before := asked.Load()
	run(true, "1")
	if asked.Load() != before {
		t.Errorf("%d requests offline", asked.Load()-before)
	}
	modules["/table/5.1.1/index.js"] = strings.Replace(umd, `"1"`, `"2"`, 1)
	run(false, "2")
	if !strings.Contains(log.String(), "has changed since it was last fetched") {
		t.Errorf("the change goes unnoticed:\n%s", log.String())
	}
	kept, err := filepath.Glob(filepath.Join(cache, "sha256-*"))
	if err != nil || len(kept) != 2 {
		t.Fatalf("kept %v, %v", kept, err)
	}
	for _, file := range kept {
		if err := os.WriteFile(file, []byte("module.exports = {};"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cfg.Offline = true
	if _, err := Load(context.Background(), cfg); err == nil || !strings.Contains(err.Error(), "does not match its recorded hash") {
		t.Errorf("an edited copy: %v", err)
	}
}

// TestAbsentModules demands that a module that is not here is named, with why.
func TestAbsentModules(t *testing.T) {
	t.Parallel()
	for module, want := range map[string]string{
		"k6/browser": "not built yet", "k6/experimental/redis": "there is no Redis client here",
		"k6/experimental/tracing": "http-instrumentation-tempo", "k6/htp": `did you mean "k6/http"?`, "k6/x/sql": "extensions of other tools cannot be loaded",
	} {
		_, err := load(t, map[string]string{"script.js": `import "` + module + `"; export default () => {}`})
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("there is no module %q", module)) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", module, err)
		}
	}
}

// TestRemoteChain demands that a module that cannot be fetched is named with the
// imports that led to it.
func TestRemoteChain(t *testing.T) {
	t.Parallel()
	server, certificate, _ := origin(t, map[string]string{"/a.js": `import "./gone.js";`})
	cfg := checkConfig(t, map[string]string{"script.js": `import "./lib.js"; export default () => {}`, "lib.js": fmt.Sprintf("import %q;", server.URL+"/a.js")})
	cfg.Process = map[string]string{"SSL_CERT_FILE": certificate}
	_, err := Load(context.Background(), cfg)
	long, ok := errors.AsType[interface {
		error
		String() string
	}](err)
	if !ok {
		t.Fatalf("got %v", err)
	}
	text := strings.ReplaceAll(strings.ReplaceAll(long.String(), server.URL, "HOST"), cfg.Dir, "DIR")
	for _, want := range []string{`the module "./gone.js" cannot be read: HOST/gone.js was not found (status 404)`, "HOST/a.js:1:8:", "imported by file://DIR/lib.js", "imported by file://DIR/script.js"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// TestProxy fetches through the proxy that the environment names.
func TestProxy(t *testing.T) {
	t.Parallel()
	var target atomic.Value
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		target.Store(r.Method + " " + r.Host)
		http.Error(w, "no", http.StatusForbidden)
	}))
	t.Cleanup(proxy.Close)
	cfg := checkConfig(t, map[string]string{"script.js": `import "https://modules.test/a.js"; export default () => {}`})
	cfg.Process = map[string]string{"https_proxy": proxy.URL}
	if _, err := Load(context.Background(), cfg); err == nil {
		t.Error("loaded through a proxy that refuses")
	}
	if got := target.Load(); got != "CONNECT modules.test:443" {
		t.Errorf("the proxy saw %v", got)
	}
}

func TestModuleCache(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		system, want string
		vars         map[string]string
	}{
		{"linux", "", nil},
		{"linux", filepath.FromSlash("/h/.cache/jsload/modules"), map[string]string{"HOME": "/h"}},
		{"linux", filepath.FromSlash("/x/jsload/modules"), map[string]string{"HOME": "/h", "XDG_CACHE_HOME": "/x"}},
		{"linux", filepath.FromSlash("/h/.cache/jsload/modules"), map[string]string{"HOME": "/h", "XDG_CACHE_HOME": "relative"}},
		{"darwin", filepath.FromSlash("/h/Library/Caches/jsload/modules"), map[string]string{"HOME": "/h"}},
		{"linux", "/own", map[string]string{"HOME": "/h", "JSLOAD_MODULE_CACHE": "/own"}},
	} {
		if got := moduleCache(tt.vars, tt.system); got != tt.want {
			t.Errorf("%s %v: %q, want %q", tt.system, tt.vars, got, tt.want)
		}
	}
}

// TestArchive runs a test from its archive with other options and variables on
// top, and knows archives of old forms.
func TestArchive(t *testing.T) {
	t.Parallel()
	cfg := checkConfig(t, map[string]string{
		"script.js": `import data from './data.json'; export const options = { vus: 2, duration: '3s', tags: { v: __ENV.V || 'none', w: __ENV.W || 'none' } }; export default () => data;`,
		"data.json": `{}`,
	})
	cfg.Env = map[string]string{"V": "1", "W": "2"}
	first, err := Load(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, withoutEnv := range []bool{false, true} {
		var tar strings.Builder
		if err := first.WriteArchive(&tar, "test", withoutEnv); err != nil {
			t.Fatal(err)
		}
		var log bytes.Buffer
		again, err := Load(context.Background(), Config{
			Path: "-", Stdin: strings.NewReader(tar.String()), Dir: t.TempDir(), Env: map[string]string{"W": "3"},
			Extended: true, Log: plainLog(&log), Epoch: metrics.NewEpoch(time.Now()),
		})
		if err != nil {
			t.Fatal(err)
		}
		want := "1"
		if withoutEnv {
			want = ""
		}
		if again.Options.VUs.V != 2 || again.Options.Tags.V["v"] != "1" || again.cfg.Env["V"] != want || again.cfg.Env["W"] != "3" {
			t.Errorf("options %v, tags %v, variables %v", again.Options.VUs, again.Options.Tags, again.cfg.Env)
		}
		if log.Len() > 0 { // of options that scripts cannot set, which an archive names all the same
			t.Errorf("logged %s", log.String())
		}
	}
}
