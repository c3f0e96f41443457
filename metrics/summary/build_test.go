package summary

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/metrics/threshold"
)

// run is a store with a shard to write to.
type run struct {
	t        *testing.T
	registry *metrics.Registry
	store    *metrics.Store
	set      *threshold.Set
}

func newRun(t *testing.T, scopes bool, thresholds map[string][]threshold.Definition) *run {
	t.Helper()
	r := &run{t: t, registry: metrics.NewRegistry()}
	for name, kind := range map[string]metrics.Kind{"cc": metrics.Counter, "gg": metrics.Gauge, "rr": metrics.Rate, "tt": metrics.Trend} {
		r.metric(name, kind)
	}
	r.store = metrics.NewStore(metrics.Config{
		Registry: r.registry, Epoch: metrics.NewEpoch(time.Now()), SystemTags: metrics.DefaultSystemTags, Shards: 1, Scopes: scopes,
	})
	var err error
	if r.set, err = threshold.NewSet(thresholds, false); err != nil {
		t.Fatal(err)
	}
	if err := r.set.Bind(r.registry, r.store); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *run) metric(name string, kind metrics.Kind) *metrics.Metric {
	r.t.Helper()
	m, err := r.registry.New(name, kind, metrics.Default)
	if err != nil {
		r.t.Fatal(err)
	}
	return m
}

// add records values of a metric, with tags given as k=v.
func (r *run) add(name string, tags string, values ...float64) {
	for _, v := range values {
		r.store.Shard(0).Sample(0, r.registry.Lookup(name), v, r.tags(tags), metrics.TagSet{})
	}
}

func (r *run) tags(text string) metrics.TagSet {
	set := r.registry.Tags()
	for pair := range strings.FieldsSeq(text) {
		k, v, _ := strings.Cut(pair, "=")
		set = set.With(k, v)
	}
	return set
}

func (r *run) check(scenario, path string, ok bool) {
	group, names := r.store.Root(), strings.Split(path, "::")
	for _, name := range names[:len(names)-1] {
		group, _ = group.Child(name)
	}
	c, err := group.Check(names[len(names)-1])
	if err != nil {
		r.t.Fatal(err)
	}
	r.store.Shard(0).Check(0, c, ok, r.tags("scenario="+scenario+" group="+group.Path), metrics.TagSet{})
}

func (r *run) request(name string, status int, ms int64, tags string) {
	o := &metrics.Outcome{
		Tags: r.tags(tags + " name=" + name), Judged: true, Failed: status >= 400, Name: name, Status: status,
	}
	if o.Failed {
		o.Code = 1000 + status
	} else {
		o.Tags = o.Tags.With("expected_response", "true")
	}
	r.store.Shard(0).Request(int64(time.Second), o, &metrics.Phases{Waiting: ms * int64(time.Millisecond), Late: -1}, metrics.TagSet{})
}

func (r *run) report(options Options) *Report {
	const duration = 10 * time.Second
	snapshot := r.store.Snapshot()
	return Build(Input{
		Snapshot: snapshot, Verdicts: r.set.EvaluateFinal(snapshot, duration), Duration: duration, Options: options,
	})
}

func (r *run) text(options Options) string {
	var b bytes.Buffer
	if err := r.report(options).WriteText(&b, false); err != nil {
		r.t.Fatal(err)
	}
	return b.String()
}

func TestBuildCompact(t *testing.T) {
	r := newRun(t, false, map[string][]threshold.Definition{
		"cc": {{Source: "count>=3"}, {Source: "rate>1"}}, "rr{a:b}": {{Source: "rate==1"}},
		"tt": {{Source: "p(90)<100"}, {Source: "med==25"}}, "gg": {{Source: "value>0"}},
		"http_req_duration{name:home}": {{Source: "max<50"}},
	})
	r.add("cc", "", 1, 1, 1.5)
	r.add("rr", "a=b", 1)
	r.add("rr", "a=c", 0)
	r.add("tt", "", 10, 20, 30, 40)
	r.check("default", "up", true)
	r.check("default", "g::in", false)
	for range 3 {
		r.request("home", 200, 40, "scenario=default")
	}
	r.request("gone", 404, 60, "scenario=default")
	golden(t, "build_compact.txt", []byte(r.text(Options{})))
}

