package main

import (
	"errors"
	"fmt"
	"time"
)

const (
	cycles = 3
	// up and down are the halves of one cycle.
	up, down = 15 * time.Second, 15 * time.Second
)

// ramps is a script of VUs that go up and down. Each makes itself known once, by
// adding its number: only if every one is there exactly once is the sum right.
func ramps(vus int, head, body string) string {
	return fmt.Sprintf(`%s
import { sleep } from 'k6';
import { Counter } from 'k6/metrics';
const first = new Counter('first'), sum = new Counter('sum');
let seen = false;
const stages = [];
for (let i = 0; i < %d; i++) stages.push({ duration: '%v', target: %d }, { duration: '%v', target: 0 });
export const options = { scenarios: { s: { executor: 'ramping-vus', startVUs: 0, stages } } };
export default function () {
  if (!seen) { seen = true; first.add(1); sum.add(__VU); }
  %s
  sleep(1);
}
`, head, cycles, up, vus, down, body)
}

func (l *lab) sleepers() error { return l.ramp(20_000, "", "", false) }

func (l *lab) connections() error {
	return l.ramp(8_000, "import http from 'k6/http';", "http.get(__ENV.TARGET + '/ok');", true)
}

func (l *lab) ramp(vus int64, head, body string, connect bool) (err error) {
	server, err := l.target()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.stop()) }()
	memory, err := newLiveMemory()
	if err != nil {
		return err
	}
	r, err := l.run(ramps(int(vus), head, body), server.url, func() { memory.watch(up, up+down, cycles) }, memory.flags()...)
	if err != nil {
		return err
	}
	l.count("VUs that ran", int64(r.stat("first", "count")), vus, vus)
	l.count("sum of their numbers", int64(r.stat("sum", "count")), vus*(vus+1)/2, vus*(vus+1)/2)
	l.count("VUs made", int64(r.stat("vus_max", "max")), vus, vus)
	if connect {
		s, err := server.stats()
		if err != nil {
			return err
		}
		l.count("connections at once, at the server", s.Connections.Peak, vus, vus+1)
		l.count("connections left open", s.Connections.Open, 0, 1)
	}
	l.printf("  kept at the top of each cycle:")
	for _, n := range memory.readings {
		l.printf(" %.0f MB", float64(n)/1e6)
	}
	l.printf("; %.0f MB at most with garbage, %.1f KB for a VU; %.1f s of CPU\n",
		float64(r.peak)/1e6, float64(r.peak)/float64(vus)/1e3, r.cpu.Seconds())
	return nil
}
