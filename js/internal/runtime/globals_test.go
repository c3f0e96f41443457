package runtime_test

import (
	"strings"
	"testing"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/js/internal/runtime"
)

// outcome runs the default function of a script and returns what it gives.
func outcome(t *testing.T, text string) (goja.Value, error) {
	t.Helper()
	p, run := compile(t, text)
	rt, err := p.Start(t.Context(), run, 1)
	if err != nil {
		t.Fatal(err)
	}
	return rt.Run(t.Context(), func() (goja.Value, error) { return call(rt) })
}

func call(rt *runtime.Runtime) (goja.Value, error) {
	f, _ := goja.AssertFunction(rt.Exported("default"))
	return f(goja.Undefined())
}

// TestLanguage runs what the bundler lowers and modules/globals adds.
func TestLanguage(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{`return "\u{10FFFF}".length + "t😀\u{10FFFE}".length`, "7"},
		{`return "é1".match(/\p{L}+/u)[0] + /\P{L}/gu`, `é/\P{L}/gu`},
		{`let out = ""; const it = {[Symbol.asyncIterator]() { let n = 0; return {next: async () => ({done: n > 1, value: n++})} }}; for await (const x of it) out += x; return out`, "01"},
		{`async function* g() { yield 1; yield 2 } return (await Array.fromAsync(g())).join()`, "1,2"},
		{`let out = ""; { using r = {[Symbol.dispose]() { out += "gone" }}; out += "in " } return out`, "in gone"},
		{`return Object.groupBy([1, 2], x => x).undefined + [..."ab"].values().map(x => x + x).toArray().join()`, "undefinedaa,bb"},
		{`return (1234.5).toLocaleString("en-US") + typeof Intl + typeof crypto.subtle + typeof performance.now()`, "1,234.5objectobjectnumber"},
	} {
		v, err := outcome(t, "export default async function () { "+c.body+" }")
		if err != nil {
			t.Errorf("%s\n%v", c.body, err)
		} else if v.String() != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.body, v, c.want)
		}
	}
}

// TestStackOfGlobals checks that the stack of an error names the function that
// raised it and the user's line, and nothing of our own.
func TestStackOfGlobals(t *testing.T) {
	_, err := outcome(t, `export default async function () { atob("*") }`)
	if err == nil {
		t.Fatal("no error")
	}
	text := err.Error()
	if !strings.Contains(text, "InvalidCharacterError") || !strings.Contains(text, "\tat atob (native)") || !strings.Contains(text, "s.js:1:") || strings.Contains(text, "jsload:") {
		t.Error(text)
	}
}
