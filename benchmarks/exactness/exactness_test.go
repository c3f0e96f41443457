package main

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Of 15,000 that were started 1,000 were held: p90 is not touched, p99 lies in the
// held ones.
func TestTruthOfAStall(t *testing.T) {
	list := truth(15_000)
	if list[0] != 10 || list[13_999] != 10 || list[14_999] != 1010 {
		t.Errorf("from %v over %v to %v", list[0], list[13_999], list[14_999])
	}
	if got := quantile(list, 0.9); got != 10 {
		t.Errorf("p90 %v", got)
	}
	if got := quantile(list, 0.99); math.Abs(got-935) > 0.6 {
		t.Errorf("p99 %v", got)
	}
	if got := truth(3); !slices.IsSorted(got) || len(got) != 3 {
		t.Errorf("%v", got)
	}
}

func TestMedians(t *testing.T) {
	m := medians([]figures{{"a": 1, "b": 5}, {"a": 3, "b": 1}, {"a": 2, "b": 9}, {"a": 4, "b": 9}})
	if m["a"] != 2.5 || m["b"] != 7 {
		t.Errorf("%v", m)
	}
	if s := (figures{"b": 1, "a": 2}).String(); s != "a=2.000ms  b=1.000ms" {
		t.Errorf("%q", s)
	}
}

func TestWrongCountsAreCounted(t *testing.T) {
	var out strings.Builder
	l := &lab{out: &out}
	l.count("a", 5, 5, 5)
	l.count("b", 6, 5, 5)
	l.count("c", 6, 5, 7)
	if l.wrong != 1 || strings.Count(out.String(), "WRONG") != 1 || !strings.Contains(out.String(), "5 to 7") {
		t.Errorf("%d wrong:\n%s", l.wrong, out.String())
	}
}

// A tool that is missing is named, with how to get it; one in the folder is found.
func TestPeersAreFoundOrNamed(t *testing.T) {
	l := &lab{tooldir: t.TempDir(), dir: t.TempDir(), out: &strings.Builder{}}
	missing := peer{name: "no-such-load-tester", hint: "apt-get install it"}
	if _, err := missing.find(l); err == nil || !strings.Contains(err.Error(), "apt-get install it") {
		t.Errorf("missing: %v", err)
	}
	path := filepath.Join(l.tooldir, "no-such-load-tester")
	if err := os.WriteFile(path, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	if got, err := missing.find(l); err != nil || got != path {
		t.Errorf("found %s, %v", got, err)
	}
	for _, p := range peers() {
		if p.module == "" && p.hint == "" || !strings.Contains(p.stdin+strings.Join(p.args, " "), "URL/delay/10") {
			t.Errorf("%+v", p)
		}
	}
}
