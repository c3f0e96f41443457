package main

import (
	"errors"
	"fmt"
	"time"
)

// counts runs odd rates, each against a fresh target.
func (l *lab) counts() error {
	for _, c := range []struct {
		rate      int
		unit, run time.Duration
		vus       int
	}{
		{100, time.Minute, time.Minute, 5},
		{1, time.Second, 10 * time.Second, 20},
		{1, 10 * time.Second, 30 * time.Second, 1},
		{340, time.Second, time.Second, 20},
		{30, time.Second, 30 * time.Second, 5},
	} {
		if err := l.oneCount(c.rate, c.unit, c.run, c.vus); err != nil {
			return err
		}
	}
	return nil
}

// oneCount wants the arrivals at 0, 1, 2, ... times unit/rate, the one at the very
// end included.
func (l *lab) oneCount(rate int, unit, run time.Duration, vus int) (err error) {
	server, err := l.target()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.stop()) }()
	script := fmt.Sprintf(`import http from 'k6/http';
export const options = { scenarios: { s: { executor: 'constant-arrival-rate', rate: %d, timeUnit: '%v', duration: '%v', preAllocatedVUs: %d } } };
export default function () { http.get(__ENV.TARGET + '/ok'); }
`, rate, unit, run, vus)
	r, err := l.run(script, server.url, nil)
	if err != nil {
		return err
	}
	s, err := server.stats()
	if err != nil {
		return err
	}
	due := int64(run)*int64(rate)/int64(unit) + 1
	l.count(fmt.Sprintf("%d per %v for %v with %d VUs", rate, unit, run, vus), s.Routes["/ok"].Requests, due, due)
	gaps, want := s.Routes["/ok"].Gaps, ms(unit)/float64(rate)
	l.printf("    gaps at the server: p50 %.3f ms, p99 %.3f ms, max %.3f ms of %.3f ms; latest start %.3f ms after it was due\n",
		gaps.P50/1e3, gaps.P99/1e3, gaps.Max/1e3, want, r.stat("iteration_start_delay", "max"))
	return nil
}
