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
