package arch

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/jsload/jsload"

// listed is what go list tells of a package.
type listed struct {
	ImportPath string
	Name       string
	Doc        string
	GoFiles    []string
	Imports    []string
}

// path is the package's place below the module; "" is its root.
func (p *listed) path() string {
	return strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
}

// list returns all packages of the module as one operating system sees them.
func list(t *testing.T, goos string) []*listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Name,Doc,GoFiles,Imports", "./...")
	cmd.Dir = root(t)
	cmd.Env = append(os.Environ(), "GOOS="+goos, "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []*listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		p := new(listed)
		if err := dec.Decode(p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatalf("reading go list: %v", err)
		}
		if len(p.GoFiles) > 0 {
			all = append(all, p)
		}
	}
}

// root returns the folder of go.mod.
func root(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the working folder")
		}
		dir = filepath.Dir(dir)
	}
}

// matches tells whether a path fits a pattern of the tables.
func matches(pattern, path string) bool {
	if below, ok := strings.CutSuffix(pattern, "/..."); ok {
		return path == below || strings.HasPrefix(path, below+"/")
	}
	if parent, ok := strings.CutSuffix(pattern, "/*"); ok {
		name, ok := strings.CutPrefix(path, parent+"/")
		return ok && name != "" && !strings.Contains(name, "/")
	}
	return path == pattern
}

func matchesAny(patterns []string, path string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matches(p, path) })
}

func layerOf(path string) (layer, bool) {
	i := slices.IndexFunc(layers, func(l layer) bool { return matches(l.pkg, path) })
	if i < 0 {
		return layer{}, false
	}
	return layers[i], true
}

var systems = []string{"linux", "darwin", "windows"}

func TestImports(t *testing.T) {
	for _, goos := range systems {
		for _, p := range list(t, goos) {
			l, ok := layerOf(p.path())
			if !ok {
				t.Errorf("%s has no row in the layering; add one, here and in docs/architecture.md", p.path())
				continue
			}
			for _, imported := range p.Imports {
				if to, ours := strings.CutPrefix(imported, module+"/"); ours && !matchesAny(l.may, to) {
					t.Errorf("%s imports %s (%s), which its row does not allow", p.path(), to, goos)
				}
				for _, f := range fences {
					if f.holds(imported) && !matchesAny(f.may, p.path()) {
						t.Errorf("%s imports %s (%s): %s", p.path(), imported, goos, f.reason)
					}
				}
			}
		}
	}
}

// holds tells whether an import is behind the fence. The second version of
// math/rand lies below the first by its path only.
func (f fence) holds(imported string) bool {
	return imported != "math/rand/v2" &&
		slices.ContainsFunc(f.imports, func(path string) bool { return matches(path+"/...", imported) })
}

// TestLayersPointOneWay checks the table itself: a row may name itself or rows
// above it, so that no cycle of folders can be written down. The two rows that
// list a folder as a whole stand below its other rows by nature.
func TestLayersPointOneWay(t *testing.T) {
	for i, l := range layers {
		for _, m := range l.may {
			if l.pkg == "modules/all" || l.pkg == "metrics/output/all" || strings.HasSuffix(m, "...") {
				continue
			}
			above := slices.ContainsFunc(layers[:i], func(a layer) bool { return a.pkg == m || matches(a.pkg, m) || matches(m, a.pkg) })
			if !above {
				t.Errorf("%s may import %s, which has no row above it", l.pkg, m)
			}
		}
	}
}

// TestPackagesAreDescribed holds that each package has its comment and its row in
// the architecture.
func TestPackagesAreDescribed(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root(t), "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list(t, "linux") {
		want := "Package " + p.path()[strings.LastIndex(p.path(), "/")+1:] + " "
		if p.Name == "main" {
			want = strings.Replace(want, "Package", "Command", 1)
		}
		if !strings.HasPrefix(p.Doc, want) {
			t.Errorf("the comment of %s does not begin with %q but %q", p.path(), want, p.Doc)
		}
		if !strings.Contains(string(text), "`"+p.path()+"`") {
			t.Errorf("docs/architecture.md does not name `%s`", p.path())
		}
	}
}

func TestMatches(t *testing.T) {
	for _, tc := range []struct {
		pattern, path string
		want          bool
	}{
		{"vu", "vu", true}, {"vu", "vu/client", false},
		{"vu/*", "vu/client", true}, {"vu/*", "vu", false}, {"vu/*", "vu/client/proto", false}, {"vu/*", "vux/a", false},
		{"vu/...", "vu", true}, {"vu/...", "vu/client/proto", true}, {"vu/...", "vux", false},
	} {
		if got := matches(tc.pattern, tc.path); got != tc.want {
			t.Errorf("%s against %s: %v", tc.path, tc.pattern, got)
		}
	}
}
