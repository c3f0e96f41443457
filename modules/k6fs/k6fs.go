// Package k6fs is the module k6/experimental/fs: files that init code opens and
// that all virtual users share, read piece by piece. The content is in memory
// once; a File of a script is no more than a position in it.
//
// k6csv takes the content of a File directly.
package k6fs

import (
	"errors"
	"io/fs"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/conv"
)

type module struct{}

// New returns the module.
func New() modules.Module { return module{} }

// Names lists the named exports.
func (module) Names() []string { return []string{"open", "SeekMode"} }

// Instantiate binds the module to a virtual user.
func (module) Instantiate(h *modules.Host) modules.Instance {
	return &instance{host: h, rt: h.Runtime}
}

type instance struct {
	host  *modules.Host
	rt    *goja.Runtime
	files *conv.Class
}

// Export makes an export.
func (i *instance) Export(name string) goja.Value {
	switch name {
	case "open":
		return i.rt.ToValue(i.open)
	case "SeekMode":
		return i.seekMode()
	}
	return nil
}

// The values of SeekMode.
const (
	seekStart = iota
	seekCurrent
	seekEnd
)

func (i *instance) seekMode() goja.Value {
	o := i.rt.NewObject()
	for n, name := range []string{seekStart: "Start", seekCurrent: "Current", seekEnd: "End"} {
		_ = o.DefineDataProperty(name, i.rt.ToValue(n), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_TRUE)
	}
	return o
}

// failure is an error that scripts know by its name.
type failure struct{ name, text string }

func (e *failure) Error() string { return e.text }

// settle makes a promise of an outcome.
func settle(rt *goja.Runtime, v any, err error) goja.Value {
	promise, resolve, reject := rt.NewPromise()
	if err == nil {
		_ = resolve(v)
		return rt.ToValue(promise)
	}
	_ = reject(thrown(rt, err))
	return rt.ToValue(promise)
}

func thrown(rt *goja.Runtime, err error) goja.Value {
	f, named := errors.AsType[*failure](err)
	switch {
	case !named:
		return rt.NewGoError(err)
	case f.name == "TypeError":
		return conv.NewError(rt, f.name, f.text)
	}
	o := conv.NewError(rt, "Error", f.text)
	_ = o.DefineDataProperty("name", rt.ToValue(f.name), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	return o
}

func typeError(text string) error { return &failure{"TypeError", text} }

// open opens a file. Its promise settles at once: the content is read here.
func (i *instance) open(c goja.FunctionCall) goja.Value {
	f, err := i.openFile(c.Argument(0))
	if err != nil {
		return settle(i.rt, nil, err)
	}
	return settle(i.rt, i.class().Wrap(f), nil)
}

func (i *instance) openFile(name goja.Value) (*File, error) {
	if i.host.Stage != modules.StageInit || i.host.Files == nil {
		return nil, &failure{"ForbiddenError", "open() can only be called in the init context"}
	}
	if conv.OptionalString(name) == "" {
		return nil, typeError("open() needs the path of a file")
	}
	files, given := i.host.Files(), name.String()
	data, err := files.Open(given)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &failure{"NotFoundError", "no such file: " + given}
	case err != nil:
		return nil, &failure{"InvalidResourceError", err.Error()}
	}
	return &File{rt: i.rt, path: full(files.Base, given), data: data}, nil
}

// full is the path of a file that a module names.
func full(base, name string) string {
	name = strings.TrimPrefix(name, "file://")
	u, err := url.Parse(base)
	if err != nil || filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return path.Join(path.Dir(u.Path), filepath.ToSlash(name))
}

func (i *instance) class() *conv.Class {
	if i.files == nil {
		i.files = conv.NewClass(i.rt, conv.ClassSpec{Name: "File", Method: i.method})
	}
	return i.files
}

func (i *instance) method(name string) func(goja.FunctionCall) goja.Value {
	var call func(*File, goja.FunctionCall) (any, error)
	switch name {
	case "read":
		call = (*File).read
	case "seek":
		call = (*File).seek
	case "stat":
		call = (*File).stat
	default:
		return nil
	}
	return func(c goja.FunctionCall) goja.Value {
		v, err := call(conv.MustSelf[*File](i.rt, c.This, "File"), c)
		return settle(i.rt, v, err)
	}
}
