// Package surface is the script API as a list: every module, export, member,
// global and option of the reference tool and beyond, and whether jsload has it.
//
// js asks it for the migration report; docs/compatibility.md is generated from
// it. surface.txt names what there is to have; what the program really has, it
// asks of the registry of modules, of the runtime and of the decoder of options,
// so that the list tells the truth as modules are added. It looks at no script.
package surface

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/vu/options"
)

//go:embed surface.txt
var text string

// State says how far something is as scripts expect it.
type State string

// The states.
const (
	Works       State = "works"
	Differs     State = "differs"
	Unsupported State = "unsupported"
)

// Entry is one name of the API.
type Entry struct {
	Name  string
	State State
	// Reason says why the state is not Works; it may be empty if it is.
	Reason string
	// Result is the class of what a call gives, if members of it are listed.
	Result string
}

// Sections that are no modules.
const (
	Globals   = "globals"
	Options   = "options"
	Executors = "executors"
)

// Section is a module or another part of the API.
type Section struct {
	Name string
	// Entry is the section as a whole.
	Entry
	Entries []Entry
}

// List is the whole API. It is made with New and not changed.
type List struct {
	Sections []*Section

	modules *modules.Registry
	globals []string
}

// notBuilt is the reason for what the list names and the program lacks.
const notBuilt = "not built yet"

// New makes the list of a program that has these modules and, beside those of
// the language and of the registry's globals, these globals.
func New(registry *modules.Registry, globals []string) *List {
	l := &List{modules: registry, globals: slices.Clone(globals)}
	if m := registry.Lookup(modules.GlobalsPath); m != nil {
		l.globals = append(l.globals, m.Names()...)
	}
	slices.Sort(l.globals)
	for i, line := range strings.Split(text, "\n") {
		if err := l.read(line); err != nil {
			panic(fmt.Sprintf("surface.txt:%d: %v", i+1, err)) // it is part of the program
		}
	}
	return l
}

// read takes one line of surface.txt.
func (l *List) read(line string) error {
	line, note, noted := strings.Cut(strings.TrimSpace(line), " -- ")
	if line == "" || line[0] == '#' {
		return nil
	}
	state, reason, ok := strings.Cut(note, ": ")
	if noted && (!ok || State(state) != Differs && State(state) != Unsupported) {
		return fmt.Errorf("%q is no state", note)
	}
	if head, ok := strings.CutPrefix(line, "["); ok {
		return l.begin(head, State(state), reason)
	}
	if len(l.Sections) == 0 {
		return fmt.Errorf("%q stands in no section", line)
	}
	names, result, _ := strings.Cut(line, " -> ")
	s := l.Sections[len(l.Sections)-1]
	for name := range strings.FieldsSeq(names) {
		e := l.derive(s, name)
		e.Result = result
		if noted && e.State != Unsupported {
			e.State, e.Reason = State(state), reason
		} else if noted && State(state) == Unsupported {
			e.Reason = reason
		}
		s.Entries = append(s.Entries, e)
	}
	return nil
}

// begin takes the head of a section. What is said to be unsupported and is there
// all the same is something that k6 has no longer.
func (l *List) begin(head string, state State, reason string) error {
	name, rest, _ := strings.Cut(head, "]")
	s := &Section{Name: name, Entry: l.section(name)}
	switch {
	case state == Unsupported && s.State == Works:
		s.State, s.Reason = Differs, reason+"; here the old name works too"
	case state != "":
		s.State, s.Reason = state, reason
	}
	l.Sections = append(l.Sections, s)
	other, ok := strings.CutPrefix(strings.TrimSpace(rest), "like ")
	if !ok {
		return nil
	}
	same := l.Section(other)
	if same == nil {
		return fmt.Errorf("there is no section [%s] above", other)
	}
	for _, e := range same.Entries {
		made := l.derive(s, e.Name)
		made.Result = e.Result
		s.Entries = append(s.Entries, made)
	}
	return nil
}

// section derives the state of a section.
func (l *List) section(name string) Entry {
	e := Entry{Name: name, State: Works}
	switch name {
	case Globals, Options, Executors:
	default:
		if l.modules.Lookup(name) == nil {
			e.State, e.Reason = Unsupported, notBuilt
		}
	}
	return e
}

