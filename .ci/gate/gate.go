package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
)

// maxReruns is how many suspects are run once more. With more of them something
// is broken at large, and a second run would only cost time.
const maxReruns = 100

// gate is one check of a binary.
type gate struct {
	bin, corpus                        string
	pendingFile, areasFile, differsDoc string
	only                               string
	parallel                           int
	out                                io.Writer
	run                                runner
}

// verdict sorts what contradicts the list.
type verdict struct {
	broken []string // fail twice and are not listed
	mended []string // pass twice and are listed
	flaky  []string // the two runs disagree
}

// check runs the corpus and fails on anything the list does not say.
func (g *gate) check() error {
	list, err := readPending(g.pendingFile)
	if err != nil {
		return err
	}
	all, err := g.selected(list)
	if err != nil {
		return err
	}
	first, err := g.run(g.only, g.parallel)
	if err != nil {
		return err
	}
	v, again, err := g.judge(all, list, first)
	if err != nil {
		return err
	}
	g.print(v, list, first, again)
	for _, line := range first.closing {
		fmt.Fprintln(g.out, line)
	}
	fmt.Fprintf(g.out, "conformance: %d listed as pending, %d unlisted failures, %d listed passes, %d flaky\n", len(list), len(v.broken), len(v.mended), len(v.flaky))
	if len(v.broken)+len(v.mended) > 0 {
		return errors.New("the corpus and the list of pending cases disagree")
	}
	return nil
}

// selected returns the cases of this run. Entries of the list that name no case,
// or that differ without being explained, are errors.
func (g *gate) selected(list pending) ([]string, error) {
	only, err := regexp.Compile(g.only)
	if err != nil {
		return nil, err
	}
	all, err := cases(g.corpus)
	if err != nil {
		return nil, err
	}
	var problems []error
	for _, name := range sortedKeys(list) {
		if !slices.Contains(all, name) {
			problems = append(problems, fmt.Errorf("%s lists %s, which is no case", g.pendingFile, name))
		}
	}
	document, err := os.ReadFile(g.differsDoc)
	if err != nil {
		return nil, err
	}
	for _, name := range list.unexplained(string(document)) {
		problems = append(problems, fmt.Errorf("%s differs, but %s does not name it", name, g.differsDoc))
	}
	all = slices.DeleteFunc(all, func(name string) bool { return !only.MatchString(name) })
	return all, errors.Join(problems...)
}

// judge finds what contradicts the list and runs it once more, one case at a
// time. The second outcome is nil if there was no second run.
func (g *gate) judge(all []string, list pending, first *outcome) (v verdict, again *outcome, err error) {
	var suspects []string
	for _, name := range all {
		if _, failed := first.failing[name]; failed != (list[name] != "") {
			suspects = append(suspects, name)
		}
	}
	if len(suspects) == 0 {
		return v, nil, nil
	}
	again = first
	if len(suspects) <= maxReruns {
		if again, err = g.run(exactly(suspects), 1); err != nil {
			return v, nil, err
		}
	}
	for _, name := range suspects {
		_, failed := first.failing[name]
		_, failedAgain := again.failing[name]
		switch {
		case failed != failedAgain:
			v.flaky = append(v.flaky, name)
		case failed:
			v.broken = append(v.broken, name)
		default:
			v.mended = append(v.mended, name)
		}
	}
	return v, again, nil
}

func (g *gate) print(v verdict, list pending, first, again *outcome) {
	for _, name := range v.broken {
		fmt.Fprintf(g.out, "FAIL %s: %s\n", name, brief(again.failing[name]))
	}
	for _, name := range v.mended {
		fmt.Fprintf(g.out, "PASS %s, but it is listed (%s): take it off the list\n", name, list[name])
	}
	for _, name := range v.flaky {
		diffs := first.failing[name]
		if diffs == nil {
			diffs = again.failing[name]
		}
		fmt.Fprintf(g.out, "FLAKY %s: %s\n", name, brief(diffs))
	}
}

// brief shows the first differences of a case.
func brief(diffs []string) string {
	const most, length = 3, 240
	shown := make([]string, 0, most+1)
	for i, d := range diffs {
		if i == most {
			shown = append(shown, fmt.Sprintf("(and %d more)", len(diffs)-most))
			break
		}
		if r := []rune(d); len(r) > length {
			d = string(r[:length]) + "…"
		}
		shown = append(shown, d)
	}
	return strings.Join(shown, " | ")
}

// update writes the list from what fails now.
func (g *gate) update() error {
	list, err := readPending(g.pendingFile)
	if err != nil {
		return err
	}
	areas, err := readPending(g.areasFile)
	if err != nil {
		return err
	}
	first, err := g.run("", g.parallel)
	if err != nil {
		return err
	}
	// As in a check: what fails once and passes alone is flaky, and not listed.
	v, again, err := g.judge(sortedKeys(first.failing), pending{}, first)
	if err != nil {
		return err
	}
	g.print(verdict{flaky: v.flaky}, list, first, again)
	list, err = list.updated(v.broken, areas)
	if err != nil {
		return err
	}
	for _, line := range first.closing {
		fmt.Fprintln(g.out, line)
	}
	fmt.Fprintf(g.out, "%d cases written to %s\n", len(list), g.pendingFile)
	return os.WriteFile(g.pendingFile, []byte(list.text()), 0o644)
}

func readPending(file string) (pending, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	list, err := parsePending(f)
	if err != nil {
		return nil, fmt.Errorf("%s:\n%w", file, err)
	}
	return list, nil
}
