// Command exactness measures against a real server what the tests of vu/executor
// prove in fake time: that iterations start when they are due, that their number
// is exact, that response times survive a stall, and that ramps lose no virtual
// user.
//
// make exactness calls it. It runs jsload and its target as processes and takes the
// target's own counters as the truth. It prints every run, the medians and what was
// asked for, with the load average of the machine beside them; it ends with 1 if a
// count is wrong. Times are judged by the reader: on a machine that does other work
// they say nothing.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

func main() {
	var l lab
	jsload := flag.String("jsload", "bin/jsload", "the jsload to measure")
	only := flag.String("only", "", "names of measurements, separated by commas; all without it")
	flag.IntVar(&l.runs, "runs", 5, "how often each timed measurement runs")
	flag.StringVar(&l.tooldir, "tools", defaultTools(), "where vegeta and hey are looked for beside the path; vegeta is installed there")
	flag.Parse()
	l.out = os.Stdout
	if err := l.main(*jsload, *only); err != nil {
		fmt.Fprintln(os.Stderr, "exactness:", err)
		os.Exit(1)
	}
}

// defaultTools is a folder of the user's cache, outside of the repository.
func defaultTools() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	return filepath.Join(cache, "jsload-exactness")
}

// measurement is one part of the list.
type measurement struct {
	name, about string
	run         func(*lab) error
}

func measurements() []measurement {
	return []measurement{
		{"arrivals", "2,000/s for 20 s to /delay/10", (*lab).arrivals},
		{"stall", "2,000/s for 8 s to /delay/10, the server frozen for 1 s in the middle", (*lab).stall},
		{"counts", "odd rates: exact counts, evenly spread", (*lab).counts},
		{"sleepers", "20,000 VUs that sleep, up and down three times", (*lab).sleepers},
		{"starved", "jsload on one CPU with busy loops: the verdict must say so", (*lab).starved},
		{"connections", "8,000 VUs with a connection each, up and down three times", (*lab).connections},
	}
}

func (l *lab) main(jsload, only string) (err error) {
	if l.jsload, err = filepath.Abs(jsload); err != nil {
		return err
	}
	if l.tooldir, err = filepath.Abs(l.tooldir); err != nil {
		return err
	}
	if l.dir, err = os.MkdirTemp("", "jsload-exactness-"); err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(l.dir) }()
	l.printf("%s, %d CPUs, %s\n", time.Now().UTC().Format("2006-01-02"), runtime.NumCPU(), runtime.GOOS+"/"+runtime.GOARCH)
	for _, m := range measurements() {
		if only != "" && !strings.Contains(","+only+",", ","+m.name+",") {
			continue
		}
		l.printf("\n%s: %s (load average %s)\n", m.name, m.about, loadAverage())
		if err := m.run(l); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	if l.wrong > 0 {
		return fmt.Errorf("%d counts are wrong", l.wrong)
	}
	return nil
}

// loadAverage is that of the last minute, where the system tells.
func loadAverage() string {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(b), " ")
	return first
}
