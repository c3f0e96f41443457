package value

import (
	"slices"
	"strings"
)

// urlState is a state of the basic URL parser of the URL Standard, by its name
// there.
type urlState uint8

const (
	stateNone urlState = iota // no override; also: the parser is done
	stateSchemeStart
	stateScheme
	stateNoScheme
	stateSpecialRelativeOrAuthority
	statePathOrAuthority
	stateRelative
	stateRelativeSlash
	stateSpecialAuthoritySlashes
	stateSpecialAuthorityIgnoreSlashes
	stateAuthority
	stateHost
	stateHostname
	statePort
	stateFile
	stateFileSlash
	stateFileHost
	statePathStart
	statePath
	stateOpaquePath
	stateQuery
	stateFragment
)

const eof = -1

// urlParser is the basic URL parser. It works on bytes: what is not ASCII is
// percent-encoded byte by byte, but for hosts.
type urlParser struct {
	in       string
	p        int // the byte that is looked at; len(in) is the end
	u, base  *URL
	override urlState // the state that a setter began in
	buf      []byte
}

func (s *urlParser) run(st urlState) error {
	for s.p = 0; s.p <= len(s.in); s.p++ {
		c := eof
		if s.p < len(s.in) {
			c = int(s.in[s.p])
		}
		var err error
		if st < stateAuthority {
			st, err = s.beforeAuthority(st, c)
		} else {
			st, err = s.fromAuthority(st, c)
		}
		if err != nil || st == stateNone {
			return err
		}
	}
	return nil
}

func (s *urlParser) beforeAuthority(st urlState, c int) (urlState, error) {
	switch st {
	case stateSchemeStart:
		return s.schemeStart(c)
	case stateScheme:
		return s.scheme(c)
	case stateNoScheme:
		return s.noScheme(c)
	case stateSpecialRelativeOrAuthority:
		if c == '/' && s.next('/') {
			s.p++
			return stateSpecialAuthorityIgnoreSlashes, nil
		}
		s.p--
		return stateRelative, nil
	case statePathOrAuthority:
		if c == '/' {
			return stateAuthority, nil
		}
		s.p--
		return statePath, nil
	case stateRelative:
		return s.relative(c), nil
	case stateRelativeSlash:
		return s.relativeSlash(c), nil
	case stateSpecialAuthoritySlashes:
		if c == '/' && s.next('/') {
			s.p++
		} else {
			s.p--
		}
		return stateSpecialAuthorityIgnoreSlashes, nil
	default: // stateSpecialAuthorityIgnoreSlashes
		if c == '/' || c == '\\' {
			return stateSpecialAuthorityIgnoreSlashes, nil
		}
		s.p--
		return stateAuthority, nil
	}
}

func (s *urlParser) fromAuthority(st urlState, c int) (urlState, error) {
	switch st {
	case stateAuthority:
		return s.authority()
	case stateHost, stateHostname:
		return s.host()
	case statePort:
		return s.port(c)
	case stateFile:
		return s.file(c), nil
	case stateFileSlash:
		return s.fileSlash(c), nil
	case stateFileHost:
		return s.fileHost()
	case statePathStart:
		return s.pathStart(c), nil
	case statePath:
		return s.path(), nil
	case stateOpaquePath:
		return s.opaquePath(), nil
	case stateQuery:
		return s.query(), nil
	default: // stateFragment
		s.u.fragment += percentEncode(s.in[s.p:], setFragment)
		return stateNone, nil
	}
}

// next tells whether the byte after the current one is c.
func (s *urlParser) next(c byte) bool { return s.p+1 < len(s.in) && s.in[s.p+1] == c }

// slash tells whether c separates: a slash, for special schemes either one.
func (s *urlParser) slash(c int) bool { return c == '/' || c == '\\' && s.u.isSpecial() }

// end is the offset of the first byte from p on that ends an authority.
func (s *urlParser) end() int {
	stop := "/?#"
	if s.u.isSpecial() {
		stop = "/\\?#"
	}
	if i := strings.IndexAny(s.in[s.p:], stop); i >= 0 {
		return s.p + i
	}
	return len(s.in)
}

