package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jsload/jsload/metrics/output"
	"github.com/jsload/jsload/vu"
)

// Force ends teardown, at once or before it begins, and what was measured is kept.
func TestForce(t *testing.T) {
	for _, tt := range []struct {
		name        string
		stop, force time.Duration
		events      []string
		length      time.Duration
	}{
		{"in teardown", 500 * ms, 3 * time.Second, []string{"end", "teardown"}, 3 * time.Second},
		{"before teardown", 500 * ms, 500 * ms, nil, 500 * ms},
	} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t, constant(1, time.Hour))
			attend(b, fine, fine)
			b.config.Setup, b.config.Teardown = nil, b.hook("teardown", time.Hour, nil)
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			force, end := context.WithCancelCause(t.Context())
			defer end(nil)
			b.config.Force = force
			time.AfterFunc(tt.stop, func() {
				if tt.stop == tt.force {
					end(&vu.Abort{Code: vu.ExitSignal, Message: "second"})
				}
				cancel(&vu.Abort{Code: vu.ExitSignal, Message: "first"})
			})
			time.AfterFunc(tt.force, func() { end(&vu.Abort{Code: vu.ExitSignal, Message: "second"}) })
			r := b.runIn(ctx, vu.ExitSignal)
			events := slices.DeleteFunc(b.events, func(e string) bool { return e == "begin" })
			if !slices.Equal(events, tt.events) || r.Snapshot == nil || r.Duration != tt.length || r.Err.Error() != "first" {
				t.Errorf("%s: events %v, duration %v, snapshot %t, %v", tt.name, events, r.Duration, r.Snapshot != nil, r.Err)
			}
		})
	}
}

// broken is an output that cannot write.
type broken struct{}

func (broken) Start(output.Run) (output.Needs, error) { return output.Needs{Samples: true}, nil }
func (broken) Write(output.Batch) error               { return errors.New("no space left") }
func (broken) Stop() error                            { return nil }

// An output that lost samples is a reason to fail, behind all others.
func TestIncompleteOutput(t *testing.T) {
	for _, tt := range []struct {
		threshold string
		code      int
		failed    bool
	}{{"", vu.ExitOther, false}, {"count<0", vu.ExitThresholds, false}, {"", vu.ExitMarkedFailed, true}} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t, constant(1, time.Second))
			if tt.threshold != "" {
				b.threshold(tt.threshold, false, 0)
			}
			if tt.failed {
				b.config.Live.Fail()
			}
			b.config.Sinks = []output.Sink{{Name: "bad", Output: broken{}}}
			r := b.run(tt.code)
			text := b.log.String()
			if r.Err != nil {
				text += r.Err.Error()
			}
			if !strings.Contains(text, "output bad failed") || strings.Count(text, "output bad is incomplete") != 1 {
				t.Errorf("%d: %v\n%s", tt.code, r.Err, b.log.String())
			}
		})
	}
}

// A setup that only seems to end well, because its wait was cut short, has failed.
func TestCutShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, constant(1, time.Second))
		b.config.Options.SetupTimeout = dur(time.Second)
		b.config.Setup = func(ctx context.Context) error { <-ctx.Done(); return nil }
		if r := b.run(vu.ExitSetupTimeout); r.Err == nil || !strings.Contains(r.Err.Error(), "timed out after 1s") {
			t.Errorf("%v", r.Err)
		}
	})
}
