package threshold

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jsload/jsload/metrics"
)

// bound returns a set on metrics named c, g, r and t of the four kinds.
func bound(t *testing.T, strict bool, definitions map[string][]Definition) (*Set, *metrics.Registry) {
	t.Helper()
	registry := metrics.NewRegistry()
	for name, kind := range map[string]metrics.Kind{"cc": metrics.Counter, "gg": metrics.Gauge, "rr": metrics.Rate, "tt": metrics.Trend} {
		if _, err := registry.New(name, kind, metrics.Default); err != nil {
			t.Fatal(err)
		}
	}
	set, err := NewSet(definitions, strict)
	if err != nil {
		t.Fatal(err)
	}
	store := metrics.NewStore(metrics.Config{Registry: registry, Epoch: metrics.NewEpoch(time.Now())})
	if err := set.Bind(registry, store); err != nil {
		t.Fatal(err)
	}
	return set, registry
}

func rules(sources ...string) []Definition {
	var d []Definition
	for _, s := range sources {
		d = append(d, Definition{Source: s})
	}
	return d
}

// outcome renders verdicts as "name expr ok;...".
func outcome(v Verdicts) string {
	var parts []string
	for _, one := range v {
		word := "failed"
		if one.OK {
			word = "ok"
		}
		parts = append(parts, one.Target.Name+" "+one.Rule.Source+" "+word)
	}
	return strings.Join(parts, "; ")
}

func TestNoSamples(t *testing.T) {
	definitions := map[string][]Definition{
		"tt": rules("avg<1", "p(95)>0"), "cc": rules("count==0", "count>3", "rate>0"),
		"rr": rules("rate>0.5", "rate<0.5"), "gg": rules("value>0"), "cc{a:b}": rules("count>0"),
	}
	set, _ := bound(t, false, definitions)
	empty := &metrics.Snapshot{}
	if v := set.EvaluateRunning(empty, time.Second); len(v) != 0 {
		t.Errorf("while running: %s", outcome(v))
	}
	const want = "cc count==0 ok; cc count>3 failed; cc rate>0 failed; cc{a:b} count>0 failed; gg value>0 failed; " +
		"rr rate>0.5 ok; rr rate<0.5 ok; tt avg<1 ok; tt p(95)>0 failed"
	v := set.EvaluateFinal(empty, time.Second)
	if got := outcome(v); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for _, one := range v {
		if !one.NoData {
			t.Errorf("%s has data", one.Target.Name)
		}
	}
	strict, _ := bound(t, true, definitions)
	if got := outcome(strict.EvaluateFinal(empty, time.Second)); strings.Contains(got, " ok") {
		t.Errorf("strict: %s", got)
	}
	one, _ := bound(t, false, map[string][]Definition{"rr": {{Source: "rate>0", Strict: true}, {Source: "rate<1"}}})
	if got := outcome(one.EvaluateFinal(empty, time.Second)); got != "rr rate>0 failed; rr rate<1 ok" {
		t.Errorf("one strict rule: %s", got)
	}
}

func TestEvaluate(t *testing.T) {
	set, registry := bound(t, false, map[string][]Definition{
		"cc":      rules("count>=3", "rate<2", "rate==1.5"),
		"gg":      rules("value==7"),
		"rr":      rules("rate>0.6", "rate>0.7"),
		"rr{a:b}": rules("rate==1"),
	})
	snapshot := &metrics.Snapshot{Series: []*metrics.Series{
		{Metric: registry.Lookup("cc"), Samples: 3, Sum: 3},
		{Metric: registry.Lookup("gg"), Samples: 2, Value: 7, Min: 1, Max: 9},
		{Metric: registry.Lookup("rr"), Samples: 3, Trues: 2},
		{Metric: registry.Lookup("rr"), Suffix: "a:b", Samples: 1, Trues: 1},
	}}
	const want = "cc count>=3 ok; cc rate<2 ok; cc rate==1.5 ok; gg value==7 ok; rr rate>0.6 ok; rr rate>0.7 failed; rr{a:b} rate==1 ok"
	v := set.EvaluateFinal(snapshot, 2*time.Second)
	if got := outcome(v); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := v.Message(); got != "thresholds on metrics 'rr' have been crossed" {
		t.Errorf("message %q", got)
	}
	if outcome(set.EvaluateRunning(snapshot, 2*time.Second)) != want {
		t.Error("the verdicts while running differ")
	}
}

