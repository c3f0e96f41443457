package source

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

func sample() *Archive {
	main := Module{URL: "file:///home/me/t%20s/script.js", Data: []byte("import './a'")}
	return &Archive{
		Metadata: Metadata{
			Type: "js", Options: json.RawMessage(`{"vus":2}`), Filename: main.URL, Pwd: "file:///home/me/t%20s",
			Env: map[string]string{"A": "b"}, GOOS: "linux",
			Resolutions: map[string]map[string]string{main.URL: {"./a": "file:///home/me/t%20s/a.ts"}},
		},
		Main: main,
		Files: []Module{
			main,
			{URL: "file:///home/me/t%20s/a.ts", Data: []byte("a")},
			{URL: "file:///opt/data.csv", Data: []byte("1,2")},
			{URL: "https://host.test:8443/r?to=/x.js", Data: []byte("remote")},
		},
	}
}

func TestArchive(t *testing.T) {
	t.Parallel()
	var first, second bytes.Buffer
	if err := sample().Write(&first); err != nil {
		t.Fatal(err)
	}
	if err := sample().Write(&second); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("two archives of the same test differ")
	}
	if !IsArchive(first.Bytes()) {
		t.Error("the archive does not look like one")
	}
	want := []string{
		"metadata.json", "data", "file/", "file/home/", "file/home/nobody/", "file/home/nobody/t s/", "file/home/nobody/t s/a.ts",
		"file/home/nobody/t s/script.js", "file/opt/", "file/opt/data.csv", "https/", "https/host.test:8443/", "https/host.test:8443/r?to=/",
		"https/host.test:8443/r?to=/x.js",
	}
	if got := entries(t, first.Bytes()); !slices.Equal(got, want) {
		t.Errorf("entries\n%q, want\n%q", got, want)
	}
	a, err := ReadArchive(&first)
	if err != nil {
		t.Fatal(err)
	}
	if a.Main.URL != "file:///home/nobody/t%20s/script.js" || string(a.Main.Data) != "import './a'" || a.Metadata.Env["A"] != "b" {
		t.Errorf("read %+v", a)
	}
	s, err := FromArchive(Config{}, a)
	if err != nil {
		t.Fatal(err)
	}
	for u, want := range map[string]string{
		"file:///home/me/t%20s/a.ts": "a", "file:///home/nobody/t%20s/a.ts": "a", "file:///opt/data.csv": "1,2",
		"https://host.test:8443/r?to=/x.js": "remote",
	} {
		if data, err := s.Read(t.Context(), u); err != nil || string(data) != want {
			t.Errorf("%s: %q, %v", u, data, err)
		}
	}
	if target, ok := s.Recorded(a.Main.URL, "./a"); !ok || target != "file:///home/nobody/t%20s/a.ts" {
		t.Errorf("recorded %q", target)
	}
	for _, u := range []string{"file:///etc/hostname", "https://host.test/x.js"} {
		if _, err := s.Read(t.Context(), u); err == nil || !strings.Contains(err.Error(), "not in the archive") {
			t.Errorf("%s: %v", u, err)
		}
	}
}

func entries(t *testing.T, data []byte) []string {
	t.Helper()
	var names []string
	for r := tar.NewReader(bytes.NewReader(data)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return names
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, h.Name)
	}
}

// pack makes an archive by hand.
func pack(t *testing.T, files ...string) *bytes.Buffer {
	t.Helper()
	var b bytes.Buffer
	p := &packer{w: tar.NewWriter(&b), folders: map[string]bool{}}
	for i := 0; i < len(files); i += 2 {
		p.file(files[i], []byte(files[i+1]))
	}
	if err := errors.Join(p.err, p.w.Close()); err != nil {
		t.Fatal(err)
	}
	return &b
}

func TestReadArchive_others(t *testing.T) {
	t.Parallel()
	a, err := ReadArchive(pack(t, "metadata.json", `{"type":"js","filename":"/path/to/a.js"}`, "data", "main", "files/path/to/b.txt", "b", "scripts/path/to/c.js", "c"))
	if err != nil {
		t.Fatal(err)
	}
	var urls []string
	for _, f := range a.Files {
		urls = append(urls, f.URL)
	}
	if want := []string{"file:///path/to/a.js", "file:///path/to/b.txt", "file:///path/to/c.js"}; !slices.Equal(urls, want) {
		t.Errorf("files %q, want %q", urls, want)
	}
	for _, tt := range []struct {
		files []string
		want  string
	}{
		{nil, "no metadata.json"},
		{[]string{"metadata.json", "{"}, "unexpected end"},
		{[]string{"metadata.json", `{"type":"har"}`}, `type "har"`},
		{[]string{"metadata.json", `{"type":"js"}`}, "does not name"},
		{[]string{"metadata.json", `{"type":"js","filename":"file:///a.js"}`}, "does not hold"},
	} {
		if _, err := ReadArchive(pack(t, tt.files...)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v", tt.files, err)
		}
	}
}

func FuzzReadArchive(f *testing.F) {
	var b bytes.Buffer
	if err := sample().Write(&b); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := ReadArchive(bytes.NewReader(data))
		if err != nil {
			return
		}
		if a.Main.Data == nil || len(a.Files) == 0 {
			t.Fatalf("an archive without a script: %+v", a)
		}
		for _, m := range a.Files {
			if !IsLocal(m.URL) && !strings.HasPrefix(m.URL, "https://") {
				t.Fatalf("a file at %q", m.URL)
			}
		}
	})
}
