package js

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/vu"
	"github.com/jsload/jsload/vu/record"
)

// prelude is what the scripts of these tests have to compare with.
const prelude = `
function eq(got, want, what) {
  const [g, w] = [JSON.stringify(got), JSON.stringify(want)];
  if (g !== w) throw new Error((what ?? "") + " got " + g + " want " + w);
}
function throws(f, want) {
  let text;
  try { f(); } catch (e) { text = String(e?.message ?? e); }
  if (text === undefined || !text.includes(want)) throw new Error("got " + text + " want " + want);
}
`

// library is a script that imports by address, loaded with no network.
type library struct {
	*bench
	aborts []*vu.Abort
	failed []string
}

func loadLibrary(t *testing.T, script string, files map[string]string) (*library, error) {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "script.js", script)
	for name, text := range files {
		write(t, dir, name, text)
	}
	l := &library{bench: &bench{log: &bytes.Buffer{}}}
	epoch := metrics.NewEpoch(time.Now())
	test, err := Load(context.Background(), Config{
		Path: "script.js", Dir: dir, Env: map[string]string{"FOO": "bar"}, Extended: true, Offline: true,
		Log: plainLog(l.log), Epoch: epoch, UserAgent: "jsload/test", Seed: 1, SeedFixed: true,
	})
	if err != nil {
		return l, err
	}
	l.test = test
	l.store = metrics.NewStore(metrics.Config{Registry: test.Metrics, Epoch: epoch, SystemTags: metrics.DefaultSystemTags})
	err = test.Bind(Binding{
		Recorder: record.New(record.Config{Store: l.store, SystemTags: metrics.DefaultSystemTags}),
		Abort:    func(a *vu.Abort) { l.aborts = append(l.aborts, a) }, MarkFailed: func(s string) { l.failed = append(l.failed, s) },
	})
	t.Cleanup(test.Close)
	return l, err
}

// runLibrary runs one iteration of a script, which must not throw.
func runLibrary(t *testing.T, script string) *library {
	t.Helper()
	l, err := loadLibrary(t, prelude+script, nil)
	if err != nil {
		t.Fatal(err)
	}
	l.iterate(t, 1)
	if strings.Contains(l.log.String(), "source=stacktrace") {
		t.Fatal(l.log.String())
	}
	return l
}

// checks lists the checks of a test, with passes and fails.
func (l *library) checks() []string {
	var list []string
	var walk func(g *metrics.GroupView)
	walk = func(g *metrics.GroupView) {
		for _, c := range g.Checks {
			list = append(list, fmt.Sprintf("%s %d/%d", c.Name, c.Passes, c.Fails))
		}
		for _, child := range g.Groups {
			walk(child)
		}
	}
	walk(l.store.Snapshot().Groups)
	return list
}

func TestLibraryImports(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, script string }{
		{"named", `import { randomItem } from "https://jslib.k6.io/k6-utils/1.4.0/index.js";
export default () => eq(randomItem(["a"]), "a");`},
		{"http", `import { randomItem } from 'http://jslib.k6.io/k6-utils/1.0.0/index.js';
export default () => eq(randomItem(["a"]), "a");`},
		{"default of CommonJS", `import utils from "https://jslib.k6.io/k6-utils/1.4.0/index.js";
export default () => { eq(utils.randomItem("a"), "a"); eq(Object.keys(utils).length, 10);
  throws(() => utils.urlencode, "urlencode is not provided by jsload's k6-utils"); };`},
		{"namespace", `import * as utils from "https://jslib.k6.io/k6-utils/1.0.0/index.js";
export default () => { eq(utils.randomItem("a"), "a"); throws(() => utils.findBetween(), "findBetween is not provided by jsload's k6-utils"); };`},
		{"require", `const utils = require("https://jslib.k6.io/k6-utils/1.4.0/index.js");
module.exports.default = () => { eq(utils.randomItem("a"), "a"); throws(() => utils.nope, "nope is not provided by"); };`},
		{"import()", `export default async () => { const u = await import("https://jslib.k6.io/k6-utils/1.4.0/index.js"); eq(u.randomItem("a"), "a"); };`},
		{"missing in CommonJS", `import { urlencode, randomItem } from "https://jslib.k6.io/k6-utils/1.4.0/index.js";
export default () => { eq(typeof urlencode, "undefined"); eq(randomItem("a"), "a"); };`},
		{"for its effect", `import "https://jslib.k6.io/k6-utils/1.5.0/index.js"; export default () => {};`},
		{"two versions", `import { findBetween as a } from "https://jslib.k6.io/k6-utils/1.1.0/index.js";
import { findBetween as b } from "https://jslib.k6.io/k6-utils/1.2.0/index.js";
export default () => { eq([a("", "<", ">"), b("", "<", ">")], ["", null]); };`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			runLibrary(t, tt.script)
		})
	}
}

