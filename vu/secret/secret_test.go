package secret

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestRedact(t *testing.T) {
	var r Redactor
	if got := r.Redact("plain"); got != "plain" {
		t.Error(got)
	}
	r.Add("", "top", "topmost", `a "b"`, "x&y z", "line\n")
	for text, want := range map[string]string{
		"topmost, top":               Redacted + ", " + Redacted,
		`say a "b"`:                  "say " + Redacted,
		`{"s":"a \"b\""}`:            `{"s":"` + Redacted + `"}`,
		"?q=x%26y%20z&r=x%26y+z":     "?q=" + Redacted + "&r=" + Redacted,
		"top" + "topsto":             Redacted + Redacted + "sto",
		"a line":                     "a " + Redacted,
		"nothing of it":              "nothing of it",
		"sto" + "p":                  "s" + Redacted,
		Redacted + " stays as it is": Redacted + " stays as it is",
	} {
		if got := r.Redact(text); got != want {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
	r.Add("abc", "bcd", "dxy")
	if got, want := r.Redact("1abcdxy2"), "1"+Redacted+"2"; got != want {
		t.Errorf("overlapping secrets leave %q", got)
	}
	var none *Redactor
	if got := none.Redact("top"); got != "top" {
		t.Error(got)
	}
}

func TestRedactAllocatesNothing(t *testing.T) {
	var r Redactor
	for range 2 {
		if n := testing.AllocsPerRun(100, func() { r.Redact("an ordinary line of a log") }); n != 0 {
			t.Errorf("%v allocations", n)
		}
		r.Add("topsecret", "another")
	}
}

func TestRedactWhileAdding(t *testing.T) {
	var r Redactor
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for n := range 50 {
				s := fmt.Sprintf("secret-%d-%d", i, n)
				r.Add(s)
				if got := r.Redact("<" + s + ">"); strings.Contains(got, "secret-") {
					t.Errorf("%s is shown: %s", s, got)
				}
			}
		})
	}
	wg.Wait()
}