func TestBuildFull(t *testing.T) {
	r := newRun(t, true, nil)
	r.request("setup", 200, 1, "group=::setup")
	r.request("home", 200, 10, "scenario=zeta group=::a")
	r.request("home", 200, 10, "scenario=zeta group=::a::b")
	r.request("home", 200, 20, "scenario=Beta group=")
	r.request("home", 200, 20, "scenario=default group=::top")
	r.request("home", 200, 20, "scenario=default group=")
	r.check("zeta", "a::b::ok", true)
	r.add("iterations", "scenario=zeta", 1)
	r.add("cc", "scenario=default group=::top::deep", 1)
	golden(t, "build_full.txt", []byte(r.text(Options{Mode: Full})))
}

// TestNothingMeasured: a test without a sample gives a report with nothing in it.
func TestNothingMeasured(t *testing.T) {
	r := newRun(t, false, nil)
	report := r.report(Options{})
	if len(report.Total.Metrics) != 0 || len(report.Endpoints) != 0 || len(report.Failures) != 0 {
		t.Errorf("%+v", report)
	}
	if got := r.text(Options{}); strings.Contains(got, "ENDPOINTS") || strings.Contains(got, "FAILURES") || strings.Contains(got, "THRESHOLDS") {
		t.Error(got)
	}
}

// TestThresholdJudgesWhatIsPrinted compares each judged number with the one in
// the list of metrics.
func TestThresholdJudgesWhatIsPrinted(t *testing.T) {
	r := newRun(t, false, map[string][]threshold.Definition{
		"cc": {{Source: "count>0"}, {Source: "rate>0"}}, "gg": {{Source: "value>0"}}, "rr": {{Source: "rate>0"}},
		"tt": {{Source: "avg>0"}, {Source: "min>0"}, {Source: "med>0"}, {Source: "max>0"}, {Source: "p(90)>0"}, {Source: "p(95)>0"}},
	})
	for i := range 5000 {
		v := float64(i%977) * 1.25
		r.add("cc", "", v)
		r.add("gg", "", v)
		r.add("rr", "", float64(i%3))
		r.add("tt", "", v)
	}
	for _, m := range r.report(Options{}).Total.Metrics {
		printed := map[string]float64{"count": m.Count, "rate": m.PerSecond, "value": m.Value}
		if m.Kind == metrics.Rate {
			printed["rate"] = m.Ratio()
		}
		for i, v := range m.Trend {
			printed[DefaultTrendStats()[i].Name] = v
		}
		for _, th := range m.Thresholds {
			if th.Observed != printed[th.Method] {
				t.Errorf("%s: %s judged %v, printed %v", m.Name, th.Source, th.Observed, printed[th.Method])
			}
		}
	}
}

func TestCause(t *testing.T) {
	tests := []struct {
		failure metrics.Failure
		want    string
	}{
		{metrics.Failure{Status: 404, Code: 1404}, "status 404"},
		{metrics.Failure{Code: 1212, Text: "dial: connection refused"}, "dial: connection refused (error code 1212)"},
		{metrics.Failure{Status: 401, Code: 1401, Text: "bad digest"}, "status 401 bad digest"},
		{metrics.Failure{Code: 1050}, "(error code 1050)"},
		{metrics.Failure{}, "unknown cause"},
	}
	for _, tt := range tests {
		if got := cause(&tt.failure); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

// TestFirstSeen: the time before the test does not count.
func TestFirstSeen(t *testing.T) {
	r := Build(Input{
		Snapshot: &metrics.Snapshot{At: int64(12 * time.Second), Failures: []*metrics.Failure{
			{First: int64(5 * time.Second)}, {First: int64(time.Second)},
		}},
		Duration: 10 * time.Second,
	})
	if r.Failures[0].First != 3*time.Second || r.Failures[1].First != 0 {
		t.Errorf("first seen at %v and %v", r.Failures[0].First, r.Failures[1].First)
	}
}

func TestManyNames(t *testing.T) {
	r := newRun(t, false, nil)
	want := uint64(0)
	for i := range 500 {
		for range 1 + (500-i)/20 {
			want++
			r.request("item "+strings.Repeat("x", i), 200, 1, "")
		}
	}
	report := r.report(Options{})
	if !report.EndpointsFolded || len(report.Endpoints) != metrics.MaxEndpoints+1 {
		t.Errorf("%d rows, folded %v", len(report.Endpoints), report.EndpointsFolded)
	}
	var total uint64
	for _, e := range report.Endpoints {
		total += e.Count
	}
	if total != want {
		t.Errorf("the rows hold %d requests of %d", total, want)
	}
}
