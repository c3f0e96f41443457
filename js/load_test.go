package js

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/vu"
	"github.com/jsload/jsload/vu/record"
)

// bench is a test script loaded and bound, with what it logged.
type bench struct {
	test  *Test
	log   *bytes.Buffer
	store *metrics.Store
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// plainLog writes levels and messages only.
func plainLog(b *bytes.Buffer) *slog.Logger {
	return slog.New(slog.NewTextHandler(b, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
}

func load(t *testing.T, files map[string]string) (*bench, error) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		write(t, dir, name, text)
	}
	b := &bench{log: &bytes.Buffer{}}
	epoch := metrics.NewEpoch(time.Now())
	test, err := Load(context.Background(), Config{
		Path: "script.js", Dir: dir, Env: map[string]string{"FOO": "bar"}, Extended: true,
		Log: plainLog(b.log), Epoch: epoch, UserAgent: "jsload/test",
	})
	if err != nil {
		return b, err
	}
	b.test = test
	b.store = metrics.NewStore(metrics.Config{Registry: test.Metrics, Epoch: epoch, SystemTags: metrics.DefaultSystemTags})
	err = test.Bind(Binding{
		Recorder: record.New(record.Config{Store: b.store, SystemTags: metrics.DefaultSystemTags}),
		Abort:    func(*vu.Abort) {}, MarkFailed: func(string) {},
	})
	t.Cleanup(test.Close)
	return b, err
}

// iterate runs n iterations of the default function.
func (b *bench) iterate(t *testing.T, n int) {
	t.Helper()
	u, err := b.test.NewUnit(t.Context(), vu.ID{InInstance: 1, InTest: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer u.Close()
	s := &vu.Scenario{Name: "default", Executor: "shared-iterations", Exec: "default", Start: time.Now(), Progress: func() float64 { return 0 }}
	if err := u.Activate(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if err := u.Iterate(vu.Iteration{InInstance: uint64(i), InTest: uint64(i)}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestIterations(t *testing.T) {
	b, err := load(t, map[string]string{
		"script.js": `
import { check, group } from "k6";
import http from "k6/http";
import { Counter } from "k6/metrics";
import exec from "k6/execution";
import { deep } from "./lib/deep.js";
const c = new Counter("seen");
export function setup() { return { n: 1 }; }
export default function (data) {
  data.n++;
  console.log("it", __ITER, __VU, data.n, exec.vu.idInTest, __ENV.FOO, [1, { a: "x" }]);
  check(data, { two: (d) => d.n === 2 });
  group("g", () => c.add(2, { k: "v" }));
  if (__ITER === 0) try { http.get("http://127.0.0.1:1/").json(); } catch (e) { console.log(e.stack); }
  if (__ITER === 1) deep(() => { throw new RangeError("from callback"); });
}`,
		"lib/deep.js": `export function deep(f) {
  return [1].map(() => f());
}`})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.test.Setup(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.iterate(t, 2)
	got := b.log.String()
	t.Log(got)
	for _, want := range []string{
		`msg="it 0 1 2 1 bar [ 1, { a: \"x\" } ]" source=console`,
		`msg="it 1 1 3 1 bar`,
		`RangeError: from callback\n\tat file://`,
		`script.js:15:40`,
		`at json (native)`,
		`at map (native)\n\tat deep (file://`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the log lacks %s", want)
		}
	}
}
