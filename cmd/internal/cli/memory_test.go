package cli

import (
	"testing"

	"github.com/jsload/jsload/vu"
)

func TestMemAvailable(t *testing.T) {
	for text, want := range map[string]uint64{
		"MemTotal:  100 kB\nMemAvailable:   2048 kB\n": 2 << 20,
		"MemTotal:  100 kB\n":                          0,
		"":                                             0,
		"MemAvailable:\n":                              0,
	} {
		if got := memAvailable(text); got != want {
			t.Errorf("memAvailable(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestGuardEndsATestThatEatsTheMemory(t *testing.T) {
	var got *vu.Abort
	memory{total: 1}.guard(t.Context(), func(a *vu.Abort) { got = a })
	if got == nil || got.Code != vu.ExitOther {
		t.Fatalf("guard aborted with %+v, want exit code %d", got, vu.ExitOther)
	}
}
