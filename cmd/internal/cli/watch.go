package cli

import (
	"sync"
	"time"

	"github.com/jsload/jsload/cmd/internal/term"
	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/vu/engine"
)

// rateWindow is the time that the request rate of the progress is taken over.
const rateWindow = 2 * time.Second

// watch keeps the latest numbers of a run for the progress display.
type watch struct {
	session *session
	builtin *metrics.Builtin

	mu       sync.Mutex
	snapshot *metrics.Snapshot
	points   []point // of the last rateWindow, the oldest first
	result   *engine.Result
}

// point is how many requests there were at an instant.
type point struct {
	at       int64 // ns since the epoch
	requests float64
}

func newWatch(s *session) *watch { return &watch{session: s, builtin: s.test.Metrics.Builtin()} }

// take keeps a snapshot. It is called by the engine and does not block it.
func (w *watch) take(s *metrics.Snapshot, _ time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.snapshot = s
	p := point{at: s.At}
	if reqs := s.Find(w.builtin.HTTPReqs, ""); reqs != nil {
		p.requests = reqs.Sum
	}
	for len(w.points) > 1 && p.at-w.points[1].at >= int64(rateWindow) {
		w.points = w.points[1:]
	}
	w.points = append(w.points, p)
}

// finish keeps how the run ended.
func (w *watch) finish(r engine.Result) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.result = &r
	if r.Snapshot != nil {
		w.snapshot = r.Snapshot
	}
}

// progress returns what to show now.
func (w *watch) progress() *term.Progress {
	live, needs := w.session.live, w.session.test.Config.Requirements()
	p := &term.Progress{
		Phase: phase(live.Status()), Elapsed: live.Elapsed(), Planned: needs.TotalDuration,
		VUs: live.VUsActive(), MaxVUs: live.VUsInitialized(),
		Complete: uint64(live.IterationsCompleted()), Interrupted: uint64(live.IterationsInterrupted()),
		Scenarios: scenarioProgress(live.Scenarios()),
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.requests(p)
	return p
}

// requests fills in what the snapshot tells of requests.
func (w *watch) requests(p *term.Progress) {
	if w.snapshot == nil {
		return
	}
	reqs := w.snapshot.Find(w.builtin.HTTPReqs, "")
	if reqs == nil || reqs.Samples == 0 {
		return
	}
	p.Requests, p.Rate = uint64(reqs.Sum), w.rate()
	if w.result != nil {
		p.Rate = reqs.PerSecond(w.result.Duration)
	}
	if failed := w.snapshot.Find(w.builtin.HTTPReqFailed, ""); failed != nil {
		p.Failed = failed.Rate()
	}
	if d := w.snapshot.Find(w.builtin.HTTPReqDuration, ""); d != nil && d.Samples > 0 {
		p.P95 = time.Duration(d.Dist.Quantile(0.95) * float64(time.Millisecond))
	}
}

// rate returns the requests per second over the window.
func (w *watch) rate() float64 {
	if len(w.points) < 2 {
		return 0
	}
	from, to := w.points[0], w.points[len(w.points)-1]
	if to.at <= from.at {
		return 0
	}
	return (to.requests - from.requests) / time.Duration(to.at-from.at).Seconds()
}

// phase is the first word of the progress.
func phase(s engine.Status) string {
	switch s {
	case engine.StatusSetup:
		return "setup"
	case engine.StatusTeardown:
		return "teardown"
	case engine.StatusPausedBeforeRun:
		return "paused"
	}
	if s < engine.StatusStarted {
		return "starting"
	}
	return "running"
}
