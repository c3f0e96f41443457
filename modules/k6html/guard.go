package k6html

import (
	"errors"
	"strings"
)

// The parser follows browsers in repairing what is not nested well, and that can
// cost far more than the text is long. Pages of the wild stay orders of magnitude
// below these limits.
const (
	// maxRepairs bounds the elements made by reopening unclosed formatting tags:
	// each of them may come again in each block that follows. An element takes
	// some 150 bytes.
	maxRepairs = 2_000_000
	// maxRoots bounds the html and body tags, whose attributes are merged one tag
	// at a time.
	maxRoots = 100
)

var (
	errRepairs = errors.New("too many formatting elements are left open")
	errRoots   = errors.New("too many html and body tags")
)

// guard refuses a text that would take the parser out of proportion. It is one
// pass from tag to tag. Deep nesting is refused by the parser itself.
func guard(text string) error {
	open, repairs, roots := 0, 0, 0
	for {
		i := strings.IndexByte(text, '<')
		if i < 0 {
			return nil
		}
		text = text[i+1:]
		closing := strings.HasPrefix(text, "/")
		if closing {
			text = text[1:]
		}
		switch kind := tagKind(text); {
		case kind == rootTag && !closing:
			roots++
		case kind == formattingTag && closing:
			open = max(0, open-1)
		case kind == formattingTag:
			open++
		}
		if repairs += open; repairs > maxRepairs {
			return errRepairs
		}
		if roots > maxRoots {
			return errRoots
		}
	}
}

type tagClass uint8

const (
	otherTag tagClass = iota
	formattingTag
	rootTag
)

// tagKind tells what kind of tag a text begins with, the bracket left out.
func tagKind(text string) tagClass {
	var name [7]byte
	n := 0
	for n < len(text) && n < len(name) {
		c := text[n] | 0x20
		if c < 'a' || c > 'z' {
			break
		}
		name[n] = c
		n++
	}
	if n == len(text) || strings.IndexByte(" \t\n\f\r/>", text[n]) < 0 {
		return otherTag // in scripts a bracket may be a comparison
	}
	switch string(name[:n]) {
	case "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u":
		return formattingTag
	case "html", "body":
		return rootTag
	}
	return otherTag
}
