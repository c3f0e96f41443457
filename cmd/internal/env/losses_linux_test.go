package env

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// TestFullDisk: the first line that a file does not take is told on standard error,
// the others are counted.
func TestFullDisk(t *testing.T) {
	for name, c := range map[string]LogConfig{
		"the log output /dev/full":     {Output: "file=/dev/full"},
		"the console output /dev/full": {Output: "none", Console: "/dev/full"},
	} {
		p, _, stderr := testProcess(t)
		l := openLog(t, p, c)
		for range 3 {
			l.Info("hello", "source", SourceConsole)
		}
		want := name + " is incomplete: 3 lines were not written"
		if err := l.Close(); err == nil || err.Error() != want {
			t.Errorf("closing gives %v, want %s", err, want)
		}
		if err := l.Close(); err == nil {
			t.Error("closing again has forgotten it")
		}
		if text := stderr.String(); strings.Count(text, "\n") != 1 || !strings.Contains(text, name+" cannot be written") || !strings.Contains(text, "no space left") {
			t.Errorf("standard error: %s", text)
		}
	}
}

// tearing takes a part of one line.
type tearing struct {
	bytes.Buffer
	torn bool
}

func (w *tearing) Write(p []byte) (int, error) {
	if w.torn {
		return w.Buffer.Write(p)
	}
	w.torn = true
	n, _ := w.Buffer.Write(p[:2])
	return n, errors.New("no space left")
}

// A line that was cut does not spoil the one after it.
func TestTornLine(t *testing.T) {
	w := &tearing{}
	s := newSink(w)
	for range 2 {
		_ = s.write(formatRaw, &line{msg: "hello"})
	}
	if w.String() != "he\nhello\n" || s.losses() != 1 {
		t.Errorf("%q, %d lost", w.String(), s.losses())
	}
}
