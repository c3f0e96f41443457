package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// comparison is what is to be measured.
type comparison struct {
	jsload      string
	connections []int
	pairs       int
	length      time.Duration
	out         io.Writer
}

// tool is one of the programs that are compared.
type tool struct {
	name string
	args func(connections int) []string
}

// script is what jsload runs: the request that wrk makes, and a check.
const script = `import http from 'k6/http';
import { check } from 'k6';

export default function () {
  const res = http.get(__ENV.TARGET + '/ok');
  check(res, { 'status is 200': (r) => r.status === 200 });
}
`

// run measures all numbers of connections against one target.
func (c *comparison) run() (err error) {
	temp, err := os.MkdirTemp("", "jsload-compare-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temp) }()
	file := filepath.Join(temp, "script.js")
	if err := os.WriteFile(file, []byte(script), 0o644); err != nil {
		return err
	}
	t, err := startTarget(c.jsload)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.stop()) }()
	tools := c.tools(t.url, file)
	for _, n := range c.connections {
		fmt.Fprintf(c.out, "%d connections, %d pairs of %v\n", n, c.pairs, c.length)
		runs, err := c.measure(t, tools, n)
		if err != nil {
			return err
		}
		fmt.Fprintln(c.out, ratios(tools[0].name, tools[1].name, runs))
	}
	return nil
}

func (c *comparison) tools(url, file string) []tool {
	seconds := strconv.Itoa(int(c.length.Seconds()))
	return []tool{
		{"wrk", func(n int) []string {
			return []string{"wrk", "-t1", "-c" + strconv.Itoa(n), "-d" + seconds + "s", url + "/ok"}
		}},
		{"jsload", func(n int) []string {
			return []string{c.jsload, "run", "--quiet", "--vus", strconv.Itoa(n), "--duration", seconds + "s", "-e", "TARGET=" + url, file}
		}},
	}
}

// measure runs the tools in turn, in reversed order in every second pair, so that
// neither always runs on the warmer machine.
func (c *comparison) measure(t *targetProcess, tools []tool, connections int) (map[string][]sample, error) {
	runs := map[string][]sample{}
	for pair := range c.pairs {
		for i := range tools {
			if pair%2 == 1 {
				i = len(tools) - 1 - i
			}
			s, err := t.measure(tools[i].args(connections))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", tools[i].name, err)
			}
			runs[tools[i].name] = append(runs[tools[i].name], s)
			fmt.Fprintf(c.out, "  %d %-7s %s\n", pair+1, tools[i].name, s)
		}
	}
	return runs, nil
}

// targetProcess is the lean target while it runs.
type targetProcess struct {
	cmd *exec.Cmd
	url string
}

func startTarget(jsload string) (*targetProcess, error) {
	cmd := pinned(0, jsload, "target", "--listen", "127.0.0.1:0", "--lean")
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting the target: %w", err)
	}
	t := &targetProcess{cmd: cmd}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if at := strings.Index(line, "http://"); at >= 0 {
		t.url = strings.TrimSpace(line[at:])
		return t, nil
	}
	return nil, errors.Join(fmt.Errorf("the target said %q", line), err, t.stop())
}

// stop ends the target, whose exit code does not matter.
func (t *targetProcess) stop() error {
	if err := t.cmd.Process.Kill(); err != nil {
		return fmt.Errorf("ending the target: %w", err)
	}
	_ = t.cmd.Wait()
	return nil
}

// count reads the target's number of requests.
func (t *targetProcess) count() (int64, error) {
	res, err := http.Get(t.url + "/__target/count")
	if err != nil {
		return 0, err
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(string(body), 10, 64)
}

// measure runs a tool to its end.
func (t *targetProcess) measure(args []string) (sample, error) {
	before, err := t.count()
	if err != nil {
		return sample{}, err
	}
	cmd := pinned(1, args[0], args[1:]...)
	begin := time.Now()
	out, err := cmd.CombinedOutput()
	if err != nil {
		return sample{}, fmt.Errorf("%w\n%s", err, out)
	}
	wall := time.Since(begin)
	after, err := t.count()
	if err != nil {
		return sample{}, err
	}
	state := cmd.ProcessState
	s := sample{requests: after - before - 1, cpu: state.UserTime() + state.SystemTime(), wall: wall}
	if s.requests < 1 {
		return sample{}, fmt.Errorf("made no request\n%s", out)
	}
	return s, nil
}

// pinned returns a command bound to one CPU where the machine has several and
// taskset is there.
func pinned(cpu int, name string, args ...string) *exec.Cmd {
	if _, err := exec.LookPath("taskset"); err != nil || runtime.NumCPU() < 2 {
		return exec.Command(name, args...)
	}
	return exec.Command("taskset", append([]string{"-c", strconv.Itoa(cpu), name}, args...)...)
}
