package k6csv

import (
	"fmt"
	"io"
	"strings"
)

// reader reads the records of a text one by one: RFC 4180, with any delimiter, with
// lines that end in LF or CRLF, and without regard to empty lines. A field without
// escapes is a part of the text, not a copy.
type reader struct {
	text      string
	delimiter string
	pos       int // of what is next
	line      int // of pos, counted from 0
}

// syntaxError says where a text is no CSV.
type syntaxError struct {
	line int // counted from 1
	text string
}

func (e *syntaxError) Error() string { return fmt.Sprintf("line %d: %s", e.line, e.text) }

// skipEmpty goes to the next record and tells whether there is one.
func (r *reader) skipEmpty() bool {
	for {
		rest := r.text[r.pos:]
		n := lineEnd(rest)
		if n == 0 || rest == "\r" {
			return rest != "" && rest != "\r"
		}
		r.pos += n
		r.line++
	}
}

// lineEnd returns the length of the line end that a text begins with.
func lineEnd(s string) int {
	switch {
	case strings.HasPrefix(s, "\n"):
		return 1
	case strings.HasPrefix(s, "\r\n"):
		return 2
	}
	return 0
}

// next appends the fields of the next record. It gives io.EOF behind the last.
func (r *reader) next(fields []string) ([]string, error) {
	if !r.skipEmpty() {
		return fields, io.EOF
	}
	for {
		read := r.plain
		if strings.HasPrefix(r.text[r.pos:], `"`) {
			read = r.quoted
		}
		field, err := read()
		if err != nil {
			return fields, err
		}
		fields = append(fields, field)
		if !r.delimited() {
			return fields, nil
		}
	}
}

// delimited takes what stands behind a field and tells whether that is a delimiter.
func (r *reader) delimited() bool {
	rest := r.text[r.pos:]
	if strings.HasPrefix(rest, r.delimiter) {
		r.pos += len(r.delimiter)
		return true
	}
	if n := lineEnd(rest); n > 0 {
		r.pos += n
		r.line++
	} else {
		r.pos = len(r.text) // a last line without an end, or with half of one
	}
	return false
}

// plain reads a field without quotes, up to what stands behind it.
func (r *reader) plain() (string, error) {
	rest := r.text[r.pos:]
	if end := strings.IndexByte(rest, '\n'); end >= 0 {
		rest = rest[:end]
	}
	if end := strings.Index(rest, r.delimiter); end >= 0 {
		rest = rest[:end]
	} else {
		rest = strings.TrimSuffix(rest, "\r")
	}
	if strings.Contains(rest, `"`) {
		return "", &syntaxError{r.line + 1, `a quote (") stands in a field that does not begin with one`}
	}
	r.pos += len(rest)
	return rest, nil
}

// quoted reads a field in quotes.
func (r *reader) quoted() (string, error) {
	start, from := r.line, r.pos+1
	var joined strings.Builder // of what stands between doubled quotes
	for i := from; ; {
		n := strings.IndexByte(r.text[i:], '"')
		if n < 0 {
			return "", &syntaxError{start + 1, "the quote that begins here is not closed"}
		}
		i += n + 1
		if strings.HasPrefix(r.text[i:], `"`) {
			joined.WriteString(r.text[from:i])
			i++
			from = i
			continue
		}
		last := r.text[from : i-1]
		r.line += strings.Count(r.text[r.pos:i], "\n")
		r.pos = i
		if !r.atEnd() {
			return "", &syntaxError{r.line + 1, "text stands behind a closing quote"}
		}
		if joined.Len() == 0 {
			return last, nil
		}
		joined.WriteString(last)
		return joined.String(), nil
	}
}

// atEnd tells whether a field may end here.
func (r *reader) atEnd() bool {
	rest := r.text[r.pos:]
	return rest == "" || rest == "\r" || lineEnd(rest) > 0 || strings.HasPrefix(rest, r.delimiter)
}