func TestAbort(t *testing.T) {
	set, registry := bound(t, false, map[string][]Definition{
		"cc": {{Source: "count<1", AbortOnFail: true, DelayAbortEval: 2 * time.Second}, {Source: "count<2"}},
		"gg": rules("value<1"),
	})
	snapshot := &metrics.Snapshot{Series: []*metrics.Series{
		{Metric: registry.Lookup("cc"), Samples: 1, Sum: 1},
		{Metric: registry.Lookup("gg"), Samples: 1, Value: 1},
	}}
	for elapsed, want := range map[time.Duration]bool{time.Second: false, 2 * time.Second: false, 2*time.Second + 1: true} {
		if got := set.EvaluateRunning(snapshot, elapsed).Abort(); got != want {
			t.Errorf("abort after %v: %v", elapsed, got)
		}
	}
	const want = "thresholds on metrics 'cc, gg' were crossed; at least one has abortOnFail enabled, stopping test prematurely"
	if got := set.EvaluateRunning(snapshot, time.Minute).AbortMessage(); got != want {
		t.Errorf("got %q", got)
	}
}

func TestNothingCrossed(t *testing.T) {
	var set *Set
	v := set.EvaluateFinal(&metrics.Snapshot{}, 0)
	if v.Message() != "" || v.Abort() || len(v.Crossed()) != 0 {
		t.Errorf("an empty set crossed something: %v", v)
	}
}

func TestNewSetReportsAllMistakes(t *testing.T) {
	_, err := NewSet(map[string][]Definition{
		"http_reqs{status": rules("count>1"),
		"cc":               rules("count is big", "count>1", "p(200)<1"),
	}, false)
	checkMistakes(t, err,
		`invalid threshold defined on cc; reason: failed parsing threshold expression "count is big"`,
		`invalid threshold defined on cc; reason: failed parsing threshold expression "p(200)<1"`,
		`invalid threshold defined on http_reqs{status; reason:`,
	)
}

func TestBindReportsAllMistakes(t *testing.T) {
	registry := metrics.NewRegistry()
	set, err := NewSet(map[string][]Definition{
		"nonesuch": rules("count>1"), "http_reqs": rules("p(95)<1", "count>1"), "http_req_duration{a:b}": rules("count>1"),
	}, false)
	if err != nil {
		t.Fatal(err)
	}
	err = set.Bind(registry, metrics.NewStore(metrics.Config{Registry: registry, Epoch: metrics.NewEpoch(time.Now())}))
	checkMistakes(t, err,
		`invalid threshold defined on nonesuch; reason: no metric name "nonesuch" found`,
		`invalid threshold defined on http_reqs; reason: unsupported aggregation method p on metric of type counter. supported aggregation methods for this metric are: count, rate (in "p(95)<1")`,
		`invalid threshold defined on http_req_duration{a:b}; reason: unsupported aggregation method count on metric of type trend.`,
	)
}

func checkMistakes(t *testing.T, err error, want ...string) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.ExitCode() != 104 {
		t.Fatalf("got %v", err)
	}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%q does not say %q", err, w)
		}
	}
}

func TestWarnings(t *testing.T) {
	set, _ := bound(t, false, map[string][]Definition{"cc{vu:1}": rules("count>0"), "cc{a:b}": rules("count>0")})
	if w := set.Warnings(); len(w) != 1 || !strings.Contains(w[0], `"cc{vu:1}"`) {
		t.Errorf("got %q", w)
	}
}

func TestEvaluateTrend(t *testing.T) {
	registry := metrics.NewRegistry()
	store := metrics.NewStore(metrics.Config{Registry: registry, Epoch: metrics.NewEpoch(time.Now()), Shards: 1})
	set, err := NewSet(map[string][]Definition{
		"tt":      rules("avg<=20", "min>10", "max<100", "med==20", "p(90)<29", "p(99.9)>29", "p(0)==10", "p(100)==30"),
		"tt{a:b}": rules("avg==30"),
	}, false)
	if err != nil {
		t.Fatal(err)
	}
	tt, err := registry.New("tt", metrics.Trend, metrics.Default)
	if err != nil {
		t.Fatal(err)
	}
	if err := set.Bind(registry, store); err != nil {
		t.Fatal(err)
	}
	for _, v := range []float64{10, 20} {
		store.Shard(0).Sample(0, tt, v, metrics.TagSet{}, metrics.TagSet{})
	}
	store.Shard(0).Sample(0, tt, 30, registry.Tags().With("a", "b"), metrics.TagSet{})
	const want = "tt avg<=20 ok; tt min>10 failed; tt max<100 ok; tt med==20 ok; tt p(90)<29 ok; tt p(99.9)>29 ok; " +
		"tt p(0)==10 ok; tt p(100)==30 ok; tt{a:b} avg==30 ok"
	if got := outcome(set.EvaluateFinal(store.Snapshot(), time.Second)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
