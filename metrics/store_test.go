package metrics

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func newTestStore(change ...func(*Config)) *Store {
	cfg := Config{Registry: NewRegistry(), Epoch: NewEpoch(time.Now()), SystemTags: DefaultSystemTags, Shards: 2}
	for _, f := range change {
		f(&cfg)
	}
	return NewStore(cfg)
}

func pair(key, value string) Tag { return Tag{Key: key, Value: value} }

// testOutcome makes what requests of a name and status share.
func (s *Store) testOutcome(name string, status int) *Outcome {
	ok := status < 400
	tags := s.Registry().Tags().Extend(
		pair("name", name), pair("status", fmt.Sprint(status)), pair("scenario", "default"), pair("group", ""),
		pair("expected_response", fmt.Sprint(ok)))
	o := &Outcome{Tags: tags, Judged: true, Failed: !ok, Name: name, Status: status}
	if !ok {
		o.Code = 1000 + status
	}
	return o
}

var testPhases = Phases{Blocked: 1e6, Connecting: 2e6, TLSHandshaking: 3e6, Sending: 4e6, Waiting: 5e6, Receiving: 6e6, Late: -1}

func TestOneRequestMakesAllItsSamples(t *testing.T) {
	s := newTestStore()
	s.Shard(0).Request(5, s.testOutcome("/a", 200), &testPhases, TagSet{})
	late := testPhases
	late.Late = 10e6
	s.Shard(1).Request(6, s.testOutcome("/a", 500), &late, TagSet{})
	snap := s.Snapshot()

	b := s.builtin
	for m, want := range map[*Metric]float64{
		b.HTTPReqBlocked: 1, b.HTTPReqConnecting: 2, b.HTTPReqTLSHandshaking: 3, b.HTTPReqSending: 4,
		b.HTTPReqWaiting: 5, b.HTTPReqReceiving: 6, b.HTTPReqDuration: 15,
	} {
		if v := snap.Find(m, ""); v == nil || v.Samples != 2 || v.Dist.Avg() != want {
			t.Errorf("%s: %+v, want average %v", m.Name, v, want)
		}
	}
	if v := snap.Find(b.HTTPReqs, ""); v.Sum != 2 || v.PerSecond(4*time.Second) != 0.5 || v.PerSecond(0) != 0 {
		t.Errorf("http_reqs: %+v", v)
	}
	if v := snap.Find(b.HTTPReqFailed, ""); v.Rate() != 0.5 || v.Trues != 1 {
		t.Errorf("http_req_failed: %+v", v)
	}
	if v := snap.Find(b.HTTPReqResponseTime, ""); v.Samples != 1 || v.Dist.Max() != 25 {
		t.Errorf("response time: %+v", v)
	}
	if v := snap.Find(b.HTTPReqDuration, "expected_response:true"); v.Samples != 1 || v.Name() != "http_req_duration{expected_response:true}" {
		t.Errorf("expected responses: %+v", v)
	}
	if snap.Find(b.Iterations, "") != nil {
		t.Error("a metric without samples has a series")
	}
}

func TestUnjudgedRequestHasNoFailedSample(t *testing.T) {
	s := newTestStore(func(c *Config) { c.SystemTags = 0 })
	o := s.testOutcome("/", 200)
	o.Judged = false
	s.Shard(0).Request(0, o, &testPhases, TagSet{})
	snap := s.Snapshot()
	if snap.Find(s.builtin.HTTPReqFailed, "") != nil {
		t.Error("there is a series of http_req_failed")
	}
	if snap.Find(s.builtin.HTTPReqDuration, "expected_response:true") != nil {
		t.Error("there is a sub-metric although its tag is off")
	}
}

func TestSeriesKeepTheOrderOfMetrics(t *testing.T) {
	s := newTestStore()
	custom, _ := s.Registry().New("mine", Counter, Default)
	s.Watch(custom, "")
	s.Shard(0).Request(0, s.testOutcome("/", 200), &testPhases, TagSet{})
	var names []string
	for _, v := range s.Snapshot().Series {
		names = append(names, v.Name())
	}
	got := strings.Join(names, " ")
	want := "http_reqs http_req_failed http_req_duration http_req_duration{expected_response:true} http_req_blocked " +
		"http_req_connecting http_req_tls_handshaking http_req_sending http_req_waiting http_req_receiving mine"
	if got != want {
		t.Errorf("order is\n%s, want\n%s", got, want)
	}
}

