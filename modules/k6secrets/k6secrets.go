// Package k6secrets is the module k6/secrets: the secrets of a test, by promises.
// Where they come from and how they are kept out of logs is a matter of vu/secret.
package k6secrets

import (
	"context"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/conv"
	"github.com/jsload/jsload/vu/secret"
)

type module struct{}

// New returns the module.
func New() modules.Module { return module{} }

// Names lists the named exports.
func (module) Names() []string { return []string{"get", "source"} }

// Instantiate binds the module to a virtual user.
func (module) Instantiate(h *modules.Host) modules.Instance {
	return &instance{host: h, rt: h.Runtime}
}

type instance struct {
	host *modules.Host
	rt   *goja.Runtime
}

// Export makes an export.
func (i *instance) Export(name string) goja.Value {
	switch name {
	case "get":
		return i.getter("")
	case "source":
		return i.rt.ToValue(i.source)
	}
	return nil
}

// source returns an object whose get asks the source of a name.
func (i *instance) source(c goja.FunctionCall) goja.Value {
	name := conv.OptionalString(c.Argument(0))
	if _, err := i.host.Run.Secrets.Source(name); err != nil {
		conv.Throw(i.rt, err)
	}
	o := i.rt.NewObject()
	_ = o.Set("get", i.getter(name))
	return o
}

// getter makes the function get of a source.
func (i *instance) getter(name string) goja.Value {
	return i.rt.ToValue(func(c goja.FunctionCall) goja.Value {
		promise, resolve, reject := i.rt.NewPromise()
		key := c.Argument(0).String()
		source, err := i.host.Run.Secrets.Source(name)
		if err != nil {
			_ = reject(i.rt.NewGoError(err))
			return i.rt.ToValue(promise)
		}
		if value, known := source.Known(key); known {
			_ = resolve(value)
			return i.rt.ToValue(promise)
		}
		i.fetch(source, key, func(value string, err error) error {
			if err != nil {
				return reject(i.rt.NewGoError(err))
			}
			return resolve(value)
		})
		return i.rt.ToValue(promise)
	})
}

// fetch asks the source on a goroutine of its own, which ends with the iteration
// at the latest, and calls settle on the loop.
func (i *instance) fetch(source secret.Source, key string, settle func(string, error) error) {
	ctx, cancel := context.WithCancel(i.host.Context())
	done := i.host.Loop.Register()
	ended := make(chan struct{})
	i.host.Loop.AtEnd(func() {
		cancel()
		<-ended
	})
	go func() {
		defer close(ended)
		value, err := source.Get(ctx, key)
		done(func() error { return settle(value, err) })
	}()
}
