package k6_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jsload/jsload/modules/k6"
	"github.com/jsload/jsload/modules/moduletest"
)

func TestCheck(t *testing.T) {
	b := moduletest.New(t, k6.New(), moduletest.Config{Tap: true})
	for _, tc := range []struct{ snippet, want, samples string }{
		{`m.check(5, { 'is five': (v) => v === 5, 'is odd': (v) => v % 2 })`, "true", "is five=1 is odd=1"},
		{`m.check(4, { a: (v) => v === 5, b: () => 'text', c: () => 0 })`, "false", "a=0 b=1 c=0"},
		{`m.check(1, { t: true, f: '', n: null, o: {} })`, "false", "t=1 f=0 n=0 o=1"},
		{`m.check(null, {})`, "true", ""},
		{`m.check([1], { 'has this': function (v) { return this === undefined && v[0] === 1 }, bound: ((v) => v[0] === 1).bind(null), native: Boolean })`, "false", "has this=0 bound=1 native=1"},
		{`m.check(1, { z: true, a: true, 10: true })`, "true", "10=1 z=1 a=1"},
		{`m.check(new Proxy({}, { get: () => 7 }), { proxy: (v) => v.x === 7 })`, "true", "proxy=1"},
		{`m.check(1, { proxied: new Proxy((v) => v === 1, {}) })`, "true", "proxied=1"},
	} {
		b.Want("return "+tc.snippet, tc.want)
		if got := checks(b); got != tc.samples {
			t.Errorf("%s\n made %s\nwant %s", tc.snippet, got, tc.samples)
		}
	}
}

// checks are the samples of checks as "name=value".
func checks(b *moduletest.Bench) string {
	var all []string
	for _, s := range b.Samples(b.Host.Run.Builtin.Checks) {
		value, tags, _ := strings.Cut(strings.TrimPrefix(s, "checks "), " ")
		_, name, _ := strings.Cut(tags, "check=")
		name, _, _ = strings.Cut(name, ",")
		all = append(all, name+"="+value)
	}
	return strings.Join(all, " ")
}

// TestCheckThatThrows checks that the exception goes on, as the same object, after
// the check was recorded as failed and those behind it were left out.
func TestCheckThatThrows(t *testing.T) {
	b := moduletest.New(t, k6.New(), moduletest.Config{Tap: true})
	b.Want(`const mine = new RangeError('x'); try { m.check(1, { a: true, b: () => { throw mine }, c: true }) } catch (e) { return String(e === mine) }`, "true")
	if got := checks(b); got != "a=1 b=0" {
		t.Errorf("recorded %s", got)
	}
	b.Throws(`m.check(1, { b: () => { throw new RangeError('out') } })`, "RangeError: out")
	b.Throws(`m.check(1, { b: () => { throw 'text' } })`, "text")
}

func TestCheckWrongUse(t *testing.T) {
	b := moduletest.New(t, k6.New(), moduletest.Config{})
	for snippet, want := range map[string]string{
		`m.check(1)`:                                    "check() requires at least 2 arguments",
		`m.check(1, null)`:                              "TypeError",
		`m.check(1, { 'a::b': true })`:                  "::",
		`m.check(1, { a: async () => true })`:           "does not support async functions",
		`m.check(1, { a: true }, { tag: {} })`:          "only String, Boolean and Number types",
		`m.group('a::b', () => 1)`:                      "::",
		`m.group('a')`:                                  "requires a callback",
		`m.group('a', async () => 1)`:                   "does not support async functions",
		`m.fail('because')`:                             "because",
		`m.group('a', () => { throw new Error('in') })`: "Error: in",
	} {
		b.Throws(snippet, want)
	}
	init := moduletest.New(t, k6.New(), moduletest.Config{Init: true})
	init.Throws(`m.check(1, {})`, "using check() in the init context is not supported")
	init.Throws(`m.group('a', () => 1)`, "using group() in the init context is not supported")
}

func TestGroups(t *testing.T) {
	b := moduletest.New(t, k6.New(), moduletest.Config{Tap: true})
	b.Want(`return m.group('out', () => { m.check(1, { one: true }, { extra: 'x' }); m.group('in', () => m.check(1, { two: true })); return 'result' })`, "result")
	b.Text(`try { m.group('out', () => { throw 1 }) } catch {} m.check(1, { three: true })`)
	got := strings.Join(b.Samples(b.Host.Run.Builtin.Checks, b.Host.Run.Builtin.GroupDuration), "\n")
	for i, want := range []string{
		"checks 1 check=one,extra=x,group=::out,scenario=default", "checks 1 check=two,group=::out::in,scenario=default",
		"group=::out::in,scenario=default", "group=::out,scenario=default", "group=::out,scenario=default", "checks 1 check=three,group=,scenario=default",
	} {
		if line := strings.Split(got, "\n")[i]; !strings.HasSuffix(line, want) {
			t.Errorf("sample %d is %s, want %s", i, line, want)
		}
	}
}

func TestSleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := moduletest.New(t, k6.New(), moduletest.Config{Init: true})
		for arg, want := range map[string]time.Duration{
			"1.5": 1500 * time.Millisecond, "'2'": 2 * time.Second, "0": 0, "-1": 0, "undefined": 0, "NaN": 0, "null": 0, "'x'": 0, "1e-6": time.Microsecond,
		} {
			start := time.Now()
			b.Text("m.sleep(" + arg + ")")
			if got := time.Since(start); got != want {
				t.Errorf("sleep(%s) took %v, want %v", arg, got, want)
			}
		}
	})
}

func TestSleepIsInterrupted(t *testing.T) {
	b := moduletest.New(t, k6.New(), moduletest.Config{})
	time.AfterFunc(10*time.Millisecond, b.Cancel)
	b.Text("m.sleep(1e300)")
}

func TestRandomSeed(t *testing.T) {
	b := moduletest.New(t, k6.New(), moduletest.Config{})
	three := `m.randomSeed(%d); return [Math.random(), Math.random(), Math.random()].join()`
	first := b.Text(fmt.Sprintf(three, 123))
	if again := b.Text(fmt.Sprintf(three, 123)); again != first {
		t.Errorf("a seed gives %s and %s", first, again)
	}
	if other := b.Text(fmt.Sprintf(three, 124)); other == first {
		t.Errorf("two seeds give %s", first)
	}
	// The sequence is that of Go's math/rand, which scripts have come to know.
	b.Want(`m.randomSeed(1); return Math.random()`, "0.6046602879796196")
}
