package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// The schedule of the measurements arrivals and stall.
const (
	rate   = 2000
	length = 20 * time.Second
	answer = 10 * time.Millisecond
)

// delayed is a script of constant arrivals to /delay/10.
func delayed(d time.Duration, vus, most int) string {
	return fmt.Sprintf(`import http from 'k6/http';
export const options = { scenarios: { s: { executor: 'constant-arrival-rate', rate: %d, duration: '%v',
  preAllocatedVUs: %d, maxVUs: %d } } };
export default function () { http.get(__ENV.TARGET + '/delay/10'); }
`, rate, d, vus, most)
}

// tool makes the same load as jsload.
type tool struct {
	name string
	// run makes the load and returns what the tool itself says of it, if anything.
	run func(url string) (*result, time.Duration, error)
}

// tools are jsload and its peers, as far as they are there.
func (l *lab) tools() []tool {
	list := []tool{{"jsload", func(url string) (*result, time.Duration, error) {
		r, err := l.run(delayed(length, 100, 400), url, nil)
		if err != nil {
			return nil, 0, err
		}
		return r, r.cpu, nil
	}}}
	for _, p := range peers() {
		path, err := p.find(l)
		if err != nil {
			l.printf("  WITHOUT %s: %v\n", p.name, err)
			continue
		}
		list = append(list, tool{p.name, func(url string) (*result, time.Duration, error) { return p.attack(path, url) }})
	}
	return list
}

// figures of one run, by name.
type figures map[string]float64

// arrivals runs jsload, and vegeta and hey where they are installed, in turn.
func (l *lab) arrivals() error {
	tools := l.tools()
	all := map[string][]figures{}
	for i := range l.runs {
		for _, t := range tools {
			f, err := l.arrival(t)
			if err != nil {
				return fmt.Errorf("%s: %w", t.name, err)
			}
			all[t.name] = append(all[t.name], f)
			l.printf("  %d %-7s %s\n", i+1, t.name, f)
		}
	}
	for _, t := range tools {
		l.printf("  medians of %s: %s\n", t.name, medians(all[t.name]))
	}
	l.printf("  asked for: start_p99 < 0.5 ms, start_p99.9 < 2 ms, gap_p99 no worse than the others', added_p50 < 0.15 ms, cpu_per_1000 < 30 ms\n")
	return nil
}

// arrival is one run of one tool against a fresh target.
func (l *lab) arrival(t tool) (f figures, err error) {
	server, err := l.target()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, server.stop()) }()
	r, cpu, err := t.run(server.url)
	if err != nil {
		return nil, err
	}
	s, err := server.stats()
	if err != nil {
		return nil, err
	}
	route := s.Routes["/delay/{ms}"]
	f = figures{"gap_p99": route.Gaps.P99 / 1e3, "cpu_per_1000": ms(cpu) / float64(max(route.Requests, 1)) * 1e3}
	if r != nil {
		due := int64(rate * length.Seconds())
		l.count("requests that the server saw", route.Requests, due-10, due+10)
		f["start_p99"], f["start_p99.9"] = r.stat("iteration_start_delay", "p(99)"), r.stat("iteration_start_delay", "p(99.9)")
		f["added_p50"] = r.stat("http_req_duration", "med") - route.Service.P50/1e3
	}
	return f, nil
}

// String shows figures in milliseconds, sorted by name.
func (f figures) String() string {
	var parts []string
	for name, v := range f {
		parts = append(parts, fmt.Sprintf("%s=%.3fms", name, v))
	}
	slices.Sort(parts)
	return strings.Join(parts, "  ")
}

// medians takes the median of each figure over several runs.
func medians(runs []figures) figures {
	m := figures{}
	for name := range runs[0] {
		var values []float64
		for _, r := range runs {
			values = append(values, r[name])
		}
		slices.Sort(values)
		m[name] = (values[(len(values)-1)/2] + values[len(values)/2]) / 2
	}
	return m
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
