package env

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func testProcess(t *testing.T) (*Process, *bytes.Buffer, *bytes.Buffer) {
	t.Helper()
	var out, err bytes.Buffer
	return &Process{Dir: t.TempDir(), Stdout: Stream{Writer: &out}, Stderr: Stream{Writer: &err}}, &out, &err
}

func openLog(t *testing.T, p *Process, c LogConfig) *Log {
	t.Helper()
	l, err := p.OpenLog(c)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func closeLog(t *testing.T, l *Log) {
	t.Helper()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

// The clock of a synctest bubble begins at this instant.
const bubbleStart = "2000-01-01T00:00:00Z"

func TestFormats(t *testing.T) {
	lines := func(l *Log) {
		l.Info("two words", "source", "console")
		l.Warn("w", "source", "console")
		l.Error(`quo"te`, "b", 2, "a", "x y", "empty", "", "err", errors.New("no route"))
		l.Debug("hidden")
		l.With("source", "stacktrace").WithGroup("g").Error("Error: a\n\tat b", "d", 1500*time.Millisecond, "msg", "m")
	}
	cases := []struct {
		name   string
		config LogConfig
		tty    bool
		want   string
	}{
		{"text", LogConfig{}, false, `time="` + bubbleStart + `" level=info msg="two words" source=console
time="` + bubbleStart + `" level=warning msg=w source=console
time="` + bubbleStart + `" level=error msg="quo\"te" a="x y" b=2 empty= err="no route"
time="` + bubbleStart + `" level=error msg="Error: a\n\tat b" g.d=1.5s g.msg=m source=stacktrace
`},
		{"json", LogConfig{Format: "json"}, true, `{"level":"info","msg":"two words","source":"console","time":"` + bubbleStart + `"}
{"level":"warning","msg":"w","source":"console","time":"` + bubbleStart + `"}
{"a":"x y","b":2,"empty":"","err":"no route","level":"error","msg":"quo\"te","time":"` + bubbleStart + `"}
{"g.d":"1.5s","g.msg":"m","level":"error","msg":"Error: a\n\tat b","source":"stacktrace","time":"` + bubbleStart + `"}
`},
		{"raw", LogConfig{Format: "raw"}, false, "two words\nw\nquo\"te\nError: a\n\tat b\n"},
		{"terminal", LogConfig{Format: "nonsense", NoColor: true}, true, `INFO[0000] two words                                     source=console
WARN[0000] w                                             source=console
ERRO[0000] quo"te                                        a="x y" b=2 empty= err="no route"
ERRO[0000] Error: a
	at b                                g.d=1.5s g.msg=m source=stacktrace
`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p, _, buf := testProcess(t)
				p.Stderr.TTY = c.tty
				useUTC(t)
				l := openLog(t, p, c.config)
				lines(l)
				closeLog(t, l)
				if got := buf.String(); got != c.want {
					t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
				}
			})
		})
	}
}

// useUTC makes local times the same on every machine.
func useUTC(t *testing.T) {
	t.Helper()
	old := time.Local
	time.Local = time.UTC
	t.Cleanup(func() { time.Local = old })
}

func TestTerminalColors(t *testing.T) {
	p, _, buf := testProcess(t)
	p.Stderr.TTY = true
	l := openLog(t, p, LogConfig{Verbose: true})
	l.Debug("d")
	l.Info("i", "k", "v")
	l.Warn("w")
	l.Error("e")
	closeLog(t, l)
	want := "\x1b[37mDEBU\x1b[0m[0000] d\n\x1b[36mINFO\x1b[0m[0000] i" + strings.Repeat(" ", 43) + "  \x1b[36mk\x1b[0m=v\n" +
		"\x1b[33mWARN\x1b[0m[0000] w\n\x1b[31mERRO\x1b[0m[0000] e\n"
	if got := buf.String(); got != want {
		t.Errorf("got:\n%q\nwant:\n%q", got, want)
	}
}

