package bundle

import (
	"bytes"
	"unicode/utf8"
)

// kind classes the tokens that matter here.
type kind uint8

const (
	tokEOF kind = iota
	tokName
	tokNumber
	tokString
	// tokTemplate is a whole template without substitutions, or its last part.
	tokTemplate
	// tokTemplateOpen is a part of a template that ends in ${.
	tokTemplateOpen
	tokRegExp
	// tokPunct is one character of punctuation, or =>, ** or ?. as a whole.
	tokPunct
)

// token is a span of the source.
type token struct {
	kind       kind
	start, end int
	// newline tells whether a line break stands before the token.
	newline bool
}

// lexer cuts JavaScript and TypeScript into tokens. It is iterative and keeps
// one byte of memory per open bracket, so that no input can exhaust the stack.
// It judges no syntax: anything it does not know becomes punctuation, which is
// enough to find imports and to measure nesting. Where a slash could begin a
// regular expression or divide, it goes by the token before it.
type lexer struct {
	src []byte
	pos int
	// prev is the token before, prevText its text if it is a name.
	prev     token
	prevText string
	// open holds the brackets not closed yet: '(' and '[' and '{' as they are,
	// 'k' for a parenthesis after if, while, for or with, '`' for ${.
	open []byte
	// afterHead is true after the ) of such a parenthesis.
	afterHead bool
}

func newLexer(src []byte) *lexer {
	l := &lexer{src: src}
	if bytes.HasPrefix(src, []byte("\ufeff")) {
		l.pos = 3
	}
	if bytes.HasPrefix(src[l.pos:], []byte("#!")) {
		l.skipLine()
	}
	return l
}

// text is the source of a token.
func (l *lexer) text(t token) []byte { return l.src[t.start:t.end] }

// is tells whether a token is the given name or punctuation.
func (l *lexer) is(t token, text string) bool {
	return (t.kind == tokName || t.kind == tokPunct) && string(l.text(t)) == text
}

// next gives the next token.
func (l *lexer) next() token {
	newline := l.skipSpace()
	t := token{start: l.pos, newline: newline}
	if l.pos >= len(l.src) {
		t.end = l.pos
		return t
	}
	c := l.src[l.pos]
	switch {
	case isNameByte(c) && !isDigit(c), c == '#', c == '@', c == '\\':
		t.kind = tokName
		l.pos++
		l.skipName()
	case isDigit(c) || c == '.' && l.pos+1 < len(l.src) && isDigit(l.src[l.pos+1]):
		t.kind = tokNumber
		l.skipNumber()
	case c == '"' || c == '\'':
		t.kind = tokString
		l.skipString(c)
	case c == '`':
		l.pos++
		t.kind = l.template()
	case c == '/' && l.regExpAllowed():
		t.kind = tokRegExp
		l.skipRegExp()
	default:
		t.kind = l.punct(c)
	}
	t.end = l.pos
	l.prev, l.prevText = t, ""
	if t.kind == tokName {
		l.prevText = string(l.text(t))
	}
	return t
}

func (l *lexer) punct(c byte) kind {
	head := false
	l.pos++
	switch c {
	case '(':
		switch l.prevText {
		case "if", "while", "for", "with":
			c = 'k'
		}
		l.open = append(l.open, c)
	case '[', '{':
		l.open = append(l.open, c)
	case ')', ']', '}':
		if n := len(l.open); n > 0 {
			top := l.open[n-1]
			l.open = l.open[:n-1]
			head = top == 'k'
			if top == '`' && c == '}' {
				l.afterHead = false
				return l.template()
			}
		}
	default:
		l.widePunct(c)
	}
	l.afterHead = head
	return tokPunct
}

// widePunct takes a second character where two together mean something else.
func (l *lexer) widePunct(c byte) {
	if l.pos >= len(l.src) {
		return
	}
	second := l.src[l.pos]
	switch {
	case c == '=' && second == '>', c == '*' && second == '*', c == '+' && second == '+', c == '-' && second == '-':
		l.pos++
	case c == '?' && second == '.' && (l.pos+1 >= len(l.src) || !isDigit(l.src[l.pos+1])):
		l.pos++
	case c >= 0x80:
		_, size := utf8.DecodeRune(l.src[l.pos-1:])
		l.pos += size - 1
	}
}

