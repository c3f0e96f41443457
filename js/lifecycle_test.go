package js

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jsload/jsload/vu"
)

const lifecycleScript = `
import exec from "k6/execution";
import { Counter } from "k6/metrics";
const c = new Counter("seen");
let token = "none";
export function setup() { return { n: 1 }; }
export function vuSetup(data) {
  token = "t" + data.n + __VU;
  c.add(1);
  try { exec.scenario.name } catch (e) { console.log("no scenario") }
}
export default function (data) {
  console.log("it", token, exec.scenario.name);
  if (__ENV.FOO === "bar" && __ITER === 1) { const deep = () => deep() + 1; deep(); }
}
export function vuTeardown(data) { console.log("end", token, data.n); }
`

// A virtual user's own setup and teardown run in its runtime, with the setup data,
// and its setup again if the runtime had to be replaced.
func TestSetupAndTeardownOfAVU(t *testing.T) {
	b, err := load(t, map[string]string{"script.js": lifecycleScript})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.test.Setup(t.Context()); err != nil {
		t.Fatal(err)
	}
	one, err := b.test.NewUnit(t.Context(), vu.ID{InInstance: 3, InTest: 3})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = one.Close() }()
	u := one.(vu.Lifecycle)
	if err := u.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	activation, cancel := context.WithCancel(t.Context())
	s := &vu.Scenario{Name: "sc", Executor: "shared-iterations", Exec: "default", Start: time.Now(), Progress: func() float64 { return 0 }}
	if err := one.Activate(activation, s); err != nil {
		t.Fatal(err)
	}
	for i := range uint64(3) {
		if err := one.Iterate(vu.Iteration{InInstance: i, InTest: i}); err != nil {
			t.Fatal(err)
		}
	}
	cancel()
	// The interruption of the activation's end must not hit what comes after it.
	if err := u.End(t.Context()); err != nil {
		t.Fatal(err)
	}
	log := b.log.String()
	for text, n := range map[string]int{"no scenario": 1, `"it t13 sc"`: 3, `"end t13 1"`: 1} {
		if got := strings.Count(log, text); got < n {
			t.Errorf("the log has %d times %s, want %d:\n%s", got, text, n, log)
		}
	}
}

func TestSetupOfAVUThatThrows(t *testing.T) {
	b, err := load(t, map[string]string{"script.js": `
export function vuSetup() { throw new Error("no login"); }
export default function () {}`})
	if err != nil {
		t.Fatal(err)
	}
	one, err := b.test.NewUnit(t.Context(), vu.ID{InInstance: 1, InTest: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = one.Close() }()
	err = one.(vu.Lifecycle).Begin(t.Context())
	coded, ok := errors.AsType[interface {
		error
		ExitCode() int
	}](err)
	if !ok || coded.ExitCode() != vu.ExitScript || !strings.Contains(err.Error(), "no login") {
		t.Errorf("%v", err)
	}
}

func TestSetupOfAVUIsNoIteration(t *testing.T) {
	for _, script := range []string{
		`export function vuSetup() {} export function vuTeardown() {}`,
		`export const vuSetup = 1; export default function () {}`,
		`export const options = { scenarios: { s: { executor: "per-vu-iterations", exec: "vuSetup" } } };
		 export function vuSetup() {} export default function () {}`,
	} {
		if _, err := load(t, map[string]string{"script.js": script}); err == nil {
			t.Errorf("accepted: %s", script)
		}
	}
}