func TestLibraryRefused(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, script, want string }{
		{"missing in an ES module", `import { nope } from "https://jslib.k6.io/k6-utils/1.2.0/index.js"; export default () => nope;`,
			`SyntaxError: The requested module "https://jslib.k6.io/k6-utils/1.2.0/index.js" does not provide an export named "nope"`},
		{"default of an ES module", `import u from "https://jslib.k6.io/k6-utils/1.2.0/index.js"; export default () => u;`, `named "default"`},
		{"unknown version", `import u from "https://jslib.k6.io/k6-utils/9.9.9/index.js"; export default () => u;`, `9.9.9/index.js is remote`},
		{"not ours", `import u from "https://jslib.k6.io/papaparse/5.1.1/index.js"; export default () => u;`, `papaparse/5.1.1/index.js is remote`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := loadLibrary(t, tt.script, nil)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

// TestLibraryInstalled: what is installed is taken for a bare name.
func TestLibraryInstalled(t *testing.T) {
	t.Parallel()
	l, err := loadLibrary(t, prelude+`import { randomItem } from "k6-utils"; export default () => eq(randomItem(), 5);`, map[string]string{
		"node_modules/k6-utils/package.json": `{"name": "k6-utils", "main": "i.js"}`, "node_modules/k6-utils/i.js": `exports.randomItem = () => 5;`,
	})
	if err != nil {
		t.Fatal(err)
	}
	l.iterate(t, 1)
	if l.log.Len() > 0 {
		t.Error(l.log)
	}
}

func TestLibraryUtils(t *testing.T) {
	t.Parallel()
	l := runLibrary(t, `
import * as u from "https://jslib.k6.io/k6-utils/1.6.0/index.js";
import { check as check15 } from "https://jslib.k6.io/k6-utils/1.5.0/index.js";
import { SharedArray } from "k6/data";
import exec from "k6/execution";
const shared = new SharedArray("s", () => [7]);
export default async function () {
  const v4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  eq(v4.test(u.uuidv4()), true, u.uuidv4()); eq(v4.test(u.uuidv4(true)), true); eq(u.uuidv4() !== u.uuidv4(), true);
  const seen = new Set(); for (let i = 0; i < 200; i++) seen.add(u.randomIntBetween(1, 3));
  eq([...seen].sort(), [1, 2, 3]);
  eq([u.randomItem([]), u.randomItem(shared), u.randomItem("x")], [undefined, 7, "x"]);
  eq([/^[a-z]{10}$/.test(u.randomString(10)), u.randomString(0), u.randomString(3, "q")], [true, "", "qqq"]);
  throws(() => u.randomString(-1), "whole number"); throws(() => u.randomString(1.5), "whole number");
  eq(u.findBetween("a<b>c<d>", "<", ">"), "b"); eq(u.findBetween("a<b>c<d>", "<", ">", true), ["b", "d"]);
  eq([u.findBetween("a<b", "<", ">"), u.findBetween("a", "<", ">", true)], [null, null]);
  throws(() => u.findBetween(null, "a", "b"), "");
  const st = u.normalDistributionStages(10, 60);
  eq(st.map((s) => s.duration), ["10s", ...Array(10).fill("4s"), "10s"]); eq(st.map((s) => s.target), [1, 3, 5, 7, 9, 10, 9, 7, 5, 3, 1, 0]);
  const s3 = u.normalDistributionStages(10, 60, 3);
  eq(s3.map((s) => s.duration), ["10s", "14s", "14s", "14s", "10s"]); eq(s3.map((s) => s.target), [2, 10, 10, 2, 0]);
  eq(["10", "5s10", "1d5h31m20s3ms", "1.5h", "1.9ms"].map(u.parseDuration), [10, 5010, 106280003, 5400000, 1]);
  throws(() => u.parseDuration(""), "str is empty"); throws(() => u.parseDuration(null), "str is empty");
  throws(() => u.parseDuration("5x"), "x is an unsupported time unit"); throws(() => u.parseDuration("1s2s"), "s time unit is provided multiple times");
  eq(check15(3, { three: (v) => v === 3, plain: 1 }, { k: "v" }), true);
  const p = u.check(Promise.resolve(2), { two: async (v) => v === 2, never: (v) => v === 9 });
  eq(typeof p.then, "function"); eq(await p, false);
  throws(() => u.check(1, { before: true, boom: () => { throw new Error("boom"); }, after: true }), "boom");
  throws(() => u.getCurrentStageIndex(), "the exec.test.options object doesn't contain the current scenario default");
}`)
	want := []string{"three 1/0", "plain 1/0", "never 0/1", "two 1/0", "before 1/0"}
	if got := l.checks(); !slices.Equal(got, want) {
		t.Errorf("checks: %v, want %v", got, want)
	}
}
