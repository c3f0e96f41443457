package bundle

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jsload/jsload/js/internal/source"
)

// TestArchived bundles every project once more from an archive of it.
func TestArchived(t *testing.T) {
	t.Parallel()
	for _, tt := range moduleCases {
		if tt.name == "glob import" {
			continue // esbuild expands patterns in the file system alone; TestArchivedPattern
		}
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir, main := project(t, tt.files)
			cfg := config(t, dir, main)
			b, err := Build(t.Context(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			src, m := archive(t, cfg, b, dir)
			b, err = Build(t.Context(), Config{Source: src, Main: m, Builtins: testBuiltins()})
			if err != nil {
				t.Fatal(err)
			}
			h, err := run(t, b)
			if err != nil {
				t.Fatalf("%v\n%s", err, b.Code)
			}
			if got, err := h.call("default"); err != nil || got != tt.want {
				t.Errorf("got %q, %v, want %q\n%s", got, err, tt.want, b.Code)
			}
		})
	}
}

// archive writes a bundled project to an archive, removes its folder, and reads
// the archive again.
func archive(t *testing.T, cfg Config, b *Bundle, dir string) (*source.Source, source.Module) {
	t.Helper()
	var data bytes.Buffer
	a := source.Archive{
		Metadata: source.Metadata{Type: "js", Filename: cfg.Main.URL, Pwd: source.FileURL(dir), Resolutions: b.Resolutions()},
		Main:     cfg.Main, Files: cfg.Source.Files(),
	}
	if err := a.Write(&data); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	read, err := source.ReadArchive(&data)
	if err != nil {
		t.Fatal(err)
	}
	src, err := source.FromArchive(source.Config{}, read)
	if err != nil {
		t.Fatal(err)
	}
	return src, read.Main
}

// TestArchivedPattern tells what does not work from an archive.
func TestArchivedPattern(t *testing.T) {
	t.Parallel()
	dir, main := project(t, `
-- script.js --
export default async (n) => import("./parts/" + n + ".js");
-- parts/one.js --
export const v = 1;
`)
	cfg := config(t, dir, main)
	b, err := Build(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	src, m := archive(t, cfg, b, dir)
	if _, err = Build(t.Context(), Config{Source: src, Main: m}); err == nil || !strings.Contains(err.Error(), "import each by its name") {
		t.Errorf("got %v", err)
	}
}

// remoteModules are files by path on a server.
var remoteModules = map[string]string{
	"/rel/a.js":      "import { b } from './b.js'; import c from '../c.js'; import d from '/d.js'; export const all = [b, c, d].join();",
	"/rel/b.js":      "export const b = 'b';",
	"/c.js":          "module.exports = 'c';",
	"/d.js":          "export default 'd';",
	"/typed.ts":      "export const typed: string = 'typed';",
	"/noext":         "import { get } from 'k6/http'; export const noext = get();",
	"/data.json":     `{"answer": 42}`,
	"/bad.js":        "export const a = ;",
	"/bare.js":       "import 'lodash';",
	"/local.js":      "import 'file:///etc/hostname';",
	"/meta.js":       "export const here = import.meta.url;",
	"/dangling.js":   "import './gone.js';",
	"/main.js":       "import { b } from './rel/b.js'; export default () => b;",
	"/node.js":       "import 'fs';",
	"/star.js":       "export * from './rel/b.js'; export * as k from 'k6';",
	"/dynamic.js":    "export const load = async () => (await import('./d.js')).default;",
	"/sub/index.mjs": "export default 'index';",
}

// remoteServer serves them and writes down what it is asked.
func remoteServer(t *testing.T) (client *http.Client, base string, seen func() []string) {
	t.Helper()
	var mu sync.Mutex
	var list []string
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		list = append(list, r.URL.Path)
		mu.Unlock()
		switch text, ok := remoteModules[r.URL.Path]; {
		case r.URL.Path == "/moved":
			http.Redirect(w, r, "/rel/a.js", http.StatusFound)
		case ok:
			_, _ = w.Write([]byte(text))
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	roots := server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	return source.NewClient(roots, nil), server.URL, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(list)
	}
}

func buildRemote(t *testing.T, client *http.Client, dir, main string) (*Bundle, error) {
	t.Helper()
	src, err := source.New(source.Config{Dir: dir, Client: client})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(src.Close)
	m, err := src.Main(t.Context(), main)
	if err != nil {
		t.Fatal(err)
	}
	return Build(t.Context(), Config{Source: src, Main: m, Builtins: testBuiltins()})
}

func TestRemoteModules(t *testing.T) {
	t.Parallel()
	client, base, seen := remoteServer(t)
	dir := t.TempDir()
	script := strings.ReplaceAll(`
import { all } from "BASE/rel/a.js";
import { local } from "./local.js";
import { typed } from "BASE/typed.ts"; import { noext } from "BASE/noext"; import data from "BASE/data.json";
import { here } from "BASE/meta.js"; import * as star from "BASE/star.js"; import { load } from "BASE/dynamic.js";
export default async () => [all, local, typed, noext, data.answer, here, star.b, star.k.check(), await load()].join();
`, "BASE", base)
	if err := os.WriteFile(filepath.Join(dir, "script.js"), []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "local.js"), []byte("import { b } from '"+base+"/rel/b.js'; export const local = 'l' + b;"), 0o644); err != nil {
		t.Fatal(err)
	}
	b, err := buildRemote(t, client, dir, "script.js")
	if err != nil {
		t.Fatal(err)
	}
	h, err := run(t, b)
	if err != nil {
		t.Fatal(err)
	}
	want := "b,c,d,lb,typed,k6/http.get,42," + base + "/meta.js,b,k6.check,d"
	if got, err := h.call("default"); err != nil || got != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	asked := seen()
	if n := len(asked); n != 10 {
		t.Errorf("%d requests: %v", n, asked)
	}
}

