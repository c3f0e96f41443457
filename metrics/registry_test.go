package metrics

import (
	"errors"
	"strings"
	"sync"
	"testing"
)

func TestNamesOfMetrics(t *testing.T) {
	r := NewRegistry()
	for name, ok := range map[string]bool{
		"ok_name": true, "ab": true, "_under": true, "UPPER": true, "x1": true,
		strings.Repeat("x", 128): true, strings.Repeat("x", 129): true,
		"a": false, "1digit": false, "with-dash": false, "with.dot": false, "with space": false,
		"": false, "é": false, "new\nline": false, "ab\n": false, strings.Repeat("x", 130): false,
	} {
		m, err := r.New(name, Counter, Default)
		if (err == nil) != ok {
			t.Errorf("%q: error %v, want ok %v", name, err, ok)
		}
		if ok && (m.Name != name || r.Lookup(name) != m) {
			t.Errorf("%q: made %+v", name, m)
		}
		if !ok && !strings.HasPrefix(err.Error(), "Invalid metric name: ") {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestSameNameAgain(t *testing.T) {
	r := NewRegistry()
	first, _ := r.New("c1", Counter, Default)
	if again, err := r.New("c1", Counter, Data); err != nil || again != first || again.Contains != Default {
		t.Errorf("same kind: %v, %v", again, err)
	}
	_, err := r.New("c1", Trend, Default)
	if want := "metric 'c1' already exists but with type counter, instead of trend"; err == nil || err.Error() != want {
		t.Errorf("other kind: %v, want %s", err, want)
	}
	if _, ok := errors.AsType[*KindError](err); !ok {
		t.Errorf("%T", err)
	}
	if own, err := r.New("http_reqs", Counter, Default); err != nil || own != r.Builtin().HTTPReqs {
		t.Errorf("built-in: %v, %v", own, err)
	}
	if r.Lookup("none") != nil {
		t.Error("found a metric that nobody made")
	}
}

func TestRegistryIsSafeForConcurrentUse(t *testing.T) {
	r := NewRegistry()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for _, name := range []string{"aa", "bb", "cc"} {
				if m, err := r.New(name, Trend, Time); err != nil || r.Lookup(name) != m {
					t.Error(name, err)
				}
				r.All()
			}
		})
	}
	wg.Wait()
	for i, m := range r.All() {
		if m.index != i {
			t.Errorf("%s has index %d at place %d", m.Name, m.index, i)
		}
	}
}

func TestKindsAndUnits(t *testing.T) {
	b := NewRegistry().Builtin()
	for m, want := range map[*Metric]string{
		b.HTTPReqs: "counter default", b.DataSent: "counter data", b.VUs: "gauge default",
		b.Checks: "rate default", b.HTTPReqDuration: "trend time", b.IterationStartDelay: "trend time",
	} {
		if got := m.Kind.String() + " " + m.Contains.String(); got != want {
			t.Errorf("%s: %s, want %s", m.Name, got, want)
		}
	}
	if Kind(0).String() != "unknown" {
		t.Error("the zero kind has a name")
	}
}

func TestSystemTags(t *testing.T) {
	if got, want := DefaultSystemTags.String(),
		"proto,subproto,status,method,url,name,group,check,error,error_code,tls_version,scenario,service,expected_response"; got != want {
		t.Errorf("default is %s", got)
	}
	s := ParseSystemTags([]string{"status", "nonsense", "ip", "vu", "iter"})
	if s != TagStatus|TagIP|TagVU|TagIter {
		t.Errorf("parsed %v", s)
	}
	if !s.Has(TagIP|TagVU) || s.Has(TagIP|TagURL) || !s.Has(0) {
		t.Error("Has is wrong")
	}
	if ParseSystemTags(nil) != 0 {
		t.Error("no names give some tags")
	}
	all := SystemTags(1<<18 - 1)
	if ParseSystemTags(all.Names()) != all || TagIP.String() != "ip" {
		t.Error("names do not come back")
	}
}

func TestGroupsAndChecks(t *testing.T) {
	root := NewGroup()
	a, err := root.Child("a")
	if err != nil {
		t.Fatal(err)
	}
	b, _ := a.Child("b")
	if again, _ := a.Child("b"); again != b || b.Path != "::a::b" || b.Parent != a {
		t.Errorf("made %+v", b)
	}
	if same, _ := a.Child(""); same != a {
		t.Error("an empty name is another group")
	}
	c, _ := b.Check("ok")
	if again, _ := b.Check("ok"); again != c || c.Path != "::a::b::ok" {
		t.Errorf("made %+v", c)
	}
	// MD5 of the empty text and of the path.
	if root.ID != "d41d8cd98f00b204e9800998ecf8427e" || root.Path != "" || len(c.ID) != 32 || c.ID == b.ID {
		t.Errorf("ids %s, %s", root.ID, c.ID)
	}
	if _, err := root.Child("x::y"); err == nil {
		t.Error("group name with separator accepted")
	}
	if _, err := root.Check("x::y"); err == nil {
		t.Error("check name with separator accepted")
	}
}

func TestGroupsKeepTheOrderOfFirstUse(t *testing.T) {
	root := NewGroup()
	var wg sync.WaitGroup
	for _, name := range []string{"z", "a", "m"} {
		g, _ := root.Child(name)
		for range 4 {
			wg.Go(func() { g.Check("one") })
		}
	}
	wg.Wait()
	v := root.view()
	if len(v.Groups) != 3 || v.Groups[0].Name != "z" || v.Groups[1].Name != "a" || v.Groups[2].Name != "m" {
		t.Errorf("groups %+v", v.Groups)
	}
	if len(v.Groups[0].Checks) != 1 {
		t.Errorf("checks %+v", v.Groups[0].Checks)
	}
}
