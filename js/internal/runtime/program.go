// Package runtime runs a bundled script in goja: it compiles the bundle once,
// starts a runtime for each virtual user, and turns errors into positions of
// the user's files.
//
// js and js/internal/script call it; it calls the native modules. It knows
// nothing of scenarios or of how iterations are scheduled.
package runtime

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/dlclark/regexp2/v2"
	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"

	"github.com/jsload/jsload/js/internal/bundle"
	"github.com/jsload/jsload/js/internal/source"
	"github.com/jsload/jsload/modules"
)

// nativeSource is what the interpreter calls the source of native functions.
const nativeSource = "<native>"

// regexpTimeout bounds one match of a backtracking regular expression, which
// cannot be interrupted otherwise.
const regexpTimeout = 3 * time.Second

// setRegexpTimeout sets a variable of the regexp library, which goja compiles
// all backtracking expressions with.
var setRegexpTimeout = sync.OnceFunc(func() { regexp2.DefaultMatchTimeout = regexpTimeout })

// Program is a compiled script. It is immutable and shared by all runtimes.
type Program struct {
	bundle   *bundle.Bundle
	mainURL  string
	files    *source.Source
	modules  *modules.Registry
	compiled *goja.Program
	env      map[string]string
	envKeys  []string

	extended bool // the object `global` exists
	usesJSON bool
	usesIter bool
	// usesConstructors tells that the script may reach Function or its kin.
	usesConstructors bool
	growing          []string // methods of strings that make long ones, as far as they are mentioned
	patches          []string // additions to the interpreter's own objects
}

// Config says how to compile and start a script.
type Config struct {
	Modules *modules.Registry
	// Main is the address of the main module, Files what the script may open.
	Main  string
	Files *source.Source
	// Env is what the script sees as __ENV.
	Env map[string]string
	// Extended provides the global named `global`.
	Extended bool
}

// Compile compiles a bundle.
func Compile(b *bundle.Bundle, cfg Config) (*Program, error) {
	setRegexpTimeout()
	ast, err := goja.Parse(bundle.GlueFile, b.Code, parser.WithSourceMapLoader(func(string) ([]byte, error) { return b.SourceMap, nil }))
	if err != nil {
		return nil, fmt.Errorf("compiling the bundled script: %w", err)
	}
	compiled, err := goja.CompileAST(ast, false)
	if err != nil {
		return nil, fmt.Errorf("compiling the bundled script: %w", err)
	}
	var patches []string
	if m, ok := cfg.Modules.Lookup(modules.GlobalsPath).(modules.Patcher); ok {
		patches = m.Patches(b.Code)
	}
	return &Program{
		bundle:   b,
		mainURL:  cfg.Main,
		files:    cfg.Files,
		modules:  cfg.Modules,
		compiled: compiled,
		env:      cfg.Env,
		envKeys:  slices.Sorted(maps.Keys(cfg.Env)),
		extended: cfg.Extended,
		usesJSON: mentions(b.Code, "JSON"),
		usesIter: mentions(b.Code, "__ITER"),
		patches:  patches,

		growing:          slices.DeleteFunc([]string{"padEnd", "padStart", "repeat"}, func(name string) bool { return !mentions(b.Code, name) }),
		usesConstructors: mentions(b.Code, "Function") || strings.Contains(b.Code, ".constructor"),
	}, nil
}
