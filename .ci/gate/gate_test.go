package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// fakeCorpus makes a corpus of empty cases and a gate over it whose runner
// answers one outcome after the other.
func fakeCorpus(t *testing.T, list string, outcomes ...*outcome) (*gate, *bytes.Buffer, *[]string) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"a/one", "a/two", "b/one", "b/two"} {
		c := filepath.Join(dir, "cases", filepath.FromSlash(name))
		if err := os.MkdirAll(c, 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(c, "expect.json"), "{}")
	}
	var out bytes.Buffer
	var calls []string
	g := &gate{
		corpus: dir, pendingFile: filepath.Join(dir, "pending.txt"), areasFile: filepath.Join(dir, "areas.txt"),
		differsDoc: filepath.Join(dir, "doc.md"), parallel: 4, out: &out,
		run: func(only string, parallel int) (*outcome, error) {
			calls = append(calls, only)
			o := outcomes[0]
			outcomes = outcomes[1:]
			return o, nil
		},
	}
	write(t, g.pendingFile, list)
	write(t, g.areasFile, "a  later: Areas, item 1\n")
	write(t, g.differsDoc, "Case `b/two` differs.")
	return g, &out, &calls
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func failing(names ...string) *outcome {
	o := &outcome{failing: map[string][]string{}, closing: []string{"1 passed, 1 failed"}}
	for _, n := range names {
		o.failing[n] = []string{"exit: want 0, got 1"}
	}
	return o
}

func TestCheck(t *testing.T) {
	for name, tc := range map[string]struct {
		list     string
		outcomes []*outcome
		rerun    string // the expression of the second call, "" for none
		says     []string
		fails    bool
	}{
		"all as listed": {
			list: "a/one  later: X, item 2\nb/two  differs: on purpose\n", outcomes: []*outcome{failing("a/one", "b/two")},
			says: []string{"1 passed, 1 failed", "2 listed as pending, 0 unlisted"},
		},
		"unlisted failure": {
			outcomes: []*outcome{failing("a/two"), failing("a/two")}, rerun: "^(a/two)$",
			says: []string{"FAIL a/two: exit: want 0, got 1"}, fails: true,
		},
		"listed pass": {
			list: "a/one  later: X, item 2\n", outcomes: []*outcome{failing(), failing()}, rerun: "^(a/one)$",
			says: []string{"PASS a/one, but it is listed (later: X, item 2)"}, fails: true,
		},
		"flaky either way": {
			list: "a/one  later: X, item 2\n", outcomes: []*outcome{failing("b/one"), failing("a/one")}, rerun: "^(a/one|b/one)$",
			says: []string{"FLAKY a/one: exit", "FLAKY b/one: exit", "2 flaky"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			g, out, calls := fakeCorpus(t, tc.list, tc.outcomes...)
			if err := g.check(); (err != nil) != tc.fails {
				t.Errorf("error %v", err)
			}
			want := []string{""}
			if tc.rerun != "" {
				want = append(want, tc.rerun)
			}
			if !slices.Equal(*calls, want) {
				t.Errorf("runs: %q, want %q", *calls, want)
			}
			for _, s := range tc.says {
				if !strings.Contains(out.String(), s) {
					t.Errorf("output lacks %q:\n%s", s, out)
				}
			}
		})
	}
}

func TestCheckOfSomeCases(t *testing.T) {
	g, _, calls := fakeCorpus(t, "a/one  later: X, item 2\n", failing())
	g.only = "^b/"
	if err := g.check(); err != nil || len(*calls) != 1 {
		t.Errorf("error %v after %q: the listed case was not run", err, *calls)
	}
}

func TestManySuspectsAreNotRunAgain(t *testing.T) {
	var names []string
	for i := range maxReruns + 1 {
		names = append(names, "x/"+strings.Repeat("y", i+1))
	}
	g := &gate{run: func(string, int) (*outcome, error) { t.Fatal("run again"); return nil, nil }}
	v, _, err := g.judge(names, pending{}, failing(names...))
	if err != nil || len(v.broken) != len(names) {
		t.Errorf("got %d broken, error %v", len(v.broken), err)
	}
}

func TestCheckRefusesBadLists(t *testing.T) {
	for list, want := range map[string]string{
		"a/one\n":                              "line 1: a/one: the reason",
		"a/one  later: no item\n":              "the reason is to be",
		"a/one  because\n":                     "the reason is to be",
		"a/one  differs: \n":                   "the reason is to be",
		"a/x  later: X, item 1\n":              "lists a/x, which is no case",
		"a/one  differs: unexplained\n":        "does not name it",
		"a/one  differs: x\na/one  differs: y": "listed twice",
	} {
		g, _, calls := fakeCorpus(t, list, failing(), failing())
		if err := g.check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", list, err, want)
		}
		if len(*calls) != 0 {
			t.Errorf("%q: the corpus was run", list)
		}
	}
}

func TestUpdateKeepsReasons(t *testing.T) {
	g, _, _ := fakeCorpus(t, "# comment\na/one  differs: on purpose\nb/two  later: X, item 2\n", failing("a/one", "a/two", "b/one"), failing("a/one", "a/two"))
	if err := g.update(); err != nil {
		t.Fatal(err)
	}
	got, err := readPending(g.pendingFile)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got["a/one"] != "differs: on purpose" || got["a/two"] != "later: Areas, item 1" {
		t.Errorf("got %v", got)
	}
	g, _, _ = fakeCorpus(t, "", failing("b/one"), failing("b/one"))
	if err := g.update(); err == nil || !strings.Contains(err.Error(), "b/one fails and its area has no reason") {
		t.Errorf("error %v", err)
	}
}

func TestReadOutcome(t *testing.T) {
	o, err := readOutcome([]byte(`{"a/one": ["x"], "a/two": ["allowed: better", "y"]}`), "FAIL a/one: x\n1 differ where a tool may do better\n7 passed, 1 failed\n")
	if err != nil || len(o.failing) != 1 || o.failing["a/one"] == nil || len(o.closing) != 2 || o.closing[1] != "7 passed, 1 failed" {
		t.Errorf("got %+v, %v", o, err)
	}
	for _, bad := range [][2]string{{"{", "1 passed, 0 failed"}, {"{}", "nothing"}} {
		if _, err := readOutcome([]byte(bad[0]), bad[1]); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

func TestNoCorpus(t *testing.T) {
	var out bytes.Buffer
	g := &gate{corpus: filepath.Join(t.TempDir(), "nothing"), out: &out}
	if err := g.main(false); err != nil || !strings.Contains(out.String(), "no corpus at") {
		t.Errorf("error %v, output %q", err, out.String())
	}
}

func TestBrief(t *testing.T) {
	if got := brief([]string{"a", strings.Repeat("é", 300), "c", "d", "e"}); got != "a | "+strings.Repeat("é", 240)+"… | c | (and 2 more)" {
		t.Errorf("got %q", got)
	}
}

func FuzzParsePending(f *testing.F) {
	f.Add("a/one  later: X, item 2\n# c\n\nb/two differs: y\n")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := parsePending(strings.NewReader(text))
		if err != nil {
			return
		}
		again, err := parsePending(strings.NewReader(list.text()))
		if err != nil || len(again) != len(list) {
			t.Fatalf("%q became %q: %v", text, list.text(), err)
		}
		for name, reason := range list {
			if again[name] != reason {
				t.Fatalf("%s: %q became %q", name, reason, again[name])
			}
		}
	})
}
