package outcome_test

import (
	"strings"
	"testing"

	"github.com/jsload/jsload/vu/outcome"
)

func TestCleanURL(t *testing.T) {
	for address, want := range map[string]string{
		"http://u:p@h/x": "http://****:****@h/x", "http://u@h": "http://****:****@h", "http://a@b@h?x=@": "http://****:****@h?x=@",
		"http://h/a@b": "http://h/a@b", "http://h?u@x": "http://h?u@x", "http://h#u@x": "http://h#u@x", "h": "h", "": "", "://@": "://****:****@",
	} {
		if got := outcome.CleanURL(address); got != want {
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
		if got := outcome.CleanURL("http://" + credentials + "@" + rest); got != "http://****:****@"+rest {
			t.Errorf("got %s", got)
		}
	})
}
