package loop_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules/loop"
)

// bench is a runtime with a loop, its timers as globals, and what the script
// wrote with log().
type bench struct {
	*loop.Loop
	rt      *goja.Runtime
	lines   []string
	stopped []string
}

func newBench() *bench {
	b := &bench{rt: goja.New()}
	b.Loop = loop.New(b.rt, func(kind string, _ int) { b.stopped = append(b.stopped, kind) })
	start := time.Now()
	for name, f := range map[string]func(goja.FunctionCall) goja.Value{
		"setTimeout": b.SetTimeout, "setInterval": b.SetInterval, "clearTimeout": b.Clear, "clearInterval": b.Clear,
		"log": func(c goja.FunctionCall) goja.Value {
			for _, a := range c.Arguments {
				b.lines = append(b.lines, a.String())
			}
			return goja.Undefined()
		},
		"elapsed": func(goja.FunctionCall) goja.Value { return b.rt.ToValue(time.Since(start).Milliseconds()) },
	} {
		_ = b.rt.Set(name, f)
	}
	return b
}

func (b *bench) run(ctx context.Context, snippet string) error {
	b.lines = nil
	return b.Run(ctx, func() error {
		_, err := b.rt.RunString(snippet)
		return err
	})
}

func TestTimers(t *testing.T) {
	for _, tc := range []struct{ name, snippet, want string }{
		{"order", `setTimeout(() => log('late'), 20); setTimeout(() => log('soon'), 10); setTimeout(() => log('same'), 10); log('now')`, "now soon same late"},
		{"time", `setTimeout(() => log(elapsed()), 1500)`, "1500"},
		{"arguments", `setTimeout((...a) => log(...a), 1, 'a', 2)`, "a 2"},
		{"no delay", `setTimeout(() => log('undefined')); setTimeout(() => log('zero'), 0); setTimeout(() => log('text'), 'x'); setTimeout(() => log('negative'), -1)`, "text negative undefined zero"},
		{"nested", `setTimeout(() => { log('outer'); setTimeout(() => log('inner ' + elapsed()), 5) }, 5)`, "outer inner 10"},
		{"microtasks first", `setTimeout(() => log('timer'), 0); Promise.resolve().then(() => log('job'))`, "job timer"},
		{"clear", `const id = setTimeout(() => log('never'), 5); clearTimeout(id); clearTimeout(99); clearTimeout(); clearTimeout(null); log(typeof id)`, "number"},
		{"clear each other", `let b; setTimeout(() => { log('a'); clearTimeout(b) }, 5); b = setTimeout(() => log('b'), 5)`, "a"},
		{"interval", `let n = 0; const id = setInterval(() => { log(elapsed()); if (++n === 3) clearInterval(id) }, 10)`, "10 20 30"},
		{"interval of nothing", `let n = 0; const id = setInterval(() => { if (++n === 3) { clearInterval(id); log(elapsed() >= 3) } })`, "true"},
		{"interval cleared from outside", `const id = setInterval(() => log('tick'), 10); setTimeout(() => clearInterval(id), 25)`, "tick tick"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench()
				if err := b.run(t.Context(), tc.snippet); err != nil {
					t.Fatal(err)
				}
				if got := strings.Join(b.lines, " "); got != tc.want {
					t.Errorf("got %s, want %s", got, tc.want)
				}
			})
		})
	}
}

func TestTimerErrors(t *testing.T) {
	for snippet, want := range map[string]string{
		`setTimeout()`:          "setTimeout's callback isn't a callable function",
		`setInterval(null, 1)`:  "setInterval's callback isn't a callable function",
		`setTimeout('code', 1)`: "TypeError: setTimeout's callback is not a function",
		`setTimeout(() => { throw new Error('in timer') }, 1); setTimeout(() => log('never'), 2)`: "in timer",
	} {
		b := newBench()
		if err := b.run(t.Context(), snippet); err == nil || !strings.Contains(err.Error(), want) || len(b.lines) > 0 {
			t.Errorf("%s: %v, %v", snippet, err, b.lines)
		}
	}
}

// TestRegister checks that the loop waits for work of other goroutines and runs
// what it brings in its own.
func TestRegister(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench()
		_ = b.rt.Set("work", func(c goja.FunctionCall) goja.Value {
			promise, resolve, _ := b.rt.NewPromise()
			d, done := time.Duration(c.Argument(0).ToInteger())*time.Millisecond, b.Register()
			go func() {
				time.Sleep(d)
				done(func() error { return resolve(d.String()) })
				done(func() error { t.Error("delivered twice"); return nil })
			}()
			return b.rt.ToValue(promise)
		})
		err := b.run(t.Context(), `work(20).then(log); work(10).then((v) => { log(v); return work(5) }).then(log); setTimeout(() => log('timer'), 12)`)
		if got := strings.Join(b.lines, " "); err != nil || got != "10ms timer 5ms 20ms" {
			t.Errorf("got %s, %v", got, err)
		}
	})
}

// TestInterruption checks that the end of the context ends waiting, cancels the
// timers and drops what comes later.
func TestInterruption(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench()
		over := errors.New("over")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(over) })
		late := b.Register()
		err := b.run(ctx, `setTimeout(() => log('never'), 5000); setInterval(() => log('tick'), 400)`)
		if !errors.Is(err, over) || strings.Join(b.lines, " ") != "tick tick" {
			t.Errorf("ended with %v after %v", err, b.lines)
		}
		if len(b.stopped) != 2 {
			t.Errorf("told of %v", b.stopped)
		}
		late(func() error { t.Error("delivered after the end"); return nil })
		if err := b.run(t.Context(), `setTimeout(() => log('next run'), 10)`); err != nil || strings.Join(b.lines, "") != "next run" {
			t.Errorf("the next run ended with %v after %v", err, b.lines)
		}
	})
}

func TestRejections(t *testing.T) {
	for _, tc := range []struct{ snippet, want string }{
		{`Promise.reject(new RangeError('lost'))`, "Uncaught (in promise) RangeError: lost"},
		{`Promise.reject('text')`, "Uncaught (in promise) text"},
		{`Promise.reject()`, "Uncaught (in promise) undefined"},
		{`(async () => { throw new Error('async') })()`, "Error: async"},
		{`setTimeout(() => Promise.reject(7), 1)`, "Uncaught (in promise) 7"},
		{`Promise.reject(1).catch(() => log('caught'))`, ""},
		{`const p = Promise.reject(1); p.catch(() => {})`, ""},
		{`new Promise(() => {})`, ""},
	} {
		b := newBench()
		err := b.run(t.Context(), tc.snippet)
		if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", tc.snippet, err, tc.want)
		}
	}
}

func TestSettled(t *testing.T) {
	rt := goja.New()
	for _, tc := range []struct{ snippet, want, err string }{
		{`5`, "5", ""}, {`undefined`, "undefined", ""}, {`Promise.resolve(7)`, "7", ""}, {`({ then: 1 })`, "[object Object]", ""},
		{`const p = Promise.reject('no'); p.catch(() => {}); p`, "", "Uncaught (in promise) no"}, {`new Promise(() => {})`, "", loop.ErrPending.Error()},
	} {
		v, err := rt.RunString(tc.snippet)
		if err != nil {
			t.Fatal(err)
		}
		got, err := loop.Settled(v)
		if err == nil && got.String() != tc.want || err != nil && err.Error() != tc.err {
			t.Errorf("%s: %v, %v", tc.snippet, got, err)
		}
	}
	if v, err := loop.Settled(nil); err != nil || !goja.IsUndefined(v) {
		t.Errorf("nothing settles as %v, %v", v, err)
	}
}