func isAlpha(c int) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c int) bool { return '0' <= c && c <= '9' }

func (s *urlParser) schemeStart(c int) (urlState, error) {
	switch {
	case isAlpha(c):
		s.p--
		return stateScheme, nil
	case s.override == stateNone:
		s.p--
		return stateNoScheme, nil
	}
	return stateNone, ErrURL
}

func (s *urlParser) scheme(c int) (urlState, error) {
	switch {
	case isAlpha(c):
		s.buf = append(s.buf, byte(c)|0x20)
		return stateScheme, nil
	case isDigit(c), c == '+', c == '-', c == '.':
		s.buf = append(s.buf, byte(c))
		return stateScheme, nil
	case c == ':':
		return s.schemeEnd(), nil
	case s.override == stateNone:
		s.buf = s.buf[:0]
		s.p = -1
		return stateNoScheme, nil
	}
	return stateNone, ErrURL
}

// schemeEnd takes the scheme and chooses how to go on.
func (s *urlParser) schemeEnd() urlState {
	u, scheme := s.u, string(s.buf)
	s.buf = s.buf[:0]
	defaultPort, isSpecial := special(scheme)
	if s.override != stateNone {
		withAuthority := u.username != "" || u.password != "" || u.port >= 0
		if u.isSpecial() != isSpecial || scheme == "file" && withAuthority || u.scheme == "file" && u.host == "" {
			return stateNone
		}
		u.scheme = scheme
		if u.port == defaultPort {
			u.port = -1
		}
		return stateNone
	}
	u.scheme = scheme
	switch {
	case scheme == "file":
		return stateFile
	case isSpecial && s.base != nil && s.base.scheme == scheme:
		return stateSpecialRelativeOrAuthority
	case isSpecial:
		return stateSpecialAuthoritySlashes
	case s.next('/'):
		s.p++
		return statePathOrAuthority
	}
	u.isOpaque = true
	return stateOpaquePath
}

func (s *urlParser) noScheme(c int) (urlState, error) {
	base := s.base
	if base == nil || base.isOpaque && c != '#' {
		return stateNone, ErrURL
	}
	if base.isOpaque {
		*s.u = *base
		s.u.fragment, s.u.hasFragment = "", true
		return stateFragment, nil
	}
	s.p--
	if base.scheme == "file" {
		return stateFile, nil
	}
	return stateRelative, nil
}

// inherit takes authority, path and query of the base; the path is a copy.
func (s *urlParser) inherit() {
	scheme := s.u.scheme
	*s.u = *s.base.Clone()
	s.u.scheme = scheme
	s.u.fragment, s.u.hasFragment = "", false
}

// afterInherited goes on behind an inherited path.
func (s *urlParser) afterInherited(c int) urlState {
	u := s.u
	switch c {
	case '?':
		u.query, u.hasQuery = "", true
		return stateQuery
	case '#':
		u.hasFragment = true
		return stateFragment
	case eof:
		return stateNone
	}
	u.query, u.hasQuery = "", false
	if u.scheme == "file" && startsWithDrive(s.in[s.p:]) {
		u.path = nil
	} else {
		u.shorten()
	}
	s.p--
	return statePath
}

func (s *urlParser) relative(c int) urlState {
	s.u.scheme = s.base.scheme
	if s.slash(c) {
		return stateRelativeSlash
	}
	s.inherit()
	return s.afterInherited(c)
}

func (s *urlParser) relativeSlash(c int) urlState {
	switch {
	case s.u.isSpecial() && s.slash(c):
		return stateSpecialAuthorityIgnoreSlashes
	case c == '/':
		return stateAuthority
	}
	b := s.base
	s.u.username, s.u.password, s.u.host, s.u.hasHost, s.u.port = b.username, b.password, b.host, b.hasHost, b.port
	s.p--
	return statePath
}

