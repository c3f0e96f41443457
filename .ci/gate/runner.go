package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// outcome is what one call of the runner found.
type outcome struct {
	// failing holds the differences of each case that failed.
	failing map[string][]string
	// closing are the runner's last lines, its totals.
	closing []string
}

// runner calls the corpus's runner for the cases that match only.
type runner func(only string, parallel int) (*outcome, error)

// allowed marks, in a report, a case that may differ: it has not failed.
const allowed = "allowed: "

// buildRunner builds the corpus's runner into a folder of ours: the corpus may be
// read-only.
func buildRunner(corpus, bin, temp string) (runner, error) {
	bin, err := filepath.Abs(bin)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(bin); err != nil {
		return nil, fmt.Errorf("the binary under test: %w", err)
	}
	program := filepath.Join(temp, "run")
	build := exec.Command("go", "build", "-C", corpus, "-o", program, "./run")
	build.Stdout, build.Stderr = os.Stdout, os.Stderr
	if err := build.Run(); err != nil {
		return nil, fmt.Errorf("building the corpus's runner: %w", err)
	}
	report := filepath.Join(temp, "report.json")
	return func(only string, parallel int) (*outcome, error) {
		cmd := exec.Command(program, "-bin", bin, "-report", report, "-only", only, "-p", strconv.Itoa(parallel))
		cmd.Dir = corpus
		var output bytes.Buffer
		cmd.Stdout, cmd.Stderr = &output, os.Stderr
		err := cmd.Run()
		if exit := new(exec.ExitError); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
			return nil, fmt.Errorf("the corpus's runner: %w\n%s", err, output.Bytes())
		}
		content, err := os.ReadFile(report)
		if err != nil {
			return nil, err
		}
		return readOutcome(content, output.String())
	}, nil
}

var reTotals = regexp.MustCompile(`^\d+ (differ |passed, \d+ failed)`)

func readOutcome(report []byte, output string) (*outcome, error) {
	o := &outcome{failing: map[string][]string{}}
	var all map[string][]string
	if err := json.Unmarshal(report, &all); err != nil {
		return nil, fmt.Errorf("reading the runner's report: %w", err)
	}
	for name, diffs := range all {
		if len(diffs) == 0 || !strings.HasPrefix(diffs[0], allowed) {
			o.failing[name] = diffs
		}
	}
	for line := range strings.Lines(output) {
		if line = strings.TrimSpace(line); reTotals.MatchString(line) {
			o.closing = append(o.closing, line)
		}
	}
	if len(o.closing) == 0 {
		return nil, fmt.Errorf("the runner printed no totals:\n%s", output)
	}
	return o, nil
}

// cases returns the names of all cases of a corpus.
func cases(corpus string) ([]string, error) {
	dirs, err := filepath.Glob(filepath.Join(corpus, "cases", "*", "*", "expect.json"))
	if err != nil {
		return nil, err
	}
	names := make([]string, len(dirs))
	for i, d := range dirs {
		dir := filepath.Dir(d)
		names[i] = filepath.Base(filepath.Dir(dir)) + "/" + filepath.Base(dir)
	}
	return names, nil
}

// exactly returns the expression that matches these names and no others.
func exactly(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = regexp.QuoteMeta(n)
	}
	return "^(" + strings.Join(quoted, "|") + ")$"
}
