package bundle

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/jsload/jsload/js/internal/source"
)

// builder is one Build in progress. Rounds of it repeat with what the last one
// taught: names that a built-in module lacks, or that standard input holds
// TypeScript.
type builder struct {
	ctx      context.Context
	cfg      Config
	dir      string
	builtins map[string]Builtin

	// extra are names that scripts import from built-in modules that have no
	// such export; their value is undefined.
	extra map[string][]string
	// outgrown are the libraries, by path, of which scripts import more than the
	// host has.
	outgrown map[string]bool
	// constants are the places, by file, where a script assigns to a constant.
	constants map[string][]int
	// stdinTS tells that standard input is TypeScript: it did not parse otherwise.
	stdinTS bool
	// table tells that some require or import() is computed, so that the
	// bundle needs a table of its modules: tabled, by address. What the script
	// exports was found in the round before.
	table bool
	shim  bool // the output holds requireShim
	// sloppy tells that no module of the bundle is an ES module.
	sloppy       bool
	tabled       []string
	mainExports  []string
	mainCommonJS bool

	result api.BuildResult

	mu sync.Mutex
	// files are what esbuild was given in this round, by address.
	files map[string]*file
	// used are the built-in modules imported, by path: the first importer.
	used map[string]string
	// libraries are the addresses of helper libraries that the host answers.
	libraries map[string]bool
	// edges are specifiers in order of appearance, by importing address.
	edges map[string][]edge
	// packageType caches whether a folder belongs to a package of type module.
	packageType map[string]bool
	// stubs are the modules of Node that packages asked for: name, line break,
	// address of the importer.
	stubs map[string]bool
	// unread tells that a remote module could not be read.
	unread bool
	// metas are the names that stand for import.meta, with the files they belong to.
	metas map[string]string
}

// file is a module as esbuild was given it.
type file struct {
	url string
	// src is the original text; positions refer to it.
	src []byte
	// meta is the name that stands for import.meta, or "".
	meta string
	// spaces are the names of import * as of built-in modules, by path.
	spaces map[string][]string
	// loader is how esbuild reads it.
	loader api.Loader
}

// edge is one import.
type edge struct{ spec, target string }

func newBuilder(ctx context.Context, cfg Config) *builder {
	b := &builder{
		ctx: ctx, cfg: cfg, dir: cfg.Source.Dir(),
		builtins: make(map[string]Builtin, len(cfg.Builtins)), extra: map[string][]string{}, constants: map[string][]int{},
		outgrown:    map[string]bool{},
		packageType: map[string]bool{},
	}
	for _, m := range cfg.Builtins {
		b.builtins[m.Path] = m
	}
	return b
}

func (b *builder) outfile() string { return filepath.Join(b.dir, "jsload-bundle.js") }

// build runs esbuild once. It tells whether another round is needed.
func (b *builder) build() (again bool, err error) {
	if at := tooDeep(b.cfg.Main.Data, maxNesting); at >= 0 {
		return false, &Error{Diagnostics: []*Diagnostic{nestingDiagnostic(b.cfg.Main.URL, b.cfg.Main.Data, at)}}
	}
	b.files, b.used, b.edges = map[string]*file{}, map[string]string{}, map[string][]edge{}
	b.stubs, b.metas, b.libraries, b.unread = map[string]bool{}, map[string]string{}, map[string]bool{}, false
	opts := b.options()
	if b.cfg.Source.Virtual() {
		opts.TsconfigRaw = b.tsconfig()
	}
	opts.Plugins = []api.Plugin{{Name: "jsload", Setup: b.setup}}
	opts.EntryPoints = []string{b.mainSpec()}
	if b.table {
		opts.EntryPoints = []string{entryTable}
	}
	b.result = api.Build(opts)
	if err := b.ctx.Err(); err != nil {
		return false, err
	}
	if len(b.result.Errors) == 0 {
		return b.wantsTable()
	}
	if b.learn() {
		return true, nil
	}
	return false, &Error{Diagnostics: b.diagnostics()}
}

// missingExport is esbuild's text for a named import that does not exist.
var missingExport = regexp.MustCompile(`^No matching export in "(.*)" for import "(.*)"$`)

// constantAssigned is esbuild's text for an assignment to a constant.
var constantAssigned = regexp.MustCompile(`^Cannot assign to ".*" because it is a constant$`)