func TestKindsOfSeries(t *testing.T) {
	s := newTestStore()
	tags := s.Registry().Tags()
	add := func(m *Metric, values ...float64) {
		for _, v := range values {
			s.Shard(0).Sample(0, m, v, tags, TagSet{})
		}
	}
	made := func(name string, k Kind) *Metric {
		m, err := s.Registry().New(name, k, Default)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	c, g, r, tr := made("cc", Counter), made("gg", Gauge), made("rr", Rate), made("tt", Trend)
	nan := 0.0
	nan /= nan
	add(c, 1, -3, 0.5, nan)
	add(g, 4, -1, 2)
	add(r, 1, 0, -3, 0)
	add(tr, -5, 5, 0.5)
	add(s.builtin.IterationDuration, 1.5, -2)
	snap := s.Snapshot()
	if v := snap.Find(c, ""); v.Sum != -1.5 || v.Samples != 3 {
		t.Errorf("counter %+v", v)
	}
	if v := snap.Find(g, ""); v.Value != 2 || v.Min != -1 || v.Max != 4 {
		t.Errorf("gauge %+v", v)
	}
	if v := snap.Find(r, ""); v.Trues != 2 || v.Samples != 4 || v.Rate() != 0.5 {
		t.Errorf("rate %+v", v)
	}
	if d := snap.Find(tr, "").Dist; d.Min() != -5 || d.Max() != 5 || d.Med() != 0.5 {
		t.Errorf("trend %+v", d)
	}
	if d := snap.Find(s.builtin.IterationDuration, "").Dist; d.Min() != -2 || d.Max() != 1.5 || d.Sum() != -0.5 {
		t.Errorf("times %+v", d)
	}
}

func TestWatchedSubMetrics(t *testing.T) {
	s := newTestStore()
	b := s.builtin
	s.Watch(b.HTTPReqs, "status:200,name:/a", pair("status", "200"), pair("name", "/a"))
	s.Watch(b.HTTPReqs, "status:200", pair("status", "200"))
	s.Watch(b.HTTPReqs, "status:200", pair("status", "200"))
	s.Watch(b.HTTPReqs, "none:such", pair("none", "such"))
	for range 3 {
		s.Shard(0).Request(0, s.testOutcome("/a", 200), &testPhases, TagSet{})
	}
	s.Shard(0).Request(0, s.testOutcome("/b", 200), &testPhases, TagSet{})
	s.Shard(0).Request(0, s.testOutcome("/a", 404), &testPhases, TagSet{})
	snap := s.Snapshot()
	for suffix, want := range map[string]float64{"": 5, "status:200,name:/a": 3, "status:200": 4, "none:such": 0} {
		if v := snap.Find(b.HTTPReqs, suffix); v == nil || v.Sum != want {
			t.Errorf("{%s}: %+v, want %v", suffix, v, want)
		}
		if v := s.Series(b.HTTPReqs, suffix); v == nil || v.Sum != want {
			t.Errorf("read {%s}: %+v, want %v", suffix, v, want)
		}
	}
	if s.Series(b.HTTPReqs, "zzz") != nil {
		t.Error("an unknown sub-metric exists")
	}
}

// Watching makes the notes on tag sets stale.
func TestWatchAfterTheFirstSamples(t *testing.T) {
	s := newTestStore()
	o := s.testOutcome("/a", 200)
	s.Shard(0).Request(0, o, &testPhases, TagSet{})
	s.Drain()
	s.Watch(s.builtin.HTTPReqs, "name:/a", pair("name", "/a"))
	s.Shard(0).Request(0, o, &testPhases, TagSet{})
	if v := s.Snapshot().Find(s.builtin.HTTPReqs, "name:/a"); v.Sum != 1 {
		t.Errorf("%+v", v)
	}
}

func TestScopes(t *testing.T) {
	s := newTestStore(func(c *Config) { c.Scopes = true })
	sample := func(m *Metric, scenario, group string) {
		tags := s.Registry().Tags().With("group", group)
		if scenario != "" {
			tags = tags.With("scenario", scenario)
		}
		s.Shard(0).Sample(0, m, 1, tags, TagSet{})
	}
	c := s.builtin.Iterations
	sample(c, "b", "")
	sample(c, "a", "::x::y")
	sample(c, "a", "::x")
	sample(c, "a", "forged")
	sample(c, "", "::setup")
	check, _ := s.Root().Check("ok")
	s.Shard(0).Check(0, check, true, s.Registry().Tags().With("scenario", "b"), TagSet{})
	var got []string
	for _, sc := range s.Snapshot().Scopes {
		sum := 0.0
		if v := sc.Find(c); v != nil {
			sum = v.Sum
		}
		got = append(got, fmt.Sprintf("%s%s=%v/%d", sc.Scenario, sc.Group, sum, len(sc.Checks)))
	}
	if want := []string{"b=1/1", "a=3/0", "a::x=2/0", "a::x::y=1/0"}; !slices.Equal(got, want) {
		t.Errorf("scopes %q, want %q", got, want)
	}
}

func TestChecksAreCountedInTheTree(t *testing.T) {
	s := newTestStore()
	g, _ := s.Root().Child("g")
	c, _ := g.Check("ok")
	for i := range 5 {
		s.Shard(i).Check(0, c, i > 1, TagSet{}, TagSet{})
	}
	s.Shard(0).Check(0, nil, true, TagSet{}, TagSet{})
	snap := s.Snapshot()
	if v := snap.Groups.Groups[0].Checks[0]; v.Passes != 3 || v.Fails != 2 || v.Path != "::g::ok" {
		t.Errorf("check %+v", v)
	}
	if v := snap.Find(s.builtin.Checks, ""); v.Samples != 6 || v.Trues != 4 {
		t.Errorf("checks %+v", v)
	}
}

func TestEndpointsAndFailures(t *testing.T) {
	s := newTestStore()
	for i := range 10 {
		s.Shard(0).Request(int64(i), s.testOutcome("/a", 200), &testPhases, TagSet{})
	}
	o := s.testOutcome("/b", 503)
	for i := range 3 {
		s.Shard(0).Request(int64(100+i), o, &testPhases, TagSet{})
	}
	refused := s.testOutcome("/b", 0)
	refused.Failed, refused.Code, refused.Text = true, 1212, "dial: connection refused"
	s.Shard(0).Request(7, refused, &testPhases, TagSet{})
	snap := s.Snapshot()
	if e := snap.Endpoints; len(e) != 2 || e[0].Name != "/a" || e[0].Count != 10 || e[1].Failed != 4 || e[1].Duration.Max() != 15 {
		t.Errorf("endpoints %+v", e)
	}
	if f := snap.Failures; len(f) != 2 || *f[0] != (Failure{"/b", 503, 1503, "", "", 3, 100, 102}) || f[1].Text != refused.Text {
		t.Errorf("failures %+v", f)
	}
}

func TestEndpointsAreBounded(t *testing.T) {
	s := newTestStore()
	for i := range 20_000 {
		name := fmt.Sprintf("/item/%d", i)
		if i%4 == 0 {
			name = "/often"
		}
		s.Shard(0).Request(0, s.testOutcome(name, 200), &testPhases, TagSet{})
	}
	snap := s.Snapshot()
	if len(snap.Endpoints) != MaxEndpoints || snap.Other == nil {
		t.Fatalf("%d endpoints, other %v", len(snap.Endpoints), snap.Other)
	}
	if e := snap.Endpoints[0]; e.Name != "/often" || e.Count != 5000 || e.Uncertain != 0 {
		t.Errorf("the frequent endpoint: %+v", e)
	}
	total, durations := snap.Other.Count, snap.Other.Duration.Count()
	for _, e := range snap.Endpoints {
		total, durations = total+e.Count, durations+e.Duration.Count()
	}
	if total != 20_000 || durations != total {
		t.Errorf("rows hold %d requests and %d durations", total, durations)
	}
}

// A name that becomes frequent after the rows are full keeps a row.
func TestLateFrequentEndpointGetsARow(t *testing.T) {
	s := newTestStore()
	for i := range 1000 {
		s.Shard(0).Request(0, s.testOutcome(fmt.Sprint("/early/", i), 200), &testPhases, TagSet{})
	}
	late := s.testOutcome("/late", 200)
	for i := range 1000 {
		s.Shard(0).Request(0, late, &testPhases, TagSet{})
		s.Shard(0).Request(0, s.testOutcome(fmt.Sprint("/noise/", i), 200), &testPhases, TagSet{})
	}
	e := s.Snapshot().Endpoints[0]
	if e.Name != "/late" || e.Count < 990 || e.Count+e.Uncertain < 1000 {
		t.Errorf("%+v", e)
	}
}

func TestFailuresAreBounded(t *testing.T) {
	s := newTestStore()
	for i := range 5000 {
		o := s.testOutcome(fmt.Sprint("/", i), 500)
		o.Text = fmt.Sprint("text ", i%1000)
		s.Shard(0).Request(int64(i), o, &testPhases, TagSet{})
	}
	snap := s.Snapshot()
	var total int64
	for _, f := range snap.Failures {
		total += f.Count
	}
	if len(snap.Failures) != maxFailures || total != 5000 {
		t.Errorf("%d rows of %d failures", len(snap.Failures), total)
	}
	if snap.Failures[0].Text != otherName {
		t.Errorf("first row %+v", snap.Failures[0])
	}
}

func TestManyWriters(t *testing.T) {
	s := newTestStore(func(c *Config) { c.Scopes = true })
	s.Watch(s.builtin.HTTPReqs, "status:200", pair("status", "200"))
	tap := s.AddTap(5000)
	const writers, each = 8, 5000
	done := make(chan struct{})
	var writing, reading sync.WaitGroup
	samples := 0
	reading.Go(func() {
		for {
			samples += len(tap.Take())
			s.Snapshot()
			select {
			case <-done:
				s.Drain()
				samples += len(tap.Take())
				return
			case <-tap.Ready():
			case <-time.After(time.Millisecond):
			}
		}
	})
	c, _ := s.Root().Check("ok")
	ok, bad := s.testOutcome("/a", 200), s.testOutcome("/a", 500)
	for w := range writers {
		writing.Go(func() {
			for i := range each {
				o := ok
				if i%10 == 0 {
					o = bad
				}
				s.Shard(w).Request(int64(i), o, &testPhases, TagSet{})
				s.Shard(w).Check(int64(i), c, i%2 == 0, o.Tags, TagSet{})
			}
		})
	}
	writing.Wait()
	close(done)
	reading.Wait()
	snap := s.Snapshot()
	if v := snap.Find(s.builtin.HTTPReqs, ""); v.Sum != writers*each {
		t.Errorf("http_reqs %v", v.Sum)
	}
	if v := snap.Find(s.builtin.HTTPReqs, "status:200"); v.Sum != writers*each*9/10 {
		t.Errorf("http_reqs{status:200} %v", v.Sum)
	}
	if v := snap.Groups.Checks[0]; v.Passes != writers*each/2 || v.Fails != writers*each/2 {
		t.Errorf("check %+v", v)
	}
	if want := writers * each * (9 + 1); samples != want {
		t.Errorf("the tap saw %d samples, want %d", samples, want)
	}
}

func TestRecordingAndMergingAllocateNothing(t *testing.T) {
	s := newTestStore(func(c *Config) { c.Shards = 1 })
	s.Watch(s.builtin.Checks, "check:ok", pair("check", "ok"))
	o, sh := s.testOutcome("/a", 200), s.Shard(0)
	c, _ := s.Root().Check("ok")
	tags := o.Tags.With("check", "ok")
	work := func() {
		for range chunkSize {
			sh.Request(0, o, &testPhases, TagSet{})
			sh.Check(0, c, true, tags, TagSet{})
		}
	}
	work()
	work()
	if n := testing.AllocsPerRun(20, work); n != 0 {
		t.Errorf("%v allocations in %d requests", n, chunkSize)
	}
}
