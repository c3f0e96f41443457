package bundle

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"
	"github.com/evanw/esbuild/pkg/api"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/jsload/jsload/js/internal/source"
)

// project lays the files of a txtar text into a folder. Its first file is the script.
func project(t testing.TB, text string) (dir, main string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	archive := txtar.Parse([]byte(strings.ReplaceAll(text, "DIR/", dir+"/")))
	for _, f := range archive.Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir, archive.Files[0].Name
}

func testBuiltins() []Builtin {
	return []Builtin{
		{Path: "k6", Names: []string{"check", "group", "sleep", "fail"}},
		{Path: "k6/http", Names: []string{"get", "post", "del"}},
		{Path: "k6/data", Names: []string{"SharedArray"}},
	}
}

// config makes a Config for a folder.
func config(t testing.TB, dir, main string) Config {
	t.Helper()
	src, err := source.New(source.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	m, err := src.Main(t.Context(), main)
	if err != nil {
		t.Fatal(err)
	}
	return Config{Source: src, Main: m, Builtins: testBuiltins()}
}

func buildText(t testing.TB, text string) (*Bundle, error) {
	t.Helper()
	dir, main := project(t, text)
	return Build(t.Context(), config(t, dir, main))
}

func mustBuild(t testing.TB, text string) *Bundle {
	t.Helper()
	b, err := buildText(t, text)
	if err != nil {
		var e *Error
		if errors.As(err, &e) {
			t.Fatal(e.String())
		}
		t.Fatal(err)
	}
	return b
}

// host is the least that a bundle needs to run.
type host struct {
	vm      *goja.Runtime
	bundle  *Bundle
	exports *goja.Object
	table   *goja.Object
	logged  []string
}

func compile(t testing.TB, b *Bundle) *goja.Program {
	t.Helper()
	ast, err := goja.Parse(GlueFile, b.Code, parser.WithSourceMapLoader(func(string) ([]byte, error) { return b.SourceMap, nil }))
	if err != nil {
		t.Fatalf("parse: %v\n%s", err, b.Code)
	}
	p, err := goja.CompileAST(ast, false)
	if err != nil {
		t.Fatalf("compile: %v\n%s", err, b.Code)
	}
	return p
}

// run evaluates a bundle as the runtime would.
func run(t testing.TB, b *Bundle) (*host, error) {
	t.Helper()
	h := &host{vm: goja.New(), bundle: b}
	vm := h.vm
	set := func(o *goja.Object, name string, v any) {
		if err := o.Set(name, v); err != nil {
			t.Fatal(err)
		}
	}
	set(vm.GlobalObject(), "log", func(c goja.FunctionCall) goja.Value {
		var parts []string
		for _, a := range c.Arguments {
			parts = append(parts, a.String())
		}
		h.logged = append(h.logged, strings.Join(parts, " "))
		return nil
	})
	obj := vm.NewObject()
	modules := map[string]*goja.Object{}
	set(obj, "module", func(path string) *goja.Object {
		if modules[path] == nil {
			o := vm.NewObject()
			for _, m := range testBuiltins() {
				if m.Path == path {
					for _, n := range m.Names {
						set(o, n, func(goja.FunctionCall) goja.Value { return vm.ToValue(path + "." + n) })
					}
				}
			}
			modules[path] = o
		}
		return modules[path]
	})
	set(obj, "register", func(c goja.FunctionCall) goja.Value { h.exports = c.Argument(0).ToObject(vm); return nil })
	set(obj, "modules", func(c goja.FunctionCall) goja.Value { h.table = c.Argument(0).ToObject(vm); return nil })
	set(obj, "require", h.require)
	set(obj, "eval", vm.Get("eval"))
	set(obj, "source", func(c goja.FunctionCall) goja.Value { return c.Argument(0) })
	set(obj, "meta", func(u string) *goja.Object {
		o := vm.NewObject()
		set(o, "url", u)
		set(o, "resolve", func(spec string) string { r, _ := source.Resolve(u, spec); return r })
		return o
	})
	fn, err := vm.RunProgram(compile(t, b))
	if err != nil {
		t.Fatal(err)
	}
	call, _ := goja.AssertFunction(fn)
	v, err := call(goja.Undefined(), obj)
	if err != nil {
		return h, err
	}
	if p, ok := v.Export().(*goja.Promise); ok && p.State() != goja.PromiseStateFulfilled {
		return h, fmt.Errorf("promise %v: %v", p.State(), p.Result())
	}
	return h, nil
}

func (h *host) base() string {
	return h.bundle.ModuleOf(func(yield func(string, string) bool) {
		for _, f := range h.vm.CaptureCallStack(0, nil) {
			if !yield(f.FuncName(), f.Position().Filename) {
				return
			}
		}
	})
}

func (h *host) require(spec string) goja.Value {
	u, builtin, err := h.bundle.Resolve(h.base(), spec)
	if err != nil {
		panic(h.vm.NewGoError(err))
	}
	if builtin {
		return h.vm.ToValue("builtin " + u)
	}
	load, ok := goja.AssertFunction(h.table.Get(u))
	if !ok {
		panic(h.vm.NewGoError(fmt.Errorf("%s is not bundled", u)))
	}
	v, err := load(goja.Undefined())
	if err != nil {
		panic(err)
	}
	return v
}

// call runs an exported function and waits for a promise it returns.
func (h *host) call(name string) (string, error) {
	fn, ok := goja.AssertFunction(h.exports.Get(name))
	if !ok {
		return "", fmt.Errorf("%s is not a function but %v", name, h.exports.Get(name))
	}
	v, err := fn(goja.Undefined())
	if err != nil {
		return "", err
	}
	if p, ok := v.Export().(*goja.Promise); ok {
		if p.State() == goja.PromiseStateRejected {
			return "", fmt.Errorf("rejected: %v", p.Result())
		}
		v = p.Result()
	}
	return v.String(), nil
}

// outcome builds and runs a project and gives what its default export returns.
func outcome(t testing.TB, text string) string {
	t.Helper()
	b := mustBuild(t, text)
	h, err := run(t, b)
	if err != nil {
		t.Fatalf("run: %v\n%s", err, b.Code)
	}
	got, err := h.call("default")
	if err != nil {
		t.Fatalf("call: %v\n%s", err, b.Code)
	}
	return got
}

// esbuildEntry is the address of a function of esbuild.
func esbuildEntry() uintptr { return reflect.ValueOf(api.Build).Pointer() }
