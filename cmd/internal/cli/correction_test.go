package cli

import (
	"testing"
	"time"
)

func TestLatencyCorrectionFlag(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"expected=10ms": 10 * time.Millisecond, "expected=1ms": time.Millisecond, "expected=1m30s": 90 * time.Second,
		"": 0, "10ms": 0, "expected": 0, "expected=": 0, "expected=10": 0, "expected=999us": 0, "expected=-1s": 0, "expected=x": 0,
	} {
		var v correctionValue
		err := v.Set(text)
		if v.expected != want || (err == nil) != (want > 0) {
			t.Errorf("%q is %v, %v", text, v.expected, err)
		}
		if want > 0 {
			var again correctionValue
			if err := again.Set(v.String()); err != nil || again != v {
				t.Errorf("%q reads back as %v, %v", v.String(), again.expected, err)
			}
		}
	}
}
