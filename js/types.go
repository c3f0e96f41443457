package js

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/all"
	"github.com/jsload/jsload/types"
)

// Types gives the TypeScript declarations of what this program has, by the name
// of the file.
func Types() (map[string][]byte, error) {
	registry := all.Modules()
	names := []string{types.Globals, types.Options}
	for _, path := range registry.Paths() {
		if path == "k6" || strings.HasPrefix(path, "k6/") {
			names = append(names, types.FileOf(path))
		}
	}
	if g := registry.Lookup(modules.GlobalsPath); g != nil && slices.Contains(g.Names(), "crypto") {
		names = append(names, types.Crypto)
	}
	files := make(map[string][]byte, len(names))
	for _, name := range names {
		text, err := fs.ReadFile(types.FS, name)
		if err != nil {
			return nil, err
		}
		files[name] = text
	}
	return files, nil
}
