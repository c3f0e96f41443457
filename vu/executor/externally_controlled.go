package executor

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"
)

// externallyControlled lets VUs loop whose number is changed from outside while
// the test runs.
type externallyControlled struct {
	crew
	vus   int64
	limit atomic.Int64
}

// newExternallyControlled takes a duration of 0 as without end.
func newExternallyControlled(c Config, vus, limit int64, duration time.Duration) *externallyControlled {
	if duration <= 0 {
		duration = endless
	}
	x := &externallyControlled{vus: c.Share.Scale(vus)}
	x.limit.Store(c.Share.Scale(limit))
	x.crew = newCrew(c, duration, nil)
	x.take = x.takeOrGrow(x.limit.Load())
	return x
}

func (x *externallyControlled) Run(ctx context.Context) {
	x.live(ctx, x.fraction, func() {
		x.set(x.vus)
		_ = x.Timeline.Wait(x.hard, x.StartTime+x.end)
	})
}

func (x *externallyControlled) Progress() Progress {
	return x.progress(x.fraction(), fmt.Sprintf("%d/%d VUs", x.looping(), x.limit.Load()), "")
}

// VUs returns how many VUs are to loop and how many there may be.
func (x *externallyControlled) VUs() (n, limit int64) { return x.looping(), x.limit.Load() }

// Scale changes how many VUs loop and how many there may be.
func (x *externallyControlled) Scale(n, limit int64) error {
	if limit < 0 {
		limit = x.limit.Load()
	}
	if n > limit {
		return fmt.Errorf("the number of VUs (%d) can't be more than maxVUs (%d)", n, limit)
	}
	if err := x.scaleTo(n); err != nil {
		return err
	}
	x.limit.Store(limit)
	return nil
}
