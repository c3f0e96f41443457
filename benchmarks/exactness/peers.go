package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// peer is another tool that makes the load of the measurement arrivals.
type peer struct {
	name string
	// module installs it with the Go tool; empty if that is not how it comes.
	module string
	// hint says how else to get it.
	hint string
	// args and stdin make the load; URL stands for the address.
	args  []string
	stdin string
}

func peers() []peer {
	seconds := fmt.Sprintf("%ds", int(length.Seconds()))
	return []peer{
		{"vegeta", "github.com/tsenart/vegeta/v12@v12.13.0", "", []string{"attack", fmt.Sprintf("-rate=%d", rate), "-duration=" + seconds, "-output=" + os.DevNull}, "GET URL/delay/10"},
		{"hey", "", "apt-get install hey", []string{"-z", seconds, "-c", "40", "-q", fmt.Sprint(rate / 40), "URL/delay/10"}, ""},
	}
}

// find returns where the tool is: in the path, or in the folder for tools, where it
// is installed if it can be.
func (p peer) find(l *lab) (string, error) {
	if path, err := exec.LookPath(p.name); err == nil {
		return path, nil
	}
	path := filepath.Join(l.tooldir, p.name)
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if p.module == "" {
		return "", fmt.Errorf("it is neither in the path nor in %s (%s)", l.tooldir, p.hint)
	}
	cmd := exec.Command("go", "install", p.module)
	cmd.Dir = l.dir // outside of any module
	cmd.Env = append(os.Environ(), "GOBIN="+l.tooldir)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go install %s: %w: %s", p.module, err, lastLine(out))
	}
	return path, nil
}

func lastLine(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}

// attack makes the load and returns the processor time that it took.
func (p peer) attack(path, url string) (*result, time.Duration, error) {
	args := make([]string, len(p.args))
	for i, arg := range p.args {
		args[i] = strings.ReplaceAll(arg, "URL", url)
	}
	cmd := exec.Command(path, args...)
	cmd.Stdin = strings.NewReader(strings.ReplaceAll(p.stdin, "URL", url))
	out, err := cmd.CombinedOutput()
	if err != nil {
		return nil, 0, fmt.Errorf("%w\n%s", err, out)
	}
	return nil, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}
