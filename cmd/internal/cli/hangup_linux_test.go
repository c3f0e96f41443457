package cli

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// openTerminal returns both ends of a terminal.
func openTerminal(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("there are no terminals here: %v", err)
	}
	t.Cleanup(func() { _ = master.Close() })
	fd := int(master.Fd())
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	return master, slave
}

// TestTerminalCloses: the end of the terminal ends a run in good order, or nothing
// at all if the process was started to survive it.
func TestTerminalCloses(t *testing.T) {
	for _, tt := range []struct {
		name    string
		survive bool
		code    int
	}{{"ends", false, 105}, {"survives", true, 0}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			master, slave := openTerminal(t)
			dir := t.TempDir()
			script := filepath.Join(dir, "script.js")
			if err := os.WriteFile(script, []byte(`
import { sleep } from 'k6';
export const options = { vus: 2, iterations: 60 };
export default function () { console.log('at work'); sleep(0.02); }
export function teardown() { console.log('teardown done'); }
export function handleSummary() { return { stdout: 'the summary', 'end.txt': 'reached' }; }
`), 0o644); err != nil {
				t.Fatal(err)
			}
			args := []string{"-c", `exec "$0" "$@"`, program, "run", "--out", "json=o.json.gz", script}
			if tt.survive {
				args[1] = `trap "" HUP; ` + args[1]
			}
			cmd := exec.Command("sh", args...)
			cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, slave, slave, slave
			cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			_ = slave.Close()
			seen := ""
			for b := make([]byte, 4096); !strings.Contains(seen, "at work"); {
				n, err := master.Read(b)
				if err != nil && err != io.EOF {
					t.Fatalf("%v after %q", err, seen)
				}
				seen += string(b[:n])
			}
			_ = master.Close()
			_ = cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != tt.code {
				t.Errorf("exit code %d, want %d", code, tt.code)
			}
			if text, err := os.ReadFile(filepath.Join(dir, "end.txt")); string(text) != "reached" {
				t.Errorf("handleSummary's file: %q, %v", text, err)
			}
			r := &running{t: t, cmd: cmd}
			if n := r.complete("o.json.gz"); tt.survive && n < 120 {
				t.Errorf("%d lines of samples", n)
			}
		})
	}
}
