package tags

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"
)

// model checks a set against the map it should equal.
func model(t *testing.T, s Set, want map[string]string) {
	t.Helper()
	if got := s.Map(); !maps.Equal(got, want) {
		t.Fatalf("set is %v, want %v", got, want)
	}
	var keys []string
	for k, v := range s.All() {
		keys = append(keys, k)
		if !s.Has(k, v) {
			t.Fatalf("Has(%q, %q) is false", k, v)
		}
	}
	if !slices.IsSorted(keys) || len(keys) != s.Len() {
		t.Fatalf("keys %q of a set of %d", keys, s.Len())
	}
}

func TestSetsAgainstMaps(t *testing.T) {
	table := NewTable()
	for name, root := range map[string]Set{"interned": table.Empty(), "zero": {}} {
		t.Run(name, func(t *testing.T) {
			s, want := root, map[string]string{}
			for i := range 500 {
				key, value := strconv.Itoa(i*7919%31), strconv.Itoa(i%5)
				if i%3 == 2 {
					s = s.Without(key)
					delete(want, key)
				} else {
					s = s.With(key, value)
					want[key] = value
				}
				model(t, s, want)
			}
		})
	}
}

func TestEqualContentHasOneHandle(t *testing.T) {
	e := NewTable().Empty()
	a := e.With("b", "2").With("a", "1").With("c", "3").Without("c")
	b := e.Extend(Tag{"a", "0"}, Tag{"b", "2"}, Tag{"a", "1"})
	if a != b {
		t.Errorf("%v and %v have two handles", a, b)
	}
	if a.Without("a").Without("b") != e {
		t.Error("an emptied set is not the table's empty set")
	}
	if a.With("a", "1") != a || a.Without("zz") != a {
		t.Error("a step that changes nothing gives another handle")
	}
	if a.String() != "a=1,b=2" {
		t.Errorf("String is %q", a.String())
	}
}

func TestZeroSetEqualsByContent(t *testing.T) {
	a := Set{}.With("k", "v")
	b := NewTable().Empty().With("k", "v")
	if !a.Equal(b) || a == b {
		t.Error("want equal content and different handles")
	}
	if (Set{}).Len() != 0 || (Set{}).Note(1) != nil || (Set{}).Without("x") != (Set{}) {
		t.Error("the zero set is not empty")
	}
}

func TestUniqueValuesDoNotGrowTheTable(t *testing.T) {
	table := NewTable()
	steady := table.Empty().With("scenario", "default")
	first := steady.With("url", "/0")
	for i := range 100_000 {
		steady.With("url", "/"+strconv.Itoa(i))
		if i%100 == 0 && table.Empty().With("scenario", "default") != steady {
			t.Fatalf("a set in use was forgotten at %d", i)
		}
	}
	if got, limit := table.Len(), 2*stripes*youngLimit; got > limit {
		t.Errorf("the table remembers %d sets, limit %d", got, limit)
	}
	if v, _ := first.Get("url"); v != "/0" {
		t.Errorf("a forgotten handle reads %q", v)
	}
	if again := steady.With("url", "/0"); !again.Equal(first) {
		t.Error("a forgotten set and its successor differ")
	}
}

func TestManySetsAreRemembered(t *testing.T) {
	table := NewTable()
	seen := map[int]Set{}
	for round := range 3 {
		for i := range 1000 {
			s := table.Empty().With("i", strconv.Itoa(i))
			if round > 0 && seen[i] != s {
				t.Fatalf("round %d: set %d has a new handle", round, i)
			}
			seen[i] = s
		}
	}
}

func TestNotes(t *testing.T) {
	s := NewTable().Empty().With("a", "b")
	s.SetNote("me", 42)
	if s.Note("me") != 42 || s.Note("you") != nil {
		t.Errorf("notes are %v and %v", s.Note("me"), s.Note("you"))
	}
}

func TestKnownSetAllocatesNothing(t *testing.T) {
	e := NewTable().Empty()
	base := e.Extend(Tag{"scenario", "default"}, Tag{"group", ""}, Tag{"run", "7"})
	base.With("check", "ok").Without("run")
	if n := testing.AllocsPerRun(100, func() {
		s := base.With("check", "ok")
		s = s.Extend(Tag{"group", "::a"}, Tag{"x", "y"})
		s.Without("x")
		if s.Len() == 0 {
			t.Fail()
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestConcurrentUse(t *testing.T) {
	table := NewTable()
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for i := range 2000 {
				s := table.Empty().With("a", strconv.Itoa(i%50)).With("w", strconv.Itoa(w%2))
				s.SetNote(table, i)
				s.Note(table)
				if !s.Has("a", strconv.Itoa(i%50)) {
					t.Error("wrong set")
				}
			}
		})
	}
	wg.Wait()
}

func FuzzExtend(f *testing.F) {
	f.Add("a=1;b=2;a=3;-b")
	f.Add(";;=;-;-x")
	f.Fuzz(func(t *testing.T, program string) {
		table := NewTable()
		s, want := table.Empty(), map[string]string{}
		start := 0
		for i := range len(program) + 1 {
			if i < len(program) && program[i] != ';' {
				continue
			}
			step := program[start:i]
			start = i + 1
			if len(step) > 0 && step[0] == '-' {
				s = s.Without(step[1:])
				delete(want, step[1:])
				continue
			}
			k, v := step, ""
			for j := range step {
				if step[j] == '=' {
					k, v = step[:j], step[j+1:]
					break
				}
			}
			s = s.With(k, v)
			want[k] = v
		}
		model(t, s, want)
		var all []Tag
		for k, v := range want {
			all = append(all, Tag{k, v})
		}
		if table.Empty().Extend(all...) != s {
			t.Fatal("another way to the same content gives another handle")
		}
	})
}

// Each set is one step from the one before, and the first stays in use.
func TestChainsOfStepsAreCollected(t *testing.T) {
	first := NewTable().Empty().With("i", "first")
	second := first.With("i", "0")
	gone := make(chan struct{})
	runtime.AddCleanup(second.n, func(int) { close(gone) }, 0)
	s := second
	second = Set{}
	for i := range 4 * stripes * youngLimit {
		s = s.With("i", strconv.Itoa(i))
	}
	for range 100 {
		runtime.GC()
		select {
		case <-gone:
			runtime.KeepAlive(first)
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
	t.Error("a forgotten set without users is still alive")
}

func BenchmarkInternExisting(b *testing.B) {
	base := NewTable().Empty()
	for i := range 6 {
		base = base.With(fmt.Sprint("key", i), "value")
	}
	url := Tag{"url", "http://127.0.0.1:8000/some/path"}
	b.Run("with", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			base.With(url.Key, url.Value)
		}
	})
	b.Run("extend", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			base.Extend(url, Tag{"key3", "other"})
		}
	})
}