// TestRemoteOrder checks that a server sees the requests in the order of the
// import statements.
func TestRemoteOrder(t *testing.T) {
	t.Parallel()
	client, base, seen := remoteServer(t)
	if _, err := buildRemote(t, client, t.TempDir(), base+"/rel/a.js"); err != nil {
		t.Fatal(err)
	}
	if got, want := seen(), []string{"/rel/a.js", "/rel/b.js", "/c.js", "/d.js"}; !slices.Equal(got, want) {
		t.Errorf("requests %q, want %q", got, want)
	}
}

func TestRemoteScript(t *testing.T) {
	t.Parallel()
	client, base, _ := remoteServer(t)
	b, err := buildRemote(t, client, t.TempDir(), base+"/main.js")
	if err != nil {
		t.Fatal(err)
	}
	h, err := run(t, b)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := h.call("default"); got != "b" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestRemoteFailures(t *testing.T) {
	t.Parallel()
	client, base, _ := remoteServer(t)
	for path, want := range map[string]string{
		"/none.js":     "script.js: Line 1:8 the module \"" + base + "/none.js\" cannot be read: " + base + "/none.js was not found (status 404)",
		"/bad.js":      base + "/bad.js: Line 1:18 Unexpected \";\"",
		"/bare.js":     base + "/bare.js: Line 1:8 the module \"lodash\" cannot be found from a remote module",
		"/local.js":    base + "/local.js: Line 1:8 \"file:///etc/hostname\" cannot be imported",
		"/dangling.js": base + "/dangling.js: Line 1:8 the module \"./gone.js\" cannot be read",
		"/node.js":     base + "/node.js: Line 1:8 \"fs\" is a module of Node",
		"/moved":       base + "/moved: Line 1:19 the module \"./b.js\" cannot be read", // relative to the address imported
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "script.js"), []byte(`import "`+base+path+`"; export default () => 1`), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := buildRemote(t, client, dir, "script.js")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s:\n got %v\nwant %s", path, err, want)
		}
	}
}
