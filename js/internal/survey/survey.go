// Package survey tells what a script uses of the script API without running it:
// members of modules, globals and options, each with its place.
//
// js calls it with a lenient bundle for the migration report. It reads the
// bundled code as a syntax tree and follows names from declaration to use; what
// is put together at run time escapes it. It does not judge what it finds.
package survey

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/parser"

	"github.com/jsload/jsload/js/internal/bundle"
)

// Place is a position in a source file: its address, and line and column from 1.
type Place struct {
	File         string
	Line, Column int
}

// Use is one mention of something.
type Use struct {
	// Module is the import path, for members.
	Module string
	// Path is what is mentioned, from the outside in: vu, idInTest.
	Path  []string
	Place Place
	// Named tells that a member is mentioned by a name of its own, such as that of
	// an import statement.
	Named bool
}

// Name is the path as it is written.
func (u Use) Name() string { return strings.Join(u.Path, ".") }

// Result is what a script uses, each list in the order of the bundled code.
type Result struct {
	// Members are those of modules, and of what their functions give.
	Members []Use
	// Globals are names that are declared nowhere. Those that the file also asks
	// for by typeof are left out: it can do without.
	Globals []Use
	// Options are the keys of the exported options, as far as they are written
	// down.
	Options []Use
	// Executors are the kinds of the scenarios, likewise.
	Executors []Use
}

// Config says what to look at.
type Config struct {
	Bundle *bundle.Bundle
	// Main is the address of the script.
	Main string
	// Class gives the name of the class that calling a member of a module makes,
	// or "".
	Class func(module string, path []string) string
}

// Look reads a bundle.
func Look(cfg Config) (*Result, error) {
	load := parser.WithSourceMapLoader(func(string) ([]byte, error) { return cfg.Bundle.SourceMap, nil })
	program, err := goja.Parse(bundle.GlueFile, cfg.Bundle.Code, load)
	if err != nil {
		return nil, fmt.Errorf("read the bundled script: %w", err)
	}
	l := &looker{
		cfg: cfg, file: program.File, first: map[ast.Node]argument{}, seen: map[*binding]bool{},
		guarded: map[string]bool{}, assigned: map[string]bool{},
	}
	top := l.enter(nil, nil, program.Body)
	for _, s := range program.Body {
		l.visit(s, top)
	}
	l.dropGuarded()
	return &l.out, nil
}

// looker is one Look under way.
type looker struct {
	cfg  Config
	file *file.File
	out  Result
	// first is what the first parameter of a function is called with, where a
	// call tells.
	first map[ast.Node]argument
	// seen are the bindings whose value is being found: a name may stand for itself.
	seen map[*binding]bool
	// work counts the steps taken after the options.
	work int
	// guarded are names, by file and name, that typeof asks for; assigned are
	// globals that the script makes.
	guarded, assigned map[string]bool
}

// argument is an expression and where it stands.
type argument struct {
	expr  ast.Expression
	scope *scope
}

// place finds a position in the sources; false for code that is not the user's.
func (l *looker) place(at file.Idx) (Place, bool) {
	p := l.file.Position(int(at) - l.file.Base())
	if p.Filename == "" || strings.HasPrefix(p.Filename, "jsload") {
		return Place{}, false
	}
	return Place{File: p.Filename, Line: p.Line, Column: p.Column}, true
}

// global keeps a use of a name that is declared nowhere.
func (l *looker) global(path []string, at file.Idx) {
	if p, ok := l.place(at); ok {
		l.out.Globals = append(l.out.Globals, Use{Path: path, Place: p})
	}
}

// member keeps a use of a member.
func (l *looker) member(v *value, at file.Idx, named bool) {
	if p, ok := l.place(at); ok && len(v.path) > 0 {
		l.out.Members = append(l.out.Members, Use{Module: v.module, Path: slices.Clone(v.path), Place: p, Named: named})
	}
}

// guard keeps that a file asks for a name by typeof.
func (l *looker) guard(name string, at file.Idx) {
	if p, ok := l.place(at); ok {
		l.guarded[p.File+" "+name] = true
	}
}

// dropGuarded leaves out globals that a file can do without, and those that the
// script makes itself.
func (l *looker) dropGuarded() {
	l.out.Globals = slices.DeleteFunc(l.out.Globals, func(u Use) bool {
		return l.guarded[u.Place.File+" "+u.Path[0]] || l.assigned[u.Path[0]]
	})
}
