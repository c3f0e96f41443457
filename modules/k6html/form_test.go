package k6html

import (
	"context"
	"reflect"
	"testing"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules"
)

func document(text, base string) *Document {
	return NewDocuments(&modules.Host{Runtime: goja.New()}).New(text, base)
}

func TestFormOf(t *testing.T) {
	d := document(`<form action="../x?y=1" method=post><input name=a value=1><input name=a value=2>
		<select name=m multiple><option selected>p<option selected>q</select><input type=submit name=go value=G><button name=b type=submit></form><!-- the button is still open -->
		<form id=plain><input name=z></form>`, "http://h.test/d/e/f?q#r")
	got, err := d.Form("form", `[type="submit"]`)
	want := Form{Method: "POST", Action: "http://h.test/d/x?y=1", Fields: []Field{
		{Name: "a", Values: []string{"1"}}, {Name: "a", Values: []string{"2"}},
		{Name: "m", Values: []string{"p", "q"}, List: true}, {Name: "z", Values: []string{""}},
		{Name: "go", Values: []string{"G"}},
	}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
	got, err = d.Form("#plain", "button")
	if err != nil || got.Method != "GET" || got.Action != "http://h.test/d/e/f?q#r" || len(got.Fields) != 1 {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err = d.Form("#none", ""); err == nil {
		t.Error("a form was found that is not there")
	}
}

// TestFormControls: which controls a form sends is not what browsers send.
func TestFormControls(t *testing.T) {
	d := document(`<form><input type=checkbox name=c checked value=1><input type=radio name=r checked value=2><input name=d value=3 disabled>
		<input type=file name=f><input type=button name=b value=4><input type=image name=i><input type=hidden name=h value=5><input type=reset name=x>
		<textarea name=t>
6</textarea><select name=s><option>7<option value=8 selected>eight</select><input value=nameless></form><form><input name=other value=9></form>`, "")
	got, err := d.Form("form", `[type="submit"]`)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	for _, f := range got.Fields {
		names[f.Name] = f.Values[0]
	}
	for name, want := range map[string]string{"d": "3", "h": "5", "s": "8", "other": "9"} {
		if names[name] != want {
			t.Errorf("%s is %q, want %q", name, names[name], want)
		}
	}
	for _, name := range []string{"c", "r", "b", "i", "x"} {
		if value, sent := names[name]; sent {
			t.Errorf("%s was sent as %q", name, value)
		}
	}
}

func TestLink(t *testing.T) {
	d := document(`<a name=x>no</a><a href="?p=1">yes</a><a class=bad href="http://[">bad</a>`, "https://h.test/d/e")
	for selector, want := range map[string]string{"a[href]": "https://h.test/d/e?p=1", ".bad": "http://[", "a": "", "b": ""} {
		got, err := d.Link(selector)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%s: got %q, %v", selector, got, err)
		}
	}
}

func TestNamesOfData(t *testing.T) {
	for _, tc := range []struct{ dashes, camels string }{
		{"long-name", "longName"}, {"a-b-c", "aBC"}, {"plain", "plain"}, {"x-1", "x-1"}, {"-a", "A"}, {"ends-", "ends-"}, {"", ""},
	} {
		if got := camel(tc.dashes); got != tc.camels {
			t.Errorf("camel(%q) = %q, want %q", tc.dashes, got, tc.camels)
		}
		if got := dashed(tc.camels); got != tc.dashes {
			t.Errorf("dashed(%q) = %q, want %q", tc.camels, got, tc.dashes)
		}
	}
}

// FuzzParse checks that any text either is refused or can be looked at.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"", "<p>x", "<table><b>x<tr>", "<select><option value=1 selected>a", "<a href='x'>", "<svg><p>", "\x00<!--", "<b><p></b>x</p>"} {
		f.Add(seed, "p, b:has(x)")
	}
	f.Fuzz(func(t *testing.T, text, selector string) {
		root, err := parse(context.Background(), text)
		if err != nil {
			return
		}
		m := document("", "").docs.matcher(selector)
		found := root.FindMatcher(m)
		if !root.HasMatcher(m).IsSelection(root) && found.Length() > 0 {
			t.Errorf("%q is found in %q but not had by it", selector, text)
		}
		for _, f := range fields(root) {
			if f.Name == "" {
				t.Errorf("%q has a field without a name", text)
			}
		}
		if _, err := root.Html(); err != nil {
			t.Errorf("%q cannot be written: %v", text, err)
		}
	})
}

// FuzzGuard checks that the guard ends and lets plain text pass.
func FuzzGuard(f *testing.F) {
	f.Add("<b>x</b>")
	f.Add("</<//<body")
	f.Fuzz(func(t *testing.T, text string) {
		if err := guard(text); err != nil && len(text) < 2000 {
			t.Errorf("%q: %v", text, err)
		}
	})
}
