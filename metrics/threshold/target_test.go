package threshold

import (
	"strings"
	"testing"
)

func TestParseTarget(t *testing.T) {
	tests := []struct{ name, metric, suffix, tags string }{
		{"checks", "checks", "", ""},
		{"http_reqs{status:200}", "http_reqs", "status:200", "status=200"},
		{"http_reqs{ status : 200 , method:GET }", "http_reqs", " status : 200 , method:GET ", "status=200;method=GET"},
		{"checks{group:::g1::inner}", "checks", "group:::g1::inner", "group=::g1::inner"},
		{"x{name:http://h:80/{id}}", "x", "name:http://h:80/{id}", "name=http://h:80/{id}"},
		{`x{"a":"b c", 'd':'e,f'}`, "x", `"a":"b c", 'd':'e,f'`, "a=b c;d=e,f"},
		{"x{check:it's fine,b:c}", "x", "check:it's fine,b:c", "check=it's fine;b=c"},
		{"x{check:'tis fine,b:c}", "x", "check:'tis fine,b:c", "check='tis fine;b=c"},
		{"x{a:}", "x", "a:", "a="},
	}
	for _, tt := range tests {
		target, err := ParseTarget(tt.name)
		if err != nil {
			t.Errorf("ParseTarget(%q): %v", tt.name, err)
			continue
		}
		var tags []string
		for _, tag := range target.Tags {
			tags = append(tags, tag.Key+"="+tag.Value)
		}
		if target.Metric != tt.metric || target.Suffix != tt.suffix || strings.Join(tags, ";") != tt.tags || target.Name != tt.name {
			t.Errorf("ParseTarget(%q) = %+v", tt.name, target)
		}
	}
}

func TestParseTargetErrors(t *testing.T) {
	for _, name := range []string{"", "{a:b}", "x{a:b", "x{a:b}c", "x{}", "x{a}", "x{:b}", "x{a:b,}", "x{a:b,,c:d}"} {
		if target, err := ParseTarget(name); err == nil {
			t.Errorf("ParseTarget(%q) = %+v", name, target)
		} else if !strings.Contains(err.Error(), `"`+name+`"`) {
			t.Errorf("ParseTarget(%q): %q does not name it", name, err)
		}
	}
}

func FuzzParseTarget(f *testing.F) {
	for _, s := range []string{"checks", "http_reqs{status:200}", `x{"a":'b,c'}`, "x{a:b,c", "x{{}}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		target, err := ParseTarget(name)
		if err != nil {
			return
		}
		again, err := ParseTarget(target.Name)
		if err != nil || again.Name != target.Name || len(again.Tags) != len(target.Tags) {
			t.Fatalf("%q became %+v became %+v, %v", name, target, again, err)
		}
		if target.Sub() != (len(target.Tags) > 0) {
			t.Fatalf("%q has the suffix %q and %d tags", name, target.Suffix, len(target.Tags))
		}
	})
}
