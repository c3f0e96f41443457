package js

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/jsload/jsload/metrics"
)

func checkConfig(t *testing.T, files map[string]string) Config {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		write(t, dir, name, text)
	}
	return Config{
		Path: "script.js", Dir: dir, Env: map[string]string{"FOO": "bar"}, Extended: true,
		Log: slog.New(slog.DiscardHandler), Epoch: metrics.NewEpoch(time.Now()),
	}
}

// lines shows the items of a report that do not just work.
func (r *Report) lines() string {
	var b strings.Builder
	for _, p := range r.Problems {
		fmt.Fprintln(&b, "problem:", p)
	}
	for _, i := range r.Items {
		if i.State != Works {
			fmt.Fprintln(&b, i.State, i.Kind, i.Name, i.Place, i.Uses)
		}
	}
	return b.String()
}

func TestCheck(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		files  map[string]string
		state  State
		want   string
		called string
	}{
		{
			"all there", map[string]string{
				"script.js": `import http from 'k6/http'; import { twice } from './lib'; import { scenario } from 'k6/execution';
export const options = { vus: 2 };
export default function () { http.get(__ENV.FOO + twice(scenario.iterationInTest)).json('a.b'); undefinedHere?.call; }
var undefinedHere;`,
				"lib.ts": `export const twice = (n: number): number => 2 * n;`,
			}, Works, "", "default",
		},
		{
			"a module that is not there", map[string]string{
				"script.js": `import tracing from 'k6/experimental/tracing'; import fs from 'fs';
export default function () { tracing.instrumentHTTP({}); fs.readFileSync('x'); fs.readFileSync('y'); fetch('z'); }`,
			}, Unsupported, `unsupported module fs script.js:1 1
unsupported module k6/experimental/tracing script.js:1 1
unsupported member k6/experimental/tracing instrumentHTTP script.js:2 1
unsupported member fs readFileSync script.js:2 2
unsupported global fetch script.js:2 1
`, "default",
		},
		{
			"options", map[string]string{
				"script.js": `const more = JSON.parse('{"cloud": {}, "noSuchThing": 1}');
export const options = Object.assign({ ext: {}, scenarios: { a: { executor: 'shared-iterations', exec: 'run' } } }, more);
export function run() {}`,
			}, Differs, "differs option ext script.js:2 1\ndiffers option cloud  0\ndiffers option noSuchThing  0\n", "run",
		},
		{
			"an executor that is not there", map[string]string{
				"script.js": "export const options = { scenarios: { a: { executor: 'per-second' } } };\nexport default () => {};",
			}, Unsupported, "problem: executor a: unknown executor type 'per-second'\nunsupported executor per-second script.js:1 1\n", "default",
		},
		{
			"modules that were removed or are not built", map[string]string{
				"script.js": "import { browser } from 'k6/browser';\nimport redis from 'k6/experimental/redis';\nexport default () => redis && browser;",
			}, Unsupported, "unsupported module k6/browser script.js:1 1\nunsupported module k6/experimental/redis script.js:2 1\n", "default",
		},
		{
			"does not parse", map[string]string{"script.js": "export default function () {\n  let = ;\n}"},
			Unsupported, "problem: script.js: Line 2:9 Unexpected \";\"\n", "",
		},
		{
			"init code throws", map[string]string{
				"script.js": "import './lib.js';\nexport default () => {};", "lib.js": "\nif (!__ENV.BASE) throw new Error('BASE is not set');",
			}, Unsupported, "problem: Error: BASE is not set\n\tat lib.js:2:24", "default",
		},
		{
			"a package that wants Node", map[string]string{
				"script.js":                      "import pack from 'pack';\nexport default () => pack();",
				"node_modules/pack/index.js":     "const fs = require('fs'); module.exports = () => { if (Buffer) return window.x; };",
				"node_modules/pack/package.json": `{"name": "pack", "main": "index.js"}`,
			}, Differs, "differs package pack script.js:1 1\ndiffers global Buffer node_modules/pack/index.js:1 1\ndiffers global window node_modules/pack/index.js:1 1\n", "default",
		},
		{
			"libraries", map[string]string{
				"script.js": `import * as utils from 'https://jslib.k6.io/k6-utils/1.4.0/index.js';
import { urlencode } from 'https://jslib.k6.io/k6-utils/1.4.0/index.js';
import { Httpx, Get } from 'https://jslib.k6.io/httpx/0.0.6/index.js';
import { expect } from 'https://jslib.k6.io/k6-testing/0.2.0/index.js';
import form from 'https://jslib.k6.io/formdata/0.0.2/index.js';
const { TOTP, HOTP } = require('https://jslib.k6.io/totp/1.0.0/index.js');
const session = new Httpx({ baseURL: 'x' });
export default async function () {
  utils.nope(); utils.randomItem([1]); urlencode?.('x');
  session.addHeader('a', 'b'); session.asyncGet('/'); session.lastRequest.responseObject.status;
  new Get('x').addTag('a', 'b').send();
  new TOTP('x').next();
  expect(1).not.toBe(2); expect(1).toContain(2); expect.soft(1).not.toMatch(/x/); expect.configure({}).hard(1);
  const data = new form.FormData(); data.append('a', 'b'); data.set('a', 'b');
}`,
			}, Unsupported, `problem: TypeError: HOTP is not provided by jsload's totp
	at script.js:6:9
unsupported member totp HOTP script.js:6 1
unsupported member k6-utils nope script.js:9 1
unsupported member httpx Httpx.asyncGet script.js:10 1
unsupported member httpx Request.send script.js:11 1
unsupported member totp TOTP.next script.js:12 1
unsupported member k6-testing Matchers.toContain script.js:13 1
unsupported member k6-testing Matchers.not.toMatch script.js:13 1
unsupported member k6-testing expect.hard script.js:13 1
unsupported member formdata FormData.set script.js:14 1
`, "default",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r, err := Check(context.Background(), checkConfig(t, tt.files))
			if err != nil {
				t.Fatal(err)
			}
			if got := r.lines(); r.State != tt.state || !strings.HasPrefix(got, tt.want) || tt.want == "" && got != "" {
				t.Errorf("%s\n%swant %s\n%s", r.State, got, tt.state, tt.want)
			}
			var called []string
			for _, f := range r.Functions {
				called = append(called, f.Name)
			}
			if got := strings.Join(called, " "); got != tt.called {
				t.Errorf("functions %s, want %s", got, tt.called)
			}
		})
	}
}

func TestDepend(t *testing.T) {
	t.Parallel()
	cfg := checkConfig(t, map[string]string{
		"script.js": `import http from 'k6/http'; import x from 'k6/x/faker'; import './lib'; export default () => http.get(x.y);`,
		"lib.ts":    `import data from './data.json'; console.log(data);`, "data.json": `{}`,
	})
	d, err := Depend(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(d.BuildDependencies, d.CustomBuildRequired, d.Imports)
	base := "file://" + cfg.Dir
	want := fmt.Sprintf("map[k6/x/faker:*] true [%s/data.json %s/lib.ts k6/http k6/x/faker]", base, base)
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
