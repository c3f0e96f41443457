// Command gotest runs "go test" with the given arguments and prints what matters:
// a line per package, the whole output of what failed, and as its closing line how
// many tests passed and failed.
//
// The Makefile calls it in place of go test, so that a green run is short and a
// red one complete. On a busy machine a test of times may fail for nothing that is
// wrong: a few failed packages are run once more, one at a time, and named FLAKY if
// they pass then. A data race is never run again.
package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// maxAgain is how many failed packages are run once more; more than that is no
// accident.
const maxAgain = 3

func main() {
	t, err := run(os.Args[1:])
	failed := t.lost
	if err == nil && len(failed) > 0 && len(failed) <= maxAgain && !t.raced {
		fmt.Println("once more, alone:", strings.Join(failed, " "))
		again, againErr := run(append(flagsOf(os.Args[1:]), append([]string{"-p=1", "-count=1"}, failed...)...))
		if againErr == nil && again.failed == 0 {
			fmt.Println("FLAKY:", strings.Join(failed, " "))
			t.failed = 0
		}
	}
	t.close()
	if err != nil {
		fmt.Fprintln(os.Stderr, "gotest:", err)
	}
	if err != nil || t.failed > 0 {
		os.Exit(1)
	}
}

// flagsOf returns the flags among the arguments of go test; the rest are packages.
func flagsOf(args []string) []string {
	return slices.DeleteFunc(slices.Clone(args), func(a string) bool { return !strings.HasPrefix(a, "-") })
}

// run runs go test. The error is that it could not be run or understood, or that
// something failed that is no test.
func run(args []string) (*tally, error) {
	t := newTally(os.Stdout)
	cmd := exec.Command("go", append([]string{"test", "-json"}, args...)...)
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return t, err
	}
	readErr := t.read(stdout)
	_, _ = io.Copy(io.Discard, stdout) // let go test end, whatever was wrong with its events
	err = cmd.Wait()
	if readErr != nil {
		return t, readErr
	}
	if t.failed > 0 {
		return t, nil
	}
	return t, err
}
