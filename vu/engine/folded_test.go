package engine

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/vu/client/proto"
	"github.com/jsload/jsload/vu/record"
)

// Each kind of name of which there are too many is warned of once.
func TestTooManyNamesAreWarnedOfOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, constant(1, 4*time.Second))
		i := 0
		b.iterate = func(u *unit) error {
			for range 2000 {
				i++
				_ = u.record.Check(fmt.Sprint("check ", i), true)
				if scope, err := u.record.EnterGroup(fmt.Sprint("group ", i)); err == nil {
					u.record.LeaveGroup(scope)
				}
				x := &proto.Exchange{Method: "GET", URL: "http://t", Err: &proto.Error{Code: 1000, Text: fmt.Sprint("error ", i)}}
				u.record.HTTP(nil, x, &record.Request{Expected: record.Unexpected})
			}
			return u.sleep(500 * ms)
		}
		b.run(0)
		log := b.log.String()
		for _, want := range []string{"more than 1000 groups", "more than 5000 checks", "too many different texts"} {
			if n := strings.Count(log, want); n != 1 {
				t.Errorf("%q is said %d times in\n%s", want, n, log)
			}
		}
		if strings.Contains(log, "sets of tags") {
			t.Errorf("a warning of tags without reason:\n%s", log)
		}
	})
}

// The warning about tags comes again when their number has doubled.
func TestManyTagSetsAreWarnedOf(t *testing.T) {
	b := newBench(t, constant(1, time.Second))
	run := &test{Config: b.config}
	tags, w := b.config.Store.Registry().Tags(), foldWarner{}
	made := 0
	for _, tt := range []struct{ sets, warnings int }{{90_000, 0}, {115_000, 1}, {150_000, 1}, {230_000, 2}, {240_000, 2}} {
		for ; made < tt.sets; made++ {
			tags.With("data", fmt.Sprint(made))
		}
		run.warnFolded(&w)
		if n := strings.Count(b.log.String(), "different sets of tags"); n != tt.warnings {
			t.Errorf("%d warnings after %d sets, want %d; limit %d", n, tt.sets, tt.warnings, metrics.MaxTagSets)
		}
	}
}
