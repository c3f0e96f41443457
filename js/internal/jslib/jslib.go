// Package jslib holds helper libraries that scripts import by address: modules of
// our own with the interface of published ones, in every version that scripts pin.
//
// js/internal/bundle asks it, before anything is fetched, whether an address is
// one of them and compiles the TypeScript of lib/ into the bundle, so that a
// library costs a script only what it imports of it. Which names a version has is
// in catalogue.go. It fetches nothing and runs no code; a module or version that
// it does not know is somebody else's to find.
package jslib

import (
	"embed"
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
)

//go:embed lib/*.ts
var sources embed.FS

// Prefix begins the names of library modules in a bundle.
const Prefix = "jslib/"

// Module is one version of a library, or of a file of one.
type Module struct {
	// Name and Version are those of the published module; k6-reporter has none of
	// its own in its address, its version is the newest of those with one interface.
	Name, Version string
	// CommonJS tells how the published module is written, which decides what a
	// missing export is: undefined there, an error for an ES module.
	CommonJS bool
	// Partial tells that the published module has more exports than this one: a
	// script that imports one of those by name needs the published module.
	Partial bool
	// Exports are its named exports, and default if it names one itself.
	Exports []Export

	// file is the implementation, within lib/.
	file string
}

// Export is a name and the one that lib/ has for it.
type Export struct{ Name, From string }

// Path names the module in a bundle: jslib/NAME/VERSION.
func (m *Module) Path() string { return Prefix + m.Name + "/" + m.Version }

// Has tells whether a version exports a name.
func (m *Module) Has(name string) bool {
	return slices.ContainsFunc(m.Exports, func(e Export) bool { return e.Name == name })
}

// Find gives the module at an address, http:// or https://; nil if it is none of
// ours.
func Find(address string) *Module {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" {
		return nil
	}
	p := path.Clean(u.Path)
	switch u.Host {
	case "jslib.k6.io":
		parts := strings.SplitN(strings.TrimPrefix(p, "/"), "/", 3)
		if len(parts) != 3 {
			return nil
		}
		return published(parts[0], parts[1], parts[2])
	case "raw.githubusercontent.com":
		return raw(p)
	}
	return nil
}

// Modules lists every version of every library, in the order of the catalogue.
func Modules() []*Module {
	var list []*Module
	for _, f := range catalogue() {
		for _, r := range f.releases {
			list = append(list, f.module(r))
		}
	}
	return list
}

// Lookup gives the module with a path that Path gave.
func Lookup(name string) *Module {
	list := Modules()
	i := slices.IndexFunc(list, func(m *Module) bool { return m.Path() == name })
	if i < 0 {
		return nil
	}
	return list[i]
}

func published(name, version, file string) *Module {
	for _, f := range catalogue() {
		dir, base := path.Split(f.name)
		if f.name != name && dir != name+"/" || !slices.Contains(f.addresses(base), file) {
			continue
		}
		if r, ok := f.release(version); ok {
			return f.module(r)
		}
	}
	return nil
}

// reference is a branch or tag of a repository with a bundled module in it.
var reference = regexp.MustCompile(`^/(benc-uk/k6-reporter|simbadltd/k6-junit)/(?:refs/(?:heads|tags)/)?([^/]+)/(.+)$`)

// raw finds modules that are imported from their repositories. Names of branches
// mean the newest release.
func raw(p string) *Module {
	m := reference.FindStringSubmatch(p)
	if m == nil {
		return nil
	}
	version := strings.TrimPrefix(m[2], "v")
	switch repository, file := m[1], m[3]; {
	case repository == "simbadltd/k6-junit" && file == "index.js" && (version == "main" || version == "master"):
		return Lookup(Prefix + "k6-junit/1")
	case repository == "simbadltd/k6-junit" || file != "dist/bundle.js" && file != "bundle.js":
		return nil
	case version == "main" || version == "latest" || strings.HasPrefix(version, "3.0."):
		return Lookup(Prefix + "k6-reporter/3")
	case strings.HasPrefix(version, "2."):
		return Lookup(Prefix + "k6-reporter/2")
	}
	return nil
}

// Source gives a file of lib/ by its name.
func Source(name string) (text string, ok bool) {
	data, err := sources.ReadFile("lib/" + name)
	return string(data), err == nil
}

// Facade is the module that a script's import statement gets: the exports of the
// version by their published names. Missing are names that the script imports
// though there is nothing of that name, aliases those by which it imports the
// whole.
func (m *Module) Facade(missing, aliases []string) string {
	var from, names, members []string
	own := ""
	for i, e := range m.Exports {
		local := fmt.Sprintf("v%d", i)
		from = append(from, e.From+" as "+local)
		if e.Name == "default" {
			own = local
			continue
		}
		names = append(names, local+" as "+e.Name)
		members = append(members, e.Name+": "+local)
	}
	if own != "" {
		members = append(members, "default: "+own)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "import { %s } from %s;\n", strings.Join(from, ", "), quote("./"+m.file))
	fmt.Fprintf(&b, "import { provided } from \"./provided.ts\";\n")
	fmt.Fprintf(&b, "const whole = /* @__PURE__ */ provided(%s, { %s });\n", quote(m.Name), strings.Join(members, ", "))
	fmt.Fprintf(&b, "export { %s };\n", strings.Join(names, ", "))
	switch {
	case own != "":
		fmt.Fprintf(&b, "export { %s as default };\n", own)
	case m.CommonJS:
		b.WriteString("export { whole as default };\n")
	}
	for _, a := range aliases {
		fmt.Fprintf(&b, "export { whole as %s };\n", a)
	}
	if len(missing) > 0 {
		b.WriteString("const none = undefined;\n")
	}
	for _, n := range missing {
		fmt.Fprintf(&b, "export { none as %s };\n", quote(n))
	}
	return b.String()
}

// Whole is the module that require() and import() get.
func (m *Module) Whole() string {
	members := make([]string, len(m.Exports))
	for i, e := range m.Exports {
		members[i] = fmt.Sprintf("%s: lib.%s", quote(e.Name), e.From)
	}
	return fmt.Sprintf("const lib = require(%s);\nmodule.exports = require(\"./provided.ts\").provided(%s, { %s });\n",
		quote("./"+m.file), quote(m.Name), strings.Join(members, ", "))
}

// quote writes a string literal.
func quote(s string) string {
	q, _ := json.Marshal(s) // a string always marshals
	return string(q)
}
