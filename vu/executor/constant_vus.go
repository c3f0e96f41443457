package executor

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// constantVUs lets a number of VUs loop for a time.
type constantVUs struct {
	crew
	vus int64
}

func newConstantVUs(c Config, vus int64, duration time.Duration) *constantVUs {
	x := &constantVUs{vus: c.Share.Scale(vus)}
	x.crew = newCrew(c, duration, nil)
	x.take = x.takeOrGrow(x.vus)
	return x
}

func (x *constantVUs) Run(ctx context.Context) {
	x.live(ctx, x.fraction, func() {
		x.set(x.vus)
		_ = x.Timeline.Wait(x.hard, x.StartTime+x.end)
	})
}

func (x *constantVUs) Progress() Progress {
	return x.progress(x.fraction(), fmt.Sprintf("%d VUs", x.looping()), "")
}

// VUs returns how many VUs are to loop; there is no limit to raising it.
func (x *constantVUs) VUs() (n, limit int64) {
	n = x.looping()
	return n, max(n, x.Pool.Initialised())
}

// Scale changes how many VUs loop. There is no limit of their number to change.
func (x *constantVUs) Scale(n, limit int64) error {
	if limit >= 0 && limit != max(n, x.Pool.Initialised()) {
		return errors.New("constant-vus has no limit of VUs to change, only their number")
	}
	return x.scaleTo(n)
}
