package js

import (
	"context"
	"slices"
	"strings"

	"github.com/jsload/jsload/js/internal/bundle"
	"github.com/jsload/jsload/modules/all"
)

// Dependencies are what a script is made of. Its JSON form is that of the
// reference tool.
type Dependencies struct {
	// BuildDependencies are extensions that the script wants, with the versions
	// that would do.
	BuildDependencies map[string]string `json:"buildDependencies"`
	// Imports are built-in modules by import path and all files by address,
	// sorted.
	Imports []string `json:"imports"`
	// CustomBuildRequired tells that there are extensions, which jsload cannot
	// load.
	CustomBuildRequired bool `json:"customBuildRequired"`
}

// Depend lists what a script imports. Nothing of it is run.
func Depend(ctx context.Context, cfg Config) (*Dependencies, error) {
	found, err := open(ctx, &cfg)
	if err != nil {
		return nil, err
	}
	defer found.files.Close()
	b, err := bundle.Build(ctx, bundle.Config{Source: found.files, Main: found.main, Builtins: builtins(all.Modules()), Lenient: true})
	for _, n := range found.files.Notices() {
		cfg.Log.Warn(n)
	}
	if err != nil {
		return nil, err
	}
	d := &Dependencies{BuildDependencies: map[string]string{}, Imports: []string{}}
	for _, use := range b.Builtins {
		d.Imports = append(d.Imports, use.Path)
		if strings.HasPrefix(use.Path, "k6/x/") {
			d.BuildDependencies[use.Path] = "*"
			d.CustomBuildRequired = true
		}
	}
	for _, in := range b.Inputs {
		if in.URL != found.main.URL {
			d.Imports = append(d.Imports, in.URL)
		}
	}
	d.Imports = append(d.Imports, b.Libraries...)
	slices.Sort(d.Imports)
	return d, nil
}
