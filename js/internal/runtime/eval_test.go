package runtime_test

import (
	"strings"
	"testing"
)

// hostileSource holds ways to hand the interpreter source that its parser or
// compiler would not survive; each must throw a SyntaxError.
var hostileSource = []string{
	`eval("[".repeat(1e6))`,
	`(0, eval)("[".repeat(1e6))`,
	`globalThis.eval("(".repeat(1e6))`,
	`new Function("{".repeat(1e6))`,
	`Function("a", "!".repeat(1e6) + "a")`,
	`(function () {}).constructor("[".repeat(1e6))`,
	`(async () => {}).constructor("[".repeat(1e6))`,
	`(function* () {}).constructor("[".repeat(1e6))`,
	`eval("1" + "+1".repeat(1e5))`,
	`eval("a" + ".b".repeat(2e6))`,
	`eval(eval("'[[' ").repeat(1e6))`,
}

func TestHostileSourceThrows(t *testing.T) {
	for _, expr := range hostileSource {
		got := text(t, `export default function () { try { `+expr+`; return "returned"; } catch (e) { return e.name + ": " + e.message; } }`)
		if !strings.HasPrefix(got, "SyntaxError: this source nests too deeply") {
			t.Errorf("%s gave %s", expr, got)
		}
	}
}

// TestCompilingAtRunTime tells that the guard leaves eval and Function as they are.
func TestCompilingAtRunTime(t *testing.T) {
	for expr, want := range map[string]string{
		`eval("local + 1")`:                               "42",
		`eval(eval("'3'") + 4)`:                           "34",
		`(0, eval)("typeof local")`:                       "undefined",
		`globalThis.eval("1 + 1")`:                        "2",
		`[1].map(eval)[0]`:                                "1",
		`new (class { eval(x) { return x; } })().eval(5)`: "5",
		`({ eval: 1 }).eval`:                              "1",
		`new Function("a", "b", "return a + b")(1, 2)`:    "3",
		`Function("return this")() === globalThis`:        "true",
		`(function () {}) instanceof Function`:            "true",
		`(() => {}).constructor === Function`:             "true",
		`Function.name + Function.length`:                 "Function1",
		`new (class extends Function {})("return 6")()`:   "6",
		`Object.getPrototypeOf(function* () {}).constructor("yield 1")().next().value`: "1",
	} {
		got := text(t, `export default function () { const local = 41; return String(`+expr+`); }`)
		if got != want {
			t.Errorf("%s gave %s, want %s", expr, got, want)
		}
	}
}

// TestLongStrings tells that a string of any length is refused, not tried.
func TestLongStrings(t *testing.T) {
	for expr, want := range map[string]string{
		`"x".repeat(2 ** 40)`:                   "RangeError: Invalid string length",
		`"ab".repeat(2 ** 28)`:                  "RangeError: Invalid string length",
		`"é".padEnd(2 ** 33)`:                   "RangeError: Invalid string length",
		`"a".padStart(2 ** 53, "xy")`:           "RangeError: Invalid string length",
		`"x".repeat(Infinity)`:                  "RangeError: Invalid count value",
		`"x".repeat(-1)`:                        "RangeError: Invalid count value",
		`"".repeat(2 ** 40) + "ab".repeat(2.9)`: "abab",
		`"a".padStart(3, "xy") + "b".padEnd("3") + "|" + "".padEnd.name + "".repeat.length`: "xyab  |padEnd1",
		`String.prototype.repeat.call(12, 2)`:                                               "1212",
	} {
		got := text(t, `export default function () { try { return `+expr+`; } catch (e) { return e.name + ": " + e.message; } }`)
		if got != want {
			t.Errorf("%s gave %s, want %s", expr, got, want)
		}
	}
}

func text(t *testing.T, script string) string {
	t.Helper()
	v, err := outcome(t, script)
	if err != nil {
		return err.Error()
	}
	return v.String()
}
