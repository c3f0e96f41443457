package js

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jsload/jsload/js/internal/runtime"
	"github.com/jsload/jsload/js/internal/surface"
	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/all"
	"github.com/jsload/jsload/types"
)

var (
	declaredExport = regexp.MustCompile(`(?m)^  export (?:function|const|class) (\w+)`)
	defaultObject  = regexp.MustCompile(`(?s)\n  const \w+: \{(.*?)\n?\s*\};\n  export default `)
	objectKey      = regexp.MustCompile(`(\w+): `)
	declaredGlobal = regexp.MustCompile(`(?m)^declare (?:function|const|class) (\w+)`)
)

func matches(re *regexp.Regexp, text string) []string {
	var names []string
	for _, m := range re.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// TestTypes holds the declarations to what the modules export.
func TestTypes(t *testing.T) {
	t.Parallel()
	registry := all.Modules()
	for _, path := range registry.Paths() {
		if path != "k6" && !strings.HasPrefix(path, "k6/") {
			continue
		}
		data, err := fs.ReadFile(types.FS, types.FileOf(path))
		if err != nil {
			t.Errorf("types declare no module %s: %v", path, err)
			continue
		}
		text := string(data)
		if !strings.Contains(text, `declare module "`+path+`" {`) || !strings.Contains(text, `declare module "jsload`+strings.TrimPrefix(path, "k6")+`" {`) {
			t.Errorf("%s does not declare %s and its twin", types.FileOf(path), path)
		}
		if strings.Contains(text, "\n  export * from") && !declaredExport.MatchString(text) {
			continue // another name of a module
		}
		names := slices.DeleteFunc(slices.Sorted(slices.Values(registry.Lookup(path).Names())), func(n string) bool { return n == "default" })
		if got := matches(declaredExport, text); !slices.Equal(got, names) {
			t.Errorf("%s exports %v, its types %v", path, names, got)
		}
		object := defaultObject.FindStringSubmatch(text)
		if object == nil {
			t.Errorf("the types of %s have no default export", path)
		} else if got := matches(objectKey, object[1]); !slices.Equal(got, names) {
			t.Errorf("%s exports %v, the default export of its types %v", path, names, got)
		}
	}
}

// TestTypes_globals holds the declared globals to those that there are.
func TestTypes_globals(t *testing.T) {
	t.Parallel()
	registry := all.Modules()
	list := surface.New(registry, runtime.GlobalNames())
	files, err := Types()
	if err != nil {
		t.Fatal(err)
	}
	declared := matches(declaredGlobal, string(files[types.Globals])+string(files[types.Crypto]))
	for _, name := range declared {
		if !list.HasGlobal(name) {
			t.Errorf("the types declare the global %s, which there is not", name)
		}
	}
	// What TypeScript's own library of the language declares.
	language := []string{"FinalizationRegistry", "Intl", "Iterator", "WeakRef"}
	globals := registry.Lookup(modules.GlobalsPath)
	if globals == nil {
		return
	}
	for _, name := range globals.Names() {
		if !slices.Contains(declared, name) && !slices.Contains(language, name) {
			t.Errorf("the types do not declare the global %s", name)
		}
	}
}
