package js

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jsload/jsload/js/internal/jslib"
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
	server := httptest.NewServer(http.HandlerFunc(mirror))
	t.Cleanup(server.Close)
	dir := t.TempDir()
	write(t, dir, "script.js", script)
	for name, text := range files {
		write(t, dir, name, text)
	}
	l := &library{bench: &bench{log: &bytes.Buffer{}}}
	epoch := metrics.NewEpoch(time.Now())
	test, err := Load(context.Background(), Config{
		Path: "script.js", Dir: dir, Env: map[string]string{"URL": server.URL}, Extended: true, Offline: true,
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

// mirror answers with what it was asked; /status/N with a status.
func mirror(w http.ResponseWriter, r *http.Request) {
	if status, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/status/")); err == nil {
		w.WriteHeader(status)
		return
	}
	body, _ := io.ReadAll(r.Body)
	headers := map[string]string{}
	for name := range r.Header {
		headers[strings.ToLower(name)] = r.Header.Get(name)
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"method": r.Method, "path": r.URL.Path, "headers": headers, "body": string(body)})
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
		{"computed require", `const utils = require("https://jslib.k6.io/k6-utils/" + ["1.4.0"] + "/index.js");
module.exports.default = () => eq(utils.randomItem("a"), "a");`},
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

// addressOf is an address by which a library is imported.
func addressOf(m *jslib.Module) string {
	switch m.Name {
	case "k6-reporter":
		return "https://raw.githubusercontent.com/benc-uk/k6-reporter/" + m.Version + ".0.1/dist/bundle.js"
	case "k6-junit":
		return "https://raw.githubusercontent.com/simbadltd/k6-junit/main/index.js"
	}
	dir, file := m.Name, "index.js"
	if before, after, ok := strings.Cut(m.Name, "/"); ok {
		dir, file = before, after
	}
	version := strings.NewReplacer("0.1.0-0.13", "0.13.0", "0.1.0-0.8", "0.1.0", "0.9-0.13", "0.9.0").Replace(m.Version)
	return "https://jslib.k6.io/" + dir + "/" + version + "/" + file
}

// TestLibraryExports imports the whole of every version: each name must be there.
func TestLibraryExports(t *testing.T) {
	t.Parallel()
	var imports, body strings.Builder
	for i, m := range jslib.Modules() {
		address := addressOf(m)
		for j, e := range m.Exports {
			fmt.Fprintf(&imports, "import { %s as m%d_%d } from %q;\n", e.Name, i, j, address)
			fmt.Fprintf(&body, "if (m%d_%d === undefined) throw new Error(%q);\n", i, j, m.Path()+" "+e.Name)
		}
	}
	runLibrary(t, imports.String()+"export default function () {\n"+body.String()+"}")
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

func TestLibrarySummary(t *testing.T) {
	t.Parallel()
	runLibrary(t, `
import { textSummary, humanizeValue, jUnit, htmlReport } from "https://jslib.k6.io/k6-summary/0.1.0/index.js";
import { textSummary as old } from "https://jslib.k6.io/k6-summary/0.0.1/index.js";
const check = (name, passes, fails) => ({ name, path: "::" + name, id: "", passes, fails });
const data = {
  root_group: { name: "", checks: [check("root check", 1, 0)], groups: [
    { name: "G1", checks: [], groups: [{ name: "Sub", checks: [check("c2", 2, 1)], groups: [] }] }] },
  options: { summaryTrendStats: ["avg", "p(95)", "count"], summaryTimeUnit: "" },
  metrics: {
    http_reqs: { type: "counter", contains: "default", values: { count: 7, rate: 0.1234567 }, thresholds: { "count>9": { ok: false } } },
    data_sent: { type: "counter", contains: "data", values: { count: 123999, rate: 9 } },
    vus: { type: "gauge", contains: "default", values: { value: 1, min: 1, max: 2 } },
    "http_req_duration{x:y}": { type: "trend", contains: "time", values: { avg: 0.5, "p(95)": 0.0005, count: 1 } },
    http_req_duration: { type: "trend", contains: "time", values: { avg: 12.34567, "p(95)": 61000, count: 7 }, thresholds: { "avg<1": { ok: false } } },
    http_req_failed: { type: "rate", contains: "default", values: { rate: 1 / 3, passes: 1, fails: 2 } },
  },
};
const want = [
  "     ✓ root check", "", "     █ G1", "", "       █ Sub", "", "         ✗ c2", "          ↳  66% — ✓ 2 / ✗ 1", "",
  "     data_sent...........: 124 kB 9 B/s",
  "   ✗ http_req_duration...: avg=12.34ms p(95)=1m1s  count=7",
  "       { x:y }...........: avg=500µs   p(95)=500ns count=1",
  "     http_req_failed.....: 33.33% ✓ 1        ✗ 2",
  "   ✗ http_reqs...........: 7      0.123457/s",
  "     vus.................: 1      min=1      max=2",
];
export default function () {
  const text = textSummary(data, { indent: " ", enableColors: false });
  eq(text.split("\n").map((l) => l.trimEnd()), want);
  eq(text.endsWith("\n"), false);
  eq(old({ ...data, metrics: { "a{b:c}": data.metrics.vus, ab: data.metrics.vus, a_b: data.metrics.vus } }, { enableColors: false })
    .split("\n").slice(-3).map((l) => l.trim().split(".")[0]), ["a_b", "ab", "{ b:c }"]);
  const painted = textSummary(data);
  for (const part of ["\x1b[32m     ✓ root check\x1b[0m", "     █ G1\n", "\x1b[31m✗\x1b[0m http_reqs\x1b[2m...........:\x1b[0m \x1b[36m7", "\x1b[36;2m0.123457/s\x1b[0m"]) {
    eq(painted.includes(part), true, part);
  }
  throws(() => textSummary({ ...data, options: undefined }), "");
  const data_ = { type: "counter", contains: "data" }, time = { type: "trend", contains: "time" }, none = { type: "gauge", contains: "default" };
  eq([9, 1500, 15000, 999].map((v) => humanizeValue(v, data_)), ["9 B", "1.5 kB", "15 kB", "999 B"]);
  eq([0, 0.0005, 0.5, 1.239, 12345, 65000, 3600000].map((v) => humanizeValue(v, time)), ["0s", "500ns", "500µs", "1.23ms", "12.34s", "1m5s", "1h0m0s"]);
  eq([["s", 12], ["ms", 12], ["us", 12]].map(([u, v]) => humanizeValue(v, time, u)), ["0.01s", "12.00ms", "12000.00µs"]);
  eq([humanizeValue(0.3333, { type: "rate" }), humanizeValue(1.5, none), humanizeValue(0.12345678, none)], ["33.33%", "1.5", "0.123457"]);
  eq(jUnit(data, { name: "nightly", classname: "p'<" }), `+"`"+`<?xml version="1.0"?>
<testsuites tests="2" failures="2">
  <testsuite name="nightly" tests="2" failures="2">
    <testcase name="http_reqs - count&gt;9" classname="p&#39;&lt;"><failure message="counter threshold failed: count value: 7, rate value: 0.1234567" /></testcase>
    <testcase name="http_req_duration - avg&lt;1" classname="p&#39;&lt;"><failure message="trend threshold failed: avg value: 12.34567, p(95) value: 61000, count value: 7" /></testcase>
  </testsuite>
</testsuites>`+"`"+`);
  eq(jUnit({ ...data, metrics: {} }, null).includes('name="k6 thresholds" tests="0" failures="0"'), true);
  eq(jUnit(data, { checks: true }).includes('name="G1 - Sub - c2"'), true);
  eq(typeof htmlReport, "undefined");
}`)
}

func TestLibraryReports(t *testing.T) {
	t.Parallel()
	l := runLibrary(t, `
import { htmlReport } from "https://raw.githubusercontent.com/benc-uk/k6-reporter/main/dist/bundle.js";
import { htmlReport as two } from "https://raw.githubusercontent.com/benc-uk/k6-reporter/2.4.0/dist/bundle.js";
import { jUnit } from "https://raw.githubusercontent.com/simbadltd/k6-junit/main/index.js";
const group = (name, checks, ...groups) => ({ name, checks, groups });
const root = group("", [{ name: "r<", passes: 1, fails: 0 }], group("Parent", [{ name: "c", passes: 2, fails: 1 }], group("Child", [{ name: "d", passes: 0, fails: 0 }])));
const metrics = { http_req_duration: { type: "trend", contains: "time", values: { avg: 1, max: 2 }, thresholds: { "max<1": { ok: false } } } };
export default function () {
  const opts = { theme: "boot:x", title: "<My>" };
  const page = htmlReport({ root_group: root, metrics, options: { summaryTrendStats: ["avg", "max"] } }, opts);
  for (const part of ["<title>&lt;My&gt;</title>", '<td class="bad">2</td>', "r&lt;", "Child", "max&lt;1"]) eq(page.includes(part), true, part);
  eq(/https?:|src=|href=/.test(page), false);
  eq(htmlReport({ metrics: {} }).includes("Test Report: "), true); eq(opts.debug, false);
  eq(two({ root_group: root, metrics }).includes("<title>K6 Load Test: 20"), true);
  eq(jUnit({ root_group: root, metrics }).split("\n"), ['<?xml version="1.0"?>', '<testsuites tests="4" failures="3">',
    '  <testsuite id="0" name="Root" tests="1" failures="0">', '    <testcase name="r&lt;" classname="Root" />', "  </testsuite>",
    '  <testsuite id="1" name="Parent" tests="2" failures="2">',
    '    <testcase name="c" classname="Parent"><failure message="2 / 1 (66.67%) checks passed">2 / 1 (66.67%) checks passed</failure></testcase>',
    '    <testcase name="d" classname="Parent: Child"><failure message="0 / 0 (0.00%) checks passed">0 / 0 (0.00%) checks passed</failure></testcase>', "  </testsuite>",
    '  <testsuite id="2" name="Thresholds" tests="1" failures="1">',
    '    <testcase name="http_req_duration: max&lt;1" classname="Thresholds"><failure message="threshold exceeded" /></testcase>', "  </testsuite>", "</testsuites>"]);
}`)
	if got := strings.Count(l.log.String(), "k6-reporter"); got != 3 {
		t.Errorf("%d lines of the log name the reporter:\n%s", got, l.log)
	}
}

func TestLibraryForms(t *testing.T) {
	t.Parallel()
	runLibrary(t, `
import { FormData } from "https://jslib.k6.io/formdata/0.0.2/index.js";
import urlencode from "https://jslib.k6.io/form-urlencoded/3.0.0/index.js";
import { URL, URLSearchParams as P } from "https://jslib.k6.io/url/1.0.0/index.js";
import url from "https://jslib.k6.io/url/1.0.0/index.js";
import "https://jslib.k6.io/url/1.0.0/index.js";
import { TOTP } from "https://jslib.k6.io/totp/1.0.0/index.js";
import http from "k6/http";
const text = (buffer) => new TextDecoder().decode(buffer);
export default async function () {
  const form = new FormData();
  eq(form.boundary.startsWith("------RWWorkerFormDataBoundary0."), true);
  form.boundary = "B";
  form.append("a", "é");
  form.append("f", http.file(new Uint8Array([104, 105]).buffer, 'n"q.txt', "text/x"));
  form.append("n", 5); form.append("o", { data: [65] });
  eq(text(form.body()), '--B\r\nContent-Disposition: form-data; name="a"\r\nContent-Type: text/plain\r\n\r\né\r\n' +
    '--B\r\nContent-Disposition: form-data; name="f"; filename="n%22q.txt"\r\nContent-Type: text/x\r\n\r\nhi\r\n' +
    '--B\r\nContent-Disposition: form-data; name="n"\r\nContent-Type: text/plain\r\n\r\n5\r\n' +
    '--B\r\nContent-Disposition: form-data; name="o"\r\nContent-Type: application/octet-stream\r\n\r\nA\r\n--B--\r\n');
  eq(form.parts.length, 4); eq(FormData().parts, []);
  throws(() => form.append("x"), "Not enough arguments"); throws(() => form.get("a"), "get is not provided by jsload's formdata");
  eq(urlencode({ a: [1, 2], b: { c: "x y" }, d: null, e: [], u: undefined, t: true, n: NaN, "s!": "'()~*" }),
    "a%5B0%5D=1&a%5B1%5D=2&b%5Bc%5D=x+y&d=null&e%5B%5D&t=true&n=NaN&s%21=%27%28%29%7E%2A");
  eq(urlencode({ b: [1], a: null }, { sorted: true, skipIndex: true, ignorenull: true }), "b%5B%5D=1");
  eq([urlencode(null), urlencode("")], [null, ""]);
  const u = new URL("HTTP://Example.com:80/a/../b c?x=1"); u.searchParams.append("k", "v w");
  eq([u.href, String(u), Object.keys(u)], ["http://example.com/b%20c?x=1&k=v+w", "http://example.com/b%20c?x=1&k=v+w", []]);
  u.search = "?z=2"; eq(u.searchParams.get("z"), "2"); eq(u.searchParams.get("k"), null);
  eq([new P([["a", "1"]]).toString(), new P({ a: [1, 2] }).toString(), new url.URL("mailto:x@y").pathname], ["a=1", "a=1%2C2", "x@y"]);
  throws(() => new URL("nope"), ""); throws(() => URL("http://a"), "");
  eq(globalThis.URL === URL, true);
  const now = Date.now;
  try {
    for (const [at, code] of [[59, "94287082"], [1111111109, "07081804"], [20000000000, "65353130"]]) {
      Date.now = () => at * 1000;
      const t = new TOTP("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", 8);
      eq(await t.gen(), code); eq(await t.verify(code), true); eq(await t.verify("0"), false);
    }
  } finally { Date.now = now; }
  throws(() => new TOTP("a"), "base32"); throws(() => new TOTP("A").secret, "secret is not provided by jsload's totp");
}`)
}

func TestLibraryHttpx(t *testing.T) {
	t.Parallel()
	l := runLibrary(t, `
import { Httpx, Get, Post, Request, Head } from "https://jslib.k6.io/httpx/0.1.0/index.js";
import { Httpx as Httpx5 } from "https://jslib.k6.io/httpx/0.0.5/index.js";
import { Httpx as Httpx1 } from "https://jslib.k6.io/httpx/0.0.1/index.js";
import { Rate } from "k6/metrics";
import http from "k6/http";
const bad = new Rate("bad");
const opts = { baseURL: __ENV.URL, headers: { A: "1", B: "1" }, tags: { t: "1" }, errorMetric: bad, timeout: "20s" };
export default async function () {
  const s = new Httpx(opts);
  eq(Object.keys(opts), ["baseURL", "headers", "tags", "errorMetric", "timeout"]);
  let r = s.get("/x", null, { headers: { B: "2", C: "3" } }).json();
  eq([r.method, r.path, r.headers.a, r.headers.b, r.headers.c], ["GET", "/x", "1", "2", "3"]);
  eq(s.k6params, { timeout: "20s", headers: { A: "1", B: "1" }, tags: { t: "1" } });
  eq(s.lastRequest.responseObject.status, 200); eq(typeof s.lastRequestChainDuration, "number");
  eq(s.addHeader("D", "4"), undefined); s.addHeaders({ E: "5" }); s.clearHeader("A");
  s.addTag("u", "1"); s.addTags({ v: "1" }); s.clearTag("t");
  r = s.post("/p", { k: "v w" }).json(); eq([r.method, r.body, r.headers.d, r.headers.e, r.headers.a], ["POST", "k=v+w", "4", "5", undefined]);
  eq(["put", "patch", "delete", "options", "trace"].map((m) => s[m]("/m").json().method), ["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]);
  eq([s.get(__ENV.URL + "/abs").json().path, s.get(http.url`+"`${__ENV.URL}/u/${1}`"+`).json().path, s.request("GET", "/q").json().path], ["/abs", "/u/1", "/q"]);
  eq(s.get("/status/500").status, 500); eq(s.get("/status/404", null, { expect: (r) => r.status === 404 }).status, 404);
  const get = new Get("/g", { body: "b" }); eq(get.addHeader("X", "y").addTag("a", "b") === get, true); eq(get.body, "b");
  eq(s.execute(new Post("/e", { body: "hey" })).json().body, "hey");
  const all = s.batch([new Get("/1"), ["POST", "/2", "z", { headers: { B: "9" } }], "dropped", new Request("PUT", "/3")], { headers: { S: "s" } });
  eq(all.map((r) => r.json().path), ["/1", "/2", "/3"]); eq([all[1].json().headers.b, all[1].json().headers.s, all[0].json().headers.b], ["9", "s", "1"]);
  eq(s.lastRequest.responseObject.length, 3);
  const [a, b] = await Promise.all([s.asyncGet("/a"), s.asyncPost("/b", "body")]); eq([a.json().path, b.json().body], ["/a", "body"]);
  throws(() => s.request("FOO", "/"), "Invalid method: FOO. Expected one of GET,HEAD,POST,PUT,DELETE,CONNECT,OPTIONS,TRACE,PATCH");
  throws(() => s.request("GET"), "Invalid number of arguments for request(). Provide at least Method and URL.");
  throws(() => s.asyncRequest("GET"), "Invalid number of arguments for asyncRequest()");
  throws(() => s.del("/"), "del is not provided by jsload's httpx"); throws(() => new Httpx5().asyncGet, "asyncGet is not provided");
  class Mine extends Httpx { own() { return this.token; } }
  eq(new Mine().own(), undefined); eq(new Mine({ baseURL: __ENV.URL }).get("/sub").json().path, "/sub");
  const five = new Httpx5({ baseURL: __ENV.URL }); eq(five.get("/five").json().path, "/five");
  eq(five.get("http://x").error !== "" || five.lastRequest.responseObject.url.startsWith(__ENV.URL), true);
  const one = new Httpx1({ baseURL: __ENV.URL, otherParams: { responseType: "none" } }); eq(one.get("/one").body, null);
  one.setBaseUrl(__ENV.URL + "/b"); eq(one.lastRequest.responseObject.url.endsWith("/one"), true);
}`)
	bad := l.store.Snapshot().Find(l.test.Metrics.Lookup("bad"), "")
	if bad == nil || bad.Trues != 1 {
		t.Errorf("the error metric: %+v", bad)
	}
}

func TestLibraryInstrumentation(t *testing.T) {
	t.Parallel()
	runLibrary(t, `
import tempo, { Client } from "https://jslib.k6.io/http-instrumentation-tempo/1.0.1/index.js";
import pyroscope, { Client as PClient, instrumentHTTP } from "https://jslib.k6.io/http-instrumentation-pyroscope/1.0.2/index.js";
import { Client as PClient1 } from "https://jslib.k6.io/http-instrumentation-pyroscope/1.0.1/index.js";
import http from "k6/http";
import exec from "k6/execution";
const seen = (r) => r.json().headers;
const w3c = /^00-dc0718[0-9a-f]{26}-[0-9a-f]{16}-01$/;
export default async function () {
  const c = new Client({ propagator: "jaeger", sampling: 0 });
  eq(/^dc0718[0-9a-f]{26}:[0-9a-f]{8}:0:0$/.test(seen(c.get(__ENV.URL))["uber-trace-id"]), true);
  c.configure({}); eq(w3c.test(seen(c.post(__ENV.URL, "x")).traceparent), true);
  throws(() => new Client({ propagator: "x" }), "unknown propagator: x"); throws(() => new Client({ sampling: 2 }), "sampling rate must be between 0.0 and 1.0");
  throws(() => new Client(), ""); throws(() => c.batch, "batch is not provided by jsload's http-instrumentation-tempo");
  eq(seen(http.get(__ENV.URL)).traceparent, undefined);
  const want = (name) => "k6.test_run_id=undefined,k6.scenario=default,k6.name=" + name;
  const p = new PClient(); eq(seen(p.get(__ENV.URL, { tags: { name: "n" } })).baggage, want("n"));
  eq(seen(p.get(__ENV.URL, { headers: { baggage: "a=b" } })).baggage, "a=b," + want(__ENV.URL));
  eq(seen(new PClient1().get(__ENV.URL, { headers: { baggage: "a=b" }, tags: { name: "n" } })).baggage, want("n").replaceAll(",", ", "));
  eq(seen(new PClient(() => ({ own: "1" })).del(__ENV.URL)).own, "1");
  tempo.instrumentHTTP({ propagator: "w3c", sampling: 1 }); instrumentHTTP();
  const params = {}; const both = seen(http.request("PUT", __ENV.URL, "b", params));
  eq([w3c.test(both.traceparent), both.baggage], [true, want(__ENV.URL)]); eq(Object.keys(params.headers), ["baggage", "traceparent"]);
  const r = await http.asyncRequest("GET", __ENV.URL); eq(w3c.test(seen(r).traceparent), true);
  eq(seen(http.batch([__ENV.URL])[0]).traceparent, undefined); eq("trace_id" in exec.vu.metrics.metadata, false);
  eq(Object.keys(tempo), ["Client", "instrumentHTTP"]); eq(Object.keys(pyroscope), ["Client", "instrumentHTTP"]);
}`)
}

// TestLibraryChaiNames runs each assertion on its own: the names of the checks are
// what thresholds and dashboards go by.
func TestLibraryChaiNames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		code string
		want []string // with + for a pass, - for a failure
	}{
		{`expect(1, "n").to.equal(1)`, []string{"+expected n to equal 1"}},
		{`expect(42).to.equal(44)`, []string{"-expected ${this} to equal 44"}},
		{`expect({a: 1}, "n").to.eql({a: 1})`, []string{"+expected n to deeply equal { a: 1 }"}},
		{`expect([1, 2], "n").to.deep.equal([1, 2])`, []string{"+expected n to deeply equal [ 1, 2 ]"}},
		{`expect({body: "{}", json: () => ({})}, "n").to.have.validJsonBody()`, []string{"+has valid json body"}},
		{`expect({body: "<p>", json: () => { throw 1; }}, "n").to.have.validJsonBody()`, []string{"-has valid json body"}},
		{`expect(5, "n").to.be.above(4)`, []string{"+expected n to be above 4"}},
		{`expect(5, "n").to.be.greaterThan(4)`, []string{"+expected n to be above 4"}},
		{`expect(5, "n").to.be.lessThan(4)`, []string{"-expected n to be below 4"}},
		{`expect(5, "n").to.be.at.least(5)`, []string{"+expected n to be at least 5"}},
		{`expect(5, "n").to.be.at.most(5)`, []string{"+expected n to be at most 5"}},
		{`expect(5, "n").to.be.within(1, 9)`, []string{"+expected n to be within 1..9"}},
		{`expect("x", "n").to.be.a("string")`, []string{"+expected n to be a string"}},
		{`expect([], "n").to.be.an("array")`, []string{"+expected n to be an array"}},
		{`expect({p: 1}, "n").to.have.property("p")`, []string{"+expected n to have property 'p'"}},
		{`expect({p: 1}, "n").to.have.property("p", 2)`, []string{"+expected n to have property 'p'", "-expected n to have property 'p' of 2, got ${actual}"}},
		{`expect({a: {b: [7]}}, "n").to.have.nested.property("a.b[0]", 7)`,
			[]string{"+expected n to have nested property 'a.b[0]'", "+expected n to have nested property 'a.b[0]' of 7, got ${actual}"}},
		{`expect({a: 1}, "n").to.have.own.property("a")`, []string{"+expected n to have own property 'a'"}},
		{`expect("abc", "n").to.include("b")`, []string{"+expected n to include 'b'"}},
		{`expect({a: 1, b: 2}, "n").to.contain({a: 1})`, []string{"+expected n to have property 'a'", "+expected n to have property 'a' of 1, got ${actual}"}},
		{`expect([{a: 1}], "n").to.deep.include({a: 1})`, []string{"+expected n to deep include { a: 1 }"}},
		{`expect([1], "n").to.have.lengthOf(1)`, []string{"+expected n to have property 'length'", "+expected n to have a length of 1 got ${actual}"}},
		{`expect("ab", "n").to.have.length(2)`, []string{"+expected n to have property 'length'", "+expected n to have a length of 2 got ${actual}"}},
		{`expect([1], "n").to.have.lengthOf.at.least(2)`, []string{"+expected n to have property 'length'", "-expected n to have a length at least 2 got ${actual}"}},
		{`expect([], "n").to.be.empty`, []string{"+expected n to be empty"}},
		{`expect([1], "n").to.not.be.empty`, []string{"+expected n not to be empty"}},
		{`expect(true, "n").to.be.true`, []string{"+expected n to be true"}},
		{`expect(1, "n").to.not.be.null`, []string{"+expected n not to be null"}},
		{`expect(1, "n").to.be.ok`, []string{"+expected n to be truthy"}},
		{`expect(0, "n").to.not.be.ok`, []string{"+expected n to be falsy"}},
		{`expect(1, "n").to.exist`, []string{"+expected n to exist"}},
		{`expect("ab", "n").to.match(/b/)`, []string{"+expected n to match /b/"}},
		{`expect(1, "n").to.be.oneOf([1, 2])`, []string{"+expected n to be an array", "+expected n to be one of [ 1, 2 ]"}},
		{`expect([1, 2], "n").to.have.members([2, 1])`, []string{"+expected n to be an array", "+expected n to have the same members as [ 2, 1 ]"}},
		{`expect([1, 2], "n").to.have.ordered.members([2, 1])`, []string{"+expected n to be an array", "-expected n to have the same ordered members as [ 2, 1 ]"}},
		{`expect({a: 1, b: 2}, "n").to.have.keys("a", "b")`, []string{"+expected n to have keys 'a', and 'b'"}},
		{`expect({a: 1}, "n").to.have.all.keys("a")`, []string{"+expected n to have key 'a'"}},
		{`expect({a: 1, b: 2}, "n").to.include.keys("a")`, []string{"+expected n to contain key 'a'"}},
		{`expect("xz", "n").to.contain.string("z")`, []string{"+expected n to be a string", "+expected n to contain 'z'"}},
		{`expect(1.5, "n").to.be.closeTo(1, 0.5)`, []string{"+expected n to be a number", "+expected n to be close to 1 +/- 0.5"}},
		{`class C {}; expect(new C(), "n").to.be.instanceOf(C)`, []string{"+expected n to be an instance of C"}},
		{`expect(1, "n").to.satisfy((v) => v === 1)`, []string{"+expected n to satisfy [Function]"}},
		{`expect(() => { throw new Error("x"); }, "n").to.throw()`, []string{"+expected n to be a function", "+expected n to throw an error"}},
		{`expect(1, "n").to.be.finite`, []string{"+expected n to be a finite number"}},
		{`expect("secret", "n").anonymize().to.be.a("string")`, []string{"+expected <anonymized> to be a string"}},
		{`expect(1, "n").to.not.equal(2)`, []string{"+expected n to not equal 2"}},
		{`expect(1, "n").to.not.be.a("number")`, []string{"-expected n not to be a number"}},
		{`expect(1, "n").to.not.be.above(5)`, []string{"+expected n to be at most 5"}},
		{`expect(1, "n").to.not.be.true`, []string{"+expected n to be false"}},
		{`expect("x".repeat(90), "n".repeat(120)).to.be.a("string")`, []string{"+expected " + strings.Repeat("n", 91) + "..."}},
		{`expect({a: 1}, "n").to.be.an("object").that.has.property("a").that.equals(1)`,
			[]string{"+expected n to be an object", "+expected n to have property 'a'", "+expected n to equal 1"}},
		{`chai.assert.equal(1, "1", "n")`, []string{"+expected n to equal '1'"}},
		{`chai.config.aggregateChecks = false; expect(42, "val").to.equal(44)`, []string{"-val: expected 42 to equal 44"}},
		{`chai.use((c) => c.Assertion.addMethod("odd", function () { this.assert(this._obj % 2, "expected #{this} to be odd", "expected #{this} to be even"); })); expect(3, "n").to.be.odd()`,
			[]string{"+expected n to be odd"}},
	} {
		t.Run(tt.code, func(t *testing.T) {
			t.Parallel()
			l := runLibrary(t, `import chai, { expect } from "https://jslib.k6.io/k6chaijs/4.3.4.3/index.js";
export default function () { try { `+tt.code+` } catch (e) { if (e.name !== "AssertionError") throw e; } }`)
			var got []string
			for _, c := range l.store.Snapshot().Groups.Checks {
				mark := "+"
				if c.Fails > 0 {
					mark = "-"
				}
				got = append(got, mark+c.Name)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestLibraryChai(t *testing.T) {
	t.Parallel()
	l := runLibrary(t, `
import { describe, expect, chai as none } from "https://jslib.k6.io/k6chaijs/4.3.4.3/index.js";
import { chai as old, expect as expectOld } from "https://jslib.k6.io/k6chaijs/4.3.4.0/index.js";
import last from "https://jslib.k6.io/k6chaijs/4.5.0.1/index.js";
export default function () {
  eq(typeof none, "undefined"); eq(last.config.exitOnError, false); eq(old.config.truncateValueThreshold, 100);
  eq(describe("good", () => { expect(1, "a").to.equal(1); }), true);
  let after = false;
  eq(describe("bad", () => { expect(1, "b").to.equal(2); after = true; }), false); eq(after, false);
  eq(describe("throws", () => { throw new Error("boom"); }), false);
  eq(describe("outer", () => { eq(describe("inner", () => { expect.fail("f"); }), false); }), true);
  eq(describe("async", async () => {}), true);
  throws(() => expect(42).to.equal(44), "expected 42 to equal 44");
  throws(() => expectOld("x".repeat(60)).to.equal("y"), "expected '" + "x".repeat(37) + "…' to equal 'y'");
  throws(() => expect(0).to.equal([]), "expected +0 to equal []");
  throws(() => expect(1).to.equel(1), 'Invalid Chai property: equel. Did you mean "equal"?');
  throws(() => expect(1).to.respondTo("x"), "respondTo is not provided by jsload's k6chaijs");
  throws(() => expect(true).to.be.true(), "ot a function");
  throws(() => last.should, "should is not provided by jsload's k6chaijs");
  try { expect(1).to.equal(2); } catch (e) { eq([e.name, e.actual, e.expected, e instanceof Error], ["AssertionError", 1, 2, true]); }
}`)
	if !strings.Contains(l.log.String(), `Exception raised in test \"throws\". Failing the test and continuing. \nError: boom`) {
		t.Error(l.log)
	}
	if got := l.checks(); !slices.Contains(got, `Exception raised "Error: boom" 0/1`) || !slices.Contains(got, "expected b to equal 2 0/1") {
		t.Error(got)
	}
}

func TestLibraryAWS(t *testing.T) {
	t.Parallel()
	runLibrary(t, `
import { SignatureV4, AWSConfig, Endpoint, UNSIGNED_PAYLOAD, InvalidSignatureError } from "https://jslib.k6.io/aws/0.12.3/signature.js";
const credentials = { accessKeyId: "AKIDEXAMPLE12345", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" };
const signingDate = new Date("2015-08-30T12:36:00Z");
const signer = (service, applyChecksum, uriEscapePath, more) => new SignatureV4({ service, region: "us-east-1", credentials: { ...credentials, ...more }, uriEscapePath, applyChecksum });
const endpoint = new Endpoint("https://h.example.com");
const signature = (url) => /X-Amz-Signature=([0-9a-f]+)/.exec(url)[1];
export default function () {
  const get = { method: "GET", endpoint, path: "/k", headers: {} };
  eq(signature(signer("execute-api", false, true).presign(get, { signingDate }).url), "b2141b65eccd7c4e31c00f55fbe402d0b4d209c083eebc5f7a7f3ad0cbb4a357");
  eq(signature(signer("s3", true, false).presign(get, { signingDate }).url), "5fa76db3343e2a94ccf615ca5875ca695ed28702dcd77167e182eceec33209d2");
  throws(() => signer("s3", true, false).presign(get, { expiresIn: 604801 }), "can't be valid for more than 7 days");
  const headers = { "User-Agent": "x", Date: "old", "Content-Type": "text/plain" };
  const local = new Endpoint("http://localhost:9000");
  const r = signer("s3", true, false, { sessionToken: "T" }).sign({ method: "PUT", endpoint: local, path: "/b/k", headers, body: "hi", query: { z: ["b", "a"], a: "1 2" } }, { signingDate });
  eq(r.url, "http://localhost:9000/b/k?a=1%202&z=a&z=b"); eq(r.headers === headers, true);
  eq([headers.host, headers["x-amz-date"], headers.Date, headers["x-amz-security-token"]], ["localhost", "20150830T123600Z", undefined, "T"]);
  eq(headers["x-amz-content-sha256"], "8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4");
  eq(headers.authorization.startsWith("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE12345/20150830/us-east-1/s3/aws4_request, SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date;x-amz-security-token, Signature="), true, headers.authorization);
  const own = { "x-amz-content-sha256": UNSIGNED_PAYLOAD }; signer("s3", true, false).sign({ ...get, headers: own }); eq(own["x-amz-content-sha256"], "UNSIGNED-PAYLOAD");
  eq([local.protocol, local.hostname, local.port, local.host, local.href], ["http", "localhost", "9000", "localhost:9000", "http://localhost:9000"].map(String));
  const copy = local.copy(); copy.hostname = "other"; eq([copy.href, local.hostname], ["http://other:9000", "localhost"]);
  eq(new AWSConfig({ region: "r", ...credentials, endpoint: "http://h:1" }).endpoint.host, "h:1");
  eq(new AWSConfig("r", credentials.accessKeyId, "s", "t").sessionToken, "t");
  throws(() => new AWSConfig({ ...credentials }), "invalid AWS region; reason: "); throws(() => AWSConfig.fromEnvironment(), "invalid AWS region");
  throws(() => new AWSConfig({ region: "r", accessKeyId: "short", secretAccessKey: "s" }), "invalid AWS access key ID; reason: ");
  eq(new InvalidSignatureError("m").name, "InvalidSignatureError");
}`)
}

func TestLibraryTesting(t *testing.T) {
	t.Parallel()
	const from = `import { expect, colorize } from "https://jslib.k6.io/k6-testing/0.6.1/index.js"; export default async function () { `
	passing := runLibrary(t, from+`
  expect(NaN).toBe(NaN); expect(0).not.toBe(-0); expect({ a: [1] }).toEqual({ a: [1] }); expect([1]).toEqual({ 0: 1 });
  expect(new Date(1)).toEqual(new Date(2)); expect(NaN).not.toEqual(NaN); expect({ a: undefined }).not.toEqual({});
  expect(1).toBeTruthy(); expect(0).toBeFalsy(); expect(1).toBeDefined(); expect(undefined).toBeUndefined(); expect(null).toBeNull(); expect(NaN).toBeNaN();
  expect(2).toBeGreaterThan(1); expect(2).toBeGreaterThanOrEqual(2); expect(1).toBeLessThan(2); expect(2).toBeLessThanOrEqual(2);
  expect(1.004).toBeCloseTo(1); expect(1.006).not.toBeCloseTo(1); expect([]).toBeInstanceOf(Array); expect("ab").toHaveLength(2);
  expect("abc").toContain("b"); expect([1, 2]).toContain(2); expect(new Set([1])).toContain(1); expect([{ a: 1 }]).toContainEqual({ a: 1 });
  expect({ a: { b: [{ c: 1 }] } }).toHaveProperty("a.b[0].c"); expect({ a: { b: 1 } }).toHaveProperty("a.b", 1); expect({}).not.toHaveProperty("toString");
  eq(expect.config.timeout, 5000); eq(expect.configure({ timeout: 1 }).config, { timeout: 1, interval: 100, soft: false, softMode: "fail", colorize: true, display: "pretty" });
  throws(() => expect(1).toMatch(1), "toMatch is not provided by jsload's k6-testing"); throws(() => expect({}).toHaveLength(1), "length");
  eq(colorize("x", "red"), "\x1b[31mx\x1b[0m");
  let asked = 0;
  const locator = { isChecked: async () => ++asked > 2, isVisible: async () => true, textContent: async () => "a  b\u200b" };
  await expect(locator).toBeChecked({ timeout: 1000, interval: 1 }); eq(asked, 3);
  await expect(locator).toHaveText("A b", { ignoreCase: true }); await expect(locator).toContainText(/b/);
}`)
	if len(passing.aborts)+len(passing.failed) > 0 || len(passing.checks()) > 0 {
		t.Error(passing.aborts, passing.failed, passing.checks())
	}
	soft := runLibrary(t, from+`
  const e = expect.configure({ display: "inline", colorize: false, soft: true });
  e({ a: 1 }).toEqual({ a: 2 }); e(1).toBeGreaterThan(5); expect.soft(1, "my words").toBe(2); }`)
	if len(soft.failed) != 3 {
		t.Fatal(soft.failed)
	}
	for i, want := range []string{
		`error=expect(received).toEqual(expected) at=`, `expected="> 5" received=1 filename=script.js line=`, "my words",
	} {
		if !strings.Contains(soft.failed[i], want) {
			t.Errorf("%s lacks %s", soft.failed[i], want)
		}
	}
	l, err := loadLibrary(t, from+`expect(1).toBe(2); }`, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.iterateError(t); err == nil || !strings.Contains(err.Error(), "expect(received).toBe(expected)") {
		t.Errorf("a hard failure: %v", err)
	}
	thrown := `import { expect } from "https://jslib.k6.io/k6-testing/0.5.0/index.js"; export default function () {
  try { expect.configure({ display: "inline" }).soft("1").toBe("2"); } catch (e) { eq(e.name, "AssertionFailedError"); eq(e.message.includes('received="1"'), true, e.message); return; } throw 1; }`
	runLibrary(t, thrown)
}

// iterateError runs an iteration that must end the test.
func (l *library) iterateError(t *testing.T) error {
	t.Helper()
	u, err := l.test.NewUnit(t.Context(), vu.ID{InInstance: 1, InTest: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer u.Close()
	s := &vu.Scenario{Name: "default", Executor: "shared-iterations", Exec: "default", Start: time.Now(), Progress: func() float64 { return 0 }}
	if err := u.Activate(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	return u.Iterate(vu.Iteration{})
}

func TestLibraryExpect(t *testing.T) {
	t.Parallel()
	l := runLibrary(t, `
import { describe } from "https://jslib.k6.io/expect/0.0.5/index.js";
import { test } from "https://jslib.k6.io/functional/0.0.2/index.js";
export default function () {
  eq(describe("all", (t) => {
    t.expect(200).as("st").toEqual(200).and(5).toBeGreaterThan(3).toBeLessThanOrEqual(5).and(5).as("five").toBeBetween(1, 9).toBeTruthy();
    t.expect({ url: "U", body: "{}", json: () => ({}) }).toHaveValidJson();
    throws(() => t.expect(1).toBeOdd(), "toBeOdd is not provided by jsload's expect");
  }), true);
  let after = false;
  eq(describe("named", (t) => { t.expect(1).as("one").toEqual(2); after = true; }), false); eq(after, false);
  eq(test("unnamed", (t) => { t.expect(1).toEqual(2); }), false);
}`)
	want := []string{
		"st is 200. 1/0", "5 is greater than 3 1/0", "5 is less or equal to 5 1/0", "five is between 1 - 9 1/0", "five is truthy. 1/0",
		"U has valid json response 1/0", "one is 1. Expected '2' 0/1", "1 is 2 0/1",
	}
	if got := l.checks(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
