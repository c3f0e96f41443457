package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/jsload/jsload/js"
)

// typesFolder is where declarations are written.
const typesFolder = "jsload-types"

// tsconfig makes editors and tsc take the declarations, and neither the globals
// of browsers nor those of Node, which scripts do not have.
const tsconfig = `{
  "compilerOptions": {
    "target": "ES2022",
    "lib": ["ES2023"],
    "module": "ESNext",
    "moduleResolution": "Bundler",
    "strict": true,
    "noEmit": true,
    "skipLibCheck": true,
    "allowJs": true,
    "resolveJsonModule": true,
    "types": []
  },
  "include": ["**/*.ts", "**/*.js", "` + typesFolder + `/*.d.ts"]
}
`

// newTypes writes the declarations of this program, over older ones, and a
// tsconfig.json if there is none.
func (a *app) newTypes() error {
	files, err := js.Types()
	if err != nil {
		return err
	}
	dir := a.process.Path(typesFolder)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := os.WriteFile(filepath.Join(dir, name), files[name], 0o666); err != nil {
			return err
		}
	}
	if _, err := fmt.Fprintf(a.process.Stdout, "Types written: %s.\n", typesFolder); err != nil {
		return err
	}
	config := "tsconfig.json"
	_, err = os.Stat(a.process.Path(config))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return a.create(config, tsconfig, false)
	case err == nil:
		_, err = fmt.Fprintf(a.process.Stdout, "%s is left as it is: add %q to its \"include\".\n", config, typesFolder+"/*.d.ts")
	}
	return err
}
