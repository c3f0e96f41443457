package js

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"path/filepath"
	"runtime"

	"golang.org/x/net/http/httpproxy"

	"github.com/jsload/jsload/js/internal/source"
	"github.com/jsload/jsload/vu/options"
)

// Kind says what the file that names a test is.
type Kind string

// The kinds of file.
const (
	KindAuto    Kind = ""        // an archive if it looks like a tar file, else a script
	KindScript  Kind = "js"      // a script, whatever it looks like
	KindArchive Kind = "archive" // what jsload archive wrote, or the reference tool
)

// opened is a test as it was found: what to read from, where to begin, and, if
// it came in an archive, the archive.
type opened struct {
	files   *source.Source
	main    source.Module
	archive *source.Archive
}

// open finds the script, be it a file, standard input, an address or an archive.
func open(ctx context.Context, cfg *Config) (opened, error) {
	from, err := sourceConfig(cfg)
	if err != nil {
		return opened{}, err
	}
	files, err := source.New(from)
	if err != nil {
		return opened{}, err
	}
	main, err := files.Main(ctx, cfg.Path)
	if err != nil {
		files.Close()
		return opened{}, err
	}
	if cfg.Kind == KindScript || cfg.Kind == KindAuto && !source.IsArchive(main.Data) {
		return opened{files: files, main: main}, nil
	}
	files.Close()
	return openArchive(cfg, from, main.Data)
}

// openArchive reads a test out of an archive, and completes cfg with what the
// archive says of how it is to be run: its variables lie under those given now.
func openArchive(cfg *Config, from source.Config, data []byte) (opened, error) {
	archive, err := source.ReadArchive(bytes.NewReader(data))
	if err != nil {
		return opened{}, fmt.Errorf("read the archive %q: %w", cfg.Path, err)
	}
	files, err := source.FromArchive(from, archive)
	if err != nil {
		return opened{}, err
	}
	env := maps.Clone(archive.Metadata.Env)
	if env == nil {
		env = map[string]string{}
	}
	maps.Copy(env, cfg.Env)
	cfg.Env = env
	if archive.Metadata.CompatibilityMode == compatibilityBase {
		cfg.Extended = false
	}
	return opened{files: files, main: archive.Main, archive: archive}, nil
}

// layer is what an archive says of the options, in the place of the script's.
func (o *opened) layer() (layer options.Layer, ok bool) {
	if o.archive == nil || len(o.archive.Metadata.Options) == 0 {
		return options.Layer{}, false
	}
	return options.Script(withoutNulls(o.archive.Metadata.Options)), true
}

// withoutNulls leaves out the options of an archive that are not set: it names all
// that its writer knows, those that scripts cannot set among them.
func withoutNulls(all json.RawMessage) json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(all, &members) != nil {
		return all // the decoder of options says what is wrong
	}
	maps.DeleteFunc(members, func(_ string, v json.RawMessage) bool { return string(v) == "null" })
	set, err := json.Marshal(members)
	if err != nil {
		return all
	}
	return set
}

// sourceConfig says where modules come from: proxies and certificates are those
// of the process.
func sourceConfig(cfg *Config) (source.Config, error) {
	from := source.Config{
		Dir: cfg.Dir, Stdin: cfg.Stdin, Offline: cfg.Offline, UserAgent: cfg.UserAgent, CacheDir: moduleCache(cfg.Process, runtime.GOOS),
	}
	roots, err := roots(cfg.Process)
	if err != nil {
		return from, err
	}
	p := proxies(cfg.Process)
	choose := (&httpproxy.Config{HTTPProxy: p.HTTP, HTTPSProxy: p.HTTPS, NoProxy: p.No}).ProxyFunc()
	from.Client = source.NewClient(roots, func(r *http.Request) (*url.URL, error) { return choose(r.URL) })
	return from, nil
}

// moduleCache is the folder in which remote modules are kept between runs; empty
// if the environment tells of no place for it.
func moduleCache(vars map[string]string, system string) string {
	if dir := vars["JSLOAD_MODULE_CACHE"]; dir != "" {
		return dir
	}
	base := vars["XDG_CACHE_HOME"]
	switch {
	case filepath.IsAbs(base):
	case system == "windows":
		base = vars["LocalAppData"]
	case vars["HOME"] == "":
		base = ""
	case system == "darwin":
		base = filepath.Join(vars["HOME"], "Library", "Caches")
	default:
		base = filepath.Join(vars["HOME"], ".cache")
	}
	if !filepath.IsAbs(base) {
		return ""
	}
	return filepath.Join(base, "jsload", "modules")
}
