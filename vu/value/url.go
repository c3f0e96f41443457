package value

import (
	"errors"
	"strconv"
	"strings"
)

// URL is a parsed URL of the URL Standard (url.spec.whatwg.org), as the class
// of that name in scripts. The zero value is no URL: use ParseURL.
type URL struct {
	scheme             string // without the colon
	username, password string
	host               string // serialized; "" may be an empty host or none
	hasHost            bool
	port               int // -1: none, or the scheme's own
	path               []string
	opaque             string // the path of a URL like mailto:x
	isOpaque           bool
	query, fragment    string
	hasQuery           bool
	hasFragment        bool
}

// ErrURL says that a text is no URL.
var ErrURL = errors.New("Invalid URL") //nolint:staticcheck // the text that scripts see

// special tells whether a scheme has the syntax of the web, and its default
// port, -1 for none.
func special(scheme string) (port int, ok bool) {
	switch scheme {
	case "http", "ws":
		return 80, true
	case "https", "wss":
		return 443, true
	case "ftp":
		return 21, true
	case "file":
		return -1, true
	}
	return -1, false
}

func (u *URL) isSpecial() bool { _, ok := special(u.scheme); return ok }

// ParseURL parses text; relative to base unless that is nil.
func ParseURL(text string, base *URL) (*URL, error) {
	u := &URL{port: -1}
	text = strings.TrimFunc(text, func(r rune) bool { return r <= ' ' })
	p := urlParser{in: dropNewlines(text), u: u, base: base}
	if err := p.run(stateSchemeStart); err != nil {
		return nil, err
	}
	return u, nil
}

// dropNewlines removes tabs and line ends, which URLs ignore anywhere.
func dropNewlines(s string) string {
	if !strings.ContainsAny(s, "\t\n\r") {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' {
			return -1
		}
		return r
	}, s)
}

// Clone returns a copy.
func (u *URL) Clone() *URL {
	c := *u
	c.path = append([]string(nil), u.path...)
	return &c
}

// Href is the whole URL.
func (u *URL) Href() string {
	b := make([]byte, 0, 64)
	b = append(b, u.scheme...)
	b = append(b, ':')
	if u.hasHost {
		b = append(b, "//"...)
		if u.username != "" || u.password != "" {
			b = append(b, u.username...)
			if u.password != "" {
				b = append(b, ':')
				b = append(b, u.password...)
			}
			b = append(b, '@')
		}
		b = u.appendHost(b)
	} else if !u.isOpaque && len(u.path) > 1 && u.path[0] == "" {
		b = append(b, "/."...)
	}
	b = u.appendPath(b)
	if u.hasQuery {
		b = append(b, '?')
		b = append(b, u.query...)
	}
	if u.hasFragment {
		b = append(b, '#')
		b = append(b, u.fragment...)
	}
	return string(b)
}

func (u *URL) appendHost(b []byte) []byte {
	b = append(b, u.host...)
	if u.port >= 0 {
		b = append(b, ':')
		b = strconv.AppendInt(b, int64(u.port), 10)
	}
	return b
}

func (u *URL) appendPath(b []byte) []byte {
	if u.isOpaque {
		return append(b, u.opaque...)
	}
	for _, segment := range u.path {
		b = append(b, '/')
		b = append(b, segment...)
	}
	return b
}

// Origin is scheme, host and port, "null" where there is no such thing.
func (u *URL) Origin() string {
	switch u.scheme {
	case "http", "https", "ws", "wss", "ftp":
		return u.scheme + "://" + u.Host()
	case "blob":
		if inner, err := ParseURL(u.Pathname(), nil); err == nil && (inner.scheme == "http" || inner.scheme == "https") {
			return inner.Origin()
		}
	}
	return "null"
}

// Protocol is the scheme with its colon.
func (u *URL) Protocol() string { return u.scheme + ":" }

// Username is the user, percent-encoded.
func (u *URL) Username() string { return u.username }

// Password is the password, percent-encoded.
func (u *URL) Password() string { return u.password }

// Host is the host, with its port if that is not the scheme's own.
func (u *URL) Host() string { return string(u.appendHost(nil)) }

// Hostname is the host without port.
func (u *URL) Hostname() string { return u.host }

// Port is the port, empty if it is the scheme's own.
func (u *URL) Port() string {
	if u.port < 0 {
		return ""
	}
	return strconv.Itoa(u.port)
}

// Pathname is the path.
func (u *URL) Pathname() string { return string(u.appendPath(nil)) }

// Search is the query with its question mark, empty if there is nothing in it.
func (u *URL) Search() string {
	if u.query == "" {
		return ""
	}
	return "?" + u.query
}

// Query is the query without question mark.
func (u *URL) Query() string { return u.query }

// Hash is the fragment with its hash sign, empty if there is nothing in it.
func (u *URL) Hash() string {
	if u.fragment == "" {
		return ""
	}
	return "#" + u.fragment
}

// set parses a part of the URL in the place of the old one; a part that makes
// no sense changes nothing but what the standard says.
func (u *URL) set(text string, at urlState) {
	p := urlParser{in: dropNewlines(text), u: u, override: at}
	_ = p.run(at)
}

// SetProtocol changes the scheme, among the special ones or among the others.
func (u *URL) SetProtocol(s string) { u.set(s+":", stateSchemeStart) }

// cannotHavePort is true of URLs without a host, which have no user either.
func (u *URL) cannotHavePort() bool { return u.host == "" || u.scheme == "file" }

// SetUsername changes the user.
func (u *URL) SetUsername(s string) {
	if !u.cannotHavePort() {
		u.username = percentEncode(s, setUserinfo)
	}
}

// SetPassword changes the password.
func (u *URL) SetPassword(s string) {
	if !u.cannotHavePort() {
		u.password = percentEncode(s, setUserinfo)
	}
}

// SetHost changes host and, if s has one, port.
func (u *URL) SetHost(s string) {
	if !u.isOpaque {
		u.set(s, stateHost)
	}
}

// SetHostname changes the host.
func (u *URL) SetHostname(s string) {
	if !u.isOpaque {
		u.set(s, stateHostname)
	}
}

// SetPort changes the port; an empty one is the scheme's own.
func (u *URL) SetPort(s string) {
	switch {
	case u.cannotHavePort():
	case s == "":
		u.port = -1
	default:
		u.set(s, statePort)
	}
}

// SetPathname changes the path.
func (u *URL) SetPathname(s string) {
	if !u.isOpaque {
		u.path = u.path[:0:0]
		u.set(s, statePathStart)
	}
}

// SetSearch changes the query; an empty one removes it.
func (u *URL) SetSearch(s string) {
	u.query, u.hasQuery = "", s != ""
	if s != "" {
		u.set(strings.TrimPrefix(s, "?"), stateQuery)
	}
}

// SetQuery puts a query that is encoded already.
func (u *URL) SetQuery(s string) { u.query, u.hasQuery = s, s != "" }

// SetHash changes the fragment; an empty one removes it.
func (u *URL) SetHash(s string) {
	u.fragment, u.hasFragment = "", s != ""
	if s != "" {
		u.set(strings.TrimPrefix(s, "#"), stateFragment)
	}
}
