package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// event is one line of go test -json; see "go doc test2json".
type event struct {
	Action      string
	Package     string
	ImportPath  string // of build events
	Test        string
	Output      string
	Elapsed     float64 // seconds
	FailedBuild string
}

// test names a test, or a package as a whole when Name is empty.
type test struct{ Package, Name string }

// tally counts results and keeps the output of what has not ended yet.
type tally struct {
	out                               io.Writer
	output                            map[test][]string
	failedIn                          map[string]bool // packages with a failed test
	passed, failed, skipped, packages int
	lost                              []string // packages that failed
	raced                             bool     // a data race was reported
}

func newTally(out io.Writer) *tally {
	return &tally{out: out, output: map[test][]string{}, failedIn: map[string]bool{}}
}

// read takes all events up to the end of the stream. Lines that are no events are
// passed through.
func (t *tally) read(r io.Reader) error {
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) == nil && e.Action != "" {
				t.event(e)
			} else {
				fmt.Fprintf(t.out, "%s", line)
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading the events of go test: %w", err)
		}
	}
}

func (t *tally) event(e event) {
	if e.Action == "build-output" {
		fmt.Fprint(t.out, e.Output)
		return
	}
	id := test{e.Package, e.Test}
	switch e.Action {
	case "output":
		t.raced = t.raced || strings.Contains(e.Output, "WARNING: DATA RACE")
		t.output[id] = append(t.output[id], e.Output)
	case "pass", "skip", "fail":
		if e.Test == "" {
			t.endPackage(id, e)
		} else {
			t.endTest(id, e)
		}
	}
}

// endTest counts a test that has no tests below it only, so that a table of ten
// rows counts as ten and not as eleven. Parents end after their children, which
// marked them.
func (t *tally) endTest(id test, e event) {
	if parent, _, ok := cutLast(e.Test); ok {
		p := test{e.Package, parent}
		t.output[p] = append(t.output[p], parentMark)
	}
	own := t.output[id]
	delete(t.output, id)
	isParent := false
	for _, line := range own {
		isParent = isParent || line == parentMark
	}
	switch {
	case e.Action == "fail":
		t.show(own)
		t.failedIn[e.Package] = true
		if !isParent {
			t.failed++
		}
	case isParent:
	case e.Action == "pass":
		t.passed++
	default:
		t.skipped++
	}
}

// parentMark in the output of a test says that it had tests below it.
const parentMark = "\x00parent"

func cutLast(name string) (parent, last string, ok bool) {
	i := strings.LastIndexByte(name, '/')
	if i < 0 {
		return "", name, false
	}
	return name[:i], name[i+1:], true
}

func (t *tally) endPackage(id test, e event) {
	own := t.output[id]
	delete(t.output, id)
	switch e.Action {
	case "pass":
		t.packages++
		fmt.Fprintf(t.out, "ok    %s  %.1fs\n", e.Package, e.Elapsed)
	case "fail":
		t.packages++
		t.lost = append(t.lost, e.Package)
		t.failPackage(id, own)
		fmt.Fprintf(t.out, "FAIL  %s  %.1fs\n", e.Package, e.Elapsed)
	}
}

// failPackage shows what a package printed outside of its tests. A package that
// ended in the middle of a test, by a panic or its time limit, counts one failure
// for each test that was still running, and at least one.
func (t *tally) failPackage(id test, own []string) {
	t.show(own)
	before := t.failed
	for open, output := range t.output {
		if open.Package == id.Package {
			t.show(output)
			t.failed++
			delete(t.output, open)
		}
	}
	if t.failed == before && !t.failedIn[id.Package] {
		t.failed++
	}
}

func (t *tally) show(output []string) {
	for _, line := range output {
		if line != parentMark && !strings.HasPrefix(strings.TrimSpace(line), "=== ") {
			fmt.Fprint(t.out, line)
		}
	}
}

// close prints the totals.
func (t *tally) close() {
	if t.skipped > 0 {
		fmt.Fprintf(t.out, "%d skipped\n", t.skipped)
	}
	fmt.Fprintf(t.out, "%d packages: %d passed, %d failed\n", t.packages, t.passed, t.failed)
}
