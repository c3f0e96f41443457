//go:build unix

package cli

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// phaseScript says "in PHASE" when it gets to the phase that PHASE names and stays
// there: as long as HOLD says in seconds, or in a loop without end.
const phaseScript = `
import { sleep } from 'k6';
const loop = { executor: 'constant-vus', vus: 2, duration: __ENV.LENGTH, gracefulStop: '1h' };
const once = { executor: 'per-vu-iterations', vus: 2 };
export const options = { scenarios: { s: __ENV.LENGTH ? loop : once } };
function stay(phase) {
  if (__ENV.PHASE !== phase) return;
  console.log('in ' + phase);
  const hold = Number(__ENV.HOLD);
  for (const end = Date.now() + hold * 1000; !hold || Date.now() < end;);
}
if (__VU === 0) stay('init'); else stay('vu');
export function setup() { stay('setup'); }
export default function () { stay('running'); sleep(0.01); }
export function teardown() { stay('teardown'); console.log('teardown done'); }
export function handleSummary(data) { stay('summary'); return { stdout: 'iterations ' + ('iterations' in data.metrics) + '\n' }; }
`

// launch starts jsload run on a script that is written to a folder of its own,
// which becomes the working folder.
func launch(t *testing.T, script string, args ...string) *running {
	t.Helper()
	return launchAs(t, func(*exec.Cmd) {}, script, args...)
}

// launchAs is launch with a command that is changed before it starts.
func launchAs(t *testing.T, change func(*exec.Cmd), script string, args ...string) *running {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "script.js"), []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, append(append([]string{"run", "-q"}, args...), "script.js")...)
	cmd.Dir = dir
	r := &running{t: t, cmd: cmd}
	cmd.Stdout = &r.stdout
	change(cmd)
	r.lines = bufio.NewScanner(strings.NewReader(""))
	if cmd.Stderr == nil {
		stderr, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		r.lines = bufio.NewScanner(stderr)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	limit := time.AfterFunc(time.Minute, func() { _ = r.cmd.Process.Kill() })
	t.Cleanup(func() { limit.Stop() })
	return r
}

// finish waits for the end and returns the log.
func (r *running) finish(code int) string {
	r.t.Helper()
	for r.lines.Scan() {
		r.stderr = append(r.stderr, r.lines.Text())
	}
	got := 0
	if err := r.cmd.Wait(); err != nil {
		got = -1
		if e, ok := errors.AsType[*exec.ExitError](err); ok {
			got = e.ExitCode()
		}
	}
	log := strings.Join(r.stderr, "\n")
	if got != code {
		r.t.Errorf("exit code %d, want %d:\n%s", got, code, log)
	}
	return log
}

// complete demands that a compressed output ends as it should: it can be unpacked
// and its last line is whole.
func (r *running) complete(name string) (lines int) {
	r.t.Helper()
	f, err := os.Open(filepath.Join(r.cmd.Dir, name))
	if err != nil {
		r.t.Error(err)
		return 0
	}
	defer func() { _ = f.Close() }()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		r.t.Errorf("%s: %v", name, err)
		return 0
	}
	text, err := io.ReadAll(unzipped)
	if err != nil {
		r.t.Errorf("%s is cut off: %v", name, err)
	}
	for line := range strings.Lines(string(text)) {
		lines++
		if !json.Valid([]byte(line)) {
			r.t.Errorf("%s: line %d is %q", name, lines, line)
		}
	}
	return lines
}

// again sends a signal after the time in which it would count as the same one. The
// process may have ended.
func (r *running) again(s os.Signal) {
	time.Sleep(repeatWindow + 50*time.Millisecond)
	_ = r.cmd.Process.Signal(s)
}

