package source

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

func newSource(t *testing.T, cfg Config) *Source {
	t.Helper()
	if cfg.Dir == "" {
		cfg.Dir = t.TempDir()
	}
	s, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestResolve(t *testing.T) {
	t.Parallel()
	const local, remote = "file:///home/me/tests/script.js", "https://host.test/r/a.js?x=1"
	tests := []struct{ base, spec, want, fails string }{
		{local, "./a.js", "file:///home/me/tests/a.js", ""},
		{local, "../a b/ä.js", "file:///home/me/a%20b/%C3%A4.js", ""},
		{local, "/abs/x.js", "file:///abs/x.js", ""},
		{local, "file:///abs/../x.js", "file:///x.js", ""},
		{local, "file:///a%20b.js", "file:///a%20b.js", ""},
		{local, "file:///a b.js", "file:///a%20b.js", ""},
		{local, "file://abs/x.js", "", "three slashes"},
		{local, "https://host.test/x.js#frag", "https://host.test/x.js", ""},
		{local, "https:///x.js", "", "names no host"},
		{local, "http://host.test/x.js", "", "not http"},
		{local, "127.0.0.1:8080/x.js", "", "neither"},
		{local, "//host.test/x.js", "", "https: in front"},
		{local, "lodash", "", "neither"},
		{remote, "./b.js", "https://host.test/r/b.js", ""},
		{remote, "../c.js", "https://host.test/c.js", ""},
		{remote, "/d.js?y=2", "https://host.test/d.js?y=2", ""},
		{remote, "file:///etc/passwd", "", "may not reach"},
		{remote, "https://other.test/x.js", "https://other.test/x.js", ""},
		{remote, "lodash", "", "neither"},
	}
	for _, tt := range tests {
		got, err := Resolve(tt.base, tt.spec)
		if got != tt.want || (err != nil) != (tt.fails != "") || err != nil && !strings.Contains(err.Error(), tt.fails) {
			t.Errorf("Resolve(%q, %q) = %q, %v; want %q, %q", tt.base, tt.spec, got, err, tt.want, tt.fails)
		}
	}
}

func FuzzResolve(f *testing.F) {
	f.Add("file:///a/b.js", "../c.js")
	f.Add("https://h/a", "//x")
	f.Fuzz(func(t *testing.T, base, spec string) {
		u, err := Resolve(base, spec)
		if err != nil {
			return
		}
		if !IsLocal(u) && !strings.HasPrefix(u, "https://") {
			t.Fatalf("%q in %q became %q", spec, base, u)
		}
		if IsLocal(u) && FileURL(Path(u)) != u {
			t.Fatalf("path of %q is %q, whose address is %q", u, Path(u), FileURL(Path(u)))
		}
	})
}

func TestMain_kinds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a b.js"), "local")
	s := newSource(t, Config{Dir: dir, Stdin: strings.NewReader("piped")})
	for arg, want := range map[string]string{
		"a b.js": "local", "./a b.js": "local", filepath.Join(dir, "a b.js"): "local",
		FileURL(filepath.Join(dir, "a b.js")): "local", "-": "piped",
	} {
		m, err := s.Main(t.Context(), arg)
		if err != nil || string(m.Data) != want {
			t.Errorf("%q: %q, %v", arg, m.Data, err)
		}
	}
	if m, _ := s.Main(t.Context(), "-"); m.URL != FileURL(filepath.Join(dir, "-")) {
		t.Errorf("standard input is %s", m.URL)
	}
	_, err := s.Main(t.Context(), "none.js")
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), `"none.js" does not exist`) {
		t.Errorf("missing script: %v", err)
	}
	if _, err := s.Main(t.Context(), "."); err == nil || !strings.Contains(err.Error(), "is a folder") {
		t.Errorf("folder: %v", err)
	}
}