// authority takes user and password, up to the last @.
func (s *urlParser) authority() (urlState, error) {
	end := s.end()
	at := strings.LastIndexByte(s.in[s.p:end], '@')
	if at >= 0 {
		user, password, _ := strings.Cut(s.in[s.p:s.p+at], ":")
		s.u.username = percentEncode(user, setUserinfo)
		s.u.password = percentEncode(password, setUserinfo)
		s.p += at + 1
		if s.p == end {
			return stateNone, ErrURL
		}
	}
	s.p--
	return stateHost, nil
}

// host takes the host, up to a port or the path.
func (s *urlParser) host() (urlState, error) {
	u := s.u
	if s.override != stateNone && u.scheme == "file" {
		s.p--
		return stateFileHost, nil
	}
	end := s.end()
	text := s.in[s.p:end]
	colon := hostColon(text)
	if colon == 0 || colon > 0 && s.override == stateHostname {
		return stateNone, ErrURL
	}
	if colon > 0 {
		text = text[:colon]
	}
	if text == "" && (u.isSpecial() || s.override != stateNone && (u.username != "" || u.password != "" || u.port >= 0)) {
		return stateNone, ErrURL
	}
	host, err := parseHost(text, u.isSpecial())
	if err != nil {
		return stateNone, err
	}
	u.host, u.hasHost = host, true
	s.p += len(text)
	if colon > 0 {
		return statePort, nil
	}
	s.p--
	return s.unlessOverridden(statePathStart), nil
}

func (s *urlParser) unlessOverridden(next urlState) urlState {
	if s.override != stateNone {
		return stateNone
	}
	return next
}

// hostColon is the offset of the colon before a port, -1 if there is none.
func hostColon(s string) int {
	inBrackets := false
	for i := range len(s) {
		switch s[i] {
		case '[':
			inBrackets = true
		case ']':
			inBrackets = false
		case ':':
			if !inBrackets {
				return i
			}
		}
	}
	return -1
}

func (s *urlParser) port(c int) (urlState, error) {
	if isDigit(c) {
		s.buf = append(s.buf, byte(c))
		return statePort, nil
	}
	if !s.slash(c) && c != eof && c != '?' && c != '#' && s.override == stateNone {
		return stateNone, ErrURL
	}
	if len(s.buf) > 0 {
		port := 0
		for _, d := range s.buf {
			if port = port*10 + int(d-'0'); port > 65535 {
				return stateNone, ErrURL
			}
		}
		if standard, _ := special(s.u.scheme); port == standard {
			port = -1
		}
		s.u.port = port
		s.buf = s.buf[:0]
	}
	s.p--
	return s.unlessOverridden(statePathStart), nil
}

func (s *urlParser) file(c int) urlState {
	u := s.u
	u.scheme, u.host, u.hasHost = "file", "", true
	switch {
	case c == '/' || c == '\\':
		return stateFileSlash
	case s.base != nil && s.base.scheme == "file":
		s.inherit()
		u.hasHost = true
		return s.afterInherited(c)
	}
	s.p--
	return statePath
}

func (s *urlParser) fileSlash(c int) urlState {
	if c == '/' || c == '\\' {
		return stateFileHost
	}
	if b := s.base; b != nil && b.scheme == "file" {
		s.u.host = b.host
		if !startsWithDrive(s.in[s.p:]) && len(b.path) > 0 && isDrive(b.path[0], true) {
			s.u.path = append(s.u.path, b.path[0])
		}
	}
	s.p--
	return statePath
}

func (s *urlParser) fileHost() (urlState, error) {
	end := s.end()
	text := s.in[s.p:end]
	if s.override == stateNone && isDrive(text, false) {
		s.p-- // it is no host but the beginning of the path
		return statePath, nil
	}
	s.p = end - 1
	if text == "" {
		s.u.host, s.u.hasHost = "", true
		return s.unlessOverridden(statePathStart), nil
	}
	host, err := parseHost(text, true)
	if err != nil {
		return stateNone, err
	}
	if host == "localhost" {
		host = ""
	}
	s.u.host, s.u.hasHost = host, true
	return s.unlessOverridden(statePathStart), nil
}

