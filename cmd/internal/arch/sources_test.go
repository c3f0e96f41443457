package arch

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	maxFileLines = 800
	maxFuncLines = 100
)

// long lists what may be longer than the limits, with the reason. The key is a
// path of a file, or path:function.
var long = map[string]string{}

// getters lists functions that may be called Get..., with the reason; the key is
// path:function.
var getters = map[string]string{}

// skipFolders are not ours to judge, or not source.
var skipFolders = []string{".git", ".tmp", "bin", "node_modules", "testdata"}

// textFiles are the files that the word rules look at.
var textFiles = []string{".go", ".ts", ".js", ".mjs", ".json", ".md", ".txt", ".txtar", ".sh", ".yml", ".yaml", ".mod", ".html", ".css"}

// walk calls f for every file of the repository with its path from the root.
func walk(t *testing.T, f func(path string, content []byte)) {
	t.Helper()
	top := root(t)
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if path != top && slices.Contains(skipFolders, d.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		rel, err := filepath.Rel(top, path)
		if err != nil {
			return err
		}
		if isText := slices.Contains(textFiles, filepath.Ext(path)) || filepath.Ext(path) == "" || d.Name() == ".gitignore"; !isText {
			return nil
		}
		content, err := os.ReadFile(path)
		if err == nil && !bytes.Contains(content, []byte{0}) {
			f(filepath.ToSlash(rel), content)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// words are what no text of the repository may contain. The patterns are written
// so that they do not match themselves.
var words = []struct {
	pattern *regexp.Regexp
	reason  string
}{
	{regexp.MustCompile(`\b(?:TO` + `DO|FIX` + `ME|XX` + `X)\b`), "open ends belong into an issue"},
	{regexp.MustCompile(`(?:^|[^A-Za-z0-9_.-])/(?:work|root|farm)/[A-Za-z.]`), "a path of one machine"},
	{regexp.MustCompile(`(?:proxy|sum)\.golang|registry\.npm|deb\.debian|index\.crates|pypi\.org/simple`), "the host of a package registry"},
}

func TestWords(t *testing.T) {
	walk(t, func(path string, content []byte) {
		for i, line := range bytes.Split(content, []byte("\n")) {
			for _, w := range words {
				if m := w.pattern.Find(line); m != nil {
					t.Errorf("%s:%d has %q: %s", path, i+1, m, w.reason)
				}
			}
		}
	})
}

func TestNoThirdPartyFiles(t *testing.T) {
	walk(t, func(path string, _ []byte) {
		if strings.HasPrefix(path, "vendor/") || strings.HasSuffix(path, ".min.js") {
			t.Errorf("%s is somebody else's file", path)
		}
	})
}

// source is one parsed Go file.
type source struct {
	path string
	set  *token.FileSet
	file *ast.File
}

func (s *source) lines(n ast.Node) int {
	return s.set.Position(n.End()).Line - s.set.Position(n.Pos()).Line + 1
}

// sources parses every Go file of the repository.
func sources(t *testing.T) []*source {
	t.Helper()
	var all []*source
	walk(t, func(path string, content []byte) {
		if !strings.HasSuffix(path, ".go") {
			return
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, content, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Errorf("%v", err)
			return
		}
		all = append(all, &source{path, set, file})
	})
	return all
}

func (s *source) isTest() bool { return strings.HasSuffix(s.path, "_test.go") }

func (s *source) functions(f func(*ast.FuncDecl)) {
	for _, d := range s.file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			f(fn)
		}
	}
}

func TestSizes(t *testing.T) {
	used := map[string]bool{}
	check := func(key string, lines, limit int) {
		if lines <= limit {
			return
		}
		used[key] = true
		if long[key] == "" {
			t.Errorf("%s has %d lines, the limit is %d", key, lines, limit)
		}
	}
	for _, s := range sources(t) {
		if s.isTest() {
			continue
		}
		check(s.path, s.set.File(s.file.FileStart).LineCount(), maxFileLines)
		s.functions(func(fn *ast.FuncDecl) { check(s.path+":"+fn.Name.Name, s.lines(fn), maxFuncLines) })
	}
	for key := range long {
		if !used[key] {
			t.Errorf("%s is within the limits: take it off the list", key)
		}
	}
}

func TestNames(t *testing.T) {
	grabBags := []string{"util", "utils", "common", "helper", "helpers", "misc", "base", "shared"}
	for _, s := range sources(t) {
		if slices.Contains(grabBags, s.file.Name.Name) {
			t.Errorf("%s: package %s says nothing", s.path, s.file.Name.Name)
		}
		s.functions(func(fn *ast.FuncDecl) {
			name := fn.Name.Name
			if name == "init" && fn.Recv == nil {
				t.Errorf("%s has an init function: registries are values built in one visible list", s.path)
			}
			rest, isGet := strings.CutPrefix(name, "Get")
			if isGet && rest != "" && rest[0] >= 'A' && rest[0] <= 'Z' && getters[s.path+":"+name] == "" {
				t.Errorf("%s: %s: a getter is called by what it returns", s.path, name)
			}
		})
	}
}

// TestSkips lets a test be skipped for a reason only. An input that a fuzz target
// has no use for is skipped without one.
func TestSkips(t *testing.T) {
	for _, s := range sources(t) {
		s.functions(func(fn *ast.FuncDecl) {
			if !s.isTest() || strings.HasPrefix(fn.Name.Name, "Fuzz") {
				return
			}
			ast.Inspect(fn, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				sel, ok := call.Fun.(*ast.SelectorExpr)
				if ok && (sel.Sel.Name == "SkipNow" || sel.Sel.Name == "Skip" && len(call.Args) == 0) {
					t.Errorf("%s skips a test without a reason", s.set.Position(call.Pos()))
				}
				return true
			})
		})
	}
}

func TestWordRulesWork(t *testing.T) {
	for _, bad := range []string{"// TO" + "DO: later", "cd /ro" + "ot/x", `"/wo` + `rk/main"`, "https://regis" + "try.npmjs.org"} {
		if !slices.ContainsFunc(words, func(w struct {
			pattern *regexp.Regexp
			reason  string
		}) bool {
			return w.pattern.MatchString(bad)
		}) {
			t.Errorf("no rule finds %q", bad)
		}
	}
	for _, good := range []string{"the /work of it", "mktemp -d jsload.XXXX" + "XX", "root/work", "todo"} {
		for _, w := range words {
			if w.pattern.MatchString(good) {
				t.Errorf("%v finds %q", w.pattern, good)
			}
		}
	}
}
