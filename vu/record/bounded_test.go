package record

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/vu/client/proto"
)

// A server that sends garbage has one cause of failure, with one example.
func TestGarbageIsOneCause(t *testing.T) {
	b := newBench(metrics.DefaultSystemTags, nil)
	v := b.vu(nil)
	for i := range 300 {
		x := exchange(0)
		x.Err = &proto.Error{Code: proto.CodeGeneric, Kind: proto.Malformed, Text: fmt.Sprintf("malformed HTTP version %q", fmt.Sprint(i))}
		v.HTTP(nil, x, &Request{Expected: Unexpected})
	}
	s := b.store.Snapshot()
	if len(s.Failures) != 1 {
		t.Fatalf("%d causes, want 1", len(s.Failures))
	}
	if f := s.Failures[0]; f.Count != 300 || f.Text != "malformed HTTP response" || f.Example != `malformed HTTP version "0"` {
		t.Errorf("%+v", f)
	}
	for _, line := range b.samples() {
		if !strings.Contains(line, "error=malformed HTTP response,") {
			t.Fatalf("sample %s", line)
		}
	}
	if b.ErrorsFolded() {
		t.Error("one cause is not too many")
	}
}

// Beyond a limit per code the texts of errors share one.
func TestUniqueErrorTextsAreBounded(t *testing.T) {
	b := newBench(metrics.DefaultSystemTags, nil)
	v := b.vu(nil)
	tags := map[string]bool{}
	for i := range 1000 {
		x := exchange(0)
		x.Err = &proto.Error{Code: 1000 + i%2*200, Text: fmt.Sprintf("error %d", i)}
		v.HTTP(nil, x, &Request{Expected: Unexpected})
	}
	b.store.Drain()
	for _, s := range b.tap.Take() {
		text, _ := s.Tags.Get("error")
		tags[text] = true
	}
	if len(tags) != 2*maxCauses+1 || !tags[otherCause] || !tags["error 0"] || !tags["error 1"] {
		t.Errorf("%d texts: %v", len(tags), tags)
	}
	var total int64
	for _, f := range b.store.Snapshot().Failures {
		total += f.Count
	}
	if total != 1000 || !b.ErrorsFolded() {
		t.Errorf("%d failures counted, folded %t", total, b.ErrorsFolded())
	}
}

// Whatever a script or a server makes up, memory does not grow with it.
func TestUniqueNamesDoNotGrowMemory(t *testing.T) {
	b := newBench(metrics.DefaultSystemTags, nil)
	store := metrics.NewStore(metrics.Config{Registry: b.store.Registry(), Epoch: b.store.Epoch(), SystemTags: metrics.DefaultSystemTags, Shards: 1, Scopes: true})
	v := New(Config{Store: store, SystemTags: metrics.DefaultSystemTags}).VU(1)
	v.SetScenario((&bench{Recorder: New(Config{Store: store, SystemTags: metrics.DefaultSystemTags})}).Scenario("default", nil))
	do := func(from, to int) {
		for i := from; i < to; i++ {
			unique := fmt.Sprintf("%d of data", i)
			scope, err := v.EnterGroup("group " + unique)
			if err != nil {
				t.Fatal(err)
			}
			inner, _ := v.EnterGroup("inner " + unique)
			_ = v.Check("check "+unique, i%2 == 0)
			v.SetTag("data", unique)
			x := exchange(0)
			x.URL, x.Method = "http://t/"+unique, "M"+unique
			x.Err = &proto.Error{Code: 1000 + i%10, Text: "error " + unique}
			v.HTTP(nil, x, &Request{Expected: Unexpected, Tags: []metrics.Tag{{Key: "k" + unique, Value: unique}, {Key: "scenario", Value: unique}, {Key: "group", Value: "::" + unique}}})
			v.HTTP(nil, exchange(200), &Request{Name: unique, Expected: Expected})
			v.Add(store.Registry().Builtin().VUs, 1, metrics.Tag{Key: "x", Value: unique})
			v.LeaveGroup(inner)
			v.LeaveGroup(scope)
		}
		store.Drain()
	}
	const n = 12_000
	do(0, n)
	before := heap()
	do(n, 2*n)
	if grown := int64(heap()) - int64(before); grown > 2<<20 {
		t.Errorf("%d unique names more took %d KB", n, grown>>10)
	}
	f := store.Folded()
	if !f.Groups || !f.Checks || f.TagSets < 4*n {
		t.Errorf("folded %+v", f)
	}
	groups, checks, passes := count(store.Snapshot().Groups)
	if groups > metrics.MaxGroups+2 || checks > metrics.MaxChecks+metrics.MaxGroups || passes != n {
		t.Errorf("%d groups, %d checks, %d passes of %d", groups, checks, passes, n)
	}
	runtime.KeepAlive(v)
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func count(g *metrics.GroupView) (groups, checks int, passes int64) {
	groups, checks = 1, len(g.Checks)
	for _, c := range g.Checks {
		passes += c.Passes
	}
	for _, sub := range g.Groups {
		sg, sc, sp := count(sub)
		groups, checks, passes = groups+sg, checks+sc, passes+sp
	}
	return groups, checks, passes
}
