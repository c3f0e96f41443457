package k6metrics_test

import (
	"strings"
	"testing"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/k6metrics"
	"github.com/jsload/jsload/modules/moduletest"
	"github.com/jsload/jsload/vu/options"
)

// bench is a virtual user whose init code has made some metrics.
func bench(t *testing.T, cfg moduletest.Config) *moduletest.Bench {
	t.Helper()
	cfg.Tap = true
	b := moduletest.New(t, k6metrics.New(), cfg)
	b.Host.Stage = modules.StageInit
	b.Text(`c = new m.Counter('my_counter'); g = new m.Gauge('my_gauge'); r = new m.Rate('my_rate'); t = new m.Trend('my_trend', true)`)
	b.Host.Stage = modules.StageVU
	return b
}

func TestValues(t *testing.T) {
	b := bench(t, moduletest.Config{})
	for _, tc := range []struct{ value, want string }{
		{"5", "true 5"}, {"'5'", "true 5"}, {"[7]", "true 7"}, {"true", "true 1"}, {"false", "true 0"}, {"-1.5", "true -1.5"}, {"''", "true 0"},
		{"{ valueOf: () => 3 }", "true 3"}, {"1e300", "true 1e+300"},
		{"'x'", "false"}, {"null", "false"}, {"undefined", "false"}, {"NaN", "false"}, {"{}", "false"}, {"", "false"},
	} {
		got := b.Text("return t.add(" + tc.value + ")")
		for _, s := range b.Samples() {
			got += " " + strings.Fields(s)[1]
		}
		if got != tc.want {
			t.Errorf("add(%s): got %s, want %s", tc.value, got, tc.want)
		}
	}
	log := b.Log()
	if strings.Count(log, "level=WARN") != 6 || !strings.Contains(log, "'x' is an invalid value for metric 'my_trend'") {
		t.Errorf("logged %s", log)
	}
}

func TestKinds(t *testing.T) {
	b := bench(t, moduletest.Config{})
	for name, want := range map[string]metrics.Kind{"my_counter": metrics.Counter, "my_gauge": metrics.Gauge, "my_rate": metrics.Rate, "my_trend": metrics.Trend} {
		m := b.Host.Run.Metrics.Lookup(name)
		if m == nil || m.Kind != want {
			t.Errorf("%s is %v", name, m)
			continue
		}
		if isTime := name == "my_trend"; (m.Contains == metrics.Time) != isTime {
			t.Errorf("%s contains %v", name, m.Contains)
		}
	}
	b.Want(`return [c instanceof m.Counter, c instanceof m.Gauge, c.name, (c.name = 'x', c.name)].join()`, "true,false,my_counter,my_counter")
	b.Text(`r.add(0); r.add(2); g.add(3)`)
	if got := strings.Join(b.Samples(), ";"); got != "my_rate 0 group=,scenario=default;my_rate 2 group=,scenario=default;my_gauge 3 group=,scenario=default" &&
		got != "my_rate 0 group=,scenario=default;my_rate 1 group=,scenario=default;my_gauge 3 group=,scenario=default" {
		t.Errorf("samples %s", got)
	}
}

func TestTags(t *testing.T) {
	b := bench(t, moduletest.Config{})
	for _, tc := range []struct{ tags, want string }{
		{`{ a: 'x', n: 5, b: true }`, "a=x,b=true,group=,n=5,scenario=default"},
		{`{ group: 'g', scenario: 's' }`, "group=g,scenario=s"},
		{`null`, "group=,scenario=default"},
		{`['p', 'q']`, "0=p,1=q,group=,scenario=default"},
		{`'ab'`, "0=a,1=b,group=,scenario=default"},
	} {
		b.Want(`return c.add(1, `+tc.tags+`)`, "true")
		if got := strings.Join(b.Samples(), ";"); got != "my_counter 1 "+tc.want {
			t.Errorf("%s: %s, want %s", tc.tags, got, tc.want)
		}
	}
	for _, tags := range []string{`{ a: null }`, `{ a: undefined }`, `{ a: {} }`, `{ a: [1] }`} {
		b.Throws(`c.add(1, `+tags+`)`, "only String, Boolean and Number types")
	}
}

func TestWrongUse(t *testing.T) {
	b := bench(t, moduletest.Config{Options: &options.Options{Throw: options.Null[bool]{Set: true, V: true}}})
	b.Throws(`c.add('x')`, "'x' is an invalid value for metric 'my_counter'")
	b.Throws(`new m.Counter('late')`, "metrics must be declared in the init context")
	b.Host.Stage = modules.StageInit
	for snippet, want := range map[string]string{
		`new m.Counter('')`:              "",
		`new m.Counter('a')`:             "",
		`new m.Counter('1abc')`:          "",
		`new m.Counter('with space')`:    "",
		`new m.Counter('a'.repeat(200))`: "",
		`new m.Gauge('my_counter')`:      "my_counter",
	} {
		b.Throws(snippet, want)
	}
	b.Want(`return new m.Counter('my_counter').name`, "my_counter")
	b.Want(`return new m.Counter('ab').name + new m.Counter('a'.repeat(129)).name.length`, "ab129")
	init := moduletest.New(t, k6metrics.New(), moduletest.Config{Init: true})
	init.Throws(`new m.Counter('in_init').add(1)`, "adding values to a metric in the init context is not supported")
}