func TestParseSpec(t *testing.T) {
	for text, want := range map[string]string{
		"mock":                                 `{mock mock false []}`,
		"mock=a=b":                             `{mock mock false [{a b}]}`,
		"mock=cool=not cool secret":            `{mock mock false [{cool not cool secret}]}`,
		"mock=default,name=n,a=b=c,d=":         `{mock n true [{a b=c} {d }]}`,
		`mock=a="x,y",b="q\"z\\",c=it"s`:       `{mock mock false [{a x,y} {b q"z\} {c it"s}]}`,
		"file=a.env":                           `{file file false [{ a.env}]}`,
		"url=urlTemplate=http://h/{key}?a=b,x": `{url url false [{urlTemplate http://h/{key}?a=b} { x}]}`,
	} {
		got, err := ParseSpec(text)
		if err != nil || fmt.Sprint(got) != want {
			t.Errorf("%s: %v %v, want %s", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"": "KIND=", "=a": "KIND=", `mock=a="b`: "not closed", `mock=a="b"c`: "behind the closing quote", "mock=name=": "empty",
	} {
		if _, err := ParseSpec(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func FuzzParseSpec(f *testing.F) {
	for _, s := range []string{"mock=a=b,default", `mock=a="x,y"`, "file=p", "=,", `url="`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSpec(text)
		if err == nil && (s.Kind == "" || s.Name == "") {
			t.Errorf("%q gives %v", text, s)
		}
	})
}

func FuzzParseFile(f *testing.F) {
	f.Add("a=b\r\n#c\n\nd = e=f")
	f.Fuzz(func(t *testing.T, text string) {
		pairs, err := parseFile(text)
		for _, p := range pairs {
			if p.key == "" || strings.ContainsAny(p.value, "\n") {
				t.Errorf("%q gives %q (%v)", text, pairs, err)
			}
		}
	})
}

func open1(t *testing.T, cfg Config, specs ...string) *Store {
	t.Helper()
	if cfg.Redactor == nil {
		cfg.Redactor = &Redactor{}
	}
	s, err := Open(specs, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func get(t *testing.T, s *Store, name, key string) string {
	t.Helper()
	source, err := s.Source(name)
	if err != nil {
		return err.Error()
	}
	v, err := source.Get(t.Context(), key)
	if err != nil {
		return err.Error()
	}
	return v
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestFileAndMock(t *testing.T) {
	dir := write(t, "a.env", "\ufeffk=topsecret99\r\n# a comment\n\n other = with = sign \n")
	cfg := Config{Dir: dir, Redactor: &Redactor{}}
	s := open1(t, cfg, "file=a.env,name=f", "mock=default,m=mocked,m2")
	for _, c := range [][3]string{
		{"f", "k", "topsecret99"}, {"f", "other", " with = sign "}, {"", "m", "mocked"}, {"mock", "m2", ""},
		{"f", "none", `there is no secret of this key: "none"`}, {"g", "k", `there is no secret source named "g"`},
	} {
		if got := get(t, s, c[0], c[1]); got != c[2] {
			t.Errorf("%s of %q: %q, want %q", c[1], c[0], got, c[2])
		}
	}
	if got := cfg.Redactor.Redact("topsecret99 with = sign mocked"); got != Redacted+Redacted+Redacted {
		t.Error(got)
	}
	if got := get(t, open1(t, cfg, "file=filename=a.env"), "", "k"); got != "topsecret99" {
		t.Error(got)
	}
	if got := get(t, open1(t, cfg, "mock=a=b", "file=a.env"), "", "k"); !strings.Contains(got, "none of the secret sources is the default") {
		t.Error(got)
	}
	if got := get(t, nil, "", "k"); !strings.Contains(got, "--secret-source") {
		t.Error(got)
	}
}

func TestBadSources(t *testing.T) {
	dir := write(t, "bad.env", "ok=1\nsecretwithoutkey\n")
	if err := os.WriteFile(filepath.Join(dir, "bad.json"), []byte(`{"timeout":[1]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for spec, want := range map[string]string{
		"file=bad.env":                         "line 2",
		"file=gone.env":                        "no such file",
		"file":                                 "needs the path",
		"vault=x":                              "no such kind",
		"cloud":                                "no vendor cloud",
		"url=method=GET":                       "{key}",
		"url=urlTemplate=http://h/{key},foo=1": `unknown setting "foo"`,
		"url=urlTemplate=http://h/{key},foo":   "key=value",
		"url=urlTemplate=http://h/{key},timeout=5":          "missing unit",
		"url=urlTemplate=http://h/{key},requestsBurst=0":    "1 or more",
		"url=urlTemplate=http://h/{key},maxRetries=several": "invalid syntax",
		"url=config=bad.json":                               "must be a text",
	} {
		_, err := Open([]string{spec}, Config{Dir: dir, Redactor: &Redactor{}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", spec, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "secretwithoutkey") {
			t.Errorf("%s: the error shows the file: %v", spec, err)
		}
	}
	for _, specs := range [][]string{{"mock=a=b", "mock=c=d"}, {"mock=default,name=a", "mock=default,name=b"}} {
		if _, err := Open(specs, Config{Redactor: &Redactor{}}); err == nil {
			t.Errorf("%v: no error", specs)
		}
	}
}

// vault answers with the secrets of a test.
type vault struct {
	requests, fail atomic.Int64
}

func (v *vault) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v.requests.Add(1)
	switch {
	case v.fail.Add(-1) >= 0:
		w.WriteHeader(http.StatusServiceUnavailable)
	case r.Header.Get("X-Token") != "t" || r.Method != http.MethodPost:
		w.WriteHeader(http.StatusForbidden)
	case r.URL.Query().Get("k") == "a/b c":
		_, _ = w.Write([]byte(`{"data":{"value":"fetched-secret"}}`))
	case r.URL.Query().Get("k") == "odd":
		_, _ = w.Write([]byte(strings.Repeat("[", 100_000)))
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

func TestURL(t *testing.T) {
	v := &vault{}
	server := httptest.NewServer(v)
	defer server.Close()
	dir := write(t, "c.json", `{"urlTemplate":"`+server.URL+`/?k={key}","headers":{"X-Token":"wrong"},"timeout":"5s","maxRetries":9}`)
	cfg := Config{
		Dir: dir, Redactor: &Redactor{}, Client: server.Client(),
		Vars: map[string]string{"K6_SECRET_SOURCE_URL_METHOD": "put", "K6_SECRET_SOURCE_URL_HEADER_X_TOKEN": "t", "JSLOAD_SECRET_SOURCE_URL_METHOD": "post", "OTHER": "x"},
	}
	s := open1(t, cfg, "url=config=c.json,responsePath=data.value,retryBackoff=1ms,maxRetries=2")
	v.fail.Store(2)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if got := get(t, s, "", "a/b c"); got != "fetched-secret" {
				t.Error(got)
			}
		})
	}
	wg.Wait()
	if source, _ := s.Source(""); source != nil {
		if _, ok := source.Known("none"); ok {
			t.Error("a secret that was never asked for is known")
		}
		if got, ok := source.Known("a/b c"); got != "fetched-secret" || !ok {
			t.Error(got, ok)
		}
	}
	if n := v.requests.Load(); n != 3 {
		t.Errorf("%d requests, want 3: two that failed, and one for all", n)
	}
	if got := cfg.Redactor.Redact("<fetched-secret>"); got != "<"+Redacted+">" {
		t.Error(got)
	}
	source, _ := s.Source("url")
	if _, err := source.Get(t.Context(), "none"); !errors.Is(err, ErrNoKey) {
		t.Error(err)
	}
	if got := get(t, s, "", "odd"); !strings.Contains(got, "not JSON") {
		t.Error(got)
	}
	v.fail.Store(3)
	if got := get(t, s, "", "none"); !strings.Contains(got, "503") {
		t.Error(got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := source.Get(ctx, "none"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	s = open1(t, cfg, "url=config=c.json,responsePath=data.none")
	if got := get(t, s, "", "a/b c"); !strings.Contains(got, `nothing at "data.none"`) {
		t.Error(got)
	}
}

func TestLimiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := limiter{every: time.Second, burst: 3}
		start := time.Now()
		for range 5 {
			if err := l.wait(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if d := time.Since(start); d != 2*time.Second {
			t.Errorf("5 requests took %s, want 2 s: 3 at once and 2 more", d)
		}
		time.Sleep(time.Minute)
		start = time.Now()
		for range 3 {
			_ = l.wait(t.Context())
		}
		if d := time.Since(start); d != 0 {
			t.Errorf("a burst after a rest took %s", d)
		}
	})
}

// A caller that is interrupted fails for itself alone.
func TestInterruptedCaller(t *testing.T) {
	entered, leave := make(chan struct{}, 2), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		entered <- struct{}{}
		select {
		case <-leave:
		case <-r.Context().Done():
		}
		_, _ = w.Write([]byte("v"))
	}))
	defer server.Close()
	s := open1(t, Config{Client: server.Client()}, "url=urlTemplate="+server.URL+"/{key}")
	source, _ := s.Source("")
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		if _, err := source.Get(ctx, "k"); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	<-entered
	wg.Go(func() {
		if v, err := source.Get(t.Context(), "k"); v != "v" {
			t.Error(v, err)
		}
	})
	cancel()
	<-entered
	close(leave)
	wg.Wait()
}
