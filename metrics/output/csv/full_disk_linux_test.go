package csv

import (
	"strings"
	"testing"

	"github.com/jsload/jsload/metrics/output"
)

// TestFullDisk: the error says which file, and is told once.
func TestFullDisk(t *testing.T) {
	run := testRun(t)
	out, _ := Kind().New(output.Params{Argument: "/dev/full"})
	if _, err := out.Start(run); err != nil {
		t.Fatal(err)
	}
	err := out.Write(output.Batch{Samples: shopSamples(run)})
	if err == nil || !strings.Contains(err.Error(), "/dev/full") || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("got %v", err)
	}
	if err := out.Stop(); err != nil {
		t.Errorf("a second report: %v", err)
	}
}
