//go:build unix

package cli

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// goneScript writes to both streams in every iteration, and more to standard output
// at the end than a pipe holds.
const goneScript = `
import { sleep } from 'k6';
export const options = { iterations: 30 };
export default function () { console.log('hello'); console.error('x'.repeat(10000)); sleep(0.01); }
export function teardown() { console.log('teardown done'); }
export function handleSummary() { return { stdout: 'y'.repeat(200000), 'end.txt': 'reached' }; }
`

// TestReaderGone: whoever reads standard output or standard error may leave, as in
// jsload run | head; the test goes on and its files are whole.
func TestReaderGone(t *testing.T) {
	for name, flags := range map[string][]string{
		"summary":     nil,
		"progress":    {"--quiet=false"},
		"json output": {"--out", "json=-"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reader, writer := pipe(t)
			r := launchAs(t, func(c *exec.Cmd) { c.Stdout, c.Stderr = writer, writer },
				goneScript, append(flags, "--out", "json=o.json.gz")...)
			_, _ = io.ReadFull(reader, make([]byte, 10))
			_, _ = reader.Close(), writer.Close()
			r.finish(0)
			if text, err := os.ReadFile(filepath.Join(r.cmd.Dir, "end.txt")); string(text) != "reached" {
				t.Errorf("handleSummary's file: %q, %v", text, err)
			}
			if n := r.complete("o.json.gz"); n < 60 {
				t.Errorf("%d lines of samples", n)
			}
		})
	}
}

func pipe(t *testing.T) (reader, writer *os.File) {
	t.Helper()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = reader.Close(), writer.Close() })
	return reader, writer
}

// TestSignalWhileLoading: a signal ends the process although the script has not
// been read yet, which nothing can interrupt.
func TestSignalWhileLoading(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"run", "check", "inspect", "deps", "archive"} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			var input io.WriteCloser
			r := launchAs(t, func(c *exec.Cmd) {
				c.Args = []string{program, command, "-"}
				var err error
				if input, err = c.StdinPipe(); err != nil {
					t.Fatal(err)
				}
			}, "")
			// more than a pipe holds: once it is written, the program reads
			if _, err := io.WriteString(input, strings.Repeat("// a big script\n", 1<<16)); err != nil {
				t.Fatal(err)
			}
			r.signal(os.Interrupt)
			if log := r.finish(105); strings.Count(log, "\n") != 0 || !strings.Contains(log, "the test was stopped by a signal (interrupt)") {
				t.Errorf("log:\n%s", log)
			}
		})
	}
}

// TestNohup: a process that was started to survive the end of the terminal does.
func TestNohup(t *testing.T) {
	t.Parallel()
	r := launchAs(t, func(c *exec.Cmd) {
		c.Args = append([]string{"sh", "-c", `trap "" HUP; exec "$0" "$@"`}, c.Args...)
		c.Path, c.Err = "/bin/sh", nil
	}, phaseScript, "-e", "PHASE=teardown", "-e", "HOLD=0.3")
	r.await("in teardown")
	r.signal(syscall.SIGHUP)
	if log := r.finish(0); !strings.Contains(log, "teardown done") {
		t.Errorf("log:\n%s", log)
	}
}

// TestDiskFillsUp: a file system that has no room left in the middle of a run.
func TestDiskFillsUp(t *testing.T) {
	t.Parallel()
	mount := []string{"-rm", "sh", "-c", `mkdir small && mount -t tmpfs -o size=64k none small && exec "$0" "$@"`}
	try := exec.Command("unshare", append(mount, "true")...)
	try.Dir = t.TempDir()
	if err := try.Run(); err != nil {
		t.Skipf("no file system of our own can be mounted here: %v", err)
	}
	r := launchAs(t, func(c *exec.Cmd) {
		c.Args = append(append([]string{"unshare"}, mount...), c.Args...)
		c.Path, c.Err = try.Path, nil
	}, `
import { sleep } from 'k6';
export const options = { vus: 2, iterations: 2000 };
export default function () { console.log('hello'); sleep(0.0005); }
export function teardown() { console.error('teardown done'); }
`, "--out", "json=small/o.json", "--console-output", "small/console.log")
	log := r.finish(255)
	for text, times := range map[string]int{
		"output json=small/o.json failed, the test goes on without it":     1,
		"no space left on device":                                          2,
		"output json=small/o.json is incomplete: up to":                    1,
		"the console output small/console.log cannot be written, the test": 1,
		"the console output small/console.log is incomplete: ":             1,
		" lines were not written":                                          1,
	} {
		if got := strings.Count(log, text); got != times {
			t.Errorf("%q is said %d times, not %d, in\n%s", text, got, times, log)
		}
	}
	if out := r.stdout.String(); !strings.Contains(out, "iterations...........: 2000") {
		t.Errorf("the summary is\n%s", out)
	}
}
