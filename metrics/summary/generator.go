package summary

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Generator is how the machine that made the load fared: what a reader must know
// before believing the other numbers.
type Generator struct {
	// Limit is what kept the test from more load: none, generator, schedule or
	// server. Reason says in words why.
	Limit, Reason string
	// CPU is the part of all CPUs that the process used, GC the part of that which
	// went into collecting garbage, both from 0 to 1.
	CPU, GC float64
	CPUs    int
	// Lag is the 99th percentile of the waits for a CPU.
	Lag time.Duration
	// Open tells that there were arrival-rate scenarios; StartDelay is the 99th
	// percentile of the delay of their iterations, Dropped how many had no VU.
	Open       bool
	StartDelay time.Duration
	Dropped    int64
	// Wire is the part of the iterations' time in which a request was under way.
	Wire float64
	// SocketErrors counts requests that failed at the socket.
	SocketErrors int64
	// Crowded tells that jsload got what it needed, but nothing was left.
	Crowded bool
	Host    Host
}

// Host is what the rest of the machine did meanwhile. Parts are from 0 to 1; what
// the system does not tell is 0.
type Host struct {
	// Waiting is the part of the time in which jsload's threads could run that they
	// waited for a CPU, Wait how long each time on average.
	Waiting float64
	Wait    time.Duration
	// Known tells that the parts of the CPUs are: those that nobody used, that
	// other processes used, and that the hypervisor kept back.
	Known                bool
	Idle, Others, Stolen float64
	// Pressure is the part of the time in which something waited for a CPU.
	Pressure float64
	// Throttled is for how long a quota stopped jsload.
	Throttled time.Duration
}

// verdict returns what to tell a tired reader: the verdict, and what follows
// from it.
func (g *Generator) verdict() (head, advice string) {
	switch g.Limit {
	case "generator":
		return "The GENERATOR was the limit: " + g.Reason + ".",
			"Do not trust the times above: they hold jsload's own waiting. Stop other work on this machine, use a larger one, several of them with --execution-segment, or ask for less."
	case "schedule":
		return "The SCHEDULE was the limit: " + g.Reason + ".",
			"The server got less than was asked for. Raise preAllocatedVUs and maxVUs; if more VUs do not help, the server cannot keep up with this rate."
	case "server":
		return "The SERVER was the limit: " + g.Reason + ".",
			g.room() + " More VUs or a faster server would give more load."
	}
	return "Nothing was at its limit: the load is what the test asked for.", g.room()
}

// room says whether jsload could have made more load.
func (g *Generator) room() string {
	if g.Crowded {
		return "jsload kept up, but this machine had no room to spare: some of the times may hold waits for a CPU."
	}
	return "jsload had room to spare, so the numbers are the server's."
}

// facts are the figures behind the verdict.
func (g *Generator) facts() [][2]string {
	list := [][2]string{
		{"cpu", fmt.Sprintf("%.1f%% of %d CPUs, %.1f%% of it for garbage", g.CPU*100, g.CPUs, g.GC*100)},
		{"wait_for_cpu", "p(99)=" + autoDuration(milliseconds(g.Lag)) + g.Host.waits()},
	}
	if g.Host.Known {
		list = append(list, [2]string{"machine", g.Host.use()})
	}
	if g.Open {
		list = append(list,
			[2]string{"start_delay", "p(99)=" + autoDuration(milliseconds(g.StartDelay))},
			[2]string{"dropped_iterations", strconv.FormatInt(g.Dropped, 10)})
	}
	return append(list,
		[2]string{"requests_under_way", fmt.Sprintf("%.1f%% of the iterations' time", g.Wire*100)},
		[2]string{"socket_errors", strconv.FormatInt(g.SocketErrors, 10)})
}

// waits says how long threads waited, which comes on top of what goroutines do.
func (h *Host) waits() string {
	if h.Wait <= 0 {
		return ""
	}
	return fmt.Sprintf(", threads avg=%s (%.1f%% of their time)", autoDuration(milliseconds(h.Wait)), h.Waiting*100)
}

// use says who used the CPUs.
func (h *Host) use() string {
	text := fmt.Sprintf("%.1f%% idle, %.1f%% used by other processes", h.Idle*100, h.Others*100)
	if h.Stolen >= 0.001 {
		text += fmt.Sprintf(", %.1f%% by the hypervisor", h.Stolen*100)
	}
	if h.Throttled > 0 {
		text += ", stopped by a quota for " + autoDuration(milliseconds(h.Throttled))
	}
	return text
}

// machineHost writes the same as JSON; times are in milliseconds.
func (h *Host) machineHost(w *jsonWriter) {
	w.objectMember("host", func() {
		w.numberMember("waiting", h.Waiting)
		w.numberMember("wait_avg", milliseconds(h.Wait))
		if h.Known {
			w.numberMember("idle", h.Idle)
			w.numberMember("others", h.Others)
			w.numberMember("stolen", h.Stolen)
		}
		w.numberMember("pressure", h.Pressure)
		w.numberMember("throttled", milliseconds(h.Throttled))
	})
}

// generator writes the section about the machine that made the load.
func (t *textWriter) generator() {
	g := t.report.Generator
	if g == nil {
		return
	}
	t.title("GENERATOR")
	head, advice := g.verdict()
	for _, l := range wrap(head, textWidth-len(indent)) {
		t.line(1, t.bold(l))
	}
	for _, l := range wrap(advice, textWidth-len(indent)) {
		t.line(1, l)
	}
	t.b.WriteByte('\n')
	facts, names := g.facts(), 0
	for _, f := range facts {
		names = max(names, width(f[0]))
	}
	for _, f := range facts {
		t.line(1, f[0]+t.faint(strings.Repeat(".", names+3-width(f[0]))+":")+" "+t.cyan(f[1]))
	}
}

// machineGenerator writes the same as JSON; times are in milliseconds.
func (r *Report) machineGenerator(w *jsonWriter) {
	g := r.Generator
	if g == nil {
		return
	}
	w.objectMember("generator", func() {
		w.stringMember("limit", g.Limit)
		w.stringMember("reason", g.Reason)
		w.numberMember("cpu", g.CPU)
		w.numberMember("cpus", float64(g.CPUs))
		w.numberMember("gc", g.GC)
		w.numberMember("lag_p99", milliseconds(g.Lag))
		if g.Open {
			w.numberMember("start_delay_p99", milliseconds(g.StartDelay))
			w.numberMember("dropped_iterations", float64(g.Dropped))
		}
		w.numberMember("wire", g.Wire)
		w.numberMember("socket_errors", float64(g.SocketErrors))
		w.boolMember("crowded", g.Crowded)
		g.Host.machineHost(w)
	})
}
