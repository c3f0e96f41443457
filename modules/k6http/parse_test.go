package k6http

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestCleanURL(t *testing.T) {
	for address, want := range map[string]string{
		"http://u:p@h/x": "http://****:****@h/x", "http://u@h": "http://****:****@h", "http://a@b@h?x=@": "http://****:****@h?x=@",
		"http://h/a@b": "http://h/a@b", "http://h?u@x": "http://h?u@x", "http://h#u@x": "http://h#u@x", "h": "h", "": "", "://@": "://****:****@",
	} {
		if got := cleanURL(address); got != want {
			t.Errorf("%s: got %s, want %s", address, got, want)
		}
	}
}

// FuzzCleanURL checks that nothing between the scheme and the host is shown.
func FuzzCleanURL(f *testing.F) {
	f.Add("user:pass", "host/path")
	f.Fuzz(func(t *testing.T, credentials, rest string) {
		if strings.ContainsAny(credentials, "/?#@*") || credentials == "" || strings.Contains(rest, "@") {
			return
		}
		if got := cleanURL("http://" + credentials + "@" + rest); got != "http://****:****@"+rest {
			t.Errorf("got %s", got)
		}
	})
}

// FuzzSyntaxError checks that the place of an error is within the text.
func FuzzSyntaxError(f *testing.F) {
	f.Add([]byte("{\n\"a\": nope}"))
	f.Add([]byte("[1,\n\n"))
	f.Fuzz(func(t *testing.T, body []byte) {
		var v any
		if json.Unmarshal(body, &v) == nil {
			return
		}
		if err := syntaxError(body, nil); err == nil {
			t.Errorf("%q has no error", body)
		}
		for offset := range len(body) + 3 {
			line, column := position(body, offset)
			if line < 1 || column < 1 || line > 1+strings.Count(string(body), "\n") || column > len(body)+1 {
				t.Errorf("%q, %d: line %d, character %d", body, offset, line, column)
			}
		}
	})
}
