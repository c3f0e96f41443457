package surface

import (
	"fmt"
	"strings"
)

// Markdown writes the list as tables, one line for all names of a section that
// share a state.
func (l *List) Markdown() string {
	var b strings.Builder
	b.WriteString("| part | state | names |\n|---|---|---|\n")
	for _, s := range l.Sections {
		s.markdown(&b)
	}
	return b.String()
}

func (s *Section) markdown(b *strings.Builder) {
	if len(s.Entries) == 0 || s.all() {
		fmt.Fprintf(b, "| %s | %s | %s |\n", s.title(), s.State, because(s.Reason, s.names()))
		return
	}
	title := s.title()
	for _, group := range s.groups() {
		fmt.Fprintf(b, "| %s | %s | %s |\n", title, group[0].State, because(group[0].Reason, names(group)))
		title = ""
	}
}

// all tells whether nothing of a section is there.
func (s *Section) all() bool { return s.State == Unsupported }

func (s *Section) title() string {
	switch s.Name {
	case Globals, Options, Executors:
		return s.Name
	}
	return "`" + s.Name + "`"
}

func (s *Section) names() string { return names(s.Entries) }

// groups puts entries of one state and reason together, in the order in which
// each first appears.
func (s *Section) groups() [][]Entry {
	var groups [][]Entry
	at := map[[2]string]int{}
	for _, e := range s.Entries {
		key := [2]string{string(e.State), e.Reason}
		i, known := at[key]
		if !known {
			i = len(groups)
			at[key] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], e)
	}
	return groups
}

func names(entries []Entry) string {
	list := make([]string, len(entries))
	for i, e := range entries {
		list[i] = "`" + e.Name + "`"
	}
	return strings.Join(list, " ")
}

// because puts the reason in front of the names.
func because(reason, names string) string {
	if reason == "" || names == "" {
		return reason + names
	}
	return reason + ": " + names
}
