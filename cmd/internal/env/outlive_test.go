//go:build unix

package env

import (
	"errors"
	"syscall"
	"testing"
)

// faulty is a stream that fails.
type faulty struct {
	err   error
	calls int
}

func (f *faulty) Write([]byte) (int, error) { f.calls++; return 0, f.err }

// A reader that has gone is no error, and is not written to again; a full disk is.
func TestOutliveReaders(t *testing.T) {
	for _, tt := range []struct {
		name string
		err  error
		tty  bool
		gone bool
	}{
		{"pipe", syscall.EPIPE, false, true},
		{"terminal", syscall.EIO, true, true},
		{"file", syscall.EIO, false, false},
		{"disk", syscall.ENOSPC, false, false},
	} {
		out, caught := &faulty{err: tt.err}, false
		p := &Process{Stdout: Stream{Writer: out, TTY: tt.tty}, Stderr: Stream{Writer: out, TTY: tt.tty}, catchPipe: func() { caught = true }}
		p.OutliveReaders()
		_, first := p.Stdout.Write([]byte("a"))
		_, second := p.Stdout.Write([]byte("b"))
		if (first == nil) != tt.gone || (second == nil) != tt.gone || !tt.gone && !errors.Is(first, tt.err) || !caught {
			t.Errorf("%s: %v, %v", tt.name, first, second)
		}
		if want := map[bool]int{true: 1, false: 2}[tt.gone]; out.calls != want {
			t.Errorf("%s: %d writes, want %d", tt.name, out.calls, want)
		}
	}
}
