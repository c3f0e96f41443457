package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/jsload/jsload/js/internal/source"
)

// Namespaces of modules that are no local files.
const (
	nsBuiltin = "jsload-builtin" // modules of the host
	nsRemote  = "remote"         // https:// modules, by address
	nsGlue    = "jsload-glue"    // entries and stubs made here
	nsLibrary = "jsload-library" // helper libraries of the host, see library.go
)

// Modules of nsGlue.
const (
	entryTable   = "jsload:table"
	tableModules = "jsload:modules" // the table itself
	stubEmpty    = "jsload:empty"   // in place of a Node module
)

// asked marks a resolution that the plugin itself asks esbuild for.
type asked struct{}

func (b *builder) setup(build api.PluginBuild) {
	build.OnResolve(api.OnResolveOptions{Filter: `.*`}, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
		if _, ok := args.PluginData.(asked); ok {
			return api.OnResolveResult{}, nil
		}
		return b.resolve(build, args), nil
	})
	build.OnLoad(api.OnLoadOptions{Filter: `.*`, Namespace: "file"}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
		return b.load(source.FileURL(args.Path), filepath.Dir(args.Path)), nil
	})
	build.OnLoad(api.OnLoadOptions{Filter: `.*`, Namespace: nsRemote}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
		return b.load(args.Path, ""), nil
	})
	build.OnLoad(api.OnLoadOptions{Filter: `.*`, Namespace: nsBuiltin}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
		return jsResult(b.builtinModule(args.Path)), nil
	})
	build.OnLoad(api.OnLoadOptions{Filter: `.*`, Namespace: nsLibrary}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
		return b.loadLibrary(args.Path), nil
	})
	build.OnLoad(api.OnLoadOptions{Filter: `.*`, Namespace: nsGlue}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
		res := jsResult(b.glueModule(args.Path))
		res.ResolveDir = b.dir
		return res, nil
	})
}

func jsResult(code string) api.OnLoadResult {
	return api.OnLoadResult{Contents: &code, Loader: api.LoaderJS}
}

// importerURL gives the address of the module that an import stands in.
func (b *builder) importerURL(args api.OnResolveArgs) string {
	switch args.Namespace {
	case nsRemote:
		return args.Importer
	}
	return source.FileURL(args.Importer)
}

// resolve decides what a specifier means. An empty result leaves it to esbuild,
// which knows folders, packages and tsconfig.json.
func (b *builder) resolve(build api.PluginBuild, args api.OnResolveArgs) api.OnResolveResult {
	spec := args.Path
	switch {
	case spec == entryTable && args.Kind == api.ResolveEntryPoint:
		return api.OnResolveResult{Path: spec, Namespace: nsGlue}
	case args.Kind == api.ResolveEntryPoint && filepath.IsAbs(spec):
		return api.OnResolveResult{}
	case args.Kind == api.ResolveEntryPoint:
		return b.at(spec)
	case spec == tableModules && args.Namespace == nsGlue:
		return api.OnResolveResult{Path: spec, Namespace: nsGlue}
	case args.Namespace == nsGlue && filepath.IsAbs(spec):
		return api.OnResolveResult{}
	case args.Namespace == nsGlue:
		return b.at(spec)
	case args.Namespace == nsLibrary:
		return b.resolveInLibrary(args)
	}
	importer := b.importerURL(args)
	res := b.resolveImport(build, args, importer)
	b.note(importer, spec, res)
	return res
}

