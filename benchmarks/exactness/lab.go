package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// lab is where measurements run.
type lab struct {
	jsload, dir string
	// tooldir is where the tools to compare with are, or are installed.
	tooldir string
	runs    int
	out     io.Writer
	wrong   int // counts that were not exact
}

func (l *lab) printf(format string, args ...any) { fmt.Fprintf(l.out, format, args...) }

// count prints a count with what it must be.
func (l *lab) count(what string, got, least, most int64) {
	verdict := "ok"
	if got < least || got > most {
		verdict = "WRONG"
		l.wrong++
	}
	want := fmt.Sprint(least)
	if most > least {
		want = fmt.Sprintf("%d to %d", least, most)
	}
	l.printf("  %-44s %10d   (%s: %s)\n", what, got, want, verdict)
}

// target is the target server while it runs, as a process of its own.
type target struct {
	cmd   *exec.Cmd
	stdin io.Closer
	url   string
}

func (l *lab) target() (*target, error) {
	cmd := exec.Command(l.jsload, "target", "--listen", "127.0.0.1:0", "--until-eof")
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting the target: %w", err)
	}
	t := &target{cmd: cmd, stdin: stdin}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if at := strings.Index(line, "http://"); at >= 0 {
		t.url = strings.TrimSpace(line[at:])
		return t, nil
	}
	return nil, errors.Join(fmt.Errorf("the target said %q", line), err, t.stop())
}

func (t *target) stop() error { return errors.Join(t.stdin.Close(), t.cmd.Wait()) }

// stats are the target's own figures that are of use here; times in microseconds.
type stats struct {
	Connections struct{ Open, Peak int64 }
	Routes      map[string]struct {
		Requests int64
		Gaps     spread `json:"gaps_us"`
		Service  spread `json:"service_us"`
	}
}

type spread struct {
	P50  float64 `json:"p50"`
	P99  float64 `json:"p99"`
	P999 float64 `json:"p99.9"`
	Max  float64 `json:"max"`
}

func (t *target) stats() (s stats, err error) {
	res, err := http.Get(t.url + "/__target/stats")
	if err != nil {
		return s, err
	}
	defer func() { _ = res.Body.Close() }()
	return s, json.NewDecoder(res.Body).Decode(&s)
}

// result is one run of jsload.
type result struct {
	// metrics are those of the summary: numbers by name of metric and of stat.
	// Times are in milliseconds.
	metrics map[string]map[string]any
	cpu     time.Duration
	// peak is the most memory the process had, in bytes; 0 if the system does not say.
	peak int64
}

// stat returns a number of the summary, 0 if it is not there.
func (r *result) stat(metric, name string) float64 {
	v, _ := r.metrics[metric][name].(float64)
	return v
}

// run runs a script against a target to its end, with further flags. meanwhile, if
// any, runs beside it.
func (l *lab) run(script, url string, meanwhile func(), flags ...string) (*result, error) {
	file, export := filepath.Join(l.dir, "script.js"), filepath.Join(l.dir, "summary.json")
	if err := os.WriteFile(file, []byte(script), 0o644); err != nil {
		return nil, err
	}
	args := append([]string{"run", "--quiet", "--summary-mode", "disabled", "--summary-export", export,
		"--summary-trend-stats", "med,p(90),p(99),p(99.9),max", "-e", "TARGET=" + url}, flags...)
	cmd := exec.Command(l.jsload, append(args, file)...)
	var log strings.Builder
	cmd.Stderr = &log
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	var beside sync.WaitGroup
	if meanwhile != nil {
		beside.Go(meanwhile)
	}
	err := cmd.Wait()
	beside.Wait()
	state := cmd.ProcessState
	r := &result{cpu: state.UserTime() + state.SystemTime(), peak: peakMemory(state)}
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, log.String())
	}
	b, err := os.ReadFile(export)
	if err != nil {
		return nil, err
	}
	var summary struct{ Metrics map[string]map[string]any }
	err = json.Unmarshal(b, &summary)
	r.metrics = summary.Metrics
	return r, err
}
