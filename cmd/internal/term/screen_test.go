package term

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// vt is a terminal that understands what Screen writes.
type vt struct {
	rows     [][]rune
	row, col int
}

func (v *vt) Write(p []byte) (int, error) {
	s := []rune(string(p))
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\r':
			v.col = 0
		case '\n':
			v.row, v.col = v.row+1, 0
		case '\x1b':
			i = v.escape(s, i+1)
		default:
			v.put(s[i])
		}
	}
	return len(p), nil
}

func (v *vt) escape(s []rune, i int) int {
	start := i + 1
	for i++; s[i] < '@'; i++ {
	}
	n, err := strconv.Atoi(string(s[start:i]))
	if err != nil {
		n = 1
	}
	switch s[i] {
	case 'A':
		v.row -= n
	case 'J':
		v.grow()
		v.rows = v.rows[:v.row+1]
		v.rows[v.row] = v.rows[v.row][:min(v.col, len(v.rows[v.row]))]
	case 'K':
		v.grow()
		v.rows[v.row] = v.rows[v.row][:min(v.col, len(v.rows[v.row]))]
	}
	return i
}

func (v *vt) grow() {
	for len(v.rows) <= v.row {
		v.rows = append(v.rows, nil)
	}
}

func (v *vt) put(r rune) {
	v.grow()
	for len(v.rows[v.row]) <= v.col {
		v.rows[v.row] = append(v.rows[v.row], ' ')
	}
	v.rows[v.row][v.col] = r
	v.col++
}

func (v *vt) String() string {
	var b strings.Builder
	for i, r := range v.rows {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(string(r))
	}
	return b.String()
}

func TestScreen(t *testing.T) {
	v := &vt{}
	s := NewScreen(v)
	log := s.Above(v)
	print := func(text string) {
		if _, err := io.WriteString(log, text); err != nil {
			t.Fatal(err)
		}
	}
	draw := func(lines ...string) {
		if err := s.Draw(lines); err != nil {
			t.Fatal(err)
		}
	}
	want := func(text string) {
		t.Helper()
		if got := v.String(); got != text {
			t.Fatalf("the terminal shows:\n%s\nwant:\n%s", got, text)
		}
	}
	print("before\n")
	draw("a 1", "b 1")
	want("before\na 1\nb 1")
	print("log line\n")
	want("before\nlog line\na 1\nb 1")
	print("no end")
	want("before\nlog line\nno end")
	draw("a 2", "b 2")
	want("before\nlog line\nno end")
	print(" yet\n")
	want("before\nlog line\nno end yet\na 2\nb 2")
	draw("a", "b", "c")
	draw("d")
	want("before\nlog line\nno end yet\nd")
	if err := s.Keep(); err != nil {
		t.Fatal(err)
	}
	print("after\n")
	want("before\nlog line\nno end yet\nd\nafter")
}

func TestScreenConcurrent(t *testing.T) {
	v := &vt{}
	s := NewScreen(v)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			w := s.Above(v)
			for j := range 50 {
				fmt.Fprintf(w, "%d %d\n", i, j)
				if err := s.Draw([]string{"x", "y"}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if got := v.String(); strings.Count(got, "\n") != 201 || !strings.HasSuffix(got, "\nx\ny") {
		t.Errorf("the terminal shows:\n%s", got)
	}
}

type brokenTerminal struct{ err error }

func (b brokenTerminal) Write([]byte) (int, error) { return 0, b.err }

func TestScreenErrors(t *testing.T) {
	s := NewScreen(brokenTerminal{io.ErrClosedPipe})
	if err := s.Draw([]string{"x"}); err != io.ErrClosedPipe {
		t.Errorf("Draw: %v", err)
	}
	var b bytes.Buffer
	if _, err := io.WriteString(s.Above(&b), "x\n"); err != io.ErrClosedPipe {
		t.Errorf("Write: %v", err)
	}
}
