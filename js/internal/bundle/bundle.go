// Package bundle turns a script and all it imports into one function that goja
// can run: TypeScript stripped, modules linked, packages resolved, syntax that
// goja lacks lowered, and a source map that leads back.
//
// package js calls it once per test. It calls esbuild, which no other package
// may, and reads files through js/internal/source. It does not run code and
// prints nothing: what is wrong comes back as diagnostics.
//
// The code is one function expression,
//
//	(function(__jsload) { "use strict"; ...; __jsload.register({default: ..., options: ...}); })
//
// or an async function if the script awaits at its top level. The runtime calls
// it once per virtual user with a host object:
//
//	module(path)       the object of a built-in module, its exports as properties
//	register(exports)  called last, with the exports of the script
//	require(spec)      a require() whose argument is not a literal
//	meta(url)          import.meta of the module at url
//	modules(table)     only with computed requires: functions by address of module
//
// Built-in modules become plain variables that hold their exports, so that a
// call of an imported function costs no more than one of a local function.
package bundle

import (
	"context"
	"slices"
	"strings"

	"github.com/jsload/jsload/js/internal/source"
)

// GlueFile is the file that the source map names for code that stands in no
// file of the user: the wrapper, esbuild's helpers, built-in modules. Frames
// with it are to be left out of stack traces.
const GlueFile = "jsload:bundle"

// Builtin is a module that the host provides.
type Builtin struct {
	// Path is how scripts import it, such as "k6/http".
	Path string
	// Names are its named exports. A name "default" means that the default
	// export is the property of that name; otherwise it is the module itself.
	Names []string
}

// Config says what to bundle.
type Config struct {
	// Source reads the files. It must not be nil.
	Source *source.Source
	// Main is the script.
	Main source.Module
	// Builtins are the modules of the host.
	Builtins []Builtin
	// Absent says of a module that the host could have and has not why that is, or
	// what to use; "" if there is nothing to say. It may be nil.
	Absent func(path string) string
	// Include adds modules, by address, that nothing imports by a literal name
	// but that a computed require() or import() asked for.
	Include []string
	// Lenient takes modules that the host does not have, and those of Node, as if
	// it had them, and helper libraries as modules of the host by the path that
	// jslib has for them: Bundle.Builtins then tells what to report, and Code is to
	// be looked at and not run.
	Lenient bool
}

// Use is a module that a script imports, with the first place that does.
type Use struct {
	// Path is the specifier.
	Path string
	// Location is where the name stands; nil if it could not be found.
	Location *Location
}

// Bundle is a script ready to be compiled.
type Bundle struct {
	// Code is a function expression; see the package comment. It ends in a
	// comment by which goja's parser asks its source map loader for SourceMap.
	Code string
	// SourceMap leads from Code to the sources. It is made for goja, which looks
	// up columns counted from 1: for JavaScript both sides count from 1; for
	// TypeScript it is esbuild's own map, whose columns count from 0.
	SourceMap []byte
	// Exports are the names the script exports, sorted. It is nil for a
	// CommonJS script, whose exports are known only once it has run.
	Exports []string
	// CommonJS tells that the script is not an ES module.
	CommonJS bool
	// ReadsOptions tells that the script may read the options that it exports.
	ReadsOptions bool
	// Async tells that Code is an async function.
	Async bool
	// Builtins are the host's modules in use, sorted by path.
	Builtins []Use
	// External are the packages and remote modules that files of the user import,
	// by specifier, sorted.
	External []Use
	// Libraries are the addresses of helper libraries that the host answers itself,
	// sorted.
	Libraries []string
	// Inputs are the files in the bundle, sorted by address.
	Inputs []Input
	// Warnings are no reason to stop.
	Warnings []*Diagnostic
	// Functions gives the name to show for functions that esbuild named; it is
	// empty for the functions around modules, which are no functions to the user.
	Functions map[string]string

	// wrapped gives the address of a module by the name of the function around it.
	wrapped map[string]string
	// builtins are the paths of all modules of the host.
	builtins map[string]bool
	src      *source.Source
}

// Input is one file of a bundle.
type Input struct {
	URL string
	// Imports are the files it imports, by specifier.
	Imports map[string]string
}

// maxRebuilds bounds how often a build is repeated with what the last one taught.
const maxRebuilds = 20

// Build bundles a script. A script that is wrong gives an *Error.
func Build(ctx context.Context, cfg Config) (*Bundle, error) {
	b := newBuilder(ctx, cfg)
	for range maxRebuilds {
		again, err := b.build()
		if err != nil {
			return nil, err
		}
		if !again {
			return b.bundle()
		}
	}
	return nil, &Error{Diagnostics: b.diagnostics()}
}

// ModuleOf tells which module's top level a stack is in. That module is the
// base for open(), require() and the like. Frames are given innermost first: by
// the name of the function, and by the file that the source map gives for the
// position; the outermost frame is that of Code itself.
func (b *Bundle) ModuleOf(frames func(yield func(function, file string) bool)) string {
	last := ""
	for function, file := range frames {
		if u, ok := b.wrapped[function]; ok {
			return u
		}
		if file != GlueFile {
			last = file
		}
	}
	return last
}

// Resolve gives what a computed specifier means in the module at base: the path
// of a built-in module, or the address of a file. The file need not be part of
// the bundle; if it is not, Build has to be called again with it in
// Config.Include.
func (b *Bundle) Resolve(base, spec string) (address string, builtin bool, err error) {
	if b.builtins[spec] {
		return spec, true, nil
	}
	u, err := source.Resolve(base, spec)
	if err != nil {
		return "", false, err
	}
	if !source.IsLocal(u) || b.src.Exists(u) {
		return u, false, nil
	}
	for _, ending := range probed {
		if b.src.Exists(u + ending) {
			return u + ending, false, nil
		}
	}
	return u, false, nil
}

// Resolutions gives what specifiers in the bundle mean, by importer, as far as
// their text alone does not tell: what an archive has to record.
func (b *Bundle) Resolutions() map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, in := range b.Inputs {
		for spec, target := range in.Imports {
			if u, err := source.Resolve(in.URL, spec); err == nil && u == target {
				continue
			}
			if all[in.URL] == nil {
				all[in.URL] = map[string]string{}
			}
			all[in.URL][spec] = target
		}
	}
	return all
}

// Includes tells whether the file at an address is part of the bundle.
func (b *Bundle) Includes(u string) bool {
	_, ok := slices.BinarySearchFunc(b.Inputs, u, func(in Input, u string) int { return strings.Compare(in.URL, u) })
	return ok
}
