package runtime_test

import (
	"log/slog"
	"os"
	"path/filepath"
	goruntime "runtime"
	"testing"
	"time"

	"github.com/jsload/jsload/js/internal/bundle"
	"github.com/jsload/jsload/js/internal/runtime"
	"github.com/jsload/jsload/js/internal/source"
	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/all"
)

// compile bundles and compiles a script for the modules of a run.
func compile(t testing.TB, text string) (*runtime.Program, *modules.Run) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "s.js"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	src, err := source.New(source.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	main, err := src.Main(t.Context(), "s.js")
	if err != nil {
		t.Fatal(err)
	}
	registry := all.Modules()
	var builtins []bundle.Builtin
	for _, p := range registry.Paths() {
		if p != modules.GlobalsPath {
			builtins = append(builtins, bundle.Builtin{Path: p, Names: registry.Lookup(p).Names()})
		}
	}
	b, err := bundle.Build(t.Context(), bundle.Config{Source: src, Main: main, Builtins: builtins})
	if err != nil {
		t.Fatal(err)
	}
	p, err := runtime.Compile(b, runtime.Config{Modules: registry, Main: main.URL, Files: src})
	if err != nil {
		t.Fatal(err)
	}
	return p, &modules.Run{
		Log: slog.New(slog.DiscardHandler), Epoch: metrics.NewEpoch(time.Now()), Metrics: metrics.NewRegistry(), Seed: 1,
	}
}

// bytesPerVU is the live heap of one of a thousand runtimes of a script.
func bytesPerVU(t *testing.T, text string) float64 {
	t.Helper()
	const n = 1000
	p, run := compile(t, text)
	live := func() float64 {
		goruntime.GC()
		goruntime.GC()
		var m goruntime.MemStats
		goruntime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	if _, err := p.Start(t.Context(), run, 0); err != nil { // what all share is made now
		t.Fatal(err)
	}
	before := live()
	runtimes := make([]*runtime.Runtime, n)
	for i := range runtimes {
		rt, err := p.Start(t.Context(), run, uint64(i+1))
		if err != nil {
			t.Fatal(err)
		}
		runtimes[i] = rt
	}
	after := live()
	goruntime.KeepAlive(runtimes)
	return (after - before) / n
}

// TestMemoryPerVU guards what a virtual user costs before it runs: the globals
// and additions that a script does not name cost nothing.
func TestMemoryPerVU(t *testing.T) {
	for _, c := range []struct {
		name, text string
		limitKB    float64
	}{
		{"import only", `import http from "k6/http"; import { check } from "k6"; export default function () { check(http.get("x"), {}); }`, 10},
		{"arrays and objects", `export default function () { return Object.entries({}).map((e) => e[0]).filter(Boolean); }`, 8},
		{"one URL", `const u = new URL("http://e.com/"); export default function () { return u.href; }`, 16},
		{"an addition", `export default function () { return Object.groupBy([1], (x) => x); }`, 16},
		{"iterator helpers, not run", `export default function () { return [1].values().map((x) => x).toArray(); }`, 16},
	} {
		t.Run(c.name, func(t *testing.T) {
			kb := bytesPerVU(t, c.text) / 1024
			t.Logf("%.1f KB per virtual user", kb)
			if kb > c.limitKB {
				t.Errorf("%.1f KB per virtual user, the limit is %g", kb, c.limitKB)
			}
		})
	}
}
