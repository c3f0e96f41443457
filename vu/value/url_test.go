package value

import (
	"slices"
	"strings"
	"testing"
)

func parsed(t testing.TB, text, base string) (*URL, error) {
	t.Helper()
	if base == "" {
		return ParseURL(text, nil)
	}
	b, err := ParseURL(base, nil)
	if err != nil {
		t.Fatalf("base %q: %v", base, err)
	}
	return ParseURL(text, b)
}

func TestParseURL(t *testing.T) {
	for _, c := range []struct{ text, base, want string }{
		{"http://example.com", "", "http://example.com/"},
		{"  HTTP://User:Pa ss@EXAMPLE.com:80/%7Efoo/../a b?q=1 2#f g \n", "", "http://User:Pa%20ss@example.com/a%20b?q=1%202#f%20g"},
		{"https://a@b@c/", "", "https://a%40b@c/"},
		{"https:\\\\example.com\\x", "", "https://example.com/x"},
		{"http:example.com", "", "http://example.com/"},
		{"http://exa\tmple\n.com/", "", "http://example.com/"},
		{"../c?d", "http://h/a/b/x#y", "http://h/a/c?d"},
		{"//other:8080/p", "https://h/a", "https://other:8080/p"},
		{"?q", "http://h/a?b#c", "http://h/a?q"},
		{"#f", "mailto:x", "mailto:x#f"},
		{"", "http://h/a?b#c", "http://h/a?b"},
		{"http://h/a/%2e%2E/b/.%2e/./c/%2e", "", "http://h/c/"},
		{"http://h:65535/", "", "http://h:65535/"},
		{"ws://h:80/", "", "ws://h/"},
		{"http://0x7f.1/", "", "http://127.0.0.1/"},
		{"http://017700000001", "", "http://127.0.0.1/"},
		{"http://256/", "", "http://0.0.1.0/"},
		{"http://[1:0:0:2:0:0:0:3]/", "", "http://[1:0:0:2::3]/"},
		{"http://[::127.0.0.1]:99/", "", "http://[::7f00:1]:99/"},
		{"http://[2001:DB8::1]/", "", "http://[2001:db8::1]/"},
		{"http://bücher.example/ü?ü", "", "http://xn--bcher-kva.example/%C3%BC?%C3%BC"},
		{"http://faß.de", "", "http://xn--fa-hia.de/"},
		{"http://ex%41mple.com", "", "http://example.com/"},
		{"http://h/?a'b", "", "http://h/?a%27b"},
		{"x://h/?a'b", "", "x://h/?a'b"},
		{"x://H/..//y", "", "x://H//y"},
		{"web+demo:/.//not-a-host/", "", "web+demo:/.//not-a-host/"},
		{"mailto:a b@c?d", "", "mailto:a b@c?d"},
		{"data:x #y", "", "data:x%20#y"},
		{"file:C|/x/..", "", "file:///C:/"},
		{"file://localhost/x", "", "file:///x"},
		{"y", "file:///C:/a/b", "file:///C:/a/y"},
		{"/y", "file:///C:/a/b", "file:///C:/y"},
		{"non-special:opaque?q#f", "", "non-special:opaque?q#f"},
	} {
		u, err := parsed(t, c.text, c.base)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
		} else if got := u.Href(); got != c.want {
			t.Errorf("%q in %q:\n got %s\nwant %s", c.text, c.base, got, c.want)
		}
	}
}

func TestParseURLRefuses(t *testing.T) {
	for _, text := range []string{
		"", "x", "//h", "http://", "http://:80", "http://a b/", "http://h:65536/", "http://h:x/", "http://[::1", "http://[::1::]/",
		"http://[1:2:3:4:5:6:7:8:9]/", "http://[::1.2.3]/", "http://[::01.2.3.4]/", "http://256.256.256.256/", "http://1.2.3.4.5/", "http://1.2.3.0x100/",
		"http://user@/", "http://ho%st/", "http://a<b/", "http://xn--/", "x://h o/", "https://%00/", "http://09.1/",
	} {
		if u, err := ParseURL(text, nil); err == nil {
			t.Errorf("%q: parsed as %s", text, u.Href())
		}
	}
}

