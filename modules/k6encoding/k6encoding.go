// Package k6encoding is the module k6/encoding: base64 in four variants. The
// work is done in vu/value.
package k6encoding

import (
	"errors"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/conv"
	"github.com/jsload/jsload/vu/value"
)

type module struct{}

// New returns the module.
func New() modules.Module { return module{} }

// Names lists the named exports.
func (module) Names() []string { return []string{"b64encode", "b64decode"} }

// Instantiate binds the module to a virtual user.
func (module) Instantiate(h *modules.Host) modules.Instance { return instance{h.Runtime} }

type instance struct{ rt *goja.Runtime }

// Export makes an export.
func (i instance) Export(name string) goja.Value {
	switch name {
	case "b64encode":
		return i.rt.ToValue(i.b64encode)
	case "b64decode":
		return i.rt.ToValue(i.b64decode)
	}
	return nil
}

var errInput = errors.New("the input must be a string, an ArrayBuffer or a typed array")

func (i instance) b64encode(c goja.FunctionCall) goja.Value {
	data, ok := conv.StringOrBytes(c.Argument(0))
	if !ok {
		conv.Throw(i.rt, errInput)
	}
	return i.rt.ToValue(value.Base64(conv.OptionalString(c.Argument(1))).EncodeToString(data))
}

func (i instance) b64decode(c goja.FunctionCall) goja.Value {
	data, err := value.DecodeBase64(c.Argument(0).String(), conv.OptionalString(c.Argument(1)))
	if err != nil {
		conv.Throw(i.rt, err)
	}
	if conv.OptionalString(c.Argument(2)) == "s" {
		return i.rt.ToValue(string(data))
	}
	return i.rt.ToValue(i.rt.NewArrayBuffer(data))
}
