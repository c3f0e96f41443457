package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// pending is the list of cases that are to fail, with the reason of each: that
// it comes "later: ISSUE TITLE, item N", or that jsload "differs: reason".
type pending map[string]string

const (
	later   = "later: "
	differs = "differs: "
)

// parsePending reads lines of a name, white space and a reason. Empty lines and
// lines that begin with # mean nothing. It reports all that is wrong at once.
func parsePending(r io.Reader) (pending, error) {
	list := pending{}
	var problems []error
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		name, reason, _ := strings.Cut(line, " ")
		reason = strings.TrimSpace(reason)
		switch {
		case !reasonOK(reason):
			problems = append(problems, fmt.Errorf("line %d: %s: the reason is to be %q or %q", n, name, later+"ISSUE TITLE, item N", differs+"REASON"))
		case list[name] != "":
			problems = append(problems, fmt.Errorf("line %d: %s is listed twice", n, name))
		}
		list[name] = reason
	}
	return list, errors.Join(append(problems, lines.Err())...)
}

func reasonOK(reason string) bool {
	if title, ok := strings.CutPrefix(reason, later); ok {
		_, item, ok := strings.Cut(title, ", item ")
		return ok && item != ""
	}
	text, ok := strings.CutPrefix(reason, differs)
	return ok && text != ""
}

// text renders the list in the form that parsePending reads.
func (p pending) text() string {
	var b bytes.Buffer
	b.WriteString("# Cases of the conformance corpus that are to fail, each with its reason. Written by\n# \"make pending\"; reasons may be edited by hand and are kept.\n")
	for _, name := range sortedKeys(p) {
		fmt.Fprintf(&b, "%s  %s\n", name, p[name])
	}
	return b.String()
}

// updated returns the list for cases that fail now. Reasons that are known stay;
// a new case gets the reason of its area.
func (p pending) updated(failing []string, areas pending) (pending, error) {
	list := pending{}
	var problems []error
	for _, name := range failing {
		area, _, _ := strings.Cut(name, "/")
		switch {
		case p[name] != "":
			list[name] = p[name]
		case areas[area] != "":
			list[name] = areas[area]
		default:
			problems = append(problems, fmt.Errorf("%s fails and its area has no reason", name))
		}
	}
	return list, errors.Join(problems...)
}

// unexplained returns the cases listed as differs that the document does not name.
func (p pending) unexplained(document string) []string {
	var names []string
	for name, reason := range p {
		if strings.HasPrefix(reason, differs) && !strings.Contains(document, "`"+name+"`") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
