package js

import (
	"encoding/json"
	"fmt"
	"io"
	goruntime "runtime"

	"github.com/jsload/jsload/js/internal/source"
)

// Names of how much of the language a script is given, as archives have them.
const (
	compatibilityExtended = "extended"
	compatibilityBase     = "base"
)

// WriteArchive writes the test with every file it depends on, its options before
// scenarios are derived from them and, unless withoutEnv is true, its variables.
// Running the archive needs neither the files nor the network. Version names the
// program that wrote it.
func (t *Test) WriteArchive(w io.Writer, version string, withoutEnv bool) error {
	given, err := json.Marshal(t.Config.Given)
	if err != nil {
		return fmt.Errorf("write the options into the archive: %w", err)
	}
	meta := source.Metadata{
		Type: "js", Options: given, Filename: t.main.URL, Pwd: source.FileURL(t.files.Dir()),
		Env: t.cfg.Env, CompatibilityMode: compatibilityExtended, Version: version, GOOS: goruntime.GOOS,
		Dependencies: map[string]string{}, Resolutions: t.bundle.Resolutions(),
	}
	if withoutEnv || meta.Env == nil {
		meta.Env = map[string]string{}
	}
	if !t.cfg.Extended {
		meta.CompatibilityMode = compatibilityBase
	}
	a := source.Archive{Metadata: meta, Main: t.main, Files: t.files.Files()}
	return a.Write(w)
}
