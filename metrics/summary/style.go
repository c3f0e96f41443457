package summary

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// style colours words. The zero value leaves them plain.
type style struct{ on bool }

const (
	sgrBold  = "\x1b[1m"
	sgrFaint = "\x1b[2m"
	sgrRed   = "\x1b[31m"
	sgrGreen = "\x1b[32m"
	sgrCyan  = "\x1b[36m"
	sgrReset = "\x1b[0m"
)

func (s style) wrap(sgr, text string) string {
	if !s.on || text == "" {
		return text
	}
	return sgr + text + sgrReset
}

func (s style) bold(text string) string  { return s.wrap(sgrBold, text) }
func (s style) faint(text string) string { return s.wrap(sgrFaint, text) }
func (s style) cyan(text string) string  { return s.wrap(sgrCyan, text) }

// verdict is green for what passed and red for what failed.
func (s style) verdict(ok bool, text string) string {
	if ok {
		return s.wrap(sgrGreen, text)
	}
	return s.wrap(sgrRed, text)
}

// mark is the sign before a check or a threshold.
func mark(ok bool) string {
	if ok {
		return "✓"
	}
	return "✗"
}

// width is the number of columns that a plain text takes.
func width(text string) int { return utf8.RuneCountInString(text) }

// padding is what brings a text to a width.
func padding(text string, to int) string {
	return strings.Repeat(" ", max(0, to-width(text)))
}

// printable replaces control characters, so that no name from a script or a
// server can move the cursor or break a line.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '\uFFFD'
		}
		return r
	}, s)
}
