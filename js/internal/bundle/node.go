package bundle

import (
	"fmt"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// isNode tells the names of Node's own modules.
func isNode(spec string) bool {
	if strings.HasPrefix(spec, "node:") {
		return true
	}
	name, _, _ := strings.Cut(spec, "/")
	switch name {
	case "assert", "async_hooks", "buffer", "child_process", "cluster", "console", "constants", "crypto", "dgram", "dns", "domain",
		"events", "fs", "http", "http2", "https", "inspector", "module", "net", "os", "path", "perf_hooks", "process", "punycode",
		"querystring", "readline", "repl", "stream", "string_decoder", "sys", "timers", "tls", "trace_events", "tty", "url", "util",
		"v8", "vm", "wasi", "worker_threads", "zlib":
		return true
	}
	return false
}

// IsNode tells whether a specifier is the name of a module of Node, and what to
// use in its place.
func IsNode(spec string) (hint string, ok bool) { return nodeHint(spec), isNode(spec) }

// nodeHint says what to use in place of a module of Node.
func nodeHint(spec string) string {
	switch name, _, _ := strings.Cut(strings.TrimPrefix(spec, "node:"), "/"); name {
	case "fs":
		return "use open() in the init code, or k6/experimental/fs"
	case "crypto":
		return "use k6/crypto or the global crypto"
	case "http", "https", "http2", "net", "tls":
		return "use k6/http"
	case "process":
		return "use __ENV for the environment"
	case "timers":
		return "use k6/timers or the globals setTimeout and setInterval"
	case "buffer":
		return "use k6/encoding, ArrayBuffer and typed arrays"
	case "url", "querystring":
		return "use the globals URL and URLSearchParams"
	case "perf_hooks":
		return "use Date.now()"
	}
	return "jsload is not Node; a package made for browsers may do the same"
}

// resolveNode handles the name of a module of Node. An installed package of
// that name wins. A package that wants the real one gets an empty module, for
// often only a part of it that is never run does; the user is told. In the
// user's own code it is an error.
func (b *builder) resolveNode(build api.PluginBuild, args api.OnResolveArgs, importer string) api.OnResolveResult {
	spec := args.Path
	if !strings.HasPrefix(spec, "node:") && args.ResolveDir != "" && !b.cfg.Source.Virtual() {
		res := build.Resolve(spec, api.ResolveOptions{
			Kind: args.Kind, ResolveDir: args.ResolveDir, PluginData: asked{}, Importer: args.Importer, Namespace: args.Namespace,
		})
		if len(res.Errors) == 0 {
			return api.OnResolveResult{} // esbuild will find it again, with all it knows of the package
		}
	}
	if u, ok := b.cfg.Source.Recorded(importer, spec); ok {
		return b.at(u)
	}
	if b.cfg.Lenient && !inNodeModules(importer) {
		return b.resolveBuiltin(args, importer)
	}
	if !inNodeModules(importer) {
		return refuse(fmt.Sprintf("%q is a module of Node, which a load test does not have", spec), nodeHint(spec))
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stubs[spec+"\n"+importer] = true
	return api.OnResolveResult{Path: stubEmpty, Namespace: nsGlue}
}

// stubWarnings tells which packages wanted modules of Node, each once.
func (b *builder) stubWarnings() []*Diagnostic {
	seen := map[string]bool{}
	var list []*Diagnostic
	for _, key := range sortedKeys(b.stubs) {
		spec, importer, _ := strings.Cut(key, "\n")
		name := packageName(importer)
		if seen[spec+"\n"+name] {
			continue
		}
		seen[spec+"\n"+name] = true
		list = append(list, &Diagnostic{
			Message:  fmt.Sprintf("the package %q imports %q of Node, which is empty here", name, spec),
			Location: b.importPlace(importer, spec),
			Hint:     nodeHint(spec),
			Package:  name,
		})
	}
	return list
}

// packageName gives the name of the installed package that a file belongs to.
func packageName(file string) string {
	const folder = "/node_modules/"
	i := strings.LastIndex(file, folder)
	if i < 0 {
		return file
	}
	parts := strings.SplitN(file[i+len(folder):], "/", 3)
	if strings.HasPrefix(parts[0], "@") && len(parts) > 1 {
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}