func TestReservedNames(t *testing.T) {
	p, _, buf := testProcess(t)
	l := openLog(t, p, LogConfig{Format: "json"})
	l.Info("m", "level", "x", "time", 3, "n", 1, "n", 2)
	closeLog(t, l)
	var got map[string]any
	if err := json.Unmarshal(buf.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got["fields.level"] != "x" || got["fields.time"] != 3.0 || got["n"] != 2.0 || got["msg"] != "m" {
		t.Errorf("got %v", got)
	}
}

func TestOutputs(t *testing.T) {
	p, out, errOut := testProcess(t)
	for _, output := range []string{"stdout", "none", "file=k.log,level=warning"} {
		l := openLog(t, p, LogConfig{Output: output, Format: "raw"})
		l.Info(output + " info")
		l.Warn(output + " warning")
		closeLog(t, l)
	}
	if got := out.String(); got != "stdout info\nstdout warning\n" {
		t.Errorf("stdout: %q", got)
	}
	if got := errOut.String(); got != "" {
		t.Errorf("stderr: %q", got)
	}
	file, err := os.ReadFile(filepath.Join(p.Dir, "k.log"))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(file); got != "file=k.log,level=warning warning\n" {
		t.Errorf("file: %q", got)
	}
}

func TestBadOutputs(t *testing.T) {
	p, _, _ := testProcess(t)
	for output, want := range map[string]string{
		"loki=http://127.0.0.1": "'loki' is not built into jsload",
		"syslog":                "unsupported log output 'syslog'",
		"file":                  "needs a path",
		"file=a,rotate=1":       "unknown setting 'rotate=1'",
		"file=a,level=loud":     "unknown log level 'loud'",
		"file=no/such/dir/a":    "no such file",
	} {
		if _, err := p.OpenLog(LogConfig{Output: output}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", output, err, want)
		}
	}
	if _, err := p.OpenLog(LogConfig{Console: "no/such/dir/a"}); err == nil {
		t.Error("a console file in a missing folder was accepted")
	}
}

func TestConsoleOutput(t *testing.T) {
	p, _, buf := testProcess(t)
	l := openLog(t, p, LogConfig{Console: "c.log", Format: "json"})
	console := l.With("source", "console")
	console.Debug("to the file")
	console.Error("too")
	l.Info("to the log", "source", "stacktrace")
	closeLog(t, l)
	file, err := os.ReadFile(filepath.Join(p.Dir, "c.log"))
	if err != nil {
		t.Fatal(err)
	}
	if s := string(file); strings.Count(s, "\n") != 2 || strings.Contains(s, "source") || !strings.Contains(s, `"msg":"to the file"`) {
		t.Errorf("console file:\n%s", s)
	}
	if s := buf.String(); !strings.Contains(s, "to the log") || strings.Contains(s, "to the file") {
		t.Errorf("log:\n%s", s)
	}
}

func TestFlood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, _, buf := testProcess(t)
		l := openLog(t, p, LogConfig{Format: "raw"})
		script := l.With("source", "stacktrace")
		for range 1000 {
			script.Error("Error: x\n\tat y")
			l.Info("an info line is never held back")
		}
		l.Warn("another")
		time.Sleep(1100 * time.Millisecond)
		for range 5 {
			script.Error("Error: x\n\tat y")
		}
		closeLog(t, l)
		got := buf.String()
		if n := strings.Count(got, "Error: x\n\tat y\n"); n != floodErrors+1 {
			t.Errorf("%d lines passed, want %d", n, floodErrors+1)
		}
		if n := strings.Count(got, "never held back"); n != 1000 {
			t.Errorf("%d info lines, want 1000", n)
		}
		if want := "980 more lines like this one were held back: Error: x\n"; strings.Count(got, want) != 1 {
			t.Errorf("no %q in the log", want)
		}
		if want := "4 more lines like this one were held back"; !strings.Contains(got, "\n"+want) {
			t.Errorf("no %q in the log", want)
		}
	})
}

func TestFloodTellsErrorsApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, _, buf := testProcess(t)
		l := openLog(t, p, LogConfig{})
		for i := range 100_000 {
			l.Warn("Request Failed", "error", fmt.Errorf("url %d", i))
		}
		closeLog(t, l)
		if n := strings.Count(buf.String(), "Request Failed"); n != floodMaxTexts+floodErrors {
			t.Errorf("%d lines passed, want %d", n, floodMaxTexts+floodErrors)
		}
		if want := fmt.Sprintf("%d more lines of various text", 100_000-floodMaxTexts-floodErrors); !strings.Contains(buf.String(), want) {
			t.Errorf("no %q in the log", want)
		}
	})
}

func TestParseLevel(t *testing.T) {
	for name, want := range map[string]slog.Level{"DEBUG": slog.LevelDebug, "warn": slog.LevelWarn, "warning": slog.LevelWarn, "fatal": slog.LevelError, "info": slog.LevelInfo} {
		if got, err := ParseLevel(name); err != nil || got != want {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

func TestSetting(t *testing.T) {
	v := ParseVars([]string{"K6_A=k6", "JSLOAD_A=", "K6_B=b=c", "=C:=x", "bare", "K6_A=last"})
	if got, name, ok := v.Setting("A"); got != "" || name != "JSLOAD_A" || !ok {
		t.Errorf("A: %q %q %v", got, name, ok)
	}
	if got, name, ok := v.Setting("B"); got != "b=c" || name != "K6_B" || !ok {
		t.Errorf("B: %q %q %v", got, name, ok)
	}
	if _, _, ok := v.Setting("C"); ok {
		t.Error("C is set")
	}
	if w := v.With("X", "1"); w["X"] != "1" || v["X"] != "" || len(w) != len(v)+1 {
		t.Error("With changed the original")
	}
}

func TestOS(t *testing.T) {
	p := OS()
	if p.Dir == "" || p.Executable == "" || p.Stdout.Columns() <= 0 || len(p.Vars) == 0 {
		t.Errorf("got %+v", p)
	}
}
