package term

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Colour is an attribute of text on a terminal.
type Colour string

// The colours in use.
const (
	Plain  Colour = ""
	Bold   Colour = "\x1b[1m"
	Faint  Colour = "\x1b[2m"
	Red    Colour = "\x1b[31m"
	Green  Colour = "\x1b[32m"
	Yellow Colour = "\x1b[33m"
	Cyan   Colour = "\x1b[36m"
)

// Paint colours text, or leaves it as it is where colours are off.
type Paint bool

// Text returns s in colour c.
func (p Paint) Text(c Colour, s string) string {
	if !p || c == Plain || s == "" {
		return s
	}
	return string(c) + s + "\x1b[0m"
}

// cut shortens s to at most width columns, with an ellipsis as its last one.
func cut(s string, width int) string {
	if width <= 0 {
		return ""
	}
	if utf8.RuneCountInString(s) <= width {
		return s
	}
	r := []rune(s)
	return strings.TrimRight(string(r[:width-1]), " ") + "…"
}

// pad fills s with spaces up to width columns.
func pad(s string, width int) string {
	if n := width - utf8.RuneCountInString(s); n > 0 {
		return s + strings.Repeat(" ", n)
	}
	return s
}

func runes(s string) int { return utf8.RuneCountInString(s) }

// Banner writes the name and version of the tool.
func Banner(w io.Writer, p Paint, version string) error {
	_, err := fmt.Fprintf(w, "\n     %s  %s %s\n\n", p.Text(Cyan, "▁▂▃▅▇"), p.Text(Bold, "jsload"), version)
	return err
}