func TestURLMembers(t *testing.T) {
	u, err := ParseURL("https://u:p@h.example:8443/a/b?x=1#frag", nil)
	if err != nil {
		t.Fatal(err)
	}
	got := []string{
		u.Origin(), u.Protocol(), u.Username(), u.Password(), u.Host(), u.Hostname(), u.Port(), u.Pathname(), u.Search(), u.Query(), u.Hash(),
	}
	want := []string{"https://h.example:8443", "https:", "u", "p", "h.example:8443", "h.example", "8443", "/a/b", "?x=1", "x=1", "#frag"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	for text, want := range map[string]string{"file:///x": "null", "data:x": "null", "blob:https://h/x": "https://h", "blob:ftp://h/x": "null"} {
		u, err := ParseURL(text, nil)
		if err != nil || u.Origin() != want {
			t.Errorf("origin of %s: %q, %v, want %q", text, u.Origin(), err, want)
		}
	}
}

func TestURLSetters(t *testing.T) {
	for _, c := range []struct {
		base  string
		set   func(*URL, string)
		value string
		want  string
	}{
		{"http://h/", (*URL).SetProtocol, "https", "https://h/"},
		{"http://h:443/", (*URL).SetProtocol, "https:x", "https://h/"},
		{"http://h/", (*URL).SetProtocol, "mailto", "http://h/"},
		{"http://u@h/", (*URL).SetProtocol, "file", "http://u@h/"},
		{"http://h/", (*URL).SetProtocol, "1", "http://h/"},
		{"http://h/", (*URL).SetUsername, "a:b", "http://a%3Ab@h/"},
		{"file:///x", (*URL).SetUsername, "a", "file:///x"},
		{"http://h/", (*URL).SetPassword, "p@", "http://:p%40@h/"},
		{"http://h:1/", (*URL).SetHost, "g:2/x", "http://g:2/"},
		{"http://h:1/", (*URL).SetHost, "", "http://h:1/"},
		{"mailto:x", (*URL).SetHost, "g", "mailto:x"},
		{"http://h:1/", (*URL).SetHostname, "g", "http://g:1/"},
		{"http://h:1/", (*URL).SetHostname, "g:2", "http://h:1/"},
		{"http://h/", (*URL).SetPort, "8080", "http://h:8080/"},
		{"http://h/", (*URL).SetPort, "90x", "http://h:90/"},
		{"http://h:8/", (*URL).SetPort, "", "http://h/"},
		{"http://h:8/", (*URL).SetPort, "65536", "http://h:8/"},
		{"http://h/a", (*URL).SetPathname, "b c?", "http://h/b%20c%3F"},
		{"http://h/a", (*URL).SetPathname, "", "http://h/"},
		{"http://h/a?b", (*URL).SetSearch, "?c d", "http://h/a?c%20d"},
		{"http://h/a?b", (*URL).SetSearch, "", "http://h/a"},
		{"http://h/a?b", (*URL).SetSearch, "?", "http://h/a?"},
		{"http://h/a#b", (*URL).SetHash, "#c d", "http://h/a#c%20d"},
		{"http://h/a#b", (*URL).SetHash, "", "http://h/a"},
		{"http://h/a?b", (*URL).SetQuery, "", "http://h/a"},
	} {
		u, err := ParseURL(c.base, nil)
		if err != nil {
			t.Fatal(err)
		}
		if c.set(u, c.value); u.Href() != c.want {
			t.Errorf("%s with %q: got %s, want %s", c.base, c.value, u.Href(), c.want)
		}
	}
}

func TestForm(t *testing.T) {
	pairs := ParseForm("a=1&b=%20+x&&c&=d&e=f=g&%zz=%&ü=%C3%28")
	want := []Pair{{"a", "1"}, {"b", "  x"}, {"c", ""}, {"", "d"}, {"e", "f=g"}, {"%zz", "%"}, {"ü", "\uFFFD("}}
	if !slices.Equal(pairs, want) {
		t.Errorf("got %q\nwant %q", pairs, want)
	}
	if got, want := FormatForm(pairs), "a=1&b=++x&c=&=d&e=f%3Dg&%25zz=%25&%C3%BC=%EF%BF%BD%28"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := FormatForm([]Pair{{"*-._~", "a b"}}); got != "*-._%7E=a+b" {
		t.Error(got)
	}
}

// FuzzURL checks that what was parsed means the same when it is parsed again.
func FuzzURL(f *testing.F) {
	for _, s := range []string{"http://u:p@h:81/a/../b?q#f", "file:c|/x", "//h/x", "mailto:x y#z", "http://[::1.2.3.4]/", "x:/.//y", "http://ü/%ff"} {
		f.Add(s, "https://base.example/a/b?c#d")
	}
	f.Fuzz(func(t *testing.T, text, base string) {
		b, err := ParseURL(base, nil)
		if err != nil {
			b = nil
		}
		u, err := ParseURL(text, b)
		if err != nil {
			return
		}
		href := u.Href()
		again, err := ParseURL(href, nil)
		if err != nil {
			t.Fatalf("%q became %q: %v", text, href, err)
		}
		if got := again.Href(); got != href {
			t.Fatalf("%q became %q, then %q", text, href, got)
		}
		if strings.ContainsAny(href, "\t\n\r") {
			t.Fatalf("%q has line ends", href)
		}
		c := u.Clone()
		c.SetHost(text)
		c.SetPathname(text)
		c.SetProtocol(text)
		c.SetSearch(text)
		if form := ParseForm(text); len(form) > 0 && !slices.Equal(ParseForm(FormatForm(form)), form) {
			t.Fatalf("form of %q changes", text)
		}
	})
}

func BenchmarkURL(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		u, err := ParseURL("https://user@example.com:8080/a/b/../c?x=1&y=2#frag", nil)
		if err != nil || u.Href() == "" {
			b.Fatal(err)
		}
	}
}
