package source

import (
	"archive/tar"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Names within an archive, which is a tar file.
const (
	metadataName = "metadata.json"
	mainName     = "data" // the script once more
)

// maxArchiveSize bounds what is read from an archive, in bytes unpacked.
const maxArchiveSize = 1 << 30

// ErrNoArchive means that what was read is no archive of a test.
var ErrNoArchive = errors.New("not an archive of a test")

// Archive is a test with every file it depends on. Its form is that of the
// reference tool, whose archives can be read too; what only jsload knows stands
// in members of its own.
type Archive struct {
	Metadata Metadata
	// Main is the script; its address is Metadata.Filename.
	Main Module
	// Files are all files, the script included.
	Files []Module
}

// Metadata is the archive's description of itself.
type Metadata struct {
	Type string `json:"type"` // "js"
	// Options are the options of the test when it was archived. On a run they
	// take the place of those that the script exports.
	Options json.RawMessage `json:"options"`
	// Filename and Pwd are the addresses of the script and of the working folder.
	Filename          string            `json:"filename"`
	Pwd               string            `json:"pwd"`
	Env               map[string]string `json:"env"`
	CompatibilityMode string            `json:"compatibilityMode"`
	Version           string            `json:"k6version"`
	GOOS              string            `json:"goos"`
	Dependencies      map[string]string `json:"dependencies"`
	// Resolutions are what specifiers meant that are no addresses, by importer:
	// packages and names without an ending. Other tools ignore them.
	Resolutions map[string]map[string]string `json:"jsloadResolutions,omitempty"`
}

// IsArchive tells whether data looks like a tar file.
func IsArchive(data []byte) bool {
	const at, magic = 257, "ustar"
	return len(data) >= at+len(magic) && string(data[at:at+len(magic)]) == magic
}

// Write writes the archive. Folders of users are given the name nobody, so that
// an archive does not tell who made it. Equal archives give equal bytes.
func (a *Archive) Write(w io.Writer) error {
	meta := a.Metadata
	meta.Filename, meta.Pwd = anonymous(meta.Filename), anonymous(meta.Pwd)
	meta.Resolutions = map[string]map[string]string{}
	for importer, specs := range a.Metadata.Resolutions {
		out := map[string]string{}
		for spec, target := range specs {
			out[spec] = anonymous(target)
		}
		meta.Resolutions[anonymous(importer)] = out
	}
	head, err := json.MarshalIndent(meta, "", "  ")
	if err != nil {
		return fmt.Errorf("write the archive's metadata: %w", err)
	}
	t := &packer{w: tar.NewWriter(w), folders: map[string]bool{}}
	t.file(metadataName, head)
	t.file(mainName, a.Main.Data)
	files := slices.Clone(a.Files)
	slices.SortFunc(files, func(x, y Module) int { return strings.Compare(x.URL, y.URL) })
	for _, f := range files {
		t.file(nameOf(anonymous(f.URL)), f.Data)
	}
	if t.err == nil {
		t.err = t.w.Close()
	}
	if t.err != nil {
		return fmt.Errorf("write the archive: %w", t.err)
	}
	return nil
}

// packer writes entries and the folders they lie in. The first error stays.
type packer struct {
	w       *tar.Writer
	folders map[string]bool
	err     error
}

func (p *packer) file(name string, data []byte) {
	p.folder(path.Dir(name))
	p.entry(&tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o644, Size: int64(len(data))}, data)
}

func (p *packer) folder(name string) {
	if name == "." || name == "/" || p.folders[name] {
		return
	}
	p.folder(path.Dir(name))
	p.folders[name] = true
	p.entry(&tar.Header{Typeflag: tar.TypeDir, Name: name + "/", Mode: 0o755}, nil)
}

func (p *packer) entry(h *tar.Header, data []byte) {
	if p.err != nil {
		return
	}
	h.Format = tar.FormatPAX
	h.ModTime = time.Unix(0, 0)
	if p.err = p.w.WriteHeader(h); p.err == nil {
		_, p.err = p.w.Write(data)
	}
}

// home is the folder of a user at the start of a path.
var home = regexp.MustCompile(`^(/(?:home|Users|[A-Za-z]:/Users|[A-Za-z]:/Documents and Settings)/)[^/]+`)

// anonymous gives an address in which the name of a user's folder is nobody.
func anonymous(u string) string {
	if !IsLocal(u) {
		return u
	}
	return FileURL(home.ReplaceAllString(parseURL(u).Path, "${1}nobody"))
}

