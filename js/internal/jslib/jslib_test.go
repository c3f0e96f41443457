package jslib

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://jslib.k6.io/k6-utils/1.4.0/index.js":       "jslib/k6-utils/1.4.0",
		"http://jslib.k6.io/k6-utils/1.4.0/index.js":        "jslib/k6-utils/1.4.0",
		"https://jslib.k6.io/k6-utils/1.4.0/index.js?x=1#y": "jslib/k6-utils/1.4.0",
		"https://jslib.k6.io/k6-utils/1.4.0/other.js":       "",
		"https://jslib.k6.io/k6-utils/1.4.1/index.js":       "",
		"https://jslib.k6.io/k6-utils/index.js":             "",
		"https://elsewhere.example/k6-utils/1.4.0/index.js": "",
		"file:///jslib.k6.io/k6-utils/1.4.0/index.js":       "",
		"k6-utils": "",
		"https://jslib.k6.io/aws/0.12.3/signature.js":                                                     "jslib/aws/signature.js/0.1.0-0.13",
		"https://jslib.k6.io/aws/0.14.0/signature.js":                                                     "jslib/aws/signature.js/0.14.0",
		"https://jslib.k6.io/aws/0.15.0/signature.js":                                                     "",
		"https://jslib.k6.io/aws/0.12.3/aws.js":                                                           "jslib/aws/0.9-0.13",
		"https://jslib.k6.io/aws/0.8.1/index.js":                                                          "jslib/aws/0.1.0-0.8",
		"https://jslib.k6.io/aws/0.7.2/s3.js":                                                             "jslib/aws/s3.js/0.1.0-0.8",
		"https://jslib.k6.io/aws/0.14.0/s3.js":                                                            "jslib/aws/s3.js/0.14.0",
		"https://jslib.k6.io/aws/0.2.0/s3.js":                                                             "",
		"https://jslib.k6.io/aws/0.12.3/sqs.js":                                                           "",
		"https://jslib.k6.io/aws/latest/index.js":                                                         "",
		"https://raw.githubusercontent.com/benc-uk/k6-reporter/main/dist/bundle.js":                       "jslib/k6-reporter/3",
		"https://raw.githubusercontent.com/benc-uk/k6-reporter/refs/heads/main/dist/bundle.js":            "jslib/k6-reporter/3",
		"https://raw.githubusercontent.com/benc-uk/k6-reporter/2.4.0/dist/bundle.js":                      "jslib/k6-reporter/2",
		"https://raw.githubusercontent.com/benc-uk/k6-reporter/3.0.1/bundle.js":                           "jslib/k6-reporter/3",
		"https://raw.githubusercontent.com/benc-uk/k6-reporter/4.0.0/dist/bundle.js":                      "",
		"https://raw.githubusercontent.com/somebody/k6-reporter/main/dist/bundle.js":                      "",
		"https://raw.githubusercontent.com/simbadltd/k6-junit/main/index.js":                              "jslib/k6-junit/1",
		"https://raw.githubusercontent.com/simbadltd/k6-junit/b2a3f7d4a1e0e8e66a1d0a0b9f3e4c5d6e7f8091/i": "",
	} {
		got := ""
		if m := Find(address); m != nil {
			got = m.Path()
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", address, got, want)
		}
	}
}

// TestCatalogue: every version can be looked up by its path, its file exists, and
// every file belongs to something.
func TestCatalogue(t *testing.T) {
	t.Parallel()
	for _, f := range catalogue() {
		for _, r := range f.releases {
			m := Lookup(f.module(r).Path())
			if m == nil || m.Version != r.version || len(m.Exports) == 0 {
				t.Fatalf("%s %s: %+v", f.name, r.version, m)
			}
			text, ok := Source(f.file)
			if !ok || !strings.HasPrefix(text, "// ") {
				t.Errorf("lib/%s is missing or says nothing of itself", f.file)
			}
		}
	}
}

func TestHas(t *testing.T) {
	t.Parallel()
	m := Find("https://jslib.k6.io/k6-utils/1.0.0/index.js")
	if !m.Has("uuidv4") || m.Has("findBetween") || !slices.Contains(m.Exports, Export{"uuidv4", "plainUUID"}) {
		t.Errorf("%+v", m)
	}
}

// FuzzFind: no address is too strange to be told apart.
func FuzzFind(f *testing.F) {
	f.Add("https://jslib.k6.io/k6-utils/1.4.0/index.js")
	f.Add("https://raw.githubusercontent.com/benc-uk/k6-reporter/main/dist/bundle.js")
	f.Fuzz(func(t *testing.T, address string) {
		if m := Find(address); m != nil && Lookup(m.Path()) == nil {
			t.Errorf("%s: %s cannot be looked up", address, m.Path())
		}
	})
}

var update = flag.Bool("update", false, "write the generated part of docs/compatibility.md")

const (
	document   = "../../../docs/compatibility.md"
	begin, end = "<!-- generated from js/internal/jslib -->\n", "<!-- end of the libraries -->\n"
)

// table lists the libraries as Markdown; versions with the same names share a row.
func table() string {
	var b strings.Builder
	b.WriteString("\n| module | versions | exports |\n|---|---|---|\n")
	list := Modules()
	for i := 0; i < len(list); {
		m, versions := list[i], []string{}
		for ; i < len(list) && list[i].Name == m.Name && names(list[i]) == names(m); i++ {
			versions = append(versions, list[i].Version)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", m.Name, strings.Join(versions, " "), names(m))
	}
	return b.String() + "\n"
}

func names(m *Module) string {
	list := make([]string, len(m.Exports))
	for i, e := range m.Exports {
		list[i] = "`" + e.Name + "`"
	}
	return strings.Join(list, " ")
}

// TestDocument holds docs/compatibility.md to the catalogue.
func TestDocument(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(data), begin)
	old, after, closed := strings.Cut(rest, end)
	switch made := table(); {
	case !ok || !closed:
		t.Fatalf("%s lacks %q or %q", document, begin, end)
	case made == old:
	case !*update:
		t.Fatalf("%s is out of date: run go test ./js/internal/jslib -update", document)
	default:
		if err := os.WriteFile(document, []byte(before+begin+made+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
