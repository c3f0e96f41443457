package cli

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jsload/jsload/cmd/internal/env"
	"github.com/jsload/jsload/vu"
)

const (
	// loadingGC keeps the peak of loading small: a bundler leaves much garbage. It
	// holds from the first collection on, which startGC puts off to a heap of 16 MB:
	// a script of a hundred lines is loaded without any.
	loadingGC, startGC = 50, 400
	// runningGC makes collections rare: the live heap of virtual users is small
	// beside what their iterations allocate.
	runningGC = 400
	// softShare of the memory there is makes collections frequent again, and
	// hardShare ends the test before the kernel ends the process.
	softShare, hardShare = 0.75, 0.92
)

// memory is the policy for the process's memory. What the user set with GOGC or
// GOMEMLIMIT is left alone.
type memory struct {
	tune  bool
	total uint64 // bytes that the process may use; 0 if not known
	phase *loading
}

func newMemory(vars env.Vars) memory {
	return memory{tune: vars["GOGC"] == "" && vars["GOMEMLIMIT"] == "", total: availableMemory(), phase: new(loading)}
}

// loading is called before the script is read.
func (m memory) loading() {
	if !m.tune {
		return
	}
	debug.SetGCPercent(startGC)
	runtime.AddCleanup(new(collected), func(l *loading) { l.set(loadingGC, false) }, m.phase)
}

// loading is the phase in which the script is read.
type loading struct {
	mu   sync.Mutex
	over bool
}

// set sets how much garbage is let pile up, unless loading is over.
func (l *loading) set(percent int, over bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.over {
		debug.SetGCPercent(percent)
	}
	l.over = l.over || over
}

// collected is an object whose end tells of the first collection. It must not be
// so small that the allocator puts it together with others.
type collected [32]byte

// running is called before the virtual users are made.
func (m memory) running() {
	if !m.tune {
		return
	}
	m.phase.set(runningGC, true)
	debug.FreeOSMemory()
	if m.total > 0 {
		debug.SetMemoryLimit(int64(float64(m.total) * softShare))
	}
}

// start guards the memory in the background until stop is called.
func (m memory) start(abort func(*vu.Abort)) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		m.guard(ctx, abort)
	}()
	return func() {
		cancel()
		<-done
	}
}

// guard watches the memory once a second until ctx ends and calls abort, once,
// when too little is left.
func (m memory) guard(ctx context.Context, abort func(*vu.Abort)) {
	if m.total == 0 {
		return
	}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	limit := uint64(float64(m.total) * hardShare)
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if used := usedMemory(); used > limit {
			abort(outOfMemory(used, m.total))
			return
		}
	}
}

func outOfMemory(used, total uint64) *vu.Abort {
	return &vu.Abort{Code: vu.ExitOther, Message: fmt.Sprintf(
		"the test was stopped because jsload uses %d MB of the %d MB of memory there are: use fewer VUs, or keep less in each (SharedArray shares data, discardResponseBodies drops bodies)",
		used>>20, total>>20)}
}

// usedMemory is what the process holds of the system's memory.
func usedMemory() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64() - s[1].Value.Uint64()
}

// availableMemory is what the machine can give now, or less if the process's
// control group allows less. It is 0 where neither is known.
func availableMemory() uint64 {
	machine := memAvailable(readText("/proc/meminfo"))
	for _, file := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		if group, err := strconv.ParseUint(strings.TrimSpace(readText(file)), 10, 64); err == nil && (machine == 0 || group < machine) {
			return group
		}
	}
	return machine
}

func readText(file string) string {
	b, _ := os.ReadFile(file)
	return string(b)
}

// memAvailable reads the line of /proc/meminfo that says how much memory can be
// had without swapping, in bytes.
func memAvailable(meminfo string) uint64 {
	for line := range strings.Lines(meminfo) {
		if fields := strings.Fields(line); len(fields) >= 2 && fields[0] == "MemAvailable:" {
			kib, _ := strconv.ParseUint(fields[1], 10, 64)
			return kib << 10
		}
	}
	return 0
}
