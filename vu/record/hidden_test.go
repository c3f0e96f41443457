package record

import (
	"strings"
	"testing"
	"time"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/vu/client/proto"
)

// What the registry hides is in no sample, group, check, endpoint or failure.
func TestHiddenTexts(t *testing.T) {
	registry := metrics.NewRegistry()
	registry.Hide(func(s string) string { return strings.ReplaceAll(s, "topsecret", "***") })
	store := metrics.NewStore(metrics.Config{Registry: registry, Epoch: metrics.NewEpoch(time.Now()), SystemTags: metrics.DefaultSystemTags, Shards: 1})
	b := &bench{New(Config{Store: store, SystemTags: metrics.DefaultSystemTags, RunTags: map[string]string{"run": "r-topsecret"}}), store, store.AddTap(0)}
	v := b.vu(map[string]string{"scenario-tag": "topsecret"})
	v.SetTag("a-topsecret", "b-topsecret")
	v.SetMetadata("m", "topsecret")
	v.StartIteration(0, -1)
	scope, err := v.EnterGroup("in topsecret")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := v.Check("is topsecret", false); err != nil {
			t.Fatal(err)
		}
		x := exchange(0)
		x.URL, x.Err = "http://t/?k=topsecret", &proto.Error{Code: 1000, Text: "no topsecret"}
		v.HTTP(nil, x, &Request{Tags: []metrics.Tag{{Key: "q", Value: "topsecret"}}})
		v.HTTP(nil, exchange(200), &Request{Name: "named topsecret"})
		v.Add(registry.Builtin().VUs, 1, metrics.Tag{Key: "x", Value: "topsecret"})
	}
	v.LeaveGroup(scope)
	lines := strings.Join(b.samples(), "\n")
	if strings.Contains(lines, "topsecret") || !strings.Contains(lines, "a-***=b-***") || !strings.Contains(lines, "meta m=***") {
		t.Errorf("the samples are\n%s", lines)
	}
	s := store.Snapshot()
	group := s.Groups.Groups[0]
	if group.Path != "::in ***" || group.Checks[0].Name != "is ***" {
		t.Errorf("group %q with check %q", group.Path, group.Checks[0].Name)
	}
	for _, e := range s.Endpoints {
		if strings.Contains(e.Name, "topsecret") {
			t.Errorf("endpoint %q", e.Name)
		}
	}
	for _, f := range s.Failures {
		if strings.Contains(f.Name+f.Text, "topsecret") {
			t.Errorf("failure %+v", f)
		}
	}
}
