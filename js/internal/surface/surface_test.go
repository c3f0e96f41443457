package surface_test

import (
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/jsload/jsload/js/internal/runtime"
	"github.com/jsload/jsload/js/internal/surface"
	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/all"
	"github.com/jsload/jsload/vu/options"
)

var update = flag.Bool("update", false, "write the generated part of docs/compatibility.md")

func list() *surface.List { return surface.New(all.Modules(), runtime.GlobalNames()) }

// TestModules holds the list and the registry together.
func TestModules(t *testing.T) {
	t.Parallel()
	l, registry := list(), all.Modules()
	for _, path := range registry.Paths() {
		if path == modules.GlobalsPath {
			continue
		}
		s := l.Section(path)
		if s == nil {
			t.Errorf("surface.txt has no section [%s]", path)
			continue
		}
		if s.State == surface.Unsupported {
			t.Errorf("[%s] is said to be unsupported, but it is registered", path)
		}
		for _, name := range registry.Lookup(path).Names() {
			if !slices.ContainsFunc(s.Entries, func(e surface.Entry) bool { return e.Name == name }) {
				t.Errorf("[%s] does not list the export %s", path, name)
			}
		}
	}
	for _, s := range l.Sections {
		m := registry.Lookup(s.Name)
		if m == nil {
			continue
		}
		for _, e := range s.Entries {
			has := slices.Contains(m.Names(), e.Name)
			if top, _, member := strings.Cut(e.Name, "."); member && !slices.Contains(m.Names(), top) {
				continue // of a class that scripts only get from a call
			} else if member {
				has = true
			}
			if has == (e.State == surface.Unsupported) || !has && e.Reason == "not built yet" {
				t.Errorf("[%s] %s: %s %s, but the module exports it: %v", s.Name, e.Name, e.State, e.Reason, has)
			}
		}
	}
}

func TestTwins(t *testing.T) {
	t.Parallel()
	l, registry := list(), all.Modules()
	for _, path := range registry.Paths() {
		rest, own := strings.CutPrefix(path, "jsload")
		if !own || path == modules.GlobalsPath {
			continue
		}
		if registry.Lookup("k6"+rest) == nil {
			continue // of jsload alone
		}
		if l.Module(path).State != l.Module("k6"+rest).State {
			t.Errorf("%s: %v, but k6%s: %v", path, l.Module(path), rest, l.Module("k6"+rest))
		}
	}
}

func TestGlobals(t *testing.T) {
	t.Parallel()
	l := list()
	globals := l.Section(surface.Globals)
	if m := all.Modules().Lookup(modules.GlobalsPath); m != nil {
		for _, name := range m.Names() {
			if !slices.ContainsFunc(globals.Entries, func(e surface.Entry) bool {
				return e.Name == name || strings.HasPrefix(e.Name, name+".")
			}) {
				t.Errorf("[globals] does not list %s", name)
			}
		}
	}
	for _, name := range []string{"console", "Math", "setTimeout"} {
		if e, ok := l.Global([]string{name}); !ok || e.State != surface.Works {
			t.Errorf("%s: %v, %v", name, e, ok)
		}
	}
	if e, ok := l.Global([]string{"process", "env"}); !ok || e.State != surface.Unsupported {
		t.Errorf("process: %v, %v", e, ok)
	}
	if e, ok := l.Global([]string{"nothing"}); ok {
		t.Errorf("nothing: %v", e)
	}
}

// TestOptions asks the decoder: an option that works is one it takes without a
// word.
func TestOptions(t *testing.T) {
	t.Parallel()
	l := list()
	for _, e := range l.Section(surface.Options).Entries {
		text, err := json.Marshal(map[string]any{e.Name: nil})
		if err != nil {
			t.Fatal(err)
		}
		warned := len(options.Script(text).Warnings) > 0
		if warned && e.State == surface.Works {
			t.Errorf("%s is said to work, but the decoder warns of it", e.Name)
		}
	}
	text, err := json.Marshal(options.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var known map[string]any
	if err := json.Unmarshal(text, &known); err != nil {
		t.Fatal(err)
	}
	for name := range known {
		if _, ok := l.Option(name); !ok {
			t.Errorf("[options] does not list %s", name)
		}
	}
	for _, name := range options.Executors() {
		if e, ok := l.Executor(name); !ok || e.State != surface.Works {
			t.Errorf("[executors] %s: %v", name, e)
		}
	}
}

func TestMember(t *testing.T) {
	t.Parallel()
	l := list()
	for _, tt := range []struct {
		module, path string
		known        bool
		state        surface.State
	}{
		{"k6", "check", true, surface.Works},
		{"jsload/http", "get", true, surface.Works},
		{"k6/http", "Response.json", true, surface.Works},
		{"k6/http", "Response.timings.duration", true, surface.Works},
		{"k6/http", "nope", false, ""},
		{"k6/execution", "vu.metrics.tags.a.b", true, surface.Works},
		{"k6/browser", "browser.newPage", true, surface.Unsupported},
	} {
		e, known := l.Member(tt.module, strings.Split(tt.path, "."))
		if known != tt.known || e.State != tt.state {
			t.Errorf("%s %s: %v, %v", tt.module, tt.path, e, known)
		}
	}
	for path, want := range map[string]surface.State{
		"k6/http": surface.Works, "jsload": surface.Works, "k6/experimental/redis": surface.Unsupported,
		"k6/x/anything": surface.Unsupported, "k6/htp": surface.Unsupported,
	} {
		if e := l.Module(path); e.State != want || want == surface.Unsupported && e.Reason == "" {
			t.Errorf("%s: %v", path, e)
		}
	}
}

const (
	document   = "../../../docs/compatibility.md"
	begin, end = "<!-- generated from js/internal/surface -->\n", "<!-- end of the generated part -->\n"
)

// TestDocument holds docs/compatibility.md to what the program has.
func TestDocument(t *testing.T) {
	data, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(data), begin)
	old, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s lacks %q or %q", document, begin, end)
	}
	made := "\n" + list().Markdown() + "\n"
	if made == old {
		return
	}
	if !*update {
		t.Fatalf("%s is out of date: run go test ./js/internal/surface -update", document)
	}
	if err := os.WriteFile(document, []byte(before+begin+made+end+after), 0o644); err != nil {
		t.Fatal(err)
	}
}
