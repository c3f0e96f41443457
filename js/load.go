// Package js takes the path of a script to a test that can run.
//
// cmd calls Load, hands the Test to vu/engine as its factory and phases, and
// asks it for the summary. It calls the bundler, the interpreter and the
// options; it schedules nothing and measures nothing.
package js

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/js/internal/bundle"
	"github.com/jsload/jsload/js/internal/runtime"
	"github.com/jsload/jsload/js/internal/script"
	"github.com/jsload/jsload/js/internal/source"
	"github.com/jsload/jsload/js/internal/surface"
	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/all"
	"github.com/jsload/jsload/vu"
	"github.com/jsload/jsload/vu/client"
	"github.com/jsload/jsload/vu/options"
	"github.com/jsload/jsload/vu/secret"
)

// Config says what to load and how.
type Config struct {
	// Path is the script or the archive of one: a file, an https:// address, or
	// "-" for Stdin.
	Path string
	// Kind says which of the two it is; zero means that the file tells.
	Kind  Kind
	Stdin io.Reader
	// Dir is the working directory, absolute.
	Dir string
	// Env is what the script sees as __ENV.
	Env map[string]string
	// Process is the environment of the process, for what is not the script's:
	// proxies, SSL_CERT_FILE, the cache of remote modules.
	Process map[string]string
	// Below are the layers of options under the script's (configuration file),
	// Above those over it (environment, command line), lowest first.
	Below, Above []options.Layer
	// Extended provides the global named `global`.
	Extended bool
	// Offline refuses to fetch remote modules that are not cached.
	Offline bool
	// Seed is where every random source begins; SeedFixed says that the user
	// chose it.
	Seed      uint64
	SeedFixed bool
	// SecretSources name the sources of secrets (see secret.ParseSpec). Redactor
	// learns every secret before the script does, and hides them in metrics; nil
	// means one of the test's own.
	SecretSources []string
	Redactor      *secret.Redactor
	// UserAgent is sent unless the options say otherwise.
	UserAgent string
	// Log is where the script's console and exceptions go, and everything else.
	Log *slog.Logger
	// Epoch is the run's.
	Epoch metrics.Epoch
}

// Test is a loaded script. It is the factory of its virtual users and runs its
// setup, teardown and handleSummary. Bind it before any of that.
type Test struct {
	// Config is the merged configuration, checked and final; it is there even if
	// Load fails because of it. Options are those of Config.
	Config  *options.Merged
	Options options.Options
	// Metrics holds the built-in metrics and those that the script made.
	Metrics *metrics.Registry
	// Exports are the names that the main module exports.
	Exports []string
	// Source is the text of the main module.
	Source []byte

	cfg    Config
	files  *source.Source
	main   source.Module
	bundle *bundle.Bundle
	// exported are the options of the script as JSON; nil if there are none.
	exported []byte
	secrets  *secret.Store
	run      *modules.Run
	program  *runtime.Program
	factory  *script.Factory
	net      *client.Network
}

// Load reads, bundles and compiles the script, runs its init code once, and
// merges the options. Errors carry their exit code; the test is there beside an
// error of its options, for the warnings.
func Load(ctx context.Context, cfg Config) (*Test, error) {
	found, err := open(ctx, &cfg)
	if err != nil {
		return nil, err
	}
	defer found.files.Close()
	t := &Test{cfg: cfg, Source: found.main.Data, files: found.files, main: found.main}
	if t.secrets, err = openSecrets(&t.cfg); err != nil {
		return nil, &exitError{vu.ExitConfig, err}
	}
	given, archived := found.layer()
	err = t.discover(ctx, given, archived, nil)
	found.files.Seal()
	for _, n := range found.files.Notices() {
		cfg.Log.Warn(n)
	}
	return t, err
}