// TestSignalInEachPhase: one signal ends a run in good order, whatever it is doing,
// and a second one ends even what never ends. What was measured is shown and
// written in every case.
func TestSignalInEachPhase(t *testing.T) {
	const stopping = "stopping the test; teardown and the summary follow; signal again to end at once"
	for _, tt := range []struct {
		name, phase, hold, length string
		signal                    os.Signal
		twice                     bool
		said                      string
		// begun tells that the outputs were opened, tornDown that teardown ran to its
		// end, and summary what the summary begins with.
		begun, tornDown bool
		summary         string
	}{
		{name: "init", phase: "init"},
		{name: "init of a VU", phase: "vu", said: "stopping the test before it begins", begun: true},
		{name: "setup", phase: "setup", said: "stopping setup", begun: true, summary: "iterations false"},
		{name: "running", phase: "running", said: stopping, begun: true, tornDown: true, summary: "iterations"},
		{name: "graceful stop", phase: "running", length: "1s", said: stopping, begun: true, tornDown: true, summary: "iterations"},
		{name: "teardown", phase: "teardown", hold: "0.3", said: "finishing teardown; signal again to end at once", begun: true, tornDown: true, summary: "iterations true"},
		{name: "summary", phase: "summary", hold: "0.3", said: "finishing the summary; signal again to end at once", begun: true, tornDown: true, summary: "iterations true"},
		{name: "teardown twice", phase: "teardown", twice: true, said: "ending at once in response to a second signal", begun: true, summary: "\n\n  █ TOTAL RESULTS"},
		{name: "summary twice", phase: "summary", twice: true, said: "ending at once in response to a second signal", begun: true, tornDown: true, summary: "\n\n  █ TOTAL RESULTS"},
		{name: "graceful stop twice", phase: "running", length: "1s", twice: true, said: stopping, begun: true, tornDown: true, summary: "iterations"},
		{name: "init twice", phase: "init", twice: true},
		{name: "setup twice", phase: "setup", twice: true, said: "stopping setup", begun: true, summary: "iterations false"},
		{name: "running twice", phase: "running", twice: true, said: stopping, begun: true, tornDown: true, summary: "iterations"},
		{name: "SIGTERM", phase: "running", signal: syscall.SIGTERM, said: stopping, begun: true, tornDown: true, summary: "iterations"},
		{name: "SIGHUP", phase: "running", signal: syscall.SIGHUP, said: stopping, begun: true, tornDown: true, summary: "iterations"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if tt.signal == nil {
				tt.signal = os.Interrupt
			}
			r := launch(t, phaseScript, "--out", "json=o.json.gz", "-e", "PHASE="+tt.phase, "-e", "HOLD="+tt.hold, "-e", "LENGTH="+tt.length)
			r.await("in " + tt.phase)
			if tt.length != "" {
				time.Sleep(1100 * time.Millisecond)
			}
			r.signal(tt.signal)
			if tt.twice && tt.phase != "init" {
				r.await("signal again to end at once") // the first has arrived
			}
			if tt.twice {
				r.again(tt.signal)
			}
			log := r.finish(105)
			if !strings.Contains(log, tt.said) || !strings.Contains(log, "the test was stopped by a signal") {
				t.Errorf("the log lacks %q:\n%s", tt.said, log)
			}
			if strings.Contains(log, "teardown done") != tt.tornDown {
				t.Errorf("teardown ran to its end: %t, want %t:\n%s", !tt.tornDown, tt.tornDown, log)
			}
			if out := r.stdout.String(); !strings.HasPrefix(out, tt.summary) || tt.summary == "" && out != "" {
				t.Errorf("the summary is %q, want %q", out, tt.summary)
			}
			if tt.begun {
				r.complete("o.json.gz")
			}
		})
	}
}

// TestRepeatedSignal: what timeout sends is one signal, although it comes twice.
func TestRepeatedSignal(t *testing.T) {
	t.Parallel()
	r := launch(t, phaseScript, "--out", "json=o.json.gz", "-e", "PHASE=teardown", "-e", "HOLD=0.4")
	r.await("in teardown")
	for range 3 {
		r.signal(syscall.SIGTERM)
		time.Sleep(10 * time.Millisecond)
	}
	if log := r.finish(105); !strings.Contains(log, "teardown done") || strings.Contains(log, "second signal") {
		t.Errorf("log:\n%s", log)
	}
	if r.complete("o.json.gz") == 0 {
		t.Error("no samples")
	}
}

// TestThirdSignal: a third signal ends even a run whose output nobody takes.
func TestThirdSignal(t *testing.T) {
	t.Parallel()
	_, full := fullPipe(t)
	r := launchAs(t, func(c *exec.Cmd) { c.Stdout = full }, phaseScript, "-e", "PHASE=summary")
	r.await("in summary")
	r.signal(os.Interrupt)
	r.again(os.Interrupt)
	r.again(os.Interrupt)
	r.finish(105)
}

// fullPipe returns a pipe that takes no more bytes.
func fullPipe(t *testing.T) (reader, writer *os.File) {
	t.Helper()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = reader.Close(), writer.Close() })
	if err := writer.SetWriteDeadline(time.Now().Add(50 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = writer.Write(make([]byte, 1<<16))
	}
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatal(err)
	}
	return reader, writer
}
