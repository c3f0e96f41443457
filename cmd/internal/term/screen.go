// Package term is what a person sees while a test runs: the banner, the
// description of the plan, the progress and its colours.
//
// cmd/internal/cli fills its values and says when to draw. It knows terminals
// and widths, and nothing of tests: all it gets are numbers and names.
package term

import (
	"bytes"
	"fmt"
	"io"
	"sync"
)

// Screen shares one terminal between lines that scroll, such as log lines and
// results, and a live block that stays below them and is redrawn in place.
//
// All methods are safe for concurrent use. Each writes to the terminal in one
// piece, so that nothing flickers.
type Screen struct {
	mu      sync.Mutex
	w       io.Writer
	live    []string
	shown   int  // lines of the live block that stand on the terminal
	partial bool // the text above ended inside a line
	buf     bytes.Buffer
}

// NewScreen returns a screen on the terminal w.
func NewScreen(w io.Writer) *Screen { return &Screen{w: w} }

// Draw replaces the live block. A line must fit the terminal's width, and all
// of them its height. No lines means no block.
func (s *Screen) Draw(lines []string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.live = lines
	if s.partial {
		return nil
	}
	s.buf.Reset()
	s.home()
	s.paint()
	return s.send()
}

// Keep leaves the live block where it stands, as ordinary text, and ends it.
func (s *Screen) Keep() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.buf.Reset()
	if s.shown > 0 {
		s.buf.WriteByte('\n')
	}
	s.live, s.shown = nil, 0
	return s.send()
}

// Above returns a writer to the same terminal whose text appears above the
// live block.
func (s *Screen) Above(w io.Writer) io.Writer { return &above{screen: s, w: w} }

type above struct {
	screen *Screen
	w      io.Writer
}

// Write implements io.Writer.
func (a *above) Write(p []byte) (int, error) {
	s := a.screen
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(p) == 0 || len(s.live) == 0 && s.shown == 0 {
		return a.w.Write(p)
	}
	s.buf.Reset()
	s.home()
	s.buf.WriteString("\x1b[J")
	s.shown = 0
	if err := s.send(); err != nil {
		return 0, err
	}
	n, err := a.w.Write(p)
	if err != nil {
		return n, err
	}
	if s.partial = p[len(p)-1] != '\n'; s.partial {
		return n, nil
	}
	s.buf.Reset()
	s.paint()
	return n, s.send()
}

// home moves to the first column of the block's first line.
func (s *Screen) home() {
	if s.shown > 1 {
		fmt.Fprintf(&s.buf, "\x1b[%dA", s.shown-1)
	}
	if s.shown > 0 {
		s.buf.WriteByte('\r')
	}
}

// paint writes the block over what stands there and clears what is left of it.
func (s *Screen) paint() {
	for i, l := range s.live {
		if i > 0 {
			s.buf.WriteByte('\n')
		}
		s.buf.WriteString(l)
		s.buf.WriteString("\x1b[K")
	}
	if s.shown > len(s.live) {
		s.buf.WriteString("\x1b[J")
	}
	s.shown = len(s.live)
}

func (s *Screen) send() error {
	if s.buf.Len() == 0 {
		return nil
	}
	_, err := s.w.Write(s.buf.Bytes())
	return err
}