// discover bundles and compiles the script and runs its init code. If that asks
// for files by computed names, all is done again with them in the bundle. Given
// is the script's layer of the options, if archived is true.
func (t *Test) discover(ctx context.Context, given options.Layer, archived bool, include []string) error {
	registry := all.Modules()
	built, err := bundle.Build(ctx, bundle.Config{Source: t.files, Main: t.main, Builtins: builtins(registry), Absent: absent(registry), Include: include})
	if err != nil {
		return err
	}
	t.bundle = built
	t.program, err = runtime.Compile(built, runtime.Config{
		Modules: registry, Main: t.main.URL, Files: t.files, Env: t.cfg.Env, Extended: t.cfg.Extended,
	})
	if err != nil {
		return err
	}
	t.Metrics = metrics.NewRegistry()
	if t.secrets != nil {
		t.Metrics.Hide(t.cfg.Redactor.Redact)
	}
	t.run = &modules.Run{
		Log: t.cfg.Log, Epoch: t.cfg.Epoch, Metrics: t.Metrics, Builtin: t.Metrics.Builtin(),
		Seed: t.cfg.Seed, SeedFixed: t.cfg.SeedFixed, Secrets: t.secrets,
	}
	err = t.readOptions(ctx, given, archived)
	if missing, ok := errors.AsType[*runtime.ErrNotBundled](err); ok && len(include) < maxIncludes {
		return t.discover(ctx, given, archived, append(include, missing.URLs...))
	}
	for _, w := range built.Warnings {
		t.cfg.Log.Warn(w.String())
	}
	return err
}

// maxIncludes bounds how many files computed names may add to a bundle.
const maxIncludes = 1000

// builtins lists the native modules for the bundler.
func builtins(r *modules.Registry) []bundle.Builtin {
	var list []bundle.Builtin
	for _, p := range r.Paths() {
		if p != modules.GlobalsPath {
			list = append(list, bundle.Builtin{Path: p, Names: r.Lookup(p).Names()})
		}
	}
	return list
}

// absent tells why a module that scripts know is not here.
func absent(r *modules.Registry) func(path string) string {
	return func(path string) string {
		list := surface.New(r, nil)
		if list.Section(path) == nil {
			return ""
		}
		return list.Module(path).Reason
	}
}

// readOptions runs the init code in a runtime of its own and takes what it
// exports.
func (t *Test) readOptions(ctx context.Context, layer options.Layer, archived bool) error {
	rt, err := t.program.Start(ctx, t.run, 0)
	if err != nil {
		return t.explainInit(err)
	}
	t.Exports = rt.ExportNames()
	callable, err := checkExports(rt, t.Exports)
	if err != nil {
		return err
	}
	if !archived {
		if layer, err = t.scriptLayer(rt); err != nil {
			return err
		}
	}
	layers := append(append(append([]options.Layer(nil), t.cfg.Below...), layer), t.cfg.Above...)
	t.Config, err = options.Merge(callable, layers...)
	t.Options = t.Config.Options
	return err
}

// scriptLayer decodes the exported options.
func (t *Test) scriptLayer(rt *runtime.Runtime) (options.Layer, error) {
	exported := rt.Exported("options")
	if exported == nil || goja.IsUndefined(exported) || goja.IsNull(exported) {
		return options.Layer{Name: options.LayerScript}, nil
	}
	json, err := rt.JSON(exported)
	if err != nil {
		return options.Layer{}, &exitError{vu.ExitConfig, fmt.Errorf("reading the exported options: %w", err)}
	}
	t.exported = json
	return options.Script(json), nil
}

// phases are the exports that are called by their names outside of iterations.
var phases = [...]string{"setup", "teardown", "vuSetup", "vuTeardown"}

// checkExports returns the names of exported functions that a scenario may
// call.
func checkExports(rt *runtime.Runtime, names []string) ([]string, error) {
	var callable []string
	for _, n := range names {
		_, ok := goja.AssertFunction(rt.Exported(n))
		switch {
		case n == "options":
		case slices.Contains(phases[:], n):
			if v := rt.Exported(n); !ok && !goja.IsUndefined(v) && !goja.IsNull(v) {
				return nil, fmt.Errorf("exported %q is not a function", n)
			}
		case ok && n != "handleSummary":
			callable = append(callable, n)
		}
	}
	if len(callable) == 0 {
		return nil, errors.New("no exported functions in script" + insteadOfFunction(rt))
	}
	return callable, nil
}

// insteadOfFunction says what the script exports in place of the function that a
// test is made of, and what to do.
func insteadOfFunction(rt *runtime.Runtime) string {
	const want = ": write export default function () { ... }"
	v := rt.Exported("default")
	if v == nil || goja.IsUndefined(v) {
		return want
	}
	text := v.String()
	if _, object := v.(*goja.Object); object {
		text = "an object"
	}
	return fmt.Sprintf("; its default export is no function but %.40s", text) + want
}

// exitError gives an error an exit code.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }
func (e *exitError) ExitCode() int { return e.code }
