package value

import "strings"

// Found is one place in a text where something was found.
type Found struct {
	// Start and End are its bytes.
	Start, End int
	// Groups are the captured texts from group 1 on; undefined where a group took
	// no part.
	Groups []Value
	// Names are the names of named groups and their numbers; nil without names.
	Names map[string]int
}

// Replacer makes the text that replaces what was found in s. The position in
// UTF-16 units is Length(s[:f.Start]).
type Replacer func(s string, f *Found) (string, error)

// Expand is the Replacer of a replacement text with $&, $1 and the like.
func Expand(replacement string) Replacer {
	if strings.IndexByte(replacement, '$') < 0 {
		return func(string, *Found) (string, error) { return replacement, nil }
	}
	return func(s string, f *Found) (string, error) {
		return string(f.appendExpanded(nil, s, replacement)), nil
	}
}

func (f *Found) appendExpanded(b []byte, s, text string) []byte {
	for {
		i := strings.IndexByte(text, '$')
		if i < 0 || i+1 == len(text) {
			return appendJoined(b, text)
		}
		b = appendJoined(b, text[:i])
		insert, n := f.reference(s, text[i:])
		b = appendJoined(b, insert)
		text = text[i+n:]
	}
}

// reference is what text, which begins with $ and a character, stands for there,
// and how many of its bytes that took.
func (f *Found) reference(s, text string) (insert string, n int) {
	switch c := text[1]; {
	case c == '$':
		return "$", 2
	case c == '`':
		return s[:f.Start], 2
	case c == '\'':
		return s[f.End:], 2
	case c == '&':
		return s[f.Start:f.End], 2
	case c == '<' && f.Names != nil:
		if name, _, ok := strings.Cut(text[2:], ">"); ok {
			return f.group(f.Names[name]), len(name) + 3
		}
	case c >= '0' && c <= '9':
		return f.numbered(text)
	}
	return "$", 1
}

func (f *Found) numbered(text string) (string, int) {
	number, n := 0, 1
	for n < len(text) && n < 3 && text[n] >= '0' && text[n] <= '9' {
		m := number*10 + int(text[n]-'0')
		if m > len(f.Groups) {
			break
		}
		number = m
		n++
	}
	if number == 0 {
		return "$", 1
	}
	return f.group(number), n
}

func (f *Found) group(n int) string {
	if n < 1 || n > len(f.Groups) || f.Groups[n-1].IsUndefined() {
		return ""
	}
	return f.Groups[n-1].str
}

// Replace is s.replace(part, ...) with a text to look for.
func Replace(s, part string, with Replacer) (string, error) { return replaceText(s, part, with, false) }

// ReplaceAll is s.replaceAll(part, ...) with a text to look for.
func ReplaceAll(s, part string, with Replacer) (string, error) {
	return replaceText(s, part, with, true)
}

func replaceText(s, part string, with Replacer, all bool) (string, error) {
	if onlyWhole(part) && (part != "" || !all || isASCII(s)) {
		return replaceFound(s, findText(s, part, all), with)
	}
	s, err := replaceFound(explode(s), findText(explode(s), explode(part), all), func(s string, f *Found) (string, error) {
		return with(s, f)
	})
	return implode(s), err
}

func findText(s, part string, all bool) []Found {
	var found []Found
	for at := 0; at <= len(s); {
		i := strings.Index(s[at:], part)
		if i < 0 {
			break
		}
		found = append(found, Found{Start: at + i, End: at + i + len(part)})
		if !all {
			break
		}
		at += i + len(part)
		if part == "" {
			if at == len(s) {
				break
			}
			_, n := decode(s[at:])
			at += n
		}
	}
	return found
}

// replaceFound puts replacements into the places found, which are in order.
func replaceFound(s string, found []Found, with Replacer) (string, error) {
	if len(found) == 0 {
		return s, nil
	}
	b, at := make([]byte, 0, len(s)), 0
	for i := range found {
		f := &found[i]
		b = appendJoined(b, s[at:f.Start])
		text, err := with(s, f)
		if err != nil {
			return "", err
		}
		b = appendJoined(b, text)
		if len(b) > maxText {
			return "", errTextLength
		}
		at = f.End
	}
	return string(appendJoined(b, s[at:])), nil
}