// note remembers an import for the chains of imports in diagnostics.
func (b *builder) note(importer, spec string, res api.OnResolveResult) {
	target := res.Path
	switch {
	case target == "":
		if u, err := source.Resolve(importer, spec); err == nil {
			target = u
		}
	case res.Namespace == "" || res.Namespace == "file":
		target = source.FileURL(target)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.edges[importer] = append(b.edges[importer], edge{spec: spec, target: target})
	if res.Namespace == nsLibrary {
		if u, err := source.Resolve(importer, spec); err == nil {
			b.libraries[u] = true
		} else {
			b.libraries[spec] = true
		}
	}
	if res.Namespace == nsBuiltin {
		if _, seen := b.used[spec]; !seen {
			b.used[spec] = importer
		}
	}
}

// mainSpec is how the entry names the script: by path if esbuild is to find it,
// so that its package.json and tsconfig.json apply, else by address.
func (b *builder) mainSpec() string {
	u := b.cfg.Main.URL
	file := source.Path(u)
	if b.cfg.Source.Virtual() || !source.IsLocal(u) || filepath.Ext(file) == "" || !b.cfg.Source.Exists(u) {
		return u
	}
	if isJavaScript(file) && b.isModulePackage(filepath.Dir(file)) && !hasModuleSyntax(b.cfg.Main.Data) {
		return u
	}
	return file
}

// at resolves to an address.
func (b *builder) at(u string) api.OnResolveResult {
	if m := b.answered(u); m != nil { // reached by a computed name
		return api.OnResolveResult{Path: m.Path() + "?" + flavourCommonJS, Namespace: nsLibrary}
	}
	if source.IsLocal(u) {
		return api.OnResolveResult{Path: source.Path(u), Namespace: "file"}
	}
	return api.OnResolveResult{Path: u, Namespace: nsRemote}
}

func (b *builder) resolveImport(build api.PluginBuild, args api.OnResolveArgs, importer string) api.OnResolveResult {
	spec := args.Path
	switch scheme := source.Scheme(spec); {
	case b.isBuiltin(spec):
		return b.resolveBuiltin(args, importer)
	case b.library(importer, spec) != nil:
		return b.resolveLibrary(args, importer)
	case isHostName(spec):
		return refuse(fmt.Sprintf("there is no module %q", spec), b.hostHint(spec))
	case isNode(spec):
		return b.resolveNode(build, args, importer)
	case scheme == "https", scheme == "file", !source.IsLocal(importer), strings.HasPrefix(spec, "//"):
		return b.resolveAddress(importer, spec)
	case scheme != "" && scheme != "data":
		return refuse(fmt.Sprintf("%q cannot be imported: modules come from files and https:// only", spec), schemeHint(scheme))
	case b.cfg.Source.Virtual():
		return b.resolveArchived(importer, spec)
	}
	return b.resolveLocal(build, args)
}

// refuse is an error at the place of the import.
func refuse(text, hint string) api.OnResolveResult {
	return api.OnResolveResult{Errors: []api.Message{{Text: text, Detail: hint}}}
}

func schemeHint(scheme string) string {
	if scheme == "http" {
		return "use https://, or download the file beside the script"
	}
	return ""
}

// resolveAddress handles what is, or stands in, a remote module. Remote modules
// are fetched here and not when they are loaded: esbuild resolves the imports of
// a file one after the other but loads files at the same time, so servers see
// the requests in the order of the imports, and an error points at the import.
func (b *builder) resolveAddress(importer, spec string) api.OnResolveResult {
	u, err := source.Resolve(importer, spec)
	switch {
	case errors.Is(err, source.ErrBare):
		return refuse(fmt.Sprintf("the module %q cannot be found from a remote module", spec),
			"remote modules can import built-in modules, relative paths and https:// addresses")
	case err != nil:
		return refuse(fmt.Sprintf("%q cannot be imported: %v", spec, err), "")
	}
	if b.gaveUp() {
		return api.OnResolveResult{Path: stubEmpty, Namespace: nsGlue}
	}
	if _, err := b.cfg.Source.Read(b.ctx, u); err != nil {
		b.giveUp()
		return refuse(fmt.Sprintf("the module %q cannot be read: %v", spec, err), "")
	}
	return b.at(u)
}

// giveUp ends fetching: the build has failed, and servers need not be asked for
// the rest.
func (b *builder) giveUp() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.unread = true
}

func (b *builder) gaveUp() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.unread
}

// resolveArchived resolves within an archive: by what was recorded when it was
// made, else by path.
func (b *builder) resolveArchived(importer, spec string) api.OnResolveResult {
	if u, ok := b.cfg.Source.Recorded(importer, spec); ok {
		return b.at(u)
	}
	u, err := source.Resolve(importer, spec)
	if errors.Is(err, source.ErrBare) {
		// esbuild does not find it either, and knows whether that is an error.
		return api.OnResolveResult{}
	}
	if err != nil {
		return refuse(fmt.Sprintf("%q cannot be imported: %v", spec, err), "")
	}
	for _, ending := range append([]string{""}, probed[:]...) {
		if b.cfg.Source.Exists(u + ending) {
			return b.at(u + ending)
		}
	}
	return refuse(fmt.Sprintf("the module %q is not in the archive", spec), "")
}