// derive finds the state of a name in what the program has.
func (l *List) derive(s *Section, name string) Entry {
	e := Entry{Name: name, State: Works}
	if !l.has(s, name) {
		e.State, e.Reason = Unsupported, notBuilt
	}
	return e
}

func (l *List) has(s *Section, name string) bool {
	top, _, member := strings.Cut(name, ".")
	switch s.Name {
	case Globals:
		return l.HasGlobal(top)
	case Options:
		return true // what scripts may not set is only warned of
	case Executors:
		return slices.Contains(options.Executors(), name)
	}
	m := l.modules.Lookup(s.Name)
	switch {
	case m == nil:
		return false
	case slices.Contains(m.Names(), top):
		return true
	}
	return member && !l.isExport(s, top) // of a class that is no export, such as Response
}

// isExport tells whether a name is listed as an export of a module itself.
func (l *List) isExport(s *Section, name string) bool {
	return slices.ContainsFunc(s.Entries, func(e Entry) bool { return e.Name == name })
}

// HasGlobal tells whether the program has a global.
func (l *List) HasGlobal(name string) bool {
	_, found := slices.BinarySearch(l.globals, name)
	return found
}

// Section finds a section by its name; nil if there is none. A module under
// jsload/ is that under k6/.
func (l *List) Section(name string) *Section {
	i := slices.IndexFunc(l.Sections, func(s *Section) bool { return s.Name == name })
	if i < 0 && (name == "jsload" || strings.HasPrefix(name, "jsload/")) {
		return l.Section("k6" + strings.TrimPrefix(name, "jsload"))
	}
	if i < 0 {
		return nil
	}
	return l.Sections[i]
}

// Module tells of a module as a whole.
func (l *List) Module(path string) Entry {
	known := l.modules.Lookup(path) != nil
	s := l.Section(path)
	switch {
	case s != nil && (s.State != Unsupported || !known):
		return Entry{Name: path, State: s.State, Reason: s.Reason}
	case known:
		return Entry{Name: path, State: Works}
	case strings.HasPrefix(path, "k6/x/"):
		return Entry{Name: path, State: Unsupported, Reason: "an extension of k6"}
	}
	return Entry{Name: path, State: Unsupported, Reason: "there is no such module"}
}

// Member tells of a member of a module by its path, such as vu.idInTest. Of a
// longer path than is listed, the listed part counts. It is false for what is
// neither listed nor there, which is undefined here as it is there.
func (l *List) Member(module string, path []string) (Entry, bool) {
	if s := l.Section(module); s != nil {
		if e, ok := s.find(path); ok {
			return e, true
		}
	}
	m := l.modules.Lookup(module)
	if m != nil && len(path) > 0 && slices.Contains(m.Names(), path[0]) {
		return Entry{Name: path[0], State: Works}, true
	}
	return Entry{}, false
}

// Global tells of a global by its path, such as console.log; false for a name
// that is neither listed nor there.
func (l *List) Global(path []string) (Entry, bool) {
	if e, ok := l.Section(Globals).find(path); ok {
		return e, true
	}
	return Entry{Name: path[0], State: Works}, len(path) > 0 && l.HasGlobal(path[0])
}

// Listed tells whether a global is one of the script API, not just of the language.
func (l *List) Listed(name string) bool {
	_, ok := l.Section(Globals).find(strings.Split(name, "."))
	return ok
}

// Option tells of an option of scripts; false for a name that is none.
func (l *List) Option(name string) (Entry, bool) { return l.Section(Options).find([]string{name}) }

// Executor tells of a kind of scenario; false for a name that is none.
func (l *List) Executor(name string) (Entry, bool) { return l.Section(Executors).find([]string{name}) }

// find gives the entry of the longest listed beginning of a path.
func (s *Section) find(path []string) (Entry, bool) {
	for n := len(path); n > 0; n-- {
		name := strings.Join(path[:n], ".")
		for _, e := range s.Entries {
			if e.Name == name {
				return e, true
			}
		}
	}
	return Entry{}, false
}
