package options

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestProblemTexts merges each testdata/problems/*.json as a script's options,
// or each *.yaml as a configuration file, and compares everything the user is
// told with the .golden file beside it.
func TestProblemTexts(t *testing.T) {
	scripts, _ := filepath.Glob("testdata/problems/*.json")
	files, _ := filepath.Glob("testdata/problems/*.yaml")
	inputs := append(scripts, files...)
	if len(inputs) == 0 {
		t.Fatal("no inputs")
	}
	for _, input := range inputs {
		t.Run(filepath.Base(input), func(t *testing.T) {
			data, err := os.ReadFile(input)
			if err != nil {
				t.Fatal(err)
			}
			layer := Script(data)
			if strings.HasSuffix(input, ".yaml") {
				layer = File(filepath.Base(input), data)
			}
			merged, err := Merge([]string{"default", "login", "checkout"}, layer)
			golden(t, input+".golden", report(merged, err))
		})
	}
}

// report is what a user is told of a merge.
func report(merged *Merged, err error) []byte {
	var out bytes.Buffer
	for _, w := range merged.Warnings {
		out.WriteString("warning: " + w.Message)
		if w.Hint != "" {
			out.WriteString(" (" + w.Hint + ")")
		}
		out.WriteString("\n")
	}
	if err == nil {
		out.WriteString("no problems\n")
		return out.Bytes()
	}
	out.WriteString(err.Error() + "\n")
	var problems Problems
	if errors.As(err, &problems) {
		for _, p := range problems {
			out.WriteString("at " + p.Path + "\n")
		}
	}
	return out.Bytes()
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
	}
}

func TestExitCode(t *testing.T) {
	tests := []struct {
		options string
		want    int
	}{
		{`{"vus": 1.5}`, 104},
		{`{"summaryTrendStats": ["p(101)"]}`, 255},
		{`{"summaryTrendStats": ["p(101)"], "vus": 1.5}`, 104},
	}
	for _, test := range tests {
		_, err := Merge(nil, Script([]byte(test.options)))
		var coded interface{ ExitCode() int }
		if !errors.As(err, &coded) || coded.ExitCode() != test.want {
			t.Errorf("%s: error %v, want one with exit code %d", test.options, err, test.want)
		}
	}
}
