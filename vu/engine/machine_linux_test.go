package engine

import "testing"

func TestPortRange(t *testing.T) {
	for text, want := range map[string]uint64{"32768\t60999\n": 28232, "1 1": 1, "": 0, "5": 0, "9 8": 0, "1 70000": 0, "a b": 0} {
		if got := portsIn(text); got != want {
			t.Errorf("%q has %d ports, want %d", text, got, want)
		}
	}
	if localPorts() == 0 || maxDescriptors() == 0 || totalMemory() == 0 {
		t.Error("the machine's limits are not known")
	}
}
