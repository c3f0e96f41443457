package value

// Hot path: nothing here allocates.

// MaxJSONDepth is how deep JSON may be nested. Deeper text is refused before any
// recursive reader sees it: a reader's stack overflow ends the process.
const MaxJSONDepth = 10_000

// scan walks over JSON without making anything of it. Each method takes the offset
// where something begins and gives the one behind it, -1 if it is not well formed.
type scan struct {
	s     []byte
	depth int
}

func (p *scan) space(i int) int {
	for i < len(p.s) && (p.s[i] == ' ' || p.s[i] == '\n' || p.s[i] == '\r' || p.s[i] == '\t') {
		i++
	}
	return i
}

// value skips a value that begins at i, without space before it.
func (p *scan) value(i int) int {
	if i >= len(p.s) {
		return -1
	}
	switch c := p.s[i]; c {
	case '{', '[':
		return p.container(i)
	case '"':
		return p.text(i)
	case 't':
		return p.word(i, "true")
	case 'f':
		return p.word(i, "false")
	case 'n':
		return p.word(i, "null")
	}
	n, _ := scanNumber(p.s[i:])
	if n == 0 {
		return -1
	}
	return i + n
}

func (p *scan) word(i int, w string) int {
	if len(p.s)-i < len(w) || string(p.s[i:i+len(w)]) != w {
		return -1
	}
	return i + len(w)
}

// text skips a string: i is its opening quote.
func (p *scan) text(i int) int {
	for i++; i < len(p.s); i++ {
		switch c := p.s[i]; {
		case c == '"':
			return i + 1
		case c < ' ':
			return -1
		case c == '\\':
			n := escapeLength(p.s[i:])
			if n == 0 {
				return -1
			}
			i += n - 1
		}
	}
	return -1
}

// escapeLength is the length of the escape that s begins with, 0 if it is none.
func escapeLength(s []byte) int {
	if len(s) < 2 {
		return 0
	}
	switch s[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if len(s) < 6 {
			return 0
		}
		for _, c := range s[2:6] {
			if digitValue(c) >= 16 {
				return 0
			}
		}
		return 6
	}
	return 0
}

// container skips an object or an array and all in it. It is a loop: what is open
// is a bit each, 1 for an object.
func (p *scan) container(i int) int {
	var objects [MaxJSONDepth/64 + 1]uint64
	open := 0
	for {
		c := p.at(i)
		if open == 0 || c == '{' || c == '[' {
			if open++; p.depth+open > MaxJSONDepth {
				return -1
			}
			objects[open>>6] &^= 1 << (open & 63)
			if c == '{' {
				objects[open>>6] |= 1 << (open & 63)
			}
			i = p.space(i + 1)
			if p.at(i) != closing(c) {
				if i = p.member(i, c == '{'); i < 0 {
					return -1
				}
				continue
			}
			i, open = i+1, open-1
		} else if i = p.value(i); i < 0 {
			return -1
		}
		// A value has ended: so may the containers around it.
		for {
			if open == 0 {
				return i
			}
			object := objects[open>>6]>>(open&63)&1 != 0
			i = p.space(i)
			c = p.at(i)
			if c == ',' {
				if i = p.member(p.space(i+1), object); i < 0 {
					return -1
				}
				break
			}
			if object && c != '}' || !object && c != ']' {
				return -1
			}
			i, open = i+1, open-1
		}
	}
}

func closing(c byte) byte { return c + 2 }

// member skips the name of an object's member and the colon, to its value.
func (p *scan) member(i int, object bool) int {
	if !object {
		return i
	}
	if p.at(i) != '"' {
		return -1
	}
	if i = p.text(i); i < 0 {
		return -1
	}
	i = p.space(i)
	if p.at(i) != ':' {
		return -1
	}
	return p.space(i + 1)
}

// at is the byte at i, 0 past the end.
func (p *scan) at(i int) byte {
	if i < len(p.s) {
		return p.s[i]
	}
	return 0
}

// scanNumber is the length of the JSON number that s begins with, 0 if there is
// none, and whether it is written as an integer.
func scanNumber[T string | []byte](s T) (n int, integer bool) {
	if n < len(s) && s[n] == '-' {
		n++
	}
	d := digitRun(s, n)
	if d == 0 || (d > 1 && s[n] == '0') {
		return 0, false
	}
	n += d
	integer = true
	if n < len(s) && s[n] == '.' {
		if d = digitRun(s, n+1); d == 0 {
			return 0, false
		}
		n += 1 + d
		integer = false
	}
	if n < len(s) && s[n]|0x20 == 'e' {
		m := n + 1
		if m < len(s) && (s[m] == '+' || s[m] == '-') {
			m++
		}
		if d = digitRun(s, m); d == 0 {
			return 0, false
		}
		return m + d, false
	}
	return n, integer
}

func digitRun[T string | []byte](s T, from int) int {
	n := from
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n - from
}

// ValidJSON tells whether a text is one JSON value, not nested too deep.
func ValidJSON(text []byte) bool {
	p := scan{s: text}
	i := p.value(p.space(0))
	return i >= 0 && p.space(i) == len(text)
}
