package client

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func mustURL(t *testing.T, s string) *url.URL {
	t.Helper()
	u, err := url.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// shown lists a jar's cookies for an address as "name=value" pairs.
func shown(t *testing.T, j *Jar, u string) string {
	t.Helper()
	var all []string
	for _, c := range j.Cookies(mustURL(t, u)) {
		all = append(all, c.Name+"="+c.Value)
	}
	return strings.Join(all, " ")
}

func TestJarRules(t *testing.T) {
	tests := []struct {
		name, from string
		set        []string
		to, want   string
	}{
		{"host only", "http://a.shop.test/", []string{"n=1"}, "http://b.a.shop.test/", ""},
		{"domain", "http://a.shop.test/", []string{"n=1; Domain=shop.test"}, "http://b.shop.test/", "n=1"},
		{"dotted domain", "http://a.shop.test/", []string{"n=1; Domain=.shop.test"}, "http://shop.test/", "n=1"},
		{"foreign domain", "http://a.shop.test/", []string{"n=1; Domain=other.test"}, "http://other.test/", ""},
		{"public suffix", "http://shop.co.uk/", []string{"n=1; Domain=co.uk"}, "http://other.co.uk/", ""},
		{"own public suffix", "http://co.uk/", []string{"n=1; Domain=co.uk"}, "http://co.uk/", "n=1"},
		{"address", "http://127.0.0.1/", []string{"n=1; Domain=127.0.0.1"}, "http://127.0.0.1:8/", "n=1"},
		{"case and port", "http://A.test:80/", []string{"n=1"}, "https://a.TEST:90/", "n=1"},
		{"default path", "http://a.test/x/y", []string{"n=1"}, "http://a.test/x/z", "n=1"},
		{"other path", "http://a.test/x/y", []string{"n=1"}, "http://a.test/xz", ""},
		{"path prefix", "http://a.test/", []string{"n=1; Path=/x/"}, "http://a.test/x/y", "n=1"},
		{"path prefix itself", "http://a.test/", []string{"n=1; Path=/x/"}, "http://a.test/x", ""},
		{"longest path first", "http://a.test/", []string{"n=1", "m=2; Path=/x"}, "http://a.test/x/", "m=2 n=1"},
		{"oldest first", "http://a.test/", []string{"n=1", "m=2", "n=3"}, "http://a.test/", "n=3 m=2"},
		{"secure", "https://a.test/", []string{"n=1; Secure"}, "http://a.test/", ""},
		{"secure on loopback", "http://127.0.0.1/", []string{"n=1; Secure"}, "http://127.0.0.1/", "n=1"},
		{"gone by age", "http://a.test/", []string{"n=1", "n=1; Max-Age=0"}, "http://a.test/", ""},
		{"gone by date", "http://a.test/", []string{"n=1", "n=1; Expires=Wed, 01 Jan 2014 00:00:00 GMT"}, "http://a.test/", ""},
		{"age beats date", "http://a.test/", []string{"n=1; Max-Age=60; Expires=Wed, 01 Jan 2014 00:00:00 GMT"}, "http://a.test/", "n=1"},
		{"other scheme", "http://a.test/", []string{"n=1"}, "ftp://a.test/", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var j Jar
			for _, line := range tt.set {
				c, err := http.ParseSetCookie(line)
				if err != nil {
					t.Fatal(err)
				}
				j.Set(mustURL(t, tt.from), c)
			}
			if got := shown(t, &j, tt.to); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestJarRemoval(t *testing.T) {
	var j Jar
	u := mustURL(t, "http://a.test/")
	j.Set(u, &http.Cookie{Name: "a", Value: "1"}, &http.Cookie{Name: "b", Value: "2"}, &http.Cookie{Name: "p", Value: "3", Path: "/other"})
	j.Delete(u, "a")
	if got := shown(t, &j, "http://a.test/other"); got != "p=3 b=2" {
		t.Errorf("after Delete: %s", got)
	}
	j.Clear(u)
	if got := shown(t, &j, "http://a.test/other"); got != "p=3" {
		t.Errorf("after Clear: %s", got)
	}
	j.Reset()
	if !j.empty() {
		t.Error("not empty after Reset")
	}
}

func TestJarExpiry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var j Jar
		j.Set(mustURL(t, "http://a.test/"), &http.Cookie{Name: "a", Value: "1", MaxAge: 10}, &http.Cookie{Name: "b", Value: "2"})
		time.Sleep(11 * time.Second)
		if got := shown(t, &j, "http://a.test/"); got != "b=2" {
			t.Errorf("after its age: %s", got)
		}
	})
}

// FuzzParseChallenge feeds the challenge parser; it must end and never panic.
func FuzzParseChallenge(f *testing.F) {
	f.Add(`realm="a\"b", qop="auth, auth-int", nonce=xyz, stale=FALSE`)
	f.Add(`=,="`)
	f.Fuzz(func(t *testing.T, s string) { parseChallenge(s) })
}

func TestParseChallenge(t *testing.T) {
	got := parseChallenge(`Realm="a\"b, c", qop = auth , nonce=xyz,opaque=""`)
	want := []string{`a"b, c`, "auth", "xyz", ""}
	if !slices.Equal([]string{got["realm"], got["qop"], got["nonce"], got["opaque"]}, want) {
		t.Errorf("%q", got)
	}
}