func TestOpen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "lib", "x.txt"), "x")
	write(t, filepath.Join(dir, "y.txt"), "y")
	base := FileURL(filepath.Join(dir, "lib", "m.js"))
	s := newSource(t, Config{Dir: dir})
	tests := []struct{ base, name, want, fails string }{
		{base, "x.txt", "x", ""},
		{base, "./x.txt", "x", ""},
		{base, "../y.txt", "y", ""},
		{base, filepath.Join(dir, "y.txt"), "y", ""},
		{base, FileURL(filepath.Join(dir, "y.txt")), "y", ""},
		{base, "", "", "not an empty text"},
		{base, ".", "", "is a folder"},
		{base, "gone.txt", "", "gone.txt does not exist"},
		{base, "https://host.test/x", "", "only local files"},
		{"https://host.test/m.js", "x.txt", "", "is remote"},
	}
	for _, tt := range tests {
		m, err := s.Open(t.Context(), tt.base, tt.name)
		if string(m.Data) != tt.want || (err != nil) != (tt.fails != "") || err != nil && !strings.Contains(err.Error(), tt.fails) {
			t.Errorf("Open(%q, %q) = %q, %v", tt.base, tt.name, m.Data, err)
		}
	}
	var urls []string
	for _, f := range s.Files() {
		urls = append(urls, filepath.Base(Path(f.URL)))
	}
	if !slices.Equal(urls, []string{"x.txt", "y.txt"}) {
		t.Errorf("files read: %v", urls)
	}
}

func TestSeal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a"), "a")
	write(t, filepath.Join(dir, "b"), "b")
	s := newSource(t, Config{Dir: dir})
	base := FileURL(filepath.Join(dir, "m.js"))
	if _, err := s.Open(t.Context(), base, "a"); err != nil {
		t.Fatal(err)
	}
	s.Seal()
	write(t, filepath.Join(dir, "a"), "changed")
	if m, err := s.Open(t.Context(), base, "a"); err != nil || string(m.Data) != "a" {
		t.Errorf("a file read before: %q, %v", m.Data, err)
	}
	var unseen *UnseenError
	if _, err := s.Open(t.Context(), base, "b"); !errors.As(err, &unseen) {
		t.Errorf("a new file: %v", err)
	}
}

// origin is a server of modules that writes down what it is asked.
type origin struct {
	*httptest.Server
	mu   sync.Mutex
	seen []string
}

func newOrigin(t *testing.T, handler http.HandlerFunc) *origin {
	o := &origin{}
	o.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		o.mu.Lock()
		o.seen = append(o.seen, r.RequestURI+" "+r.Proto)
		o.mu.Unlock()
		handler(w, r)
	}))
	o.EnableHTTP2 = true
	o.StartTLS()
	t.Cleanup(o.Close)
	return o
}

// source makes a source that trusts the server.
func (o *origin) source(t *testing.T, cfg Config) *Source {
	t.Helper()
	roots := o.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	cfg.Client = NewClient(roots, nil)
	return newSource(t, cfg)
}

func (o *origin) requests() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.seen)
}

func modules(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/mod.js":
		_, _ = w.Write([]byte("export default 1"))
	case "/only-plain.js":
		if r.URL.Query().Has("_k6") {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write([]byte("plain"))
	case "/moved.js":
		http.Redirect(w, r, "/mod.js", http.StatusFound)
	case "/insecure.js":
		http.Redirect(w, r, "http://host.test/x.js", http.StatusFound)
	case "/broken.js":
		w.WriteHeader(http.StatusInternalServerError)
	default:
		http.NotFound(w, r)
	}
}

func TestRemote(t *testing.T) {
	t.Parallel()
	tests := []struct {
		path, want, fails string
		asks              []string
	}{
		{"/mod.js", "export default 1", "", []string{"/mod.js?_k6=1 HTTP/2.0"}},
		{"/mod.js?a=%20b", "export default 1", "", []string{"/mod.js?a=%20b&_k6=1 HTTP/2.0"}},
		{"/only-plain.js", "plain", "", []string{"/only-plain.js?_k6=1 HTTP/2.0", "/only-plain.js HTTP/2.0"}},
		{"/moved.js", "export default 1", "", []string{"/moved.js?_k6=1 HTTP/2.0", "/mod.js HTTP/2.0"}},
		{"/insecure.js", "", "not https", []string{"/insecure.js?_k6=1 HTTP/2.0"}},
		{"/broken.js", "", "status 500", []string{"/broken.js?_k6=1 HTTP/2.0"}},
		{"/none.js", "", "not found (status 404)", []string{"/none.js?_k6=1 HTTP/2.0", "/none.js HTTP/2.0"}},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			t.Parallel()
			o := newOrigin(t, modules)
			s := o.source(t, Config{})
			for range 2 { // the second is answered from memory
				data, err := s.Read(t.Context(), o.URL+tt.path)
				if string(data) != tt.want || (err != nil) != (tt.fails != "") || err != nil && !strings.Contains(err.Error(), tt.fails) {
					t.Errorf("got %q, %v", data, err)
				}
			}
			if got := o.requests(); !slices.Equal(got, tt.asks) {
				t.Errorf("requests %q, want %q", got, tt.asks)
			}
		})
	}
}

