package engine

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/jsload/jsload/vu"
)

func TestWhatTheMachineDoesNotHave(t *testing.T) {
	have := capacity{memory: 8e9, descriptors: 1024, ports: 28000}
	for _, tt := range []struct {
		needs Needs
		units uint64
		have  capacity
		want  string
	}{
		{Needs{}, 100_000, have, ""},
		{Needs{}, 1_000_000_000, have, "1000000000 VUs take at least 8192.0 GB of memory, this machine has 8.0 GB"},
		{Needs{UnitBytes: 1e6}, 10_000, have, "take at least 10.0 GB"},
		{Needs{Connects: true}, 992, have, ""},
		{Needs{Connects: true}, 993, have, "993 VUs with a connection each need 1025 file descriptors, this process may open 1024"},
		{Needs{Connects: true}, 28_001, capacity{ports: 28000}, "28001 VUs with a connection each need as many local ports, and to one server there are 28000"},
		{Needs{Connects: true, Addresses: 2}, 28_001, capacity{ports: 28000}, ""},
		{Needs{Connects: true, UnitBytes: 1}, math.MaxInt64, capacity{}, ""},
	} {
		if got := tt.needs.beyond(tt.units, tt.have); got != tt.want && (tt.want == "" || !strings.Contains(got, tt.want)) {
			t.Errorf("%+v, %d: %q, want %q", tt.needs, tt.units, got, tt.want)
		}
	}
}

func TestMachineLimitsCanBeIgnored(t *testing.T) {
	b := newBench(t, constant(5, time.Second))
	b.config.Needs = Needs{UnitBytes: math.MaxInt64 / 8}
	if r := Run(t.Context(), b.config); totalMemory() > 0 && (r.Code != vu.ExitConfig || !strings.Contains(r.Err.Error(), "--ignore-machine-limits")) {
		t.Errorf("%d, %v", r.Code, r.Err)
	}
	b = newBench(t, constant(1, time.Second))
	b.config.Needs = Needs{UnitBytes: math.MaxInt64 / 8, Unchecked: true}
	b.iterate = func(u *unit) error { return u.sleep(ms) }
	b.run(0)
}