// learn looks for errors that another round mends.
func (b *builder) learn() bool {
	learnt := false
	for _, msg := range b.result.Errors {
		if m := missingExport.FindStringSubmatch(msg.Text); m != nil {
			if path, ok := strings.CutPrefix(m[1], nsBuiltin+":"); ok {
				path, _, _ = strings.Cut(path, "?")
				learnt = b.learnExtra(path, m[2]) || learnt
			}
			learnt = b.learnLibrary(m[1], m[2]) || learnt
		}
		learnt = b.learnConstant(&msg) || learnt
		if b.isStdin(msg.Location) && !b.stdinTS {
			b.stdinTS, learnt = true, true
		}
	}
	return learnt
}

// learnExtra remembers a name that is imported though there is nothing of it.
func (b *builder) learnExtra(path, name string) bool {
	if slices.Contains(b.extra[path], name) {
		return false
	}
	b.extra[path] = append(b.extra[path], name)
	return true
}

// learnConstant remembers the place of an assignment to a constant, which is no
// syntax error but throws when it is reached.
func (b *builder) learnConstant(msg *api.Message) bool {
	if msg.Location == nil || !constantAssigned.MatchString(msg.Text) {
		return false
	}
	at := b.location(msg.Location)
	f := b.files[at.File]
	if f == nil {
		return false
	}
	offset := at.offset(f.src)
	if slices.Contains(b.constants[f.url], offset) {
		return false
	}
	b.constants[f.url] = append(b.constants[f.url], offset)
	return true
}

// isStdin tells whether a message is about the text of a script from standard input.
func (b *builder) isStdin(loc *api.Location) bool {
	return loc != nil && loc.File == source.StdinName && filepath.Base(source.Path(b.cfg.Main.URL)) == source.StdinName
}

// requireShim is esbuild's helper for a require() that it cannot resolve.
var requireShim = regexp.MustCompile(`(?m)^var __require = `)

// requiresComputed tells whether code uses the shim for anything but literal
// names and typeof.
func requiresComputed(code []byte) bool {
	const name = "__require"
	shim := requireShim.FindIndex(code)
	for i := 0; ; {
		at := bytes.Index(code[i:], []byte(name))
		if at < 0 {
			return false
		}
		at += i
		i = at + len(name)
		after := code[i:]
		switch {
		case at >= shim[0] && at < shim[1], len(after) > 0 && isNameByte(after[0]):
		case bytes.HasPrefix(after, []byte(`("`)), bytes.HasSuffix(code[:at], []byte("typeof ")):
		default:
			return true
		}
	}
}

// wantsTable tells whether the output requires a module by a computed name for
// the first time, so that all modules must be reachable by address.
func (b *builder) wantsTable() (bool, error) {
	code := b.code()
	b.shim = requireShim.Match(code)
	if b.table || len(b.cfg.Include) == 0 && !(b.shim && requiresComputed(code)) {
		return false, nil
	}
	meta, err := b.report()
	if err != nil {
		return false, err
	}
	b.table = true
	b.tabled = slices.Clone(b.cfg.Include)
	for pretty, in := range meta.Inputs {
		u, ok := b.inputURL(pretty)
		if ok && u == b.cfg.Main.URL {
			b.mainCommonJS = in.Format != "esm"
		} else if ok {
			b.tabled = append(b.tabled, u)
		}
	}
	slices.Sort(b.tabled)
	b.tabled = slices.Compact(b.tabled)
	for _, e := range splitTail(string(code)).exports {
		b.mainExports = append(b.mainExports, e.name)
	}
	return true, nil
}

func (b *builder) code() []byte {
	for _, f := range b.result.OutputFiles {
		if strings.HasSuffix(f.Path, ".js") {
			return f.Contents
		}
	}
	return nil
}

func (b *builder) sourceMap() []byte {
	for _, f := range b.result.OutputFiles {
		if strings.HasSuffix(f.Path, ".map") {
			return f.Contents
		}
	}
	return nil
}

// metafile is the part of esbuild's report that is used.
type metafile struct {
	Inputs map[string]struct {
		Format  string
		Imports []struct{ Path, Original string }
	}
}

func (b *builder) report() (metafile, error) {
	var meta metafile
	if err := json.Unmarshal([]byte(b.result.Metafile), &meta); err != nil {
		return meta, fmt.Errorf("read esbuild's report: %w", err)
	}
	return meta, nil
}

