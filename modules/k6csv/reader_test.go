package k6csv

import (
	"encoding/csv"
	"io"
	"slices"
	"strings"
	"testing"
)

func readAll(text, delimiter string) (all [][]string, err error) {
	r := reader{text: text, delimiter: delimiter}
	for {
		fields, err := r.next(nil)
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		all = append(all, fields)
	}
}

// FuzzReader compares with the standard library, which differs only in that it
// makes LF of CRLF within quotes.
func FuzzReader(f *testing.F) {
	for _, s := range []string{"a,b\n1,2\n", "\"a\"\"b\",c\n\n,\n", "x\"y", "\"open", "a\r\nb\r", "\"1\"2", ",", "\"\"", "a,\n"} {
		f.Add(s, false)
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, text string, semicolon bool) {
		std := csv.NewReader(strings.NewReader(text))
		std.FieldsPerRecord = -1
		delimiter := ","
		if semicolon {
			delimiter, std.Comma = ";", ';'
		}
		want, wantErr := std.ReadAll()
		got, err := readAll(text, delimiter)
		if strings.Contains(text, "\r") {
			return
		}
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%q: %v, want %v", text, err, wantErr)
		}
		if err == nil && !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	})
}
