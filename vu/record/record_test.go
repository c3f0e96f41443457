package record

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/vu/client/proto"
)

// bench is a recorder with a tap, so that every sample can be looked at.
type bench struct {
	*Recorder
	store *metrics.Store
	tap   *metrics.Tap
}

func newBench(system metrics.SystemTags, run map[string]string) *bench {
	registry := metrics.NewRegistry()
	store := metrics.NewStore(metrics.Config{
		Registry: registry, Epoch: metrics.NewEpoch(time.Now()), SystemTags: system, Shards: 1,
	})
	return &bench{New(Config{Store: store, SystemTags: system, RunTags: run}), store, store.AddTap(0)}
}

// series returns the samples since the last call as "metric value tags", tags and
// metadata in the form of the output's JSON.
func (b *bench) samples(only ...*metrics.Metric) (lines []string) {
	b.store.Drain()
	for _, s := range b.tap.Take() {
		if len(only) > 0 && !slices.Contains(only, s.Metric) {
			continue
		}
		line := fmt.Sprintf("%s %v %s", s.Metric.Name, s.Value, s.Tags)
		if s.Metadata.Len() > 0 {
			line += " meta " + s.Metadata.String()
		}
		lines = append(lines, strings.TrimSpace(line))
	}
	return lines
}

func want(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("samples are\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

func (b *bench) vu(tags map[string]string) *VU {
	v := b.VU(1)
	v.SetScenario(b.Scenario("default", tags))
	return v
}

func exchange(status int) *proto.Exchange {
	return &proto.Exchange{
		Method: "GET", URL: "http://t/get", Proto: "HTTP/1.1", Status: status, RemoteIP: "127.0.0.1",
		Timings: proto.Timings{Start: 1, End: 9, Blocked: 1e6, Sending: 2e6, Waiting: 3e6, Receiving: 4e6},
	}
}

func TestTagsOfRequests(t *testing.T) {
	refused := exchange(0)
	refused.Proto, refused.RemoteIP = "", ""
	refused.Err = &proto.Error{Code: 1212, Text: "dial: connection refused"}
	tls := exchange(200)
	tls.TLSVersion = "tls1.3"
	ok := Request{Expected: Expected}
	for name, c := range map[string]struct {
		system metrics.SystemTags
		x      *proto.Exchange
		q      Request
		want   string
	}{
		"plain": {metrics.DefaultSystemTags, exchange(200), ok,
			"expected_response=true,group=,method=GET,name=http://t/get,proto=HTTP/1.1,scenario=default,status=200,url=http://t/get"},
		"name takes the place of url": {metrics.DefaultSystemTags, exchange(200), Request{Name: "n", Expected: Expected},
			"expected_response=true,group=,method=GET,name=n,proto=HTTP/1.1,scenario=default,status=200,url=n"},
		"name among the tags": {metrics.DefaultSystemTags, exchange(200),
			Request{Tags: []metrics.Tag{{Key: "name", Value: "m"}, {Key: "team", Value: "red"}}, Expected: Expected},
			"expected_response=true,group=,method=GET,name=m,proto=HTTP/1.1,scenario=default,status=200,team=red,url=m"},
		"the script's own group and scenario hold, other system tags do not": {metrics.DefaultSystemTags, exchange(200),
			Request{Tags: []metrics.Tag{{Key: "url", Value: "forged"}, {Key: "status", Value: "999"}, {Key: "method", Value: "X"},
				{Key: "group", Value: "gg"}, {Key: "scenario", Value: "ss"}, {Key: "proto", Value: "pp"}}, Expected: Expected},
			"expected_response=true,group=gg,method=GET,name=http://t/get,proto=HTTP/1.1,scenario=ss,status=200,url=http://t/get"},
		"url as written": {metrics.DefaultSystemTags, exchange(200), Request{URL: "http://t/get#frag", Expected: Expected},
			"expected_response=true,group=,method=GET,name=http://t/get#frag,proto=HTTP/1.1,scenario=default,status=200,url=http://t/get#frag"},
		"refused": {metrics.DefaultSystemTags, refused, Request{Name: "down", Expected: Unexpected},
			"error=dial: connection refused,error_code=1212,expected_response=false,group=,method=GET,name=down,scenario=default,status=0,url=down"},
		"status": {metrics.DefaultSystemTags, exchange(401), ok,
			"error_code=1401,expected_response=true,group=,method=GET,name=http://t/get,proto=HTTP/1.1,scenario=default,status=401,url=http://t/get"},
		"no callback": {metrics.DefaultSystemTags, exchange(500), Request{},
			"error_code=1500,group=,method=GET,name=http://t/get,proto=HTTP/1.1,scenario=default,status=500,url=http://t/get"},
		"tls": {metrics.DefaultSystemTags, tls, ok,
			"expected_response=true,group=,method=GET,name=http://t/get,proto=HTTP/1.1,scenario=default,status=200,tls_version=tls1.3,url=http://t/get"},
		"few system tags": {metrics.TagStatus | metrics.TagMethod | metrics.TagIP, exchange(200), ok, "ip=127.0.0.1,method=GET,status=200"},
		"no system tags":  {0, exchange(200), ok, ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(c.system, nil)
			v := b.vu(nil)
			for _, site := range []*Site{nil, new(Site)} {
				v.HTTP(site, c.x, &c.q)
				want(t, b.samples(b.Builtin().HTTPReqs), strings.TrimSpace("http_reqs 1 "+c.want))
			}
		})
	}
}

func TestSamplesOfRequests(t *testing.T) {
	b := newBench(0, nil)
	v := b.vu(nil)
	v.HTTP(nil, exchange(200), &Request{Expected: Unexpected})
	want(t, b.samples(), "http_reqs 1", "http_req_duration 9", "http_req_blocked 1", "http_req_connecting 0",
		"http_req_tls_handshaking 0", "http_req_sending 2", "http_req_waiting 3", "http_req_receiving 4", "http_req_failed 1")
	v.HTTP(nil, exchange(200), &Request{})
	if got := b.samples(b.Builtin().HTTPReqFailed); got != nil {
		t.Errorf("without a callback: %q", got)
	}
	v.StartIteration(0, 5e6)
	v.HTTP(nil, exchange(200), &Request{})
	want(t, b.samples(b.Builtin().IterationStartDelay, b.Builtin().HTTPReqResponseTime),
		"iteration_start_delay 5", "http_req_response_time 14")
}

func TestEndpointsAndFailuresOfRequests(t *testing.T) {
	b := newBench(0, nil)
	v := b.vu(nil)
	refused := exchange(0)
	refused.Err = &proto.Error{Code: 1212, Text: "dial: connection refused"}
	v.HTTP(nil, exchange(200), &Request{Name: "n", Expected: Expected})
	v.HTTP(nil, exchange(404), &Request{Name: "n", Expected: Expected})
	v.HTTP(nil, exchange(404), &Request{Name: "n"})
	v.HTTP(nil, refused, &Request{Expected: Unexpected})
	snap := b.store.Snapshot()
	if e := snap.Endpoints; len(e) != 2 || e[0].Name != "n" || e[0].Count != 3 || e[0].Failed != 1 || e[1].Name != "http://t/get" {
		t.Errorf("endpoints %+v", e)
	}
	if f := snap.Failures; len(f) != 2 || f[0].Code+f[1].Code != 1212+1404 || f[1].Text != "dial: connection refused" || f[1].First != 9 {
		t.Errorf("failures %+v %+v", f[0], f[1])
	}
}

func TestLayersOfTags(t *testing.T) {
	b := newBench(metrics.DefaultSystemTags, map[string]string{"a": "run", "b": "run", "c": "run", "d": "run"})
	v := b.vu(map[string]string{"b": "scenario", "c": "scenario", "d": "scenario"})
	v.SetTag("c", "vu")
	v.SetTag("d", "vu")
	m, _ := b.store.Registry().New("mine", metrics.Counter, metrics.Default)
	v.Add(m, 1, metrics.Tag{Key: "d", Value: "sample"})
	want(t, b.samples(), "mine 1 a=run,b=scenario,c=vu,d=sample,group=,scenario=default")
	v.DeleteTag("a")
	v.Add(m, 2)
	want(t, b.samples(), "mine 2 b=scenario,c=vu,d=vu,group=,scenario=default")
	v.SetScenario(b.Scenario("next", nil))
	v.Add(m, 3)
	want(t, b.samples(), "mine 3 a=run,b=run,c=run,d=run,group=,scenario=next")
}

// A name set for the whole VU counts as well.
func TestNameTagOfTheVU(t *testing.T) {
	b := newBench(metrics.TagURL|metrics.TagName, nil)
	v := b.vu(nil)
	v.SetTag("name", "all")
	v.HTTP(nil, exchange(200), &Request{})
	want(t, b.samples(b.Builtin().HTTPReqs), "http_reqs 1 name=all,url=all")
}

func TestGroups(t *testing.T) {
	b := newBench(metrics.DefaultSystemTags, nil)
	v := b.vu(nil)
	m, _ := b.store.Registry().New("hits", metrics.Counter, metrics.Default)
	outer, err := v.EnterGroup("one")
	if err != nil {
		t.Fatal(err)
	}
	v.Add(m, 1)
	inner, _ := v.EnterGroup("two")
	v.Add(m, 2)
	v.SetTag("mine", "x")
	v.LeaveGroup(inner)
	v.LeaveGroup(outer)
	v.Add(m, 3)
	want(t, b.samples(m),
		"hits 1 group=::one,scenario=default", "hits 2 group=::one::two,scenario=default",
		"hits 3 group=,mine=x,scenario=default")
	if _, err := v.EnterGroup("a::b"); err == nil {
		t.Error("a name with the separator is accepted")
	}
}

func TestGroupDurationCarriesTheGroupThatEnds(t *testing.T) {
	b := newBench(metrics.TagGroup, nil)
	v := b.vu(nil)
	for _, name := range []string{"x", ""} {
		scope, err := v.EnterGroup(name)
		if err != nil {
			t.Fatal(err)
		}
		v.LeaveGroup(scope)
	}
	b.store.Drain()
	var tags []string
	for _, s := range b.tap.Take() {
		tags = append(tags, s.Tags.String())
	}
	want(t, tags, "group=::x", "group=")
	if g := b.store.Snapshot().Groups.Groups; len(g) != 1 || g[0].Path != "::x" {
		t.Errorf("groups %+v", g)
	}
}

func TestChecks(t *testing.T) {
	b := newBench(metrics.DefaultSystemTags, nil)
	v := b.vu(nil)
	scope, _ := v.EnterGroup("g")
	for i := range 3 {
		if err := v.Check("ok", i > 0, metrics.Tag{Key: "k", Value: "v"}); err != nil {
			t.Fatal(err)
		}
	}
	v.LeaveGroup(scope)
	if err := v.Check("a::b", true); err == nil {
		t.Error("a name with the separator is accepted")
	}
	line := " check=ok,group=::g,k=v,scenario=default"
	want(t, b.samples(b.Builtin().Checks), "checks 0"+line, "checks 1"+line, "checks 1"+line)
	if c := b.store.Snapshot().Groups.Groups[0].Checks; len(c) != 1 || c[0].Passes != 2 || c[0].Fails != 1 {
		t.Errorf("checks %+v", c)
	}
}

// As in the reference tool, the tree knows only what the tags would tell.
func TestTreeWithoutItsTags(t *testing.T) {
	for _, system := range []metrics.SystemTags{0, metrics.TagCheck, metrics.TagGroup} {
		b := newBench(system, nil)
		v := b.vu(nil)
		scope, _ := v.EnterGroup("g")
		if err := v.Check("ok", true); err != nil {
			t.Fatal(err)
		}
		if err := v.Check("a::b", true); err == nil {
			t.Error("a name with the separator is accepted")
		}
		v.LeaveGroup(scope)
		snap := b.store.Snapshot()
		passes := 0
		for _, g := range snap.Groups.Groups {
			for _, c := range g.Checks {
				passes += int(c.Passes)
			}
		}
		if passes != 0 || len(snap.Groups.Checks) != 0 {
			t.Errorf("%v: checks in the tree", system)
		}
		if v := snap.Find(b.Builtin().Checks, ""); v == nil || v.Samples != 1 {
			t.Errorf("%v: %+v", system, v)
		}
	}
}

func TestSetupAndTeardown(t *testing.T) {
	b := newBench(metrics.DefaultSystemTags, map[string]string{"run": "1"})
	v := b.VU(0)
	v.SetStage(Setup)
	v.Data(0, 5)
	want(t, b.samples(), "data_sent 0 group=::setup,run=1", "data_received 5 group=::setup,run=1")
	if g := b.store.Snapshot().Groups.Groups; len(g) != 0 {
		t.Errorf("setup is in the tree before its first check: %+v", g)
	}
	if err := v.Check("no", false); err != nil {
		t.Fatal(err)
	}
	scope, _ := v.EnterGroup("g")
	v.LeaveGroup(scope)
	v.SetStage(Teardown)
	v.Data(1, 2)
	b.samples()
	g := b.store.Snapshot().Groups.Groups
	if len(g) != 1 || g[0].Path != "::setup" || g[0].Checks[0].Path != "::setup::no" || g[0].Groups[0].Path != "::setup::g" {
		t.Errorf("groups %+v", g)
	}
}

func TestIterations(t *testing.T) {
	b := newBench(metrics.DefaultSystemTags, nil)
	s := b.Scenario("s", nil)
	v := b.VU(3)
	v.SetScenario(s)
	v.StartIteration(0, -1)
	v.Data(10, 20)
	v.EndIteration(1e6, 4e6)
	s.Dropped(0)
	s.Dropped(7)
	b.VUs(2, 5)
	want(t, b.samples(),
		"data_sent 10 group=,scenario=s", "data_received 20 group=,scenario=s",
		"iteration_duration 3 group=,scenario=s", "iterations 1 group=,scenario=s",
		"dropped_iterations 7 group=,scenario=s", "vus 2", "vus_max 5")
}

func TestMetadata(t *testing.T) {
	b := newBench(metrics.TagVU|metrics.TagIter|metrics.TagCheck, nil)
	v := b.vu(nil)
	v.StartIteration(4, -1)
	v.SetMetadata("trace", "abc")
	_ = v.Check("ok", true)
	v.DeleteMetadata("trace")
	v.Data(0, 0)
	want(t, b.samples(), "checks 1 check=ok meta iter=4,trace=abc,vu=1", "data_sent 0  meta iter=4,vu=1", "data_received 0  meta iter=4,vu=1")
	if got := v.Metadata().Map(); !maps.Equal(got, map[string]string{"vu": "1", "iter": "4"}) {
		t.Errorf("metadata %v", got)
	}
}

func TestSystemPairs(t *testing.T) {
	b := newBench(metrics.TagSubproto|metrics.TagURL, nil)
	v := b.vu(nil)
	m := b.Builtin().WSSessions
	v.Add(m, 1, v.System(SystemTag{metrics.TagURL, "ws://t"}, SystemTag{metrics.TagSubproto, ""}, SystemTag{metrics.TagStatus, "101"})...)
	want(t, b.samples(), "ws_sessions 1 subproto=,url=ws://t")
}

func TestSiteKeepsOutcomesApart(t *testing.T) {
	b := newBench(metrics.DefaultSystemTags, nil)
	v := b.vu(nil)
	site := new(Site)
	for i := range 100 {
		x := exchange(200 + i%12)
		x.Method = []string{"GET", "get"}[i%2]
		q := Request{Expected: Expected, Tags: []metrics.Tag{{Key: "k", Value: fmt.Sprint(i % 3)}}}
		v.HTTP(site, x, &q)
		line := fmt.Sprintf("http_reqs 1 expected_response=true,group=,k=%d,method=%s,name=http://t/get,proto=HTTP/1.1,scenario=default,status=%d,url=http://t/get",
			i%3, x.Method, x.Status)
		want(t, b.samples(b.Builtin().HTTPReqs), line)
	}
}

// With a name, the URL is in no tag, and unique URLs are one endpoint.
func TestUniqueURLsOfOneNameAreOneOutcome(t *testing.T) {
	b := newBench(metrics.DefaultSystemTags, nil)
	v := b.vu(nil)
	named := []metrics.Tag{{Key: "name", Value: "n"}}
	for _, site := range []*Site{nil, new(Site)} {
		for _, q := range []Request{{Name: "n"}, {Tags: named}} {
			q.URL = "http://t/first"
			v.HTTP(site, exchange(200), &q)
			s := site
			if s == nil {
				s = b.sites.find(v, exchange(200), &q)
			}
			q.URL = "http://t/second"
			before := s.known.Load()
			v.HTTP(site, exchange(200), &q)
			if s.known.Load() != before {
				t.Errorf("%+v: the second URL was new", q)
			}
		}
	}
	want(t, slices.Compact(b.samples(b.Builtin().HTTPReqs)), "http_reqs 1 group=,method=GET,name=n,proto=HTTP/1.1,scenario=default,status=200,url=n")
}

func TestSitesAreBounded(t *testing.T) {
	b := newBench(0, nil)
	v := b.vu(nil)
	for i := range 20_000 {
		v.HTTP(nil, exchange(200), &Request{URL: fmt.Sprint("http://t/", i)})
		if i%1000 == 0 {
			b.samples()
		}
	}
	total := 0
	for i := range b.sites.parts {
		total += len(b.sites.parts[i].byKey)
	}
	if total > siteStripes*siteLimit {
		t.Errorf("%d sites", total)
	}
}

func TestManyVUsShareASite(t *testing.T) {
	registry := metrics.NewRegistry()
	store := metrics.NewStore(metrics.Config{Registry: registry, Epoch: metrics.NewEpoch(time.Now()), SystemTags: metrics.DefaultSystemTags})
	r := New(Config{Store: store, SystemTags: metrics.DefaultSystemTags})
	scenario := r.Scenario("s", nil)
	var site Site
	var wg sync.WaitGroup
	const vus, each = 16, 2000
	for id := range vus {
		wg.Go(func() {
			v := r.VU(uint64(id + 1))
			v.SetScenario(scenario)
			q := &Request{Expected: Expected}
			for i := range each {
				scope, _ := v.EnterGroup([]string{"a", "b"}[i%2])
				v.HTTP(&site, exchange(200+i%3), q)
				v.HTTP(nil, exchange(200+i%3), q)
				_ = v.Check("ok", i%2 == 0)
				v.LeaveGroup(scope)
				v.EndIteration(0, 1)
			}
		})
	}
	wg.Wait()
	snap := store.Snapshot()
	b := r.Builtin()
	if got := snap.Find(b.HTTPReqs, "").Sum; got != 2*vus*each {
		t.Errorf("%v requests", got)
	}
	if got := snap.Find(b.Iterations, "").Sum; got != vus*each {
		t.Errorf("%v iterations", got)
	}
	if g := snap.Groups.Groups; len(g) != 2 || g[0].Checks[0].Passes+g[1].Checks[0].Passes != vus*each/2 {
		t.Errorf("groups %+v", g)
	}
}

func TestSteadyIterationAllocatesNothing(t *testing.T) {
	store := metrics.NewStore(metrics.Config{
		Registry: metrics.NewRegistry(), Epoch: metrics.NewEpoch(time.Now()), SystemTags: metrics.DefaultSystemTags, Shards: 1,
	})
	r := New(Config{Store: store, SystemTags: metrics.DefaultSystemTags, RunTags: map[string]string{"run": "1"}})
	v := r.VU(1)
	v.SetScenario(r.Scenario("default", nil))
	site, x, q := new(Site), exchange(200), &Request{Expected: Expected, Tags: []metrics.Tag{{Key: "k", Value: "v"}}}
	m, _ := store.Registry().New("mine", metrics.Trend, metrics.Default)
	work := func() {
		v.StartIteration(1, -1)
		scope, _ := v.EnterGroup("g")
		v.HTTP(site, x, q)
		v.HTTP(nil, x, q)
		_ = v.Check("status is 200", true)
		v.Add(m, 1, metrics.Tag{Key: "a", Value: "b"})
		v.LeaveGroup(scope)
		v.Data(1, 2)
		v.EndIteration(0, 100)
	}
	// Group durations vary, so their trend is warmed over many pages.
	for range 20_000 {
		work()
	}
	if n := testing.AllocsPerRun(1000, work); n != 0 {
		t.Errorf("%v allocations per iteration", n)
	}
}

func BenchmarkHTTP(b *testing.B) {
	store := metrics.NewStore(metrics.Config{
		Registry: metrics.NewRegistry(), Epoch: metrics.NewEpoch(time.Now()), SystemTags: metrics.DefaultSystemTags,
	})
	r := New(Config{Store: store, SystemTags: metrics.DefaultSystemTags})
	v := r.VU(1)
	v.SetScenario(r.Scenario("default", nil))
	x, q := exchange(200), &Request{Expected: Expected}
	for name, site := range map[string]*Site{"site": new(Site), "by_url": nil} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for i := range b.N {
				x.Timings.Waiting = 100_000 + int64(i*7919)&0xfffff
				v.HTTP(site, x, q)
			}
		})
	}
	b.Run("unique_urls", func(b *testing.B) {
		b.ReportAllocs()
		for i := range b.N {
			v.HTTP(nil, x, &Request{Expected: Expected, URL: fmt.Sprint("http://t/", i)})
		}
	})
	b.Run("check", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_ = v.Check("status is 200", true)
		}
	})
}
