package engine

import (
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"time"
)

// Host says what the machine's other work, its hypervisor and its limits did to
// the process while the scenarios ran. What the system does not tell is 0.
type Host struct {
	// Waiting is the part of the time in which threads of the process could run
	// that they waited for a CPU instead, from 0 to 1; Wait is how long they waited
	// each time, on average.
	Waiting float64
	Wait    time.Duration
	// Known tells that the next three are: the parts of the CPUs that the process
	// may use, from 0 to 1, that nobody used, that other processes used and that
	// the hypervisor gave to others.
	Known                bool
	Idle, Others, Stolen float64
	// Pressure is the part of the time in which some process waited for a CPU,
	// from 0 to 1.
	Pressure float64
	// Throttled is for how long a quota stopped the process.
	Throttled time.Duration
}

// hostReading is what the system has counted so far.
type hostReading struct {
	threads map[string]threadReading // by thread id; nil if not known
	cpus    cpuReading
	// pressed and throttled are the sums of Pressure's and Throttled's times.
	pressed, throttled time.Duration
}

// threadReading is one line of schedstat.
type threadReading struct {
	ran, waited time.Duration
	turns       int64
}

// cpuReading counts ticks, whose length does not matter, of some CPUs.
type cpuReading struct{ idle, stolen, all, cpus int64 }

// readHost reads the counters below a root like "/", without its slash. allowed
// are the CPUs that the process may use; nil for all. Files that are not there or
// make no sense count as not known.
func readHost(root fs.FS, allowed func(cpu int) bool) hostReading {
	if root == nil {
		return hostReading{}
	}
	return hostReading{
		threads: readThreads(root), cpus: readCPUs(root, allowed),
		pressed: readPressure(root), throttled: readThrottling(root),
	}
}

func readThreads(root fs.FS) map[string]threadReading {
	tasks, err := fs.ReadDir(root, "proc/self/task")
	if err != nil {
		return nil
	}
	threads := make(map[string]threadReading, len(tasks))
	for _, task := range tasks {
		b, _ := fs.ReadFile(root, "proc/self/task/"+task.Name()+"/schedstat")
		var t threadReading
		if n, _ := fmt.Sscan(string(b), &t.ran, &t.waited, &t.turns); n == 3 {
			threads[task.Name()] = t
		}
	}
	return threads
}

// readCPUs adds up the allowed CPUs of /proc/stat: user, nice, system, idle,
// iowait, irq, softirq and steal.
func readCPUs(root fs.FS, allowed func(cpu int) bool) (r cpuReading) {
	b, _ := fs.ReadFile(root, "proc/stat")
	for line := range strings.Lines(string(b)) {
		fields := strings.Fields(line)
		if len(fields) < 9 || !strings.HasPrefix(fields[0], "cpu") {
			continue
		}
		cpu, err := strconv.Atoi(fields[0][len("cpu"):])
		if err != nil || allowed != nil && !allowed(cpu) {
			continue
		}
		r.cpus++
		for i, field := range fields[1:9] {
			ticks, _ := strconv.ParseInt(field, 10, 64)
			r.all += ticks
			switch i {
			case 3, 4:
				r.idle += ticks
			case 7:
				r.stolen += ticks
			}
		}
	}
	return r
}

// readPressure finds the total of the line "some avg10=0.00 ... total=12".
func readPressure(root fs.FS) time.Duration {
	b, _ := fs.ReadFile(root, "proc/pressure/cpu")
	line, _, _ := strings.Cut(string(b), "\n")
	_, total, _ := strings.Cut(line, "total=")
	us, _ := strconv.ParseInt(strings.TrimSpace(total), 10, 64)
	return time.Duration(us) * time.Microsecond
}

// readThrottling returns the most that a control group which the process is in,
// or one around it, was throttled: the quota may be at any level.
func readThrottling(root fs.FS) (most time.Duration) {
	b, _ := fs.ReadFile(root, "proc/self/cgroup")
	for line := range strings.Lines(string(b)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		mount := "sys/fs/cgroup"
		switch controllers := "," + parts[1] + ","; {
		case parts[1] == "":
		case strings.Contains(controllers, ",cpu,"):
			mount = path.Join(mount, parts[1])
		default:
			continue
		}
		for group := path.Join("/", parts[2]); ; group = path.Dir(group) {
			most = max(most, readThrottled(root, path.Join(mount, group, "cpu.stat")))
			if group == "/" {
				break
			}
		}
	}
	return most
}

