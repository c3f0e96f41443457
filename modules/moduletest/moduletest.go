// Package moduletest runs a snippet of JavaScript against one native module, for
// the tests of modules.
//
// It makes a virtual user with a runtime, an event loop, an HTTP client and a
// writer of samples, but no bundle: a snippet is the body of a function that sees
// the module as m. It uses nothing of js.
package moduletest

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/loop"
	"github.com/jsload/jsload/vu"
	"github.com/jsload/jsload/vu/client"
	"github.com/jsload/jsload/vu/options"
	"github.com/jsload/jsload/vu/record"
	"github.com/jsload/jsload/vu/secret"
)

// Config is what may differ from test to test. The zero value is a virtual user
// in the first iteration of the scenario "default" under default options.
type Config struct {
	// Options are the test's options; nil means the defaults.
	Options *options.Options
	// Network is how servers are reached. MaxRedirects of zero means 10.
	Network client.Config
	// Init leaves the virtual user in the init stage.
	Init bool
	// Tap records every sample, for Samples.
	Tap bool
	// SystemTags are the tags on samples; zero means the defaults.
	SystemTags metrics.SystemTags
	// Secrets are the sources of secrets; nil for none.
	Secrets *secret.Store
	// Throttle is the wait of the rps option; nil for none.
	Throttle func(context.Context) error
}

// Bench is one virtual user with one module.
type Bench struct {
	Host  *modules.Host
	Store *metrics.Store
	// Cancel ends the running activation.
	Cancel context.CancelFunc

	t   testing.TB
	log lockedBuffer
	tap *metrics.Tap
	vu  modules.VU
}

// New makes the virtual user. All of it ends with the test.
func New(t testing.TB, m modules.Module, cfg Config) *Bench {
	t.Helper()
	b := &Bench{t: t}
	rt := goja.New()
	epoch := metrics.NewEpoch(time.Now())
	if cfg.SystemTags == 0 {
		cfg.SystemTags = metrics.DefaultSystemTags
	}
	registry := metrics.NewRegistry()
	b.Store = metrics.NewStore(metrics.Config{Registry: registry, Epoch: epoch, SystemTags: cfg.SystemTags, Shards: 1})
	if cfg.Tap {
		b.tap = b.Store.AddTap(0)
	}
	run := &modules.Run{
		Log:   slog.New(slog.NewTextHandler(&b.log, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: withoutTime})),
		Epoch: epoch, Metrics: registry, Builtin: registry.Builtin(), Options: cfg.Options, Seed: 1, Throttle: cfg.Throttle, Secrets: cfg.Secrets,
		Recorder:   record.New(record.Config{Store: b.Store, SystemTags: cfg.SystemTags}),
		Abort:      func(*vu.Abort) {},
		MarkFailed: func(string) {},
		Stats:      func() modules.Stats { return modules.Stats{} },
	}
	b.Host = &modules.Host{Runtime: rt, Loop: loop.New(rt, nil), Run: run, Number: 1, Rand: modules.NewRandom(1, 1, true)}
	rt.SetRandSource(b.Host.Rand.Float64)
	if !cfg.Init {
		b.activate(cfg)
	}
	_ = rt.Set("m", modules.NewExports(rt, m, m.Instantiate(b.Host)))
	return b
}

func withoutTime(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}

// activate puts the virtual user into a scenario.
func (b *Bench) activate(cfg Config) {
	if cfg.Network.MaxRedirects == 0 {
		cfg.Network.MaxRedirects = 10
	}
	if cfg.Network.Epoch.IsZero() {
		cfg.Network.Epoch = b.Host.Run.Epoch.Time(0)
	}
	network := client.NewNetwork(cfg.Network)
	ctx, cancel := context.WithCancel(context.Background())
	b.Cancel = cancel
	recorder := b.Host.Run.Recorder
	b.vu = modules.VU{
		Context: ctx, ID: vu.ID{InInstance: 1, InTest: 1}, Client: network.Client(1), Record: recorder.VU(1),
		Scenario: &vu.Scenario{Name: "default", Executor: "shared-iterations", Exec: "default", Start: time.Now(), Progress: func() float64 { return 0 }},
	}
	b.vu.Record.SetScenario(recorder.Scenario("default", nil))
	b.vu.Client.Activate(ctx)
	b.Host.VU, b.Host.Stage = &b.vu, modules.StageVU
	b.t.Cleanup(func() {
		cancel()
		b.Host.Close()
		b.vu.Client.Close()
		network.Close()
	})
}

// EndIteration does what ends an iteration.
func (b *Bench) EndIteration() { b.vu.Client.EndIteration() }

// Eval runs a snippet and all that it began, and returns what it returned; of a
// promise, what it was settled with.
func (b *Bench) Eval(snippet string) (result goja.Value, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	err = b.Host.Loop.Run(b.Host.Context(), func() error {
		result, err = b.Host.Runtime.RunScript("snippet.js", "(function () {"+snippet+"\n})()")
		return err
	})
	if err != nil {
		return nil, err
	}
	return loop.Settled(result)
}

// Text is Eval for a snippet that must not fail: its result as text.
func (b *Bench) Text(snippet string) string {
	b.t.Helper()
	v, err := b.Eval(snippet)
	if err != nil {
		b.t.Fatalf("%s\n%v", snippet, err)
	}
	return v.String()
}

// Want checks the result of a snippet, as text.
func (b *Bench) Want(snippet, want string) {
	b.t.Helper()
	if got := b.Text(snippet); got != want {
		b.t.Errorf("%s\n got %s\nwant %s", snippet, got, want)
	}
}

// Throws checks that a snippet fails with an error that contains a text.
func (b *Bench) Throws(snippet, want string) {
	b.t.Helper()
	v, err := b.Eval(snippet)
	switch {
	case err == nil:
		b.t.Errorf("%s\nreturned %v, want an error with %q", snippet, v, want)
	case !strings.Contains(err.Error(), want):
		b.t.Errorf("%s\nfailed with %v, want %q in it", snippet, err, want)
	}
}

// Function compiles a snippet into a function to be called many times.
func (b *Bench) Function(snippet string) goja.Callable {
	b.t.Helper()
	v, err := b.Host.Runtime.RunScript("snippet.js", "(function () {"+snippet+"\n})")
	if err != nil {
		b.t.Fatal(err)
	}
	f, _ := goja.AssertFunction(v)
	return f
}

// Log is what was logged since the last call, a line each, without times.
func (b *Bench) Log() string { return b.log.take() }

// Samples are the samples since the last call as "metric value tags"; without
// metrics in the argument all of them.
func (b *Bench) Samples(only ...*metrics.Metric) []string {
	b.Store.Drain()
	var lines []string
	for _, s := range b.tap.Take() {
		wanted := len(only) == 0
		for _, m := range only {
			wanted = wanted || m == s.Metric
		}
		if wanted {
			lines = append(lines, fmt.Sprintf("%s %v %s", s.Metric.Name, s.Value, s.Tags))
		}
	}
	return lines
}

// lockedBuffer collects the log; logging comes from several goroutines.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write appends.
func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) take() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.b.String()
	l.b.Reset()
	return s
}
