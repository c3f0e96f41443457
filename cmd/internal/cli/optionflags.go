package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/jsload/jsload/vu/options"
)

// optionFlags are the flags that are options of the test, as given.
type optionFlags map[string]*optionValue

// register defines a flag for every option that has one.
func (o optionFlags) register(flags *pflag.FlagSet) {
	for _, d := range options.FlagList() {
		v := &optionValue{Flag: d}
		o[d.Name] = v
		f := flags.VarPF(v, d.Name, d.Short, d.Usage)
		f.NoOptDefVal = d.Bare
		if d.Bool {
			f.NoOptDefVal = "true"
		}
		f.Annotations = map[string][]string{annotationOption: nil}
		f.Hidden = slices.Contains(refusedOptions(), d.Name)
	}
}

// layer decodes the flags that were given.
func (o optionFlags) layer() (options.Layer, error) {
	given := map[string][]string{}
	for name, v := range o {
		if v.given != nil {
			given[name] = v.given
		}
	}
	return options.Flags(given)
}

// optionValue is the text of one flag. It implements pflag.Value.
type optionValue struct {
	options.Flag
	given []string
}

// String returns the text.
func (v *optionValue) String() string { return strings.Join(v.given, ",") }

// Type names the value in the help.
func (v *optionValue) Type() string {
	if v.Bool {
		return "bool"
	}
	return v.Value
}

// Set keeps the text; a flag that is no list keeps the last one.
func (v *optionValue) Set(text string) error {
	if v.Bool {
		if _, err := strconv.ParseBool(text); err != nil {
			return fmt.Errorf("%q is not true or false", text)
		}
	}
	if !v.List {
		v.given = v.given[:0]
	}
	v.given = append(v.given, text)
	return nil
}

// fileLayer reads the configuration file. The default one may be missing.
func (a *app) fileLayer() (options.Layer, error) {
	path, explicit := a.global.config, true
	if path == "" {
		path, explicit = a.defaultConfig(), false
	}
	layer := options.Layer{Name: options.LayerFile}
	if path == "" {
		return layer, nil
	}
	b, err := os.ReadFile(a.process.Path(path))
	if errors.Is(err, fs.ErrNotExist) && !explicit {
		return layer, nil
	}
	if err != nil {
		return layer, configError(fmt.Errorf("reading the configuration file %s: %w", path, unwrapPath(err)))
	}
	layer = options.File(path, bytes.TrimPrefix(b, []byte("\ufeff")))
	return layer, layer.Err()
}

// unwrapPath leaves out the path that file errors repeat.
func unwrapPath(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}

// defaultConfig returns where the user's configuration file would be: jsload's
// own, or else the reference tool's.
func (a *app) defaultConfig() string {
	root := a.process.Vars["XDG_CONFIG_HOME"]
	if root == "" && a.process.Vars["HOME"] != "" {
		root = filepath.Join(a.process.Vars["HOME"], ".config")
	}
	if root == "" {
		return ""
	}
	own := filepath.Join(root, "jsload", "config.json")
	if _, err := os.Stat(own); err == nil {
		return own
	}
	return filepath.Join(root, "k6", "config.json")
}