// readThrottled reads either version of a group's counters.
func readThrottled(root fs.FS, file string) time.Duration {
	b, _ := fs.ReadFile(root, file)
	for line := range strings.Lines(string(b)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		n, _ := strconv.ParseInt(value, 10, 64)
		switch name {
		case "throttled_usec":
			return time.Duration(n) * time.Microsecond
		case "throttled_time":
			return time.Duration(n)
		}
	}
	return 0
}

// since returns what happened from an earlier reading on, which took wall. own is
// the processor time that the process itself used meanwhile.
func (r hostReading) since(from hostReading, wall, own time.Duration) Host {
	var h Host
	var ran, waited time.Duration
	var turns int64
	for id, t := range r.threads {
		before := from.threads[id]
		ran, waited, turns = ran+t.ran-before.ran, waited+t.waited-before.waited, turns+t.turns-before.turns
	}
	if waited > 0 && ran > 0 && turns > 0 {
		h.Waiting, h.Wait = waited.Seconds()/(ran+waited).Seconds(), waited/time.Duration(turns)
	}
	if wall <= 0 {
		return h
	}
	h.Pressure = part((r.pressed - from.pressed).Seconds(), wall.Seconds())
	h.Throttled = max(r.throttled-from.throttled, 0)
	if all := float64(r.cpus.all - from.cpus.all); all > 0 && r.cpus.cpus == from.cpus.cpus {
		h.Known = true
		h.Idle = part(float64(r.cpus.idle-from.cpus.idle), all)
		h.Stolen = part(float64(r.cpus.stolen-from.cpus.stolen), all)
		mine := own.Seconds() / (wall.Seconds() * float64(r.cpus.cpus))
		h.Others = part(1-h.Idle-h.Stolen-mine, 1)
	}
	return h
}

// part returns what share of all is, from 0 to 1.
func part(share, all float64) float64 { return min(max(share/all, 0), 1) }

// These say that others took what the generator needed. Threads that wake up on an
// idle machine wait some 10 us each time, which may be much of the little that they
// run, so it takes both a long wait and a large part, or a machine that is not idle.
const (
	muchWaiting = 0.20
	mostWaiting = 0.50
	longWait    = 250 * time.Microsecond
	muchStolen  = 0.10
	// A machine that is this full has nothing to spare.
	littleIdle = 0.10
	// throttledPart is that of the time of the scenarios, highPressure the part of
	// it that counts where the system does not tell how long our own threads waited.
	throttledPart = 0.01
	highPressure  = 0.50
)

// starved says why the process did not get the CPUs when it needed them; empty if
// it did.
func (h *Host) starved(wall time.Duration) string {
	switch {
	case wall > 0 && part(h.Throttled.Seconds(), wall.Seconds()) >= throttledPart:
		return fmt.Sprintf("jsload was starved, its CPU quota stopped it for %v", h.Throttled.Round(time.Millisecond))
	case h.Waiting >= muchWaiting && h.Wait >= longWait, h.Waiting >= mostWaiting && h.Known && h.Idle < littleIdle:
		return fmt.Sprintf("jsload was starved, its threads waited for a CPU for %.0f%% of the time in which they could run%s", h.Waiting*100, h.culprits())
	case h.Stolen >= muchStolen:
		return fmt.Sprintf("jsload was starved, the hypervisor kept back %.0f%% of the CPUs", h.Stolen*100)
	case h.Wait == 0 && h.Pressure >= highPressure && h.Known && h.Idle < littleIdle && h.Others > h.Idle:
		return fmt.Sprintf("jsload was starved, for %.0f%% of the time there was work that no CPU was free for%s", h.Pressure*100, h.culprits())
	}
	return ""
}

// culprits names who used the CPUs instead.
func (h *Host) culprits() string {
	var who []string
	if h.Others >= 0.01 {
		who = append(who, fmt.Sprintf("other processes used %.0f%% of the CPUs", h.Others*100))
	}
	if h.Stolen >= 0.01 {
		who = append(who, fmt.Sprintf("the hypervisor kept back %.0f%%", h.Stolen*100))
	}
	if len(who) == 0 {
		return ""
	}
	return "; " + strings.Join(who, " and ")
}

// crowded reports whether the machine had no room to spare, although the process
// got what it needed.
func (h *Host) crowded() bool {
	return h.Known && h.Idle < littleIdle || h.Waiting >= muchWaiting/2 && h.Wait >= longWait
}
