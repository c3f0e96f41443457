// Package source is where scripts come from: the files of a local folder,
// standard input, modules fetched over https, and archives of an earlier run.
//
// js/internal/bundle reads modules through it and the runtime serves open()
// from it, so that one place knows every file a test depends on. It reads no
// environment variables, and it knows nothing of JavaScript.
package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// StdinName is the argument that names standard input, and the file name that
// a script read from there goes by.
const StdinName = "-"

// Config says where a Source may look. The zero value reads local files,
// relative to the folder of the process, and fetches with the certificates of
// the system.
type Config struct {
	// Dir is the folder that relative paths of the command line start from, an
	// absolute path. Empty means the working folder of the process.
	Dir string
	// Stdin is what "-" reads; nil is an empty input.
	Stdin io.Reader
	// Client fetches https modules. Nil means NewClient(nil, nil).
	Client *http.Client
	// UserAgent is sent with each fetch, unless it is empty.
	UserAgent string
	// CacheDir keeps fetched modules between runs, with the hash of what was
	// fetched. Empty means that nothing is kept.
	CacheDir string
	// Offline takes remote modules from CacheDir alone.
	Offline bool
}

// Module is one file that a test depends on.
type Module struct {
	// URL names the file: file:///absolute/path or https://host/path, with
	// percent signs where the syntax of addresses wants them.
	URL string
	// Data are the bytes of the file. They are shared: nobody may change them.
	Data []byte
}

// Source reads and remembers. It is safe for concurrent use.
type Source struct {
	cfg    Config
	client *http.Client
	// local, if not nil, stands in for the file system: the files of an archive.
	local map[string][]byte
	// resolutions are what specifiers meant, by importer, as an archive records.
	resolutions map[string]map[string]string

	mu     sync.Mutex
	files  map[string]*entry
	sealed bool
	// notices are what a user should know of remote modules.
	notices []string
}

// entry is one file, read at most once.
type entry struct {
	once sync.Once
	done atomic.Bool // data and err are set
	data []byte
	err  error
}

// read fills the entry on the first call; later calls wait for it.
func (e *entry) read(from func() ([]byte, error)) ([]byte, error) {
	e.once.Do(func() {
		e.data, e.err = from()
		e.done.Store(true)
	})
	return e.data, e.err
}

// New makes a source that reads from the file system and the network.
func New(cfg Config) (*Source, error) {
	if cfg.Dir == "" {
		dir, err := os.Getwd()
		if err != nil {
			return nil, fmt.Errorf("find the working folder: %w", err)
		}
		cfg.Dir = dir
	}
	if cfg.Client == nil {
		cfg.Client = NewClient(nil, nil)
	}
	return &Source{cfg: cfg, client: cfg.Client, files: map[string]*entry{}}, nil
}

// Dir is the folder that relative paths of the command line start from.
func (s *Source) Dir() string { return s.cfg.Dir }

// Virtual tells whether local files come from an archive, so that looking at
// the file system would be wrong.
func (s *Source) Virtual() bool { return s.local != nil }

// Main reads the script that the command line names: a path, a file:// or
// https:// address, or "-" for standard input. Its error needs no further
// words.
func (s *Source) Main(ctx context.Context, arg string) (Module, error) {
	if arg == StdinName {
		return s.readStdin()
	}
	u, err := s.mainURL(arg)
	if err != nil {
		return Module{}, err
	}
	data, err := s.Read(ctx, u)
	switch {
	case errors.Is(err, fs.ErrNotExist) && IsLocal(u):
		return Module{}, fmt.Errorf("the script %q does not exist (looked for %s): %w", arg, Path(u), fs.ErrNotExist)
	case err != nil:
		return Module{}, fmt.Errorf("read the script %q: %w", arg, err)
	}
	return Module{URL: u, Data: data}, nil
}

func (s *Source) mainURL(arg string) (string, error) {
	if Scheme(arg) != "" {
		return Resolve(FileURL(filepath.Join(s.cfg.Dir, "_")), arg)
	}
	if arg == "" {
		return "", errors.New("no script is named")
	}
	if !filepath.IsAbs(arg) {
		arg = filepath.Join(s.cfg.Dir, arg)
	}
	return FileURL(filepath.Clean(arg)), nil
}

// readStdin makes standard input a file named "-" of the working folder.
func (s *Source) readStdin() (Module, error) {
	u := FileURL(filepath.Join(s.cfg.Dir, StdinName))
	data, err := s.entry(u).read(func() ([]byte, error) {
		if s.cfg.Stdin == nil {
			return nil, nil
		}
		return io.ReadAll(s.cfg.Stdin)
	})
	if err != nil {
		return Module{}, fmt.Errorf("read the script from standard input: %w", err)
	}
	return Module{URL: u, Data: data}, nil
}

