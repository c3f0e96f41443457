package engine_test

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jsload/jsload/vu"
	"github.com/jsload/jsload/vu/client"
	"github.com/jsload/jsload/vu/client/loop"
	"github.com/jsload/jsload/vu/client/proto/transporttest"
	"github.com/jsload/jsload/vu/executor"
	"github.com/jsload/jsload/vu/options"
	"github.com/jsload/jsload/vu/segment"
)

// loopTier is the smallest tier on event loops: its script is one request and a sleep.
// It shows how a unit, a task and an executor's steps fit together.
type loopTier struct {
	network *client.Network
	loops   []*loop.Loop
	url     string
	sleep   time.Duration

	requests, failed, interrupted, early atomic.Int64
}

func newLoopTier(t *testing.T, epoch time.Time, url string, sleep time.Duration) *loopTier {
	tier := &loopTier{network: client.NewNetwork(client.Config{Epoch: epoch}), url: url, sleep: sleep}
	t.Cleanup(tier.network.Close)
	for range 2 {
		l, err := loop.New(epoch)
		if err != nil {
			t.Skip(err)
		}
		t.Cleanup(l.Close)
		tier.loops = append(tier.loops, l)
	}
	return tier
}

func (f *loopTier) NewUnit(_ context.Context, id vu.ID) (vu.Unit, error) {
	u := &loopUnit{tier: f, client: f.network.Client(id.InInstance), req: client.Request{URL: f.url}}
	u.task = f.loops[id.InInstance%uint64(len(f.loops))].NewTask(u, u.client)
	return u, nil
}

// loopUnit is a virtual user: its place in the script, and what it needs there.
type loopUnit struct {
	tier   *loopTier
	client *client.Client
	task   *loop.Task
	steps  vu.Steps
	at     place
	req    client.Request
	resp   client.Response
}

type place uint8

const (
	free place = iota
	requesting
	sleeping
)

func (u *loopUnit) Activate(ctx context.Context, _ *vu.Scenario) error {
	u.task.Activate(ctx)
	return nil
}

func (u *loopUnit) Iterate(vu.Iteration) error { panic("not on the loop") }

func (u *loopUnit) Loop() vu.Loop { return u }

// Run is the loop for this unit.
func (u *loopUnit) Run(_ vu.Unit, s vu.Steps) {
	u.steps, u.at = s, free
	u.task.Start()
}

func (u *loopUnit) Close() error {
	u.task.Close()
	u.client.Close()
	return nil
}

// Resume goes on from where the unit is.
func (u *loopUnit) Resume(t *loop.Task, _ *client.Response) {
	for {
		switch u.at {
		case free:
			if !u.begin(t) {
				return
			}
		case requesting:
			u.tier.requests.Add(1)
			if u.resp.Err != nil {
				u.tier.failed.Add(1)
			}
			u.at = sleeping
			t.Sleep(u.resp.Timings.End + int64(u.tier.sleep))
			return
		case sleeping:
			u.end(t)
		}
	}
}

// begin asks for an iteration and starts it; false means wait.
func (u *loopUnit) begin(t *loop.Task) bool {
	now := t.Loop().Now()
	it, at, more := u.steps.Next(now)
	switch {
	case !more:
		u.steps.Left()
		return false
	case at > now:
		t.Sleep(at)
		return false
	case it.Open && it.Planned > now:
		u.tier.early.Add(1)
	}
	u.at = requesting
	return t.Do(&u.req, &u.resp)
}

func (u *loopUnit) end(t *loop.Task) {
	u.at = free
	t.EndIteration()
	if t.Interrupted() {
		u.tier.interrupted.Add(1)
		u.steps.Ended(vu.ErrInterrupted)
		return
	}
	u.steps.Ended(nil)
}

// TestExecutorsOnLoops runs every kind of scenario on real event loops.
func TestExecutorsOnLoops(t *testing.T) {
	url := transporttest.RawServer(t, func(_ int, nc net.Conn, r *bufio.Reader) {
		for {
			if _, err := transporttest.ReadRequest(r); err != nil {
				return
			}
			io.WriteString(nc, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
		}
	})
	num, dur := options.Some[int64], func(d time.Duration) options.Null[options.Duration] { return options.Some(options.Duration(d)) }
	ms := time.Millisecond
	stages := options.Some([]options.Stage{{Duration: options.Duration(200 * ms), Target: 20}})
	for _, tt := range []struct {
		s     options.Scenario
		exact int64 // iterations, dropped ones included; 0: some
		cut   int64 // how many are interrupted at least
		sleep time.Duration
	}{
		{s: options.Scenario{Executor: options.ConstantVUs, VUs: num(30), Duration: dur(200 * ms)}, sleep: ms},
		{s: options.Scenario{Executor: options.ConstantVUs, VUs: num(30), Duration: dur(50 * ms), GracefulStop: dur(50 * ms)}, sleep: time.Hour, cut: 30},
		{s: options.Scenario{Executor: options.SharedIterations, VUs: num(7), Iterations: num(500)}, exact: 500},
		{s: options.Scenario{Executor: options.PerVUIterations, VUs: num(7), Iterations: num(50)}, exact: 350},
		{s: options.Scenario{Executor: options.RampingVUs, StartVUs: num(1), Stages: stages}, sleep: ms},
		{s: options.Scenario{Executor: options.ConstantArrivalRate, Rate: num(1000), Duration: dur(299 * ms), PreAllocatedVUs: num(100), GracefulStop: dur(time.Second)}, exact: 299 + 1},
		{s: options.Scenario{Executor: options.RampingArrivalRate, StartRate: num(0), Stages: stages, PreAllocatedVUs: num(20)}, exact: 2},
		{s: options.Scenario{Executor: options.ExternallyControlled, VUs: num(5), MaxVUs: num(10), Duration: dur(100 * ms)}, sleep: ms},
	} {
		t.Run(tt.s.Executor, func(t *testing.T) {
			epoch := time.Now()
			tier := newLoopTier(t, epoch, url, tt.sleep)
			timeline := executor.NewTimeline(func() int64 { return int64(time.Since(epoch)) })
			pool := executor.NewPool(tier, segment.Striper{})
			defer pool.Close()
			tt.s.Name = "s"
			if err := pool.Init(t.Context(), options.RequirementsOf([]options.Scenario{tt.s}, segment.Striper{}).PlannedVUs); err != nil {
				t.Fatal(err)
			}
			var dropped atomic.Int64
			x, err := executor.New(executor.Config{Timeline: timeline, Pool: pool, Log: slog.New(slog.DiscardHandler),
				Dropped: func(n int64) { dropped.Add(n) }, Abort: func(a *vu.Abort) { t.Error(a) }}, tt.s)
			if err != nil {
				t.Fatal(err)
			}
			timeline.Resume()
			x.Run(t.Context())
			p := x.Progress()
			if p.Complete+p.Interrupted != tier.requests.Load() || p.Interrupted != tier.interrupted.Load() || tier.failed.Load() > p.Interrupted || tier.early.Load() > 0 {
				t.Errorf("%+v, %d requests, %d failed, %d interrupted, %d early", p, tier.requests.Load(), tier.failed.Load(), tier.interrupted.Load(), tier.early.Load())
			}
			if tt.exact > 0 && p.Complete+dropped.Load() != tt.exact || p.Complete == 0 && tt.cut == 0 || p.Interrupted < tt.cut {
				t.Errorf("%d complete, %d dropped, %d interrupted", p.Complete, dropped.Load(), p.Interrupted)
			}
		})
	}
}
