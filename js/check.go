package js

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jsload/jsload/js/internal/bundle"
	"github.com/jsload/jsload/js/internal/jslib"
	"github.com/jsload/jsload/js/internal/runtime"
	"github.com/jsload/jsload/js/internal/source"
	"github.com/jsload/jsload/js/internal/surface"
	"github.com/jsload/jsload/js/internal/survey"
	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/all"
	"github.com/jsload/jsload/vu/options"
)

// State says how far something is as scripts expect it: works, differs or
// unsupported.
type State = surface.State

// The states.
const (
	Works       = surface.Works
	Differs     = surface.Differs
	Unsupported = surface.Unsupported
)

// Kinds of items of a report.
const (
	ItemModule   = "module"   // a built-in module, or what is imported like one
	ItemPackage  = "package"  // an npm package or a module on https://
	ItemMember   = "member"   // of a module, or of what it gives
	ItemGlobal   = "global"   // a name that no file declares
	ItemOption   = "option"   // a key of the exported options
	ItemExecutor = "executor" // the kind of a scenario
)

// Item is one thing that a script uses.
type Item struct {
	Kind  string `json:"kind"`
	Name  string `json:"name"`
	State State  `json:"state"`
	// Reason says more; empty for what just works.
	Reason string `json:"reason,omitempty"`
	// Place is where the script uses it first, as file:line; empty if it is not
	// written down anywhere. Uses counts the places.
	Place string `json:"place,omitempty"`
	Uses  int    `json:"uses,omitempty"`
}

// Function is one that scenarios call.
type Function struct {
	Name string `json:"name"`
	// Tier is how its iterations run.
	Tier string `json:"tier"`
}

// TierScript runs a function in an interpreter of the virtual user's own.
const TierScript = "script"

// Report is what a script uses of the script API, and what of it jsload has.
type Report struct {
	// File is the script as it was named.
	File  string `json:"file"`
	State State  `json:"state"`
	// Problems are what keeps the script from starting: it does not parse, an
	// import leads nowhere, its init code throws, its options are invalid.
	Problems  []string   `json:"problems,omitempty"`
	Items     []Item     `json:"items"`
	Functions []Function `json:"functions"`

	// Inputs are the files of the user that the script consists of, as paths or
	// addresses.
	Inputs []string `json:"-"`
}

// Check reports on a script without running an iteration. Its init code runs once,
// as for any command that reads the options. The error is of a script that cannot
// be read at all; what is wrong in it is in the report.
func Check(ctx context.Context, cfg Config) (*Report, error) {
	r := &Report{File: cfg.Path, State: Works, Items: []Item{}, Functions: []Function{}}
	found, err := open(ctx, &cfg)
	if err != nil {
		return nil, err
	}
	defer found.files.Close()
	cfg.Log = slog.New(slog.DiscardHandler)
	c := &checker{cfg: cfg, found: found, report: r, registry: all.Modules()}
	c.list = surface.New(c.registry, runtime.GlobalNames())
	c.look(ctx)
	if !slices.ContainsFunc(r.Items, func(i Item) bool { return i.Kind == ItemModule && i.State == Unsupported }) && len(r.Problems) == 0 {
		c.start(ctx)
	}
	c.finish()
	return r, ctx.Err()
}

// checker is one Check under way.
type checker struct {
	cfg      Config
	found    opened
	registry *modules.Registry
	list     *surface.List
	report   *Report
}