// Read returns the file at an absolute address. A file is read once however
// often it is asked for; later calls get the same bytes. A file that does not
// exist gives an error that is fs.ErrNotExist.
func (s *Source) Read(ctx context.Context, u string) ([]byte, error) {
	s.mu.Lock()
	e, known := s.files[u]
	if !known && s.sealed {
		s.mu.Unlock()
		return nil, &UnseenError{URL: u}
	}
	s.mu.Unlock()
	if !known {
		e = s.entry(u)
	}
	return e.read(func() ([]byte, error) { return s.fetch(ctx, u) })
}

func (s *Source) entry(u string) *entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.files[u]
	if e == nil {
		e = &entry{}
		s.files[u] = e
	}
	return e
}

// fetch reads a file where it lies.
func (s *Source) fetch(ctx context.Context, u string) ([]byte, error) {
	switch {
	case s.Virtual():
		if data, ok := s.archived(u); ok {
			return data, nil
		}
		return nil, fmt.Errorf("%s is not in the archive: %w", Path(u), fs.ErrNotExist)
	case IsLocal(u):
		return readFile(Path(u))
	}
	return s.fetchRemote(ctx, u)
}

// readFile reads a file and gives errors that say what is wrong in few words.
func readFile(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err == nil {
		return data, nil
	}
	if st, statErr := os.Stat(path); statErr == nil && st.IsDir() {
		return nil, fmt.Errorf("%s is a folder, not a file", path)
	}
	return nil, err
}

// Exists tells whether there is a local file (not a folder) at an address.
func (s *Source) Exists(u string) bool {
	if s.Virtual() {
		_, ok := s.archived(u)
		return ok
	}
	st, err := os.Stat(Path(u))
	return err == nil && !st.IsDir()
}

// Seal ends the time in which new files may be read: from now on only files
// already read are served, and all else is an UnseenError. The first run of the
// init code decides what a test depends on; a virtual user that asks for more
// would work here and fail from an archive.
func (s *Source) Seal() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sealed = true
}

// UnseenError is what a sealed source answers for a file it has not read.
type UnseenError struct{ URL string }

// Error names the file.
func (e *UnseenError) Error() string {
	return fmt.Sprintf("%s was not read when the init code first ran: open and import the same files in every virtual user", e.URL)
}

// Files lists every file read with success so far, sorted by address.
func (s *Source) Files() []Module {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []Module
	for u, e := range s.files {
		if e.done.Load() && e.err == nil {
			list = append(list, Module{URL: u, Data: e.data})
		}
	}
	slices.SortFunc(list, func(a, b Module) int { return strings.Compare(a.URL, b.URL) })
	return list
}

// Notices are what happened to remote modules that the user should know of: they
// changed since the last run, or their server could not be reached. Each is
// given once.
func (s *Source) Notices() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.notices
	s.notices = nil
	slices.Sort(list)
	return list
}

func (s *Source) notice(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notices = append(s.notices, text)
}

// Open serves the script function open(): name is resolved against base, the
// address of the module the call belongs to. Only local files can be opened.
func (s *Source) Open(ctx context.Context, base, name string) (Module, error) {
	if name == "" {
		return Module{}, errors.New("open() needs the path of a file, not an empty text")
	}
	u, err := resolveOpen(base, name)
	if err != nil {
		return Module{}, err
	}
	data, err := s.Read(ctx, u)
	var unseen *UnseenError
	switch {
	case errors.As(err, &unseen):
		return Module{}, err
	case errors.Is(err, fs.ErrNotExist):
		return Module{}, fmt.Errorf("open(%q): %s does not exist: %w", name, Path(u), fs.ErrNotExist)
	case err != nil:
		return Module{}, fmt.Errorf("open(%q): %w", name, err)
	}
	return Module{URL: u, Data: data}, nil
}

func resolveOpen(base, name string) (string, error) {
	switch scheme := Scheme(name); {
	case scheme == "file":
		return Resolve(FileURL("/"), name)
	case scheme != "":
		return "", fmt.Errorf("open(%q): only local files can be opened, not %s:// addresses", name, scheme)
	case filepath.IsAbs(name):
		return FileURL(filepath.Clean(name)), nil
	case !IsLocal(base):
		return "", fmt.Errorf("open(%q): the module %s is remote, so it has no files beside it", name, base)
	}
	return FileURL(filepath.Join(filepath.Dir(Path(base)), filepath.FromSlash(name))), nil
}

// parseURL parses an address that this package made itself.
func parseURL(u string) *url.URL {
	parsed, err := url.Parse(u)
	if err != nil {
		return &url.URL{Path: u}
	}
	return parsed
}

// Recorded gives what a specifier in a module resolved to when the archive was
// made. It is false for a source that is no archive.
func (s *Source) Recorded(importer, spec string) (string, bool) {
	u, ok := s.resolutions[importer][spec]
	return u, ok
}
