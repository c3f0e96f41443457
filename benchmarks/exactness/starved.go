package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// starved runs jsload at a moderate rate on one CPU, first alone and then beside
// busy loops. The verdict, and the exit code of --fail-if-generator-limited, must
// tell the two apart: 0 and 111.
func (l *lab) starved() (err error) {
	if _, err := exec.LookPath("taskset"); err != nil {
		l.printf("  SKIPPED: taskset is not there, which binds processes to a CPU\n")
		return nil
	}
	server, err := l.target()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.stop()) }()
	if err := l.oneStarved(server.url, 0, 0); err != nil {
		return err
	}
	return l.oneStarved(server.url, 3, 111)
}

// oneStarved runs beside n busy loops.
func (l *lab) oneStarved(url string, n int, code int64) error {
	for range n {
		loop := exec.Command("taskset", "-c", "1", "sh", "-c", "while :; do :; done")
		if err := loop.Start(); err != nil {
			return err
		}
		defer func() { _, _ = loop.Process.Kill(), loop.Wait() }()
	}
	file, export := filepath.Join(l.dir, "starved.js"), filepath.Join(l.dir, "starved.json")
	script := `import http from 'k6/http';
export const options = { scenarios: { s: { executor: 'constant-arrival-rate', rate: 200, duration: '5s', preAllocatedVUs: 50 } } };
export default function () { http.get(__ENV.TARGET + '/delay/10'); }
`
	if err := os.WriteFile(file, []byte(script), 0o644); err != nil {
		return err
	}
	cmd := exec.Command("taskset", "-c", "1", l.jsload, "run", "--quiet", "--summary-mode", "disabled", "--fail-if-generator-limited",
		"--new-machine-readable-summary", "--summary-export", export, "-e", "TARGET="+url, file)
	var log strings.Builder
	cmd.Stderr = &log
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		return err
	}
	got := int64(cmd.ProcessState.ExitCode())
	l.count(fmt.Sprintf("exit code beside %d busy loops", n), got, code, code)
	b, err := os.ReadFile(export)
	if err != nil {
		return fmt.Errorf("%w\n%s", err, log.String())
	}
	var summary struct {
		Generator struct{ Limit, Reason string }
	}
	err = json.Unmarshal(b, &summary)
	l.printf("    %s: %s\n", summary.Generator.Limit, summary.Generator.Reason)
	return err
}