// look reports on what the script uses, as far as it is written down.
func (c *checker) look(ctx context.Context) {
	b, err := bundle.Build(ctx, bundle.Config{Source: c.found.files, Main: c.found.main, Builtins: builtins(c.registry), Lenient: true})
	if err != nil {
		c.problem(err)
		return
	}
	for _, in := range b.Inputs {
		c.report.Inputs = append(c.report.Inputs, source.Path(in.URL))
	}
	for _, use := range b.Builtins {
		c.module(use)
	}
	c.packages(b)
	used, err := survey.Look(survey.Config{Bundle: b, Main: c.found.main.URL, Class: c.class})
	if err != nil {
		c.problem(err)
		return
	}
	for _, u := range used.Members {
		c.member(u)
	}
	for _, u := range used.Globals {
		c.global(u)
	}
	for _, u := range used.Options {
		c.option(u.Name(), c.at(u.Place))
	}
	for _, u := range used.Executors {
		e, ok := c.list.Executor(u.Name())
		if !ok {
			e = surface.Entry{State: Unsupported, Reason: "there is no such executor"}
		}
		c.add(ItemExecutor, u.Name(), e, c.at(u.Place))
	}
	c.functions(b.Exports)
}

// class is what calling a member of a module gives.
func (c *checker) class(module string, path []string) string {
	if lib := jslib.Lookup(module); lib != nil {
		return lib.Result(path)
	}
	e, ok := c.list.Member(module, path)
	if !ok || e.Name != strings.Join(path, ".") {
		return ""
	}
	return e.Result
}

func (c *checker) module(use bundle.Use) {
	e := c.list.Module(use.Path)
	if hint, node := bundle.IsNode(use.Path); node {
		e = surface.Entry{State: Unsupported, Reason: "a module of Node; " + hint}
	}
	c.add(ItemModule, use.Path, e, c.location(use.Location))
}

// packages reports on npm packages and remote modules. One that asks for a module
// of Node gets an empty one in its place.
func (c *checker) packages(b *bundle.Bundle) {
	for _, use := range b.External {
		e := surface.Entry{State: Works}
		if slices.Contains(b.Libraries, use.Path) {
			e.Reason = "jsload has its own: nothing is fetched"
		}
		for _, w := range b.Warnings {
			if w.Package != "" && (use.Path == w.Package || strings.HasPrefix(use.Path, w.Package+"/")) {
				e = surface.Entry{State: Differs, Reason: w.Error()}
			}
		}
		c.add(ItemPackage, use.Path, e, c.location(use.Location))
	}
}

// libraryMember reports on what a script uses of a helper library of jsload's own.
func (c *checker) libraryMember(lib *jslib.Module, u survey.Use) {
	e := surface.Entry{State: Works}
	switch {
	case lib.Member(u.Path):
	case len(u.Path) == 1 && lib.CommonJS && u.Named:
		e.Reason = "no such export: undefined, as in the published module"
	default:
		e = surface.Entry{State: Unsupported, Reason: "not provided by jsload's " + lib.Name + ": it throws where it is read"}
	}
	c.add(ItemMember, lib.Name+" "+u.Name(), e, c.at(u.Place))
}

func (c *checker) member(u survey.Use) {
	if lib := jslib.Lookup(u.Module); lib != nil {
		c.libraryMember(lib, u)
		return
	}
	name := u.Module + " " + u.Name()
	e, ok := c.list.Member(u.Module, u.Path)
	switch module := c.list.Module(u.Module); {
	case module.State == Unsupported:
		e = surface.Entry{State: Unsupported, Reason: module.Reason}
		if hint, node := bundle.IsNode(u.Module); node {
			e.Reason = "a module of Node; " + hint
		}
	case !ok:
		e = surface.Entry{State: Works, Reason: "no such member: undefined, as in k6"}
	default:
		name = u.Module + " " + e.Name
	}
	c.add(ItemMember, name, e, c.at(u.Place))
}

func (c *checker) global(u survey.Use) {
	e, ok := c.list.Global(u.Path)
	switch {
	case !ok:
		e = surface.Entry{Name: u.Path[0], State: Unsupported, Reason: "declared nowhere: a ReferenceError where it is reached"}
	case e.State == Works && !c.list.Listed(e.Name):
		return // of the language
	}
	if strings.Contains(u.Place.File, "/node_modules/") && e.State == Unsupported {
		e.State, e.Reason = Differs, e.Reason+" (in a package: it matters only if that part of it is used)"
	}
	c.add(ItemGlobal, e.Name, e, c.at(u.Place))
}

