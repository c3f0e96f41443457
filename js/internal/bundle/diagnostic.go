package bundle

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// exitScript is the exit code for a script that cannot be compiled.
const exitScript = 107

// Location is a place in a source file.
type Location struct {
	// File is the address of the file: file:///path or https://host/path.
	File string
	// Line and Column count from 1, the column in bytes.
	Line, Column int
	// Length is how many bytes are meant; 0 stands for the place alone.
	Length int
	// LineText is the source line, without its end.
	LineText string
}

// Note adds to a diagnostic: another place, or how things came to be.
type Note struct {
	Message string
	// Location is nil if the note is about no place.
	Location *Location
}

// Diagnostic is one thing that is wrong in a script, as a value.
type Diagnostic struct {
	Message string
	// Location is nil if no place in a source file is to blame.
	Location *Location
	// Hint says what to do about it; it may be empty.
	Hint string
	// Notes say more, such as the chain of imports that led here.
	Notes []Note
	// Package is the npm package that a warning is about; empty if it is about
	// none.
	Package string
	// Thrown marks what an engine with modules of its own raises as an
	// exception when it links them, so that it is logged as one.
	Thrown bool
}

// Error gives the diagnostic in one line: file, line and column, message, hint.
func (d *Diagnostic) Error() string {
	if d.Location == nil {
		return withHint(d.Message, d.Hint)
	}
	if d.Thrown {
		return fmt.Sprintf("%s\n\tat %s:%d:%d", d.Message, d.Location.File, d.Location.Line, d.Location.Column)
	}
	return fmt.Sprintf("%s: Line %d:%d %s", d.Location.File, d.Location.Line, d.Location.Column, withHint(d.Message, d.Hint))
}

func withHint(message, hint string) string {
	if hint == "" {
		return message
	}
	return message + " (" + hint + ")"
}

// String renders the diagnostic in esbuild's form: message, place, source line,
// caret, hint and notes.
func (d *Diagnostic) String() string {
	var b strings.Builder
	b.WriteString(d.Message)
	b.WriteByte('\n')
	d.Location.render(&b)
	if d.Hint != "" {
		fmt.Fprintf(&b, "\n  Hint: %s\n", d.Hint)
	}
	for _, n := range d.Notes {
		fmt.Fprintf(&b, "\n  %s\n", n.Message)
		n.Location.render(&b)
	}
	return b.String()
}

// maxShown is how many columns of a source line are shown around the place;
// lines of generated code can be a megabyte long.
const maxShown = 120

func (l *Location) render(b *strings.Builder) {
	if l == nil {
		return
	}
	fmt.Fprintf(b, "\n    %s:%d:%d:\n", l.File, l.Line, l.Column)
	text, start := l.LineText, max(0, min(l.Column-1, len(l.LineText)))
	end := min(len(text), start+l.Length)
	if len(text) > maxShown {
		from := max(0, start-maxShown/2)
		to := min(len(text), from+maxShown)
		from, to = wholeRunes(text, from, to)
		text, start, end = text[from:to], start-from, min(end, to)-from
	}
	width := max(1, utf8.RuneCountInString(expandTabs(text[start:end])))
	caret := "^"
	if width > 1 {
		caret = strings.Repeat("~", width)
	}
	margin := strings.Repeat(" ", len(fmt.Sprint(l.Line)))
	indent := strings.Repeat(" ", utf8.RuneCountInString(expandTabs(text[:start])))
	fmt.Fprintf(b, "      %d │ %s\n      %s ╵ %s%s\n", l.Line, expandTabs(text), margin, indent, caret)
}

// wholeRunes moves a cut so that it splits no character.
func wholeRunes(text string, from, to int) (wholeFrom, wholeTo int) {
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	return from, to
}

func expandTabs(text string) string { return strings.ReplaceAll(text, "\t", "  ") }

// Error is why a script could not be bundled: one diagnostic or more.
type Error struct {
	Diagnostics []*Diagnostic
}

// Error gives the first diagnostic in one line, and how many more there are.
func (e *Error) Error() string {
	if len(e.Diagnostics) == 0 {
		return "the script could not be compiled"
	}
	first := e.Diagnostics[0].Error()
	if more := len(e.Diagnostics) - 1; more > 0 {
		return fmt.Sprintf("%s [and %d more]", first, more)
	}
	return first
}

// String renders every diagnostic.
func (e *Error) String() string {
	parts := make([]string, len(e.Diagnostics))
	for i, d := range e.Diagnostics {
		parts[i] = d.String()
	}
	return strings.Join(parts, "\n")
}

// LogSource is the source that its log line names: that of exceptions if the
// first diagnostic is one, else none.
func (e *Error) LogSource() string {
	if len(e.Diagnostics) > 0 && e.Diagnostics[0].Thrown {
		return "stacktrace"
	}
	return ""
}

// ExitCode is that of a script that fails before it runs.
func (e *Error) ExitCode() int { return exitScript }

// locate gives the place of an offset in a file.
func locate(file string, src []byte, offset, length int) *Location {
	before := src[:offset]
	start := strings.LastIndexByte(string(before), '\n') + 1
	line := string(src[start:])
	if i := strings.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	return &Location{
		File: file, Line: strings.Count(string(before), "\n") + 1, Column: offset - start + 1,
		Length: length, LineText: strings.TrimSuffix(line, "\r"),
	}
}

// offset is where a place is in the text of its file.
func (l *Location) offset(src []byte) int {
	at := 0
	for range l.Line - 1 {
		i := bytes.IndexByte(src[at:], '\n')
		if i < 0 {
			return len(src)
		}
		at += i + 1
	}
	return min(at+l.Column-1, len(src))
}