func TestRemote_untrusted(t *testing.T) {
	t.Parallel()
	o := newOrigin(t, modules)
	o.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	s := newSource(t, Config{})
	if _, err := s.Read(t.Context(), o.URL+"/mod.js"); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("got %v", err)
	}
}

func TestCache(t *testing.T) {
	t.Parallel()
	o := newOrigin(t, modules)
	cache := t.TempDir()
	u := o.URL + "/mod.js"
	if _, err := o.source(t, Config{CacheDir: cache}).Read(t.Context(), u); err != nil {
		t.Fatal(err)
	}
	asked := len(o.requests())
	data, err := o.source(t, Config{CacheDir: cache, Offline: true}).Read(t.Context(), u)
	if err != nil || string(data) != "export default 1" || len(o.requests()) != asked {
		t.Errorf("offline: %q, %v, %d requests", data, err, len(o.requests())-asked)
	}
	if _, err := o.source(t, Config{CacheDir: cache, Offline: true}).Read(t.Context(), o.URL+"/none.js"); err == nil || !strings.Contains(err.Error(), "not in the cache") {
		t.Errorf("not kept: %v", err)
	}
	if _, err := o.source(t, Config{Offline: true}).Read(t.Context(), u); err == nil || !strings.Contains(err.Error(), "no cache") {
		t.Errorf("no cache: %v", err)
	}
	kept, err := filepath.Glob(filepath.Join(cache, "sha256-*"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("kept %v, %v", kept, err)
	}
	write(t, kept[0], "export default 2")
	if _, err := o.source(t, Config{CacheDir: cache, Offline: true}).Read(t.Context(), u); err == nil || !strings.Contains(err.Error(), "does not match") {
		t.Errorf("damaged: %v", err)
	}
}

func TestCache_notices(t *testing.T) {
	t.Parallel()
	o := newOrigin(t, modules)
	cache := t.TempDir()
	u := o.URL + "/mod.js"
	first := o.source(t, Config{CacheDir: cache})
	if _, err := first.Read(t.Context(), u); err != nil || first.Notices() != nil {
		t.Fatalf("%v, %v", err, first.Notices())
	}
	// What was recorded differs from what the server has now.
	record := first.cacheFile("url-", []byte(u))
	old := writeCached(t, cache, "export default 0")
	write(t, record, old+" "+u+"\n")
	second := o.source(t, Config{CacheDir: cache})
	data, err := second.Read(t.Context(), u)
	notices := second.Notices()
	if err != nil || string(data) != "export default 1" || len(notices) != 1 || !strings.Contains(notices[0], "has changed") {
		t.Errorf("changed: %q, %v, %q", data, err, notices)
	}
	o.Close()
	third := o.source(t, Config{CacheDir: cache})
	data, err = third.Read(t.Context(), u)
	notices = third.Notices()
	if err != nil || string(data) != "export default 1" || len(notices) != 1 || !strings.Contains(notices[0], "cannot be reached") {
		t.Errorf("unreachable: %q, %v, %q", data, err, notices)
	}
	if _, err := third.Read(t.Context(), o.URL+"/never.js"); err == nil || len(third.Notices()) != 0 {
		t.Errorf("unreachable and not kept: %v", err)
	}
}

// writeCached puts a content into a cache folder and returns its hash.
func writeCached(t *testing.T, cache, text string) string {
	t.Helper()
	sum := sha256.Sum256([]byte(text))
	hash := hex.EncodeToString(sum[:])
	write(t, filepath.Join(cache, "sha256-"+hash), text)
	return hash
}

func TestRoots(t *testing.T) {
	t.Parallel()
	empty := filepath.Join(t.TempDir(), "empty.pem")
	write(t, empty, "no certificate")
	for _, file := range []string{empty, empty + ".gone"} {
		if _, err := Roots(file); err == nil {
			t.Errorf("%s gave roots", file)
		}
	}
}

func TestReadConcurrently(t *testing.T) {
	t.Parallel()
	o := newOrigin(t, modules)
	s := o.source(t, Config{})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := s.Read(t.Context(), o.URL+"/mod.js"); err != nil {
				t.Error(err)
			}
			s.Files()
		})
	}
	wg.Wait()
	if n := len(o.requests()); n != 1 {
		t.Errorf("%d requests", n)
	}
}