// nameOf gives the name that a file has within an archive.
func nameOf(u string) string {
	p := parseURL(u)
	name := p.Scheme + "/" + path.Join(p.Host, p.Path)
	if IsLocal(u) {
		name = "file" + p.Path
	}
	if p.RawQuery != "" {
		name += "?" + p.RawQuery
	}
	return name
}

// urlOf gives the address of a file by its name within an archive; false for
// entries of other kinds.
func urlOf(name string) (string, bool) {
	name = path.Clean(strings.TrimPrefix(name, "./"))
	kind, rest, ok := strings.Cut(name, "/")
	switch {
	case !ok:
		return "", false
	case kind == "file", kind == "files", kind == "scripts": // the latter two are of old archives
		return FileURL("/" + rest), true
	case kind == "https":
		host, p, _ := strings.Cut(rest, "/")
		p, query, _ := strings.Cut(p, "?")
		return (&url.URL{Scheme: "https", Host: host, Path: "/" + p, RawQuery: query}).String(), true
	}
	return "", false
}

// ReadArchive reads an archive. What is no tar file, or has no metadata, is
// ErrNoArchive.
func ReadArchive(r io.Reader) (*Archive, error) {
	a := &Archive{}
	files := map[string][]byte{}
	meta, main := []byte(nil), []byte(nil)
	left := int64(maxArchiveSize)
	for t := tar.NewReader(r); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrNoArchive, err)
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		if left -= h.Size; left < 0 {
			return nil, fmt.Errorf("the archive holds more than %d MiB", maxArchiveSize>>20)
		}
		data, err := io.ReadAll(t)
		if err != nil {
			return nil, fmt.Errorf("read %s of the archive: %w", h.Name, err)
		}
		switch name := strings.TrimPrefix(h.Name, "./"); name {
		case metadataName:
			meta = data
		case mainName:
			main = data
		default:
			if u, ok := urlOf(name); ok {
				files[u] = data
			}
		}
	}
	if meta == nil {
		return nil, fmt.Errorf("%w: there is no %s in it", ErrNoArchive, metadataName)
	}
	if err := json.Unmarshal(meta, &a.Metadata); err != nil {
		return nil, fmt.Errorf("read %s of the archive: %w", metadataName, err)
	}
	return a, a.fill(files, main)
}

// fill completes an archive that was read.
func (a *Archive) fill(files map[string][]byte, main []byte) error {
	if a.Metadata.Type != "js" {
		return fmt.Errorf("the archive is of type %q; only \"js\" can be run", a.Metadata.Type)
	}
	u, err := archivedURL(a.Metadata.Filename)
	if err != nil {
		return err
	}
	if main == nil {
		main = files[u]
	}
	if main == nil {
		return errors.New("the archive does not hold its script")
	}
	files[u] = main
	a.Metadata.Filename = u
	a.Main = Module{URL: u, Data: main}
	for _, u := range slices.Sorted(maps.Keys(files)) {
		a.Files = append(a.Files, Module{URL: u, Data: files[u]})
	}
	return nil
}

// archivedURL takes the address of a script as archives have it: in old ones it
// is a path.
func archivedURL(name string) (string, error) {
	switch Scheme(name) {
	case "file":
		return resolveFile("file:///", name)
	case "https":
		return resolveRemote(name)
	}
	if name == "" {
		return "", errors.New("the archive does not name its script")
	}
	return FileURL(path.Clean("/" + strings.ReplaceAll(name, `\`, "/"))), nil
}

// FromArchive makes a source that reads from an archive alone.
func FromArchive(cfg Config, a *Archive) (*Source, error) {
	s, err := New(cfg)
	if err != nil {
		return nil, err
	}
	if IsLocal(a.Metadata.Pwd) {
		s.cfg.Dir = Path(a.Metadata.Pwd)
	}
	s.local = make(map[string][]byte, len(a.Files))
	for _, f := range a.Files {
		s.local[f.URL] = f.Data
	}
	s.resolutions = a.Metadata.Resolutions
	return s, nil
}

// archived looks up a file of the archive. A script may name a path that held
// the name of a user when it was archived.
func (s *Source) archived(u string) ([]byte, bool) {
	p := parseURL(u)
	p.RawPath = "" // addresses are compared by what they mean, not how they are escaped
	for _, key := range []string{u, p.String(), anonymous(u)} {
		if data, ok := s.local[key]; ok {
			return data, true
		}
	}
	return nil, false
}