// bundle makes the result of a build that succeeded.
func (b *builder) bundle() (*Bundle, error) {
	meta, err := b.report()
	if err != nil {
		return nil, err
	}
	out := &Bundle{
		Builtins: b.uses(), External: b.external(), Inputs: b.inputs(meta), Warnings: b.warnings(),
		Libraries: sortedKeys(b.libraries),
		Functions: map[string]string{}, wrapped: map[string]string{}, builtins: map[string]bool{}, src: b.cfg.Source,
	}
	for path := range b.builtins {
		out.builtins[path] = true
	}
	for pretty := range meta.Inputs {
		if u, ok := b.inputURL(pretty); ok {
			out.wrapped[pretty] = u
			out.Functions[pretty] = ""
			if u == b.cfg.Main.URL {
				out.CommonJS = meta.Inputs[pretty].Format != "esm"
			}
		}
	}
	b.sloppy = b.onlyCommonJS(meta)
	b.tsconfig() // so that an archive holds it
	if err := b.finish(out); err != nil {
		return nil, err
	}
	return out, nil
}

// tsconfig reads the tsconfig.json that applies to the script; empty if none
// does. esbuild finds it by itself in the file system, but not in an archive.
func (b *builder) tsconfig() string {
	if !source.IsLocal(b.cfg.Main.URL) {
		return ""
	}
	for dir := filepath.Dir(source.Path(b.cfg.Main.URL)); ; dir = filepath.Dir(dir) {
		u := source.FileURL(filepath.Join(dir, "tsconfig.json"))
		if b.cfg.Source.Exists(u) {
			data, _ := b.cfg.Source.Read(b.ctx, u) // unreadable is as good as absent
			return string(data)
		}
		if filepath.Dir(dir) == dir {
			return ""
		}
	}
}

// inputURL gives the address of an input by the name esbuild has for it. It is
// false for modules that are no files.
func (b *builder) inputURL(pretty string) (string, bool) {
	if rest, ok := strings.CutPrefix(pretty, nsRemote+":"); ok {
		return rest, true
	}
	for _, ns := range []string{nsBuiltin, nsLibrary, nsGlue, "(disabled)"} {
		if strings.HasPrefix(pretty, ns+":") {
			return "", false
		}
	}
	path := filepath.FromSlash(pretty)
	if !filepath.IsAbs(path) {
		path = filepath.Join(b.dir, path)
	}
	u := source.FileURL(path)
	return u, b.files[u] != nil
}

func (b *builder) inputs(meta metafile) []Input {
	var list []Input
	for pretty, in := range meta.Inputs {
		u, ok := b.inputURL(pretty)
		if !ok {
			continue
		}
		imports := map[string]string{}
		for _, imp := range in.Imports {
			if target, ok := b.inputURL(imp.Path); ok && imp.Original != "" {
				imports[imp.Original] = target
			}
		}
		list = append(list, Input{URL: u, Imports: imports})
	}
	slices.SortFunc(list, func(a, c Input) int { return strings.Compare(a.URL, c.URL) })
	return list
}

// uses lists the built-in modules in use.
func (b *builder) uses() []Use {
	var list []Use
	for _, path := range sortedKeys(b.used) {
		list = append(list, Use{Path: path, Location: b.importPlace(b.used[path], path)})
	}
	return list
}

// external lists what comes from packages and from servers.
func (b *builder) external() []Use {
	importers := map[string]string{}
	for _, importer := range sortedKeys(b.edges) {
		if inNodeModules(importer) || !source.IsLocal(importer) {
			continue
		}
		for _, e := range b.edges[importer] {
			local := source.IsRelative(e.spec) || filepath.IsAbs(e.spec) || source.Scheme(e.spec) == "file"
			if _, seen := importers[e.spec]; !seen && !local && !b.isBuiltin(e.spec) && b.used[e.spec] == "" {
				importers[e.spec] = importer
			}
		}
	}
	var list []Use
	for _, spec := range sortedKeys(importers) {
		list = append(list, Use{Path: spec, Location: b.importPlace(importers[spec], spec)})
	}
	return list
}

// importPlace finds where a file names a module; nil if it does not.
func (b *builder) importPlace(importer, spec string) *Location {
	f := b.files[importer]
	if f == nil {
		return nil
	}
	l := newLexer(f.src)
	for t := l.next(); t.kind != tokEOF; t = l.next() {
		if t.kind == tokString && string(unquote(l.text(t))) == spec {
			return locate(f.url, f.src, t.start, t.end-t.start)
		}
	}
	return nil
}

// unquote takes the quotes off a string token.
func unquote(text []byte) []byte {
	if len(text) < 2 {
		return nil
	}
	return text[1 : len(text)-1]
}
