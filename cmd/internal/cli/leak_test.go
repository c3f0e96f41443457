//go:build unix

package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jsload/jsload/benchmarks/target"
	"github.com/jsload/jsload/cmd/internal/env"
)

// leakScript opens connections, timers and files of every kind that a run has.
const leakScript = `
import http from 'k6/http';
import { sleep } from 'k6';
export const options = { scenarios: {
  loop: { executor: 'constant-vus', vus: 3, duration: '1h' },
  rate: { executor: 'constant-arrival-rate', rate: 50, timeUnit: '1s', duration: '1h', preAllocatedVUs: 2 },
} };
export function setup() { http.get(__ENV.TARGET + '/ok'); }
export default function () {
  http.batch([__ENV.TARGET + '/ok', __ENV.TARGET + '/ok?2']);
  setTimeout(() => {}, 10);
  console.log('at work');
  sleep(0.01);
}
export function teardown() { http.get(__ENV.TARGET + '/ok'); while (__ENV.HANG); }
`

// signals are those of a process that exists in this one.
type signals struct {
	mu sync.Mutex
	ch chan<- os.Signal
}

func (s *signals) notify(ch chan<- os.Signal) func() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ch = ch
	return func() {}
}

func (s *signals) send() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ch <- syscall.SIGINT
}

// trigger calls f each time when the next of some texts comes by.
type trigger struct {
	mu    sync.Mutex
	texts []string
	f     func()
	all   bytes.Buffer
}

func (w *trigger) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all.Write(p)
	if len(w.texts) > 0 && bytes.Contains(w.all.Bytes(), []byte(w.texts[0])) {
		w.texts = w.texts[1:]
		w.f()
	}
	return len(p), nil
}

// TestNothingLeaks: a run that was stopped in the middle leaves no goroutine and no
// descriptor behind, whether it was stopped gently or by force.
func TestNothingLeaks(t *testing.T) {
	server, err := target.Start(target.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "script.js"), []byte(leakScript), 0o644); err != nil {
		t.Fatal(err)
	}
	run := func(hang string) {
		s := &signals{}
		stderr := &trigger{texts: []string{"at work"}, f: s.send}
		if hang != "" {
			stderr.texts = append(stderr.texts, "signal again to end at once")
			stderr.f = func() { time.AfterFunc(repeatWindow+50*time.Millisecond, s.send) }
		}
		code := Main(&env.Process{
			Args: []string{"run", "--address", "127.0.0.1:0", "--out", "json=" + filepath.Join(dir, "o.json.gz"), "--out", "csv=" + filepath.Join(dir, "o.csv"),
				"--log-output", "stderr", "-e", "TARGET=" + server.URL(), "-e", "HANG=" + hang, "script.js"},
			Dir: dir, Stdin: strings.NewReader(""), Stdout: env.Stream{Writer: &bytes.Buffer{}}, Stderr: env.Stream{Writer: stderr}, Notify: s.notify,
		})
		if code != 105 {
			t.Errorf("exit code %d:\n%s", code, stderr.all.String())
		}
	}
	run("") // what is made once per process is there from now on
	goroutines, descriptors := ownGoroutines(t), openFiles(t)
	for _, hang := range []string{"", "1"} {
		run(hang)
		deadline := time.Now().Add(5 * time.Second)
		for {
			g, d := left(ownGoroutines(t), goroutines), left(openFiles(t), descriptors)
			if len(g) == 0 && len(d) == 0 {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("hang %q: %d goroutines and %d descriptors are left:\n%s\n%s", hang, len(g), len(d), strings.Join(g, "\n\n"), strings.Join(d, "\n"))
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
}

// left returns what is in now and was not before.
func left(now, before []string) []string {
	before = slices.Clone(before)
	return slices.DeleteFunc(slices.Clone(now), func(s string) bool {
		i := slices.Index(before, s)
		if i >= 0 {
			before = slices.Delete(before, i, i+1)
		}
		return i >= 0
	})
}

// ownGoroutines returns where the goroutines of jsload are, but for those of the
// tests and of the target.
func ownGoroutines(t *testing.T) []string {
	t.Helper()
	var b bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&b, 2); err != nil {
		t.Fatal(err)
	}
	var own []string
	for stack := range strings.SplitSeq(b.String(), "\n\n") {
		if strings.Contains(stack, "jsload/jsload/") && !strings.Contains(stack, "_test.go") && !strings.Contains(stack, "benchmarks/target") {
			_, frames, _ := strings.Cut(stack, "\n")
			own = append(own, frames)
		}
	}
	return own
}

// openFiles returns what the descriptors of the process lead to, without sockets of
// the target, whose other end may close a little later.
func openFiles(t *testing.T) []string {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return nil // no such thing on this system
	}
	var open []string
	for _, fd := range list {
		if to, err := os.Readlink("/proc/self/fd/" + fd.Name()); err == nil && !strings.HasPrefix(to, "/proc/") {
			kind, _, _ := strings.Cut(to, ":[")
			open = append(open, fmt.Sprint(kind))
		}
	}
	return open
}
