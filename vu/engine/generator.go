package engine

import (
	"fmt"
	"math"
	"runtime"
	"runtime/metrics"
	"strings"
	"syscall"
	"time"

	results "github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/vu/client/proto"
)

// Limit is what kept a test from more load than there was.
type Limit string

// The limits.
const (
	// LimitNone: nothing shows that more was wanted than came.
	LimitNone Limit = "none"
	// LimitGenerator: this machine had no more to give; its numbers are not to
	// be trusted.
	LimitGenerator Limit = "generator"
	// LimitSchedule: arrivals were due that no VU was free for.
	LimitSchedule Limit = "schedule"
	// LimitServer: the VUs spent their time waiting for answers.
	LimitServer Limit = "server"
)

// Generator says how the machine that made the load fared while the scenarios
// ran.
type Generator struct {
	Limit Limit
	// Reason says in words why Limit is what it is.
	Reason string
	// CPU is the share of the processors that the process used, from 0 to 1; GC
	// is the part of that which went into collecting garbage.
	CPU, GC float64
	// Lag is the 99th percentile of the time that a goroutine which could run
	// waited for a processor.
	Lag time.Duration
	// CPUs is how many processors the process may use.
	CPUs int
	// Open tells that there are arrival-rate scenarios: StartDelay is the 99th
	// percentile of their iteration_start_delay, Dropped how many of their
	// iterations were due and found no free VU.
	Open       bool
	StartDelay time.Duration
	Dropped    int64
	// Wire is the share of the iterations' time in which a request was under
	// way, from 0 up; above 1 with requests side by side.
	Wire float64
	// SocketErrors counts requests that failed at the socket, Exhausted those of
	// them for which this machine had no descriptor or port left.
	SocketErrors, Exhausted int64
	// Host is what else happened on the machine, Crowded that it had no room left.
	Host    Host
	Crowded bool

	wall time.Duration // of the scenarios
}

// Above these the generator is called the limit. A goroutine that waits 10 ms
// for a processor adds them to what the test measures.
const (
	busyCPU  = 0.90
	busyGC   = 0.25
	longLag  = 10 * time.Millisecond
	busyWire = 0.80
)

// meter measures the process from one instant to another.
type meter struct {
	at      time.Time
	cpu     time.Duration
	gc      float64 // seconds
	latency *metrics.Float64Histogram
	host    hostReading
}

func readMeter() meter {
	samples := []metrics.Sample{{Name: "/cpu/classes/gc/total:cpu-seconds"}, {Name: "/sched/latencies:seconds"}}
	metrics.Read(samples)
	m := meter{at: time.Now(), cpu: processCPU(), host: readHost(hostRoot(), allowedCPUs())}
	if samples[0].Value.Kind() == metrics.KindFloat64 {
		m.gc = samples[0].Value.Float64()
	}
	if samples[1].Value.Kind() == metrics.KindFloat64Histogram {
		h := *samples[1].Value.Float64Histogram()
		h.Counts = append([]uint64(nil), h.Counts...)
		m.latency = &h
	}
	return m
}

// since returns what the process did from an earlier reading on.
func (m meter) since(from meter) Generator {
	var g Generator
	g.CPUs, g.wall = runtime.GOMAXPROCS(0), m.at.Sub(from.at)
	wall := g.wall.Seconds() * float64(g.CPUs)
	used := (m.cpu - from.cpu).Seconds()
	g.Host = m.host.since(from.host, g.wall, m.cpu-from.cpu)
	g.Crowded = g.Host.crowded()
	if wall > 0 && used > 0 {
		g.CPU = min(used/wall, 1)
		g.GC = min((m.gc-from.gc)/used, 1)
	}
	if m.latency != nil && from.latency != nil {
		g.Lag = quantile(m.latency, from.latency, 0.99)
	}
	return g
}

// quantile returns the upper bound of the bucket that holds the q-th part of
// what came into a histogram since an earlier reading of it; 0 if nothing did.
func quantile(now, before *metrics.Float64Histogram, q float64) time.Duration {
	var total, seen uint64
	for i := range now.Counts {
		total += now.Counts[i] - before.Counts[i]
	}
	if total == 0 {
		return 0
	}
	rank := uint64(math.Ceil(q * float64(total)))
	for i := range now.Counts {
		if seen += now.Counts[i] - before.Counts[i]; seen >= rank {
			upper := now.Buckets[i+1]
			if math.IsInf(upper, 1) {
				upper = now.Buckets[i]
			}
			return time.Duration(upper * float64(time.Second))
		}
	}
	return 0
}

// judge completes g with what the test measured and names the limit.
func (g *Generator) judge(s *results.Snapshot, b *results.Builtin) {
	if d := distribution(s, b.IterationStartDelay); d != nil {
		g.StartDelay = time.Duration(d.Quantile(0.99) * float64(time.Millisecond))
	}
	g.countSockets(s.Failures)
	requests, iterations := distribution(s, b.HTTPReqDuration), distribution(s, b.IterationDuration)
	if requests != nil && iterations != nil {
		if all := iterations.Sum(); all > 0 {
			g.Wire = requests.Sum() / all
		}
	}
	g.Limit, g.Reason = g.limit()
}

// countSockets finds what went wrong below HTTP and TLS.
func (g *Generator) countSockets(failures []*results.Failure) {
	for _, f := range failures {
		if f.Status != 0 || f.Code < proto.CodeTCP || f.Code >= proto.CodeTLS {
			continue
		}
		g.SocketErrors += f.Count
		if strings.Contains(f.Text, syscall.EMFILE.Error()) || strings.Contains(f.Text, syscall.EADDRNOTAVAIL.Error()) {
			g.Exhausted += f.Count
		}
	}
}

func (g *Generator) limit() (Limit, string) {
	starved := g.Host.starved(g.wall)
	switch {
	case g.Exhausted > 0:
		return LimitGenerator, fmt.Sprintf("%d requests found no file descriptor or local port left on this machine", g.Exhausted)
	case g.CPU >= busyCPU:
		return LimitGenerator, fmt.Sprintf("jsload used %.0f%% of the processors", g.CPU*100)
	case starved != "":
		return LimitGenerator, starved
	case g.Lag >= longLag:
		return LimitGenerator, fmt.Sprintf("one in a hundred waits for a processor took %v or more", g.Lag.Round(time.Millisecond))
	case g.GC >= busyGC:
		return LimitGenerator, fmt.Sprintf("%.0f%% of jsload's processor time went into garbage collection", g.GC*100)
	case g.StartDelay >= longLag:
		return LimitGenerator, fmt.Sprintf("one in a hundred iterations began %v or more after it was due, although a VU was free", g.StartDelay.Round(time.Millisecond))
	case g.Dropped > 0:
		return LimitSchedule, fmt.Sprintf("%d iterations were due and found no free VU", g.Dropped)
	case g.Wire >= busyWire:
		return LimitServer, fmt.Sprintf("requests were under way for %.0f%% of the iterations' time", min(g.Wire, 1)*100)
	}
	return LimitNone, "nothing kept the test from the load that was asked for"
}

// distribution returns that of a trend with samples, or nil.
func distribution(s *results.Snapshot, m *results.Metric) *results.Distribution {
	if one := s.Find(m, ""); one != nil && one.Samples > 0 {
		return one.Dist
	}
	return nil
}