// resolveLocal leaves local files and packages to esbuild, but for one case: a
// CommonJS file of the user in a package of type module, which esbuild would
// take for an ES module. Without what package.json says, its syntax decides.
func (b *builder) resolveLocal(build api.PluginBuild, args api.OnResolveArgs) api.OnResolveResult {
	if !source.IsRelative(args.Path) && !filepath.IsAbs(args.Path) || !b.isModulePackage(args.ResolveDir) {
		return api.OnResolveResult{}
	}
	res := build.Resolve(args.Path, api.ResolveOptions{
		Kind: args.Kind, ResolveDir: args.ResolveDir, PluginData: asked{}, Importer: args.Importer, Namespace: args.Namespace,
	})
	if len(res.Errors) > 0 || res.Namespace != "file" || !isJavaScript(res.Path) {
		return api.OnResolveResult{}
	}
	data, err := b.cfg.Source.Read(b.ctx, source.FileURL(res.Path))
	if err != nil || hasModuleSyntax(data) {
		return api.OnResolveResult{}
	}
	return api.OnResolveResult{Path: res.Path, Namespace: "file"}
}

func isJavaScript(file string) bool {
	return filepath.Ext(file) == ".js" || filepath.Ext(file) == ".jsx"
}

// isModulePackage tells whether the package around a folder says "type":
// "module". Folders of installed packages are taken as they are.
func (b *builder) isModulePackage(dir string) bool {
	if inNodeModules(dir) {
		return false
	}
	b.mu.Lock()
	is, known := b.packageType[dir]
	b.mu.Unlock()
	if known {
		return is
	}
	data, err := os.ReadFile(filepath.Join(dir, "package.json"))
	switch {
	case err == nil:
		is = moduleType.Match(data)
	case filepath.Dir(dir) != dir:
		is = b.isModulePackage(filepath.Dir(dir))
	}
	b.mu.Lock()
	b.packageType[dir] = is
	b.mu.Unlock()
	return is
}

func inNodeModules(file string) bool {
	return slices.Contains(strings.Split(filepath.ToSlash(file), "/"), "node_modules")
}

// load gives esbuild the text of a module.
func (b *builder) load(u, dir string) api.OnLoadResult {
	data, err := b.read(u)
	if err != nil {
		return api.OnLoadResult{Errors: []api.Message{{Text: err.Error()}}}
	}
	src := bytes.ToValidUTF8(bytes.TrimPrefix(data, []byte("\ufeff")), []byte("\ufffd"))
	if bytes.HasPrefix(src, []byte("#!")) {
		src = append([]byte("//"), src[2:]...)
	}
	if at := tooDeep(src, maxNesting); at >= 0 {
		return api.OnLoadResult{Errors: []api.Message{{Text: nestingText, Detail: nestingDiagnostic(u, src, at)}}}
	}
	f := &file{url: u, src: src, loader: b.loader(u)}
	if f.loader == api.LoaderNone {
		return api.OnLoadResult{Errors: []api.Message{{
			Text: fmt.Sprintf("%s is no JavaScript, TypeScript or JSON", path.Base(u)), Detail: "read it with open() instead of importing it",
		}}}
	}
	text := string(src)
	if f.loader == api.LoaderJS || f.loader == api.LoaderTS {
		text = b.prepare(f)
	}
	if b.cfg.Source.Virtual() {
		dir = "" // esbuild must not look at the file system
	}
	b.mu.Lock()
	b.files[u] = f
	b.mu.Unlock()
	return api.OnLoadResult{Contents: &text, Loader: f.loader, ResolveDir: dir}
}

func (b *builder) read(u string) ([]byte, error) {
	if u == b.cfg.Main.URL {
		return b.cfg.Main.Data, nil
	}
	data, err := b.cfg.Source.Read(b.ctx, u)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s does not exist", source.Path(u))
	}
	return data, err
}

// loader chooses by the end of the name. What has none of the known ones is
// JavaScript, as a script may have any name.
func (b *builder) loader(u string) api.Loader {
	name, _, _ := strings.Cut(u, "?")
	if b.stdinTS && u == b.cfg.Main.URL {
		return api.LoaderTS
	}
	switch strings.ToLower(path.Ext(name)) {
	case ".ts", ".mts", ".cts":
		return api.LoaderTS
	case ".tsx":
		return api.LoaderTSX
	case ".jsx":
		return api.LoaderJSX
	case ".json":
		return api.LoaderJSON
	case ".txt", ".csv", ".tsv", ".md", ".xml", ".yaml", ".yml", ".toml", ".html", ".css", ".sql", ".graphql", ".gql",
		".proto", ".pem", ".crt", ".key", ".pdf", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".zip", ".gz", ".bin", ".dat", ".wasm":
		return api.LoaderNone
	}
	return api.LoaderJS
}