func (c *checker) option(name, place string) {
	e, ok := c.list.Option(name)
	if !ok {
		e = surface.Entry{State: Differs, Reason: "no such option: a warning, and no effect, as in k6"}
	}
	c.add(ItemOption, name, e, place)
}

// add puts an item into the report, or counts one that is there.
func (c *checker) add(kind, name string, e surface.Entry, place string) {
	for i := range c.report.Items {
		if it := &c.report.Items[i]; it.Kind == kind && it.Name == name && it.State == e.State && it.Reason == e.Reason {
			it.Uses++
			return
		}
	}
	uses := 1
	if place == "" {
		uses = 0
	}
	c.report.Items = append(c.report.Items, Item{Kind: kind, Name: name, State: e.State, Reason: e.Reason, Place: place, Uses: uses})
}

// start runs the init code and reads the options that it makes.
func (c *checker) start(ctx context.Context) {
	t := &Test{cfg: c.cfg, Source: c.found.main.Data, files: c.found.files, main: c.found.main}
	given, archived := c.found.layer()
	if err := t.discover(ctx, given, archived, nil); err != nil {
		c.problem(err)
		return
	}
	var exported map[string]any
	if t.exported != nil && json.Unmarshal(t.exported, &exported) == nil {
		for _, name := range slices.Sorted(maps.Keys(exported)) {
			if !slices.ContainsFunc(c.report.Items, func(i Item) bool { return i.Kind == ItemOption && i.Name == name }) {
				c.option(name, "")
			}
		}
	}
	var called []string
	for _, s := range t.Options.Scenarios.V {
		called = append(called, s.Exec.Or("default"))
	}
	c.functions(called)
}

// functions lists what scenarios call; what is known of it later counts.
func (c *checker) functions(names []string) {
	list := []Function{}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		switch name {
		case "options", "setup", "teardown", "handleSummary":
			continue
		}
		list = append(list, Function{Name: name, Tier: TierScript})
	}
	c.report.Functions = list
}

// problem keeps an error: each of its diagnostics on its own.
func (c *checker) problem(err error) {
	if list, ok := errors.AsType[*bundle.Error](err); ok {
		for _, d := range list.Diagnostics {
			c.report.Problems = append(c.report.Problems, c.shorten(d.Error()))
		}
		return
	}
	if list, ok := errors.AsType[options.Problems](err); ok {
		for _, p := range list {
			text := p.Message
			if p.Hint != "" {
				text += " (" + p.Hint + ")"
			}
			c.report.Problems = append(c.report.Problems, text)
		}
		return
	}
	c.report.Problems = append(c.report.Problems, c.shorten(strings.TrimRight(err.Error(), "\n")))
}

// finish judges the whole.
func (c *checker) finish() {
	r := c.report
	for _, i := range r.Items {
		switch {
		case i.State == Unsupported:
			r.State = Unsupported
		case i.State == Differs && r.State == Works:
			r.State = Differs
		}
	}
	if len(r.Problems) > 0 {
		r.State = Unsupported
	}
}

func (c *checker) at(p survey.Place) string { return fmt.Sprintf("%s:%d", c.name(p.File), p.Line) }

func (c *checker) location(l *bundle.Location) string {
	if l == nil {
		return ""
	}
	return fmt.Sprintf("%s:%d", c.name(l.File), l.Line)
}

// name shows the address of a file as a path from the working folder, if it lies
// below that.
func (c *checker) name(u string) string {
	if !source.IsLocal(u) {
		return u
	}
	path := source.Path(u)
	if rel, err := filepath.Rel(c.cfg.Dir, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return path
}

// shorten shows addresses within a text as name does.
func (c *checker) shorten(text string) string {
	return strings.ReplaceAll(text, source.FileURL(c.cfg.Dir)+"/", "")
}
