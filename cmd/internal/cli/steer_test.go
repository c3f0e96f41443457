//go:build unix

package cli

import (
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// freeAddress returns an address of loopback that nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

// steer runs a command against an address until it succeeds.
func steer(t *testing.T, address string, args ...string) string {
	t.Helper()
	var out []byte
	var err error
	for range 50 {
		if out, err = exec.Command(program, append(args, "--address", address)...).CombinedOutput(); err == nil {
			return string(out)
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("jsload %s: %v\n%s", strings.Join(args, " "), err, out)
	return ""
}

func TestSteeringARun(t *testing.T) {
	t.Parallel()
	address := freeAddress(t)
	r := start(t, "-q", "--address", address)
	for _, step := range []struct {
		args []string
		want string
	}{
		{[]string{"status"}, "status: running\npaused: false\nvus: 2\nvus-max: 2\n"},
		{[]string{"pause"}, "paused: true"},
		{[]string{"status", "--json"}, `"paused": true`},
		{[]string{"resume"}, "paused: false"},
		{[]string{"scale", "--vus", "4"}, "running: true"},
	} {
		if out := steer(t, address, step.args...); !strings.Contains(out, step.want) {
			t.Errorf("%s prints\n%s\nwithout %s", step.args, out, step.want)
		}
	}
	for range 50 {
		if strings.Contains(steer(t, address, "status"), "vus: 4") {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	for range 50 {
		if strings.Contains(steer(t, address, "stats"), "vus_max  value=4") {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if out := steer(t, address, "stats", "--json"); !strings.Contains(out, `"name": "vus_max"`) {
		t.Errorf("stats are %s", out)
	}
	r.signal(os.Interrupt)
	r.end(105)
}

// A test that starts paused waits, and with --linger the API outlives it.
func TestPausedAndLinger(t *testing.T) {
	t.Parallel()
	address := freeAddress(t)
	script := t.TempDir() + "/script.js"
	if err := os.WriteFile(script, []byte("export default function () { console.log('ran'); }"), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "run", "-q", "--paused", "--linger", "--address", address, script)
	var log strings.Builder
	cmd.Stderr = &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	limit := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer limit.Stop()
	for out := ""; !strings.Contains(out, "paused before the start"); out = steer(t, address, "status") {
	}
	steer(t, address, "resume")
	for out := ""; !strings.Contains(out, "status: ended"); out = steer(t, address, "status") {
	}
	if out := steer(t, address, "stats"); !strings.Contains(out, "iterations") {
		t.Errorf("stats after the end are\n%s", out)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("ended with %v\n%s", err, log.String())
	}
	if !strings.Contains(log.String(), "msg=ran") {
		t.Errorf("log:\n%s", log.String())
	}
}
