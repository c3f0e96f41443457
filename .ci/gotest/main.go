// Command gotest runs "go test" with the given arguments and prints what matters:
// a line per package, the whole output of what failed, and as its closing line how
// many tests passed and failed.
//
// The Makefile calls it in place of go test, so that a green run is short and a
// red one complete.
package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
)

func main() {
	cmd := exec.Command("go", append([]string{"test", "-json"}, os.Args[1:]...)...)
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gotest:", err)
		os.Exit(2)
	}
	t := newTally(os.Stdout)
	readErr := t.read(stdout)
	_, _ = io.Copy(io.Discard, stdout) // let go test end, whatever was wrong with its events
	err = cmd.Wait()
	t.close()
	if readErr != nil {
		fmt.Fprintln(os.Stderr, "gotest:", readErr)
	}
	if err != nil || readErr != nil || t.failed > 0 {
		os.Exit(1)
	}
}
