package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/jsload/jsload/js"
	"github.com/jsload/jsload/metrics"
)

// scriptConfig is what every command loads a script with.
func (a *app) scriptConfig(f *scriptFlags, path string) (js.Config, error) {
	if err := f.checkKind(); err != nil {
		return js.Config{}, err
	}
	vars, err := scriptVariables(a.process.Vars, f.includeSystem, f.env)
	if err != nil {
		return js.Config{}, err
	}
	extended, err := f.extended()
	if err != nil {
		return js.Config{}, err
	}
	return js.Config{
		Path: filepath.FromSlash(path), Kind: js.Kind(f.kind), Offline: f.offline, Stdin: a.process.Stdin, Dir: a.process.Dir, Env: vars, Process: a.process.Vars,
		Extended: extended, UserAgent: userAgent(), Log: a.logger(), Epoch: metrics.NewEpoch(time.Now()),
		SecretSources: a.global.secretSources, Redactor: a.redactor,
	}, nil
}

// addLayers adds the configuration file and the environment.
func (a *app) addLayers(cfg *js.Config) error {
	file, err := a.fileLayer()
	if err != nil {
		return err
	}
	cfg.Below = append(cfg.Below, file)
	cfg.Above = append(cfg.Above, a.environmentLayer())
	return nil
}

// load loads a script and logs what is worth a warning.
func (a *app) load(ctx context.Context, cfg js.Config) (*js.Test, error) {
	t, err := untilEnd(ctx, func(ctx context.Context) (*js.Test, error) { return js.Load(ctx, cfg) })
	a.warn(t)
	return t, err
}

// endGrace is how long untilEnd waits for what ends by itself.
const endGrace = 100 * time.Millisecond

// untilEnd calls f and returns what it does. If ctx ends first, its cause is the
// error, and an f that goes on all the same is left behind: neither a bundler nor
// a native function can be interrupted, and the process is about to end.
func untilEnd[T any](ctx context.Context, f func(context.Context) (T, error)) (T, error) {
	ch := make(chan outcome[T], 1)
	go func() {
		var o outcome[T]
		defer func() {
			if r := recover(); r != nil {
				o.fault = fmt.Sprintf("%v\n%s", r, debug.Stack())
			}
			ch <- o
		}()
		o.value, o.err = f(ctx)
	}()
	select {
	case o := <-ch:
		return o.get(ctx)
	case <-ctx.Done():
	}
	select {
	case o := <-ch:
		return o.get(ctx)
	case <-time.After(endGrace):
		return *new(T), context.Cause(ctx)
	}
}

// outcome is how a function ended.
type outcome[T any] struct {
	value T
	err   error
	fault string // of a panic
}

// get returns the outcome; the end of ctx is a better reason than what it led to.
func (o outcome[T]) get(ctx context.Context) (T, error) {
	if o.fault != "" {
		panic(o.fault)
	}
	if o.err != nil && ctx.Err() != nil {
		return o.value, context.Cause(ctx)
	}
	return o.value, o.err
}
