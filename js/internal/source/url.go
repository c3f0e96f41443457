package source

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"strings"
)

// Errors of Resolve that a caller may want to explain further.
var (
	// ErrBare means a name such as "lodash" that is neither a path nor an address.
	ErrBare = errors.New("neither a path nor an address")
	// ErrScheme means an address of a kind that modules cannot come from.
	ErrScheme = errors.New("modules come from files and https:// only")
)

// FileURL gives the address of an absolute path.
func FileURL(p string) string {
	p = filepath.ToSlash(p)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p
	}
	return (&url.URL{Scheme: "file", Path: p}).String()
}

// Path gives the path of a file:// address, and the address itself for others.
func Path(u string) string {
	if !IsLocal(u) {
		return u
	}
	p := parseURL(u).Path
	if len(p) > 2 && p[0] == '/' && p[2] == ':' { // /C:/folder
		p = p[1:]
	}
	return filepath.FromSlash(p)
}

// IsLocal tells whether an address is that of a file.
func IsLocal(u string) bool { return strings.HasPrefix(u, "file://") }

// Scheme gives the scheme of a specifier such as https://host/x, in lower case,
// or "" if it has none. A single letter is a drive, not a scheme.
func Scheme(spec string) string {
	name, _, ok := strings.Cut(spec, ":")
	if !ok || len(name) < 2 {
		return ""
	}
	for i := range len(name) {
		c := name[i] | 0x20
		letter := c >= 'a' && c <= 'z'
		if !letter && (i == 0 || !strings.ContainsRune("0123456789+-.", rune(name[i]))) {
			return ""
		}
	}
	return strings.ToLower(name)
}

// IsRelative tells whether a specifier starts at the module that uses it.
func IsRelative(spec string) bool {
	return spec == "." || spec == ".." || strings.HasPrefix(spec, "./") || strings.HasPrefix(spec, "../")
}

// Resolve gives the address that spec means in the module at base: relative and
// absolute paths, file:// and https:// addresses. Names without a path are
// ErrBare, other kinds of address ErrScheme.
func Resolve(base, spec string) (string, error) {
	switch scheme := Scheme(spec); scheme {
	case "":
	case "file":
		return resolveFile(base, spec)
	case "https":
		return resolveRemote(spec)
	default:
		return "", fmt.Errorf("%w, not %s", ErrScheme, scheme)
	}
	switch {
	case strings.HasPrefix(spec, "//"):
		return "", fmt.Errorf("%w: write https: in front of %s", ErrScheme, spec)
	case !IsLocal(base) && (IsRelative(spec) || strings.HasPrefix(spec, "/")):
		return resolveInRemote(base, spec)
	case filepath.IsAbs(spec):
		return FileURL(filepath.Clean(spec)), nil
	case IsRelative(spec):
		return FileURL(filepath.Join(filepath.Dir(Path(base)), filepath.FromSlash(spec))), nil
	}
	return "", ErrBare
}

func resolveFile(base, spec string) (string, error) {
	if !IsLocal(base) {
		return "", fmt.Errorf("%w: a remote module may not reach local files", ErrScheme)
	}
	u, err := url.Parse(spec)
	if err != nil || u.Path == "" {
		// A path may hold what an address must escape; take it as it stands.
		u = &url.URL{Path: strings.TrimPrefix(spec, "file://")}
	}
	if u.Host != "" && u.Host != "localhost" {
		return "", fmt.Errorf("file addresses have three slashes: file:///%s%s", u.Host, u.Path)
	}
	return FileURL(path.Clean(u.Path)), nil
}

func resolveRemote(spec string) (string, error) {
	u, err := url.Parse(spec)
	if err != nil {
		return "", fmt.Errorf("bad address: %w", err)
	}
	if u.Host == "" {
		return "", fmt.Errorf("the address %s names no host", spec)
	}
	u.Fragment = ""
	return u.String(), nil
}

func resolveInRemote(base, spec string) (string, error) {
	ref, err := url.Parse(spec)
	if err != nil {
		return "", fmt.Errorf("bad address: %w", err)
	}
	u := parseURL(base).ResolveReference(ref)
	u.Fragment = ""
	return u.String(), nil
}
