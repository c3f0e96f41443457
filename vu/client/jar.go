package client

import (
	"cmp"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/publicsuffix"

	"github.com/jsload/jsload/vu/client/proto"
)

// Jar keeps cookies as RFC 6265 says. The zero Jar is empty and ready. It is
// safe for concurrent use.
type Jar struct {
	mu      sync.Mutex
	entries []jarEntry
}

// jarEntry is one stored cookie; domain, path and name identify it. Entries stay
// in the order of their creation.
type jarEntry struct {
	name, value  string
	quoted       bool
	domain, path string
	hostOnly     bool
	secure       bool
	expires      time.Time // zero: with the session
}

// Cookies returns the cookies that a request to u would carry, longest path
// first. Only Name, Value and Quoted are set.
func (j *Jar) Cookies(u *url.URL) []*http.Cookie {
	host, path, ok := cookieScope(u)
	if !ok {
		return nil
	}
	var cookies []*http.Cookie
	for _, e := range j.match(nil, host, path, u.Scheme == "https", time.Now()) {
		cookies = append(cookies, &http.Cookie{Name: e.name, Value: e.value, Quoted: e.quoted})
	}
	return cookies
}

// Set stores cookies as an answer from u would. Those that u may not set are
// ignored, those that are over are removed.
func (j *Jar) Set(u *url.URL, cookies ...*http.Cookie) {
	host, path, ok := cookieScope(u)
	if !ok {
		return
	}
	j.store(host, path, cookies, time.Now())
}

// Clear removes the cookies that a request to u would carry.
func (j *Jar) Clear(u *url.URL) { j.remove(u, func(*jarEntry) bool { return true }) }

// Delete removes those of them with the given name.
func (j *Jar) Delete(u *url.URL, name string) {
	j.remove(u, func(e *jarEntry) bool { return e.name == name })
}

// Reset removes all cookies.
func (j *Jar) Reset() {
	j.mu.Lock()
	clear(j.entries)
	j.entries = j.entries[:0]
	j.mu.Unlock()
}

func (j *Jar) remove(u *url.URL, which func(*jarEntry) bool) {
	host, path, ok := cookieScope(u)
	if !ok {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.entries = slices.DeleteFunc(j.entries, func(e jarEntry) bool {
		return e.sentTo(host, path, u.Scheme == "https") && which(&e)
	})
}

// cookieScope returns the host and the path that cookies of u are matched with.
func cookieScope(u *url.URL) (host, path string, ok bool) {
	if u.Scheme != "http" && u.Scheme != "https" {
		return "", "", false
	}
	host, err := asciiHost(u.Hostname())
	if err != nil {
		return "", "", false
	}
	if path = u.Path; path == "" {
		path = "/"
	}
	return strings.TrimSuffix(strings.ToLower(host), "."), path, true
}

// match appends the entries to be sent to dst.
func (j *Jar) match(dst []jarEntry, host, path string, secure bool, now time.Time) []jarEntry {
	j.mu.Lock()
	defer j.mu.Unlock()
	for i := range j.entries {
		e := &j.entries[i]
		if e.sentTo(host, path, secure) && (e.expires.IsZero() || e.expires.After(now)) {
			dst = append(dst, *e)
		}
	}
	slices.SortStableFunc(dst, func(a, b jarEntry) int { return cmp.Compare(len(b.path), len(a.path)) })
	return dst
}

// empty saves the request path the clock when there is nothing to send.
func (j *Jar) empty() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.entries) == 0
}

func (e *jarEntry) sentTo(host, path string, secure bool) bool {
	if e.domain != host && (e.hostOnly || !underDomain(host, e.domain)) {
		return false
	}
	return underPath(path, e.path) && (!e.secure || secure || isLoopback(e.domain))
}

func underDomain(host, domain string) bool {
	return len(host) > len(domain) && strings.HasSuffix(host, domain) && host[len(host)-len(domain)-1] == '.'
}

func underPath(path, prefix string) bool {
	rest, ok := strings.CutPrefix(path, prefix)
	return ok && (rest == "" || rest[0] == '/' || prefix[len(prefix)-1] == '/')
}

// isLoopback reports whether a host counts as secure without TLS, as in browsers.
func isLoopback(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

func (j *Jar) store(host, path string, cookies []*http.Cookie, now time.Time) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, c := range cookies {
		domain, hostOnly, ok := cookieDomain(host, c.Domain)
		if !ok {
			continue
		}
		e := jarEntry{name: c.Name, value: c.Value, quoted: c.Quoted, domain: domain, hostOnly: hostOnly, path: c.Path, secure: c.Secure}
		if e.path == "" || e.path[0] != '/' {
			e.path = defaultPath(path)
		}
		over := c.MaxAge < 0
		switch {
		case c.MaxAge > 0:
			e.expires = now.Add(time.Duration(c.MaxAge) * time.Second)
		case c.MaxAge == 0 && !c.Expires.IsZero():
			e.expires = c.Expires
			over = !c.Expires.After(now)
		}
		j.put(e, over)
	}
}

// put replaces, adds or, if it is over, removes one entry.
func (j *Jar) put(e jarEntry, over bool) {
	i := slices.IndexFunc(j.entries, func(o jarEntry) bool {
		return o.name == e.name && o.domain == e.domain && o.path == e.path
	})
	switch {
	case i < 0 && !over:
		j.entries = append(j.entries, e)
	case i >= 0 && over:
		j.entries = slices.Delete(j.entries, i, i+1)
	case i >= 0:
		j.entries[i] = e
	}
}

// cookieDomain returns the domain a cookie from host is stored under and whether
// it is for that host alone; ok is false if host may not set it.
func cookieDomain(host, domain string) (_ string, hostOnly, ok bool) {
	if domain == "" {
		return host, true, true
	}
	if _, err := netip.ParseAddr(host); err == nil {
		return host, true, domain == host
	}
	domain = strings.ToLower(strings.TrimPrefix(domain, "."))
	if domain == "" || domain[0] == '.' || domain[len(domain)-1] == '.' || !isASCII(domain) {
		return "", false, false
	}
	if suffix, _ := publicsuffix.PublicSuffix(domain); suffix == domain {
		return host, true, host == domain
	}
	return domain, false, host == domain || underDomain(host, domain)
}

func defaultPath(path string) string {
	if i := strings.LastIndexByte(path, '/'); i > 0 && path[0] == '/' {
		return path[:i]
	}
	return "/"
}

// setCookies parses the Set-Cookie fields of a response.
func setCookies(h proto.Header) []*http.Cookie {
	var cookies []*http.Cookie
	for _, line := range h.Values("Set-Cookie") {
		if c, err := http.ParseSetCookie(line); err == nil {
			cookies = append(cookies, c)
		}
	}
	return cookies
}

// appendCookie appends "name=value" to a Cookie header under construction. Bytes
// that may not be in a value are left out; values with spaces or commas are quoted.
func appendCookie(dst []byte, name, value string, quoted bool) []byte {
	if len(dst) > 0 {
		dst = append(dst, "; "...)
	}
	for i := range len(name) {
		if c := name[i]; c == '\n' || c == '\r' {
			dst = append(dst, '-')
		} else {
			dst = append(dst, c)
		}
	}
	dst = append(dst, '=')
	quoted = quoted || strings.ContainsAny(value, " ,")
	if quoted {
		dst = append(dst, '"')
	}
	for i := range len(value) {
		if c := value[i]; 0x20 <= c && c < 0x7f && c != '"' && c != ';' && c != '\\' {
			dst = append(dst, c)
		}
	}
	if quoted {
		dst = append(dst, '"')
	}
	return dst
}
