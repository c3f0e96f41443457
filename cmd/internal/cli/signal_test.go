//go:build unix

package cli

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// signalScript prints the address of its target and then works until it is
// stopped; its teardown may refuse to end.
const signalScript = `
import http from 'k6/http';
import { sleep } from 'k6';
export const options = { vus: 2, duration: '1h' };
export default function () {
  if (__VU === 1 && __ITER === 0) console.log('ready ' + __ENV.TARGET);
  sleep(3600);
}
export function teardown() { console.log('teardown'); while (__ENV.STUBBORN) sleep(1); console.log('done'); }
`

// running is a jsload that runs signalScript.
type running struct {
	t      *testing.T
	cmd    *exec.Cmd
	lines  *bufio.Scanner // of standard error
	stdout bytes.Buffer
	stderr []string
	target string
}

func start(t *testing.T, args ...string) *running {
	t.Helper()
	script := filepath.Join(t.TempDir(), "script.js")
	if err := os.WriteFile(script, []byte(signalScript), 0o644); err != nil {
		t.Fatal(err)
	}
	r := &running{t: t, cmd: exec.Command(program, append(append([]string{"run", "--with-target"}, args...), script)...)}
	r.cmd.Stdout = &r.stdout
	stderr, err := r.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	r.lines = bufio.NewScanner(stderr)
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	limit := time.AfterFunc(time.Minute, func() { _ = r.cmd.Process.Kill() })
	t.Cleanup(func() { limit.Stop() })
	_, url, _ := strings.Cut(r.await("ready "), "ready ")
	r.target, _, _ = strings.Cut(url, `"`)
	return r
}

// await reads standard error up to a line with text.
func (r *running) await(text string) string {
	r.t.Helper()
	for r.lines.Scan() {
		r.stderr = append(r.stderr, r.lines.Text())
		if strings.Contains(r.lines.Text(), text) {
			return r.lines.Text()
		}
	}
	r.t.Fatalf("standard error ended without %q:\n%s", text, strings.Join(r.stderr, "\n"))
	return ""
}

func (r *running) signal(s os.Signal) {
	r.t.Helper()
	if err := r.cmd.Process.Signal(s); err != nil {
		r.t.Fatal(err)
	}
}

// end waits for the exit code and for the target's end.
func (r *running) end(code int) {
	r.t.Helper()
	for r.lines.Scan() {
		r.stderr = append(r.stderr, r.lines.Text())
	}
	err := r.cmd.Wait()
	if e, ok := errors.AsType[*exec.ExitError](err); !ok || e.ExitCode() != code {
		r.t.Errorf("ended with %v, want exit code %d:\n%s", err, code, strings.Join(r.stderr, "\n"))
	}
	client := http.Client{Timeout: time.Second}
	for range 50 {
		res, err := client.Get(r.target + "/ok")
		if err != nil {
			return
		}
		_, _ = io.Copy(io.Discard, res.Body)
		_ = res.Body.Close()
		time.Sleep(100 * time.Millisecond)
	}
	r.t.Errorf("the target %s is still there", r.target)
}

func TestSignalTwice(t *testing.T) {
	t.Parallel()
	r := start(t, "-q", "-e", "STUBBORN=1")
	r.signal(os.Interrupt)
	r.await("msg=teardown")
	r.again(os.Interrupt)
	r.end(105)
	if log := strings.Join(r.stderr, "\n"); strings.Contains(log, "msg=done") || !strings.Contains(log, "second signal") {
		t.Errorf("log:\n%s", log)
	}
}

func TestKilledRunTakesItsTargetAlong(t *testing.T) {
	t.Parallel()
	r := start(t, "-q")
	r.signal(syscall.SIGKILL)
	r.end(-1)
}

func TestLinger(t *testing.T) {
	t.Parallel()
	script := filepath.Join(t.TempDir(), "script.js")
	if err := os.WriteFile(script, []byte("export default function () { console.log('ready no target'); }"), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "run", "--linger", script)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	limit := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer limit.Stop()
	r := &running{t: t, cmd: cmd, lines: bufio.NewScanner(stderr)}
	r.await("lingering")
	r.signal(os.Interrupt)
	for r.lines.Scan() {
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("a signal while lingering gave %v", err)
	}
}
