package engine

import (
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// machine is a fake of what the system counts.
func machine(files map[string]string) fstest.MapFS {
	root := fstest.MapFS{}
	for name, text := range files {
		root[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return root
}

const statHead = "cpu  9 9 9 9 9 9 9 9 9 9\n"

func TestWhatTheSystemCounted(t *testing.T) {
	before := machine(map[string]string{
		"proc/self/task/7/schedstat": "1000000000 500000000 100\n",
		"proc/stat":                  statHead + "cpu0 100 0 100 700 50 0 0 50 0 0\ncpu1 0 0 0 1000 0 0 0 0 0 0\nintr 5\n",
		"proc/pressure/cpu":          "some avg10=0.00 avg60=0.00 avg300=0.00 total=1000000\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=77\n",
		"proc/self/cgroup":           "0::/a/b\n",
		"sys/fs/cgroup/a/cpu.stat":   "usage_usec 5\nthrottled_usec 100\n",
	})
	after := machine(map[string]string{
		"proc/self/task/7/schedstat": "1500000000 900000000 200\n",
		"proc/self/task/8/schedstat": "500000000 100000000 100\n", // began meanwhile
		"proc/stat":                  statHead + "cpu0 400 0 300 800 150 0 0 150 0 0\ncpu1 0 0 0 1900 0 0 0 0 0 0\nintr 5\n",
		"proc/pressure/cpu":          "some avg10=0.00 avg60=0.00 avg300=0.00 total=3500000\n",
		"proc/self/cgroup":           "0::/a/b\n",
		"sys/fs/cgroup/a/cpu.stat":   "usage_usec 5\nthrottled_usec 250100\n",
	})
	first := func(cpu int) bool { return cpu == 0 }
	got := readHost(after, first).since(readHost(before, first), 10*time.Second, 3*time.Second)
	// Of 800 ticks 200 were idle and 100 stolen; 3 s of 10 are 240 ticks.
	want := Host{
		Waiting: 1.0 / 3, Wait: 2500 * time.Microsecond, Known: true, Idle: 0.25, Stolen: 0.125, Others: 0.325,
		Pressure: 0.25, Throttled: 250 * time.Millisecond,
	}
	if !near(got.Waiting, want.Waiting) || !near(got.Others, want.Others) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	got.Waiting, got.Others = want.Waiting, want.Others
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func near(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 }

// A machine that tells nothing, or nonsense, is not blamed and not praised.
func TestWhatTheSystemDoesNotTell(t *testing.T) {
	nonsense := machine(map[string]string{
		"proc/self/task/7/schedstat": "a b", "proc/self/task/8/other": "", "proc/stat": "cpu0 1 2\ncpux 1 2 3 4 5 6 7 8\ncpu1 a b c d e f g h",
		"proc/pressure/cpu": "some total", "proc/self/cgroup": "x\n5:memory:/m\n0::/../..\n",
	})
	for name, r := range map[string]hostReading{"none": readHost(nil, nil), "empty": readHost(machine(nil), nil), "nonsense": readHost(nonsense, nil)} {
		if h := r.since(readHost(nil, nil), time.Second, time.Second); h != (Host{}) {
			t.Errorf("%s: %+v", name, h)
		}
	}
	var h Host
	if h.starved(time.Second) != "" || h.crowded() {
		t.Error("a machine that tells nothing is blamed")
	}
}

func TestThrottlingIsFoundAtAnyLevel(t *testing.T) {
	for name, tt := range map[string]struct {
		files map[string]string
		want  time.Duration
	}{
		"second version, own group": {map[string]string{"proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/a/cpu.stat": "throttled_usec 7"}, 7 * time.Microsecond},
		"second version, root":      {map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.stat": "nr_throttled 1\nthrottled_usec 7"}, 7 * time.Microsecond},
		"first version": {map[string]string{"proc/self/cgroup": "4:memory:/\n3:cpu,cpuacct:/docker/x\n0::/\n",
			"sys/fs/cgroup/cpu,cpuacct/docker/cpu.stat": "throttled_time 9"}, 9},
		"another controller": {map[string]string{"proc/self/cgroup": "4:cpuset:/\n", "sys/fs/cgroup/cpuset/cpu.stat": "throttled_time 9"}, 0},
	} {
		if got := readThrottling(machine(tt.files)); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}

func TestWhoIsStarved(t *testing.T) {
	for _, tt := range []struct {
		h       Host
		starved string // a part of the reason
		crowded bool
	}{
		{Host{Waiting: 0.6, Wait: 20 * time.Microsecond, Known: true, Idle: 0.9}, "", false}, // waking up on an idle machine
		{Host{Waiting: 0.5, Wait: 2 * ms, Known: true, Others: 0.6}, "waited for a CPU for 50% of the time in which they could run; other processes used 60%", true},
		{Host{Waiting: 0.5, Wait: 2 * ms, Known: true, Idle: 0.5, Stolen: 0.05, Others: 0.2}, "used 20% of the CPUs and the hypervisor kept back 5%", true},
		{Host{Waiting: 0.5, Wait: 2 * ms}, "could run", true},
		{Host{Waiting: 0.7, Wait: 90 * time.Microsecond, Known: true, Idle: 0.02, Others: 0.8}, "for 70%", true}, // many short waits
		{Host{Waiting: 0.12, Wait: 2 * ms, Known: true, Idle: 0.3}, "", true},
		{Host{Waiting: 0.05, Wait: 50 * time.Microsecond, Known: true, Idle: 0.05, Others: 0.5}, "", true},
		{Host{Known: true, Idle: 0.5, Stolen: 0.2}, "hypervisor kept back 20%", false},
		{Host{Throttled: 200 * ms, Known: true, Idle: 0.9}, "quota stopped it for 200ms", false},
		{Host{Throttled: ms, Known: true, Idle: 0.9}, "", false},
		{Host{Pressure: 0.8, Known: true, Others: 0.9}, "no CPU was free", true},
		{Host{Pressure: 0.8, Wait: 10 * time.Microsecond, Known: true, Others: 0.9}, "", true}, // others waited, not we
	} {
		why := tt.h.starved(10 * time.Second)
		if (why == "") != (tt.starved == "") || !strings.Contains(why, tt.starved) || tt.h.crowded() != tt.crowded {
			t.Errorf("%+v: starved %q, crowded %t", tt.h, why, tt.h.crowded())
		}
		g := Generator{Host: tt.h, wall: 10 * time.Second, CPU: 0.3, Dropped: 5, Wire: 1}
		if limit, _ := g.limit(); (limit == LimitGenerator) != (why != "") {
			t.Errorf("%+v: the limit is %s", tt.h, limit)
		}
	}
}
