package target

import (
	"sync/atomic"
	"time"
)

// Stats is what /__target/stats answers.
type Stats struct {
	// Requests arrived since Start or the last reset, those of the control
	// routes included.
	Requests int64 `json:"requests"`
	// Seconds is how long that is ago.
	Seconds     float64     `json:"seconds"`
	CPU         CPU         `json:"cpu_seconds"`
	Connections Connections `json:"connections"`
	// Routes holds the routes that were asked for, by name.
	Routes map[string]RouteStats `json:"routes"`
}

// CPU is the processor time of the server's process in seconds; of the whole
// process, so it means little for a target inside a test. It is 0 on systems that
// do not tell.
type CPU struct {
	User   float64 `json:"user"`
	System float64 `json:"system"`
}

// Connections counts connections. Peak is the highest number open at once.
type Connections struct {
	Open     int64 `json:"open"`
	Peak     int64 `json:"peak"`
	Accepted int64 `json:"accepted"`
}

// RouteStats describes the requests of one route.
type RouteStats struct {
	Requests int64 `json:"requests"`
	// Gaps lie between one arrival and the next, over all connections.
	Gaps Spread `json:"gaps_us"`
	// Service is from the request's arrival until the answer was ready (rich
	// server) or the kernel took the first bytes of it (lean server).
	Service Spread `json:"service_us"`
}

// collector counts what arrives. Each of its shards is meant for one event loop,
// so that loops do not write to the same memory; any goroutine may use any shard.
type collector struct {
	epoch  time.Time
	totals []paddedCount // requests since Start, per shard
	open   atomic.Int64
	period atomic.Pointer[period]
}

// paddedCount is alone on its cache line.
type paddedCount struct {
	n atomic.Int64
	_ [56]byte
}

// period is the time between two resets.
type period struct {
	since          time.Time
	cpu            CPU
	requests       int64 // of all shards when the period began
	peak, accepted atomic.Int64
	last           [routes]atomic.Int64 // arrival, ns since the epoch; 0 = none yet
	shards         []periodShard
}

type periodShard struct {
	routes [routes]atomic.Pointer[routeRecord]
}

type routeRecord struct {
	gaps, service durations
}

func newCollector(shards int, now time.Time) *collector {
	// One nanosecond back, so that no arrival has the instant 0.
	c := &collector{epoch: now.Add(-1), totals: make([]paddedCount, shards)}
	c.reset()
	return c
}

// now returns nanoseconds since the collector was made, at least 1.
func (c *collector) now() int64 { return int64(time.Since(c.epoch)) }

// arrive counts a request. It is called before the answer is made, so that
// /__target/count counts itself.
func (c *collector) arrive(shard int) { c.totals[shard].n.Add(1) }

// served files one answered request; both instants come from now.
func (c *collector) served(shard int, r route, arrived, done int64) {
	p := c.period.Load()
	rec := p.shards[shard].record(r)
	rec.service.add(done - arrived)
	if last := p.last[r].Swap(arrived); last != 0 {
		rec.gaps.add(arrived - last)
	}
}

func (s *periodShard) record(r route) *routeRecord {
	if rec := s.routes[r].Load(); rec != nil {
		return rec
	}
	s.routes[r].CompareAndSwap(nil, new(routeRecord))
	return s.routes[r].Load()
}

func (c *collector) opened() {
	n := c.open.Add(1)
	p := c.period.Load()
	p.accepted.Add(1)
	p.raisePeak(n)
}

func (c *collector) closed() { c.open.Add(-1) }

func (p *period) raisePeak(n int64) {
	for {
		old := p.peak.Load()
		if n <= old || p.peak.CompareAndSwap(old, n) {
			return
		}
	}
}

// count returns the requests since Start.
func (c *collector) count() int64 {
	var n int64
	for i := range c.totals {
		n += c.totals[i].n.Load()
	}
	return n
}

func (c *collector) reset() {
	p := &period{since: time.Now(), cpu: processCPU(), requests: c.count(), shards: make([]periodShard, len(c.totals))}
	p.peak.Store(c.open.Load())
	c.period.Store(p)
}

func (c *collector) snapshot() Stats {
	p := c.period.Load()
	cpu := processCPU()
	return Stats{
		Requests:    c.count() - p.requests,
		Seconds:     time.Since(p.since).Seconds(),
		CPU:         CPU{User: cpu.User - p.cpu.User, System: cpu.System - p.cpu.System},
		Connections: Connections{Open: c.open.Load(), Peak: p.peak.Load(), Accepted: p.accepted.Load()},
		Routes:      p.routeStats(),
	}
}

func (p *period) routeStats() map[string]RouteStats {
	all := map[string]RouteStats{}
	for r := range routes {
		var gaps, service []*durations
		var n int64
		for i := range p.shards {
			if rec := p.shards[i].routes[r].Load(); rec != nil {
				gaps, service = append(gaps, &rec.gaps), append(service, &rec.service)
				n += rec.service.n.Load()
			}
		}
		if n > 0 {
			all[r.String()] = RouteStats{Requests: n, Gaps: spreadOf(gaps), Service: spreadOf(service)}
		}
	}
	return all
}
