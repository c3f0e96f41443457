package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/jsload/jsload/cmd/internal/env"
)

// terminal is a terminal of 80 columns that keeps what was written.
type terminal struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (t *terminal) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.Write(p)
}

func (t *terminal) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.String()
}

// runOnTerminal runs the program in this process, on a terminal.
func runOnTerminal(t *testing.T, script string, args ...string) (code int, shown string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "script.js"), []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	tty := &terminal{}
	stream := env.Stream{Writer: tty, TTY: true, Size: func() (int, int) { return 80, 24 }}
	code = Main(&env.Process{
		Args: append(append([]string{"run"}, args...), "script.js"), Dir: dir, Stdin: strings.NewReader(""), Stdout: stream, Stderr: stream,
	})
	return code, tty.String()
}

func TestTerminal(t *testing.T) {
	code, shown := runOnTerminal(t, `
import { sleep } from 'k6';
export const options = { vus: 2, iterations: 2 };
export default function () { console.log('working'); sleep(0.3); }`)
	if code != 0 {
		t.Errorf("exit code %d", code)
	}
	for _, want := range []string{"jsload\x1b[0m 0.0.0-dev", "execution: local", "━", "\x1b[36mINFO\x1b[0m[0000] working", "✓", "2/2 shared iters", "█"} {
		if !strings.Contains(shown, want) {
			t.Errorf("the terminal does not show %q:\n%q", want, shown)
		}
	}
}

func TestTerminalWithoutColours(t *testing.T) {
	_, shown := runOnTerminal(t, `export default function () { console.log('working'); }`, "--no-color")
	if strings.Contains(shown, "m[0") || strings.Contains(shown, "\x1b[3") {
		t.Errorf("there are colours:\n%q", shown)
	}
}

func TestTerminalShowsDiagnostics(t *testing.T) {
	code, shown := runOnTerminal(t, "export default function () {\n  const = 1;\n}\n", "--no-color")
	if code != 107 {
		t.Errorf("exit code %d", code)
	}
	for _, want := range []string{"script.js:2:", "const = 1;", "^"} {
		if !strings.Contains(shown, want) {
			t.Errorf("the terminal does not show %q:\n%s", want, shown)
		}
	}
}
