package main

import (
	"errors"
	"net/http"
	"slices"
	"time"
)

const (
	stallRun  = 8 * time.Second
	stallVUs  = 1000
	frozen    = time.Second
	stallFrom = stallRun / 2
)

// stall freezes the server in the middle of a run and compares the response times
// with those that the schedule gives.
func (l *lab) stall() (err error) {
	for range l.runs {
		if err := l.oneStall(); err != nil {
			return err
		}
	}
	l.printf("  asked for: each response-time ratio from 0.98 to 1.02, and one slow band in the service time\n")
	return nil
}

func (l *lab) oneStall() (err error) {
	server, err := l.target()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.stop()) }()
	r, err := l.run(delayed(stallRun, stallVUs, stallVUs), server.url, func() {
		time.Sleep(stallFrom)
		if res, err := http.Get(server.url + "/stall?ms=1000"); err == nil {
			_ = res.Body.Close()
		}
	})
	if err != nil {
		return err
	}
	started, dropped := int(r.stat("iterations", "count")), int(r.stat("dropped_iterations", "count"))
	l.count("started and dropped iterations", int64(started+dropped), int64(rate*stallRun.Seconds()), int64(rate*stallRun.Seconds())+1)
	truth := truth(started)
	l.printf("  %d started, %d dropped;", started, dropped)
	for _, p := range []struct {
		name string
		q    float64
	}{{"p(90)", 0.9}, {"p(99)", 0.99}, {"p(99.9)", 0.999}} {
		want, got := quantile(truth, p.q), r.stat("http_req_response_time", p.name)
		l.printf(" %s response %.1f ms of %.1f (%.3f), service %.1f ms;", p.name, got, want, got/want, r.stat("http_req_duration", p.name))
	}
	l.printf("\n")
	return nil
}

// truth returns the response times in milliseconds, sorted, of the iterations that
// were started, as the schedule gives them: the server freezes while some requests
// are under way, all VUs are soon held by it, and what is due then is dropped; each
// of those requests is answered when the server thaws.
func truth(started int) []float64 {
	list := make([]float64, started)
	for i := range list {
		list[i] = ms(answer)
	}
	step := ms(time.Second) / rate
	for k := range min(stallVUs, started) {
		// The k-th of them was due k steps after the first, which would just have
		// been answered as the server froze.
		list[k] = max(ms(answer), ms(answer)+ms(frozen)-float64(k)*step)
	}
	slices.Sort(list)
	return list
}

// quantile interpolates between the sorted values beside the place q*(n-1).
func quantile(sorted []float64, q float64) float64 {
	place := q * float64(len(sorted)-1)
	low := int(place)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (sorted[high]-sorted[low])*(place-float64(low))
}
