package bundle

import (
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/jsload/jsload/js/internal/jslib"
	"github.com/jsload/jsload/js/internal/source"
)

// library gives the helper library that a specifier means, nil if it means
// something else.
func (b *builder) library(importer, spec string) *jslib.Module {
	if source.Scheme(spec) == "http" {
		return b.answered(spec)
	}
	if source.IsLocal(importer) && source.Scheme(spec) != "https" {
		return nil
	}
	u, err := source.Resolve(importer, spec)
	if err != nil {
		return nil
	}
	return b.answered(u)
}

// answered gives the helper library at an address, unless the script needs more
// of it than the host has.
func (b *builder) answered(u string) *jslib.Module {
	m := jslib.Find(u)
	if m == nil || b.outgrown[m.Path()] {
		return nil
	}
	return m
}

// resolveLibrary gives an import of a library the flavour it needs. What a script
// does not import of it is left out of the bundle.
func (b *builder) resolveLibrary(args api.OnResolveArgs, importer string) api.OnResolveResult {
	name := b.library(importer, args.Path).Path()
	switch args.Kind {
	case api.ResolveJSRequireCall, api.ResolveJSDynamicImport:
		name += "?" + flavourCommonJS
	default:
		if aliases := b.namespaces(importer, args.Path); len(aliases) > 0 {
			name += "?" + flavourNamespace + strings.Join(aliases, ",")
		}
	}
	return api.OnResolveResult{Path: name, Namespace: nsLibrary, SideEffects: api.SideEffectsFalse}
}

// resolveInLibrary resolves the imports of a library: modules of the host, and
// files beside it.
func (b *builder) resolveInLibrary(args api.OnResolveArgs) api.OnResolveResult {
	if b.isBuiltin(args.Path) {
		return b.resolveBuiltin(args, args.Importer)
	}
	return api.OnResolveResult{Path: strings.TrimPrefix(args.Path, "./"), Namespace: nsLibrary, SideEffects: api.SideEffectsFalse}
}

// loadLibrary gives esbuild the text of a library: what stands between the script
// and it, or a file of its implementation.
func (b *builder) loadLibrary(name string) api.OnLoadResult {
	if !strings.HasPrefix(name, jslib.Prefix) {
		text, _ := jslib.Source(name) // a test builds them all
		return api.OnLoadResult{Contents: &text, Loader: api.LoaderTS}
	}
	path, rest, _ := strings.Cut(name, "?")
	m := jslib.Lookup(path)
	if b.cfg.Lenient {
		return jsResult(b.lenientLibrary(m, rest))
	}
	if rest == flavourCommonJS {
		return jsResult(m.Whole())
	}
	var aliases []string
	if names, ok := strings.CutPrefix(rest, flavourNamespace); ok {
		aliases = strings.Split(names, ",")
	}
	return jsResult(m.Facade(b.extra[path], aliases))
}

// lenientLibrary is a library as a module of the host, as which Bundle.Code is to
// show what a script uses of it.
func (b *builder) lenientLibrary(m *jslib.Module, flavour string) string {
	names := make([]string, 0, len(m.Exports)+1)
	for _, e := range m.Exports {
		names = append(names, e.Name)
	}
	return hostModule(m.Path(), flavour, append(names, b.extra[m.Path()]...), m.CommonJS || flavour == flavourCommonJS)
}

// learnLibrary takes in that a script imports a name that a library lacks. It is
// undefined if the published module is CommonJS, and reason to fetch that if it
// has more than the host; otherwise it remains an error.
func (b *builder) learnLibrary(pretty, name string) bool {
	path, ok := strings.CutPrefix(pretty, nsLibrary+":")
	if !ok {
		return false
	}
	path, _, _ = strings.Cut(path, "?")
	switch m := jslib.Lookup(path); {
	case m == nil:
		return false
	case m.Partial && !b.outgrown[path]:
		b.outgrown[path] = true
		return true
	case !m.CommonJS:
		return false
	}
	return b.learnExtra(path, name)
}