// regExpAllowed tells whether a slash here begins a regular expression.
func (l *lexer) regExpAllowed() bool {
	switch l.prev.kind {
	case tokNumber, tokString, tokTemplate, tokRegExp:
		return false
	case tokName:
		switch l.prevText {
		case "return", "typeof", "case", "do", "else", "in", "of", "instanceof", "new", "void",
			"delete", "throw", "yield", "await", "default", "extends":
			return true
		}
		return false
	case tokPunct:
		switch l.src[l.prev.start] {
		case ')':
			return l.afterHead
		case ']', '}':
			return false
		}
		return l.prev.end-l.prev.start < 2 || l.src[l.prev.start] != '+' && l.src[l.prev.start] != '-'
	}
	return true
}

// skipSpace passes blanks and comments and tells whether a line ended.
func (l *lexer) skipSpace() (newline bool) {
	for l.pos < len(l.src) {
		switch c := l.src[l.pos]; {
		case c == '\n' || c == '\r':
			newline = true
			l.pos++
		case c == ' ' || c == '\t' || c == '\v' || c == '\f':
			l.pos++
		case c == '/' && l.pos+1 < len(l.src) && l.src[l.pos+1] == '/':
			l.skipLine()
		case c == '/' && l.pos+1 < len(l.src) && l.src[l.pos+1] == '*':
			newline = l.skipComment() || newline
		case bytes.HasPrefix(l.src[l.pos:], []byte("\u00a0")):
			l.pos += 2
		case bytes.HasPrefix(l.src[l.pos:], []byte("\ufeff")):
			l.pos += 3
		default:
			return newline
		}
	}
	return newline
}

func (l *lexer) skipLine() {
	if i := bytes.IndexByte(l.src[l.pos:], '\n'); i >= 0 {
		l.pos += i
	} else {
		l.pos = len(l.src)
	}
}

func (l *lexer) skipComment() (newline bool) {
	body := l.src[l.pos+2:]
	if i := bytes.Index(body, []byte("*/")); i >= 0 {
		body = body[:i]
		l.pos += 4 + i
	} else {
		l.pos = len(l.src)
	}
	return bytes.IndexByte(body, '\n') >= 0
}

func (l *lexer) skipName() {
	for l.pos < len(l.src) && (isNameByte(l.src[l.pos]) || l.src[l.pos] == '\\') {
		l.pos++
	}
}

func (l *lexer) skipNumber() {
	for l.pos < len(l.src) {
		c := l.src[l.pos]
		sign := (c == '+' || c == '-') && l.src[l.pos-1]|0x20 == 'e'
		if !isNameByte(c) && c != '.' && !sign {
			return
		}
		l.pos++
	}
}

// skipString passes a string; one that is not closed ends with its line.
func (l *lexer) skipString(quote byte) {
	for l.pos++; l.pos < len(l.src); l.pos++ {
		switch l.src[l.pos] {
		case '\\':
			l.pos++
		case '\n':
			return
		case quote:
			l.pos++
			return
		}
	}
	l.pos = min(l.pos, len(l.src))
}

// template passes the text of a template up to its end or its next ${.
func (l *lexer) template() kind {
	for ; l.pos < len(l.src); l.pos++ {
		switch c := l.src[l.pos]; {
		case c == '\\':
			l.pos++
		case c == '`':
			l.pos++
			return tokTemplate
		case c == '$' && l.pos+1 < len(l.src) && l.src[l.pos+1] == '{':
			l.pos += 2
			l.open = append(l.open, '`')
			return tokTemplateOpen
		}
	}
	l.pos = min(l.pos, len(l.src))
	return tokTemplate
}

// skipRegExp passes a regular expression and its flags; one that is not closed
// ends with its line.
func (l *lexer) skipRegExp() {
	class := false
	for l.pos++; l.pos < len(l.src); l.pos++ {
		switch c := l.src[l.pos]; {
		case c == '\\':
			l.pos++
		case c == '\n':
			return
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			l.pos++
			l.skipName()
			return
		}
	}
	l.pos = min(l.pos, len(l.src))
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// isNameByte takes every byte of other scripts as part of a name, which is near
// enough: the few signs among them never touch a bracket.
func isNameByte(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || isDigit(c) || c == '_' || c == '$' || c >= 0x80
}