func (s *urlParser) pathStart(c int) urlState {
	switch {
	case s.u.isSpecial():
		if !s.slash(c) {
			s.p--
		}
		return statePath
	case s.override == stateNone && c == '?':
		s.u.hasQuery = true
		return stateQuery
	case s.override == stateNone && c == '#':
		s.u.hasFragment = true
		return stateFragment
	case c != eof:
		if c != '/' {
			s.p--
		}
		return statePath
	case s.override != stateNone && !s.u.hasHost:
		s.u.path = append(s.u.path, "")
	}
	return stateNone
}

// path takes one segment and what ends it.
func (s *urlParser) path() urlState {
	start, c := s.p, eof
	for ; s.p < len(s.in); s.p++ {
		c = int(s.in[s.p])
		if s.slash(c) || s.override == stateNone && (c == '?' || c == '#') {
			break
		}
		c = eof
	}
	s.segment(s.in[start:s.p], s.slash(c))
	switch c {
	case '?':
		s.u.query, s.u.hasQuery = "", true
		return stateQuery
	case '#':
		s.u.fragment, s.u.hasFragment = "", true
		return stateFragment
	}
	return statePath
}

func (s *urlParser) segment(text string, more bool) {
	u := s.u
	switch dots(text) {
	case 2:
		u.shorten()
		if !more {
			u.path = append(u.path, "")
		}
	case 1:
		if !more {
			u.path = append(u.path, "")
		}
	default:
		if u.scheme == "file" && len(u.path) == 0 && isDrive(text, false) {
			text = text[:1] + ":"
		}
		u.path = append(u.path, percentEncode(text, setPath))
	}
}

// dots is 1 for the segment "." and 2 for "..", encoded or not; else 0.
func dots(s string) int {
	n := 0
	for s != "" {
		switch {
		case s[0] == '.':
			s = s[1:]
		case len(s) >= 3 && s[0] == '%' && s[1] == '2' && s[2]|0x20 == 'e':
			s = s[3:]
		default:
			return 0
		}
		n++
	}
	if n > 2 {
		return 0
	}
	return n
}

// shorten removes the last segment, but not the drive of a file.
func (u *URL) shorten() {
	if u.scheme == "file" && len(u.path) == 1 && isDrive(u.path[0], true) {
		return
	}
	if n := len(u.path); n > 0 {
		u.path = slices.Clip(u.path[:n-1])
	}
}

// isDrive tells whether s is a drive letter of Windows, such as "C:".
func isDrive(s string, normalized bool) bool {
	return len(s) == 2 && isAlpha(int(s[0])) && (s[1] == ':' || !normalized && s[1] == '|')
}

func startsWithDrive(s string) bool {
	return len(s) >= 2 && isDrive(s[:2], false) && (len(s) == 2 || strings.IndexByte("/\\?#", s[2]) >= 0)
}

// opaquePath takes the path of a URL without slashes.
func (s *urlParser) opaquePath() urlState {
	end := len(s.in)
	if i := strings.IndexAny(s.in[s.p:], "?#"); i >= 0 {
		end = s.p + i
	}
	path := percentEncode(s.in[s.p:end], setC0)
	if end == len(s.in) {
		s.u.opaque = path
		return stateNone
	}
	if strings.HasSuffix(path, " ") { // so that it survives if query and fragment go
		path = path[:len(path)-1] + "%20"
	}
	s.u.opaque = path
	s.p = end
	if s.in[end] == '?' {
		s.u.hasQuery = true
		return stateQuery
	}
	s.u.hasFragment = true
	return stateFragment
}

func (s *urlParser) query() urlState {
	text, more := s.in[s.p:], false
	if s.override == stateNone {
		text, _, more = strings.Cut(text, "#")
	}
	set := setQuery
	if s.u.isSpecial() {
		set = setSpecialQuery
	}
	s.u.query = percentEncode(text, set)
	if !more {
		return stateNone
	}
	s.p += len(text)
	s.u.fragment, s.u.hasFragment = "", true
	return stateFragment
}
