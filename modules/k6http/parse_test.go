package k6http

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/jsload/jsload/vu/outcome"
)

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
			line, column := outcome.Position(body, offset)
			if line < 1 || column < 1 || line > 1+strings.Count(string(body), "\n") || column > len(body)+1 {
				t.Errorf("%q, %d: line %d, character %d", body, offset, line, column)
			}
		}
	})
}
