package main

import (
	"math"
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
