package jslib

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed members.txt
var membersText string

// section is a part of members.txt.
type section struct {
	libraries []string
	versions  []string // none: all
	// results are what names give when they are called, or are by themselves.
	results, properties map[string]string
	names               []string
}

// sections reads members.txt once.
var sections = sync.OnceValue(func() []*section {
	var list []*section
	for line := range strings.SplitSeq(membersText, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			list = append(list, newSection(strings.Trim(line, "[]")))
		default:
			list[len(list)-1].read(line)
		}
	}
	return list
})

func newSection(head string) *section {
	s := &section{results: map[string]string{}, properties: map[string]string{}}
	for field := range strings.FieldsSeq(head) {
		if field[0] >= '0' && field[0] <= '9' {
			s.versions = append(s.versions, field)
		} else {
			s.libraries = append(s.libraries, field)
		}
	}
	return s
}

func (s *section) read(line string) {
	names, result, called := strings.Cut(line, " -> ")
	names, property, is := strings.Cut(names, " => ")
	for name := range strings.FieldsSeq(names) {
		s.names = append(s.names, name)
		if called {
			s.results[name] = result
		}
		if is {
			s.properties[name] = property
		}
	}
}

// sections gives what is known of a version.
func (m *Module) sections() []*section {
	return slices.DeleteFunc(slices.Clone(sections()), func(s *section) bool {
		return !slices.Contains(s.libraries, m.Name) || len(s.versions) > 0 && !slices.Contains(s.versions, m.Version)
	})
}

// Member tells whether something of a version exists: an export, or a member of an
// instance of a class. What it cannot know is taken to be there.
func (m *Module) Member(path []string) bool {
	if len(path) == 0 || asked(path[len(path)-1]) {
		return true
	}
	if len(path) == 1 {
		return m.Has(path[0]) || len(m.Members(path[0])) > 0 || path[0] == "default" && m.CommonJS
	}
	class := path[0]
	for _, name := range path[1:] {
		members := m.Members(class)
		if len(members) == 0 {
			return true
		}
		if !slices.Contains(members, name) {
			return false
		}
		class = m.is(class + "." + name)
	}
	return true
}

// asked tells names that every object has, and those that the language asks for.
func asked(name string) bool {
	switch name {
	case "constructor", "prototype", "hasOwnProperty", "toString", "valueOf", "toJSON", "then", "call", "apply", "bind", "name", "length":
		return true
	}
	return false
}

// Members lists the members of a class, none if they are not known.
func (m *Module) Members(class string) []string {
	var list []string
	for _, s := range m.sections() {
		for _, name := range s.names {
			if member, ok := strings.CutPrefix(name, class+"."); ok {
				list = append(list, member)
			}
		}
	}
	return list
}

// Classes lists the classes with known members.
func (m *Module) Classes() []string {
	var list []string
	for _, s := range m.sections() {
		for _, name := range s.names {
			if class, _, ok := strings.Cut(name, "."); ok && !slices.Contains(list, class) {
				list = append(list, class)
			}
		}
	}
	return list
}

// Result is the class of what calling something gives; "" if that is not known.
func (m *Module) Result(path []string) string {
	name := path[0]
	for _, next := range path[1:] {
		name += "." + next
		if class := m.is(name); class != "" {
			name = class
		}
	}
	for _, s := range m.sections() {
		if class := s.results[name]; class != "" {
			return class
		}
	}
	return ""
}

// is the class of a property.
func (m *Module) is(name string) string {
	for _, s := range m.sections() {
		if class := s.properties[name]; class != "" {
			return class
		}
	}
	return ""
}
