// Hot path: an iteration allocates nothing of its own.

package native

import (
	"context"
	"time"

	"github.com/jsload/jsload/vu"
)

// Unit is a virtual user whose machine is driven on the goroutine that calls Iterate.
type Unit struct {
	*machine
	timer *time.Timer // made with the first sleep
}

// Activate binds the unit to a scenario.
func (u *Unit) Activate(ctx context.Context, s *vu.Scenario) error {
	if err := u.activate(ctx, s); err != nil {
		return err
	}
	u.client.Activate(ctx)
	return nil
}

// Iterate runs one iteration.
func (u *Unit) Iterate(it vu.Iteration) error {
	if u.ctx.Err() != nil {
		return vu.ErrInterrupted
	}
	u.begin(it)
	for {
		switch u.run() {
		case waitRequest:
			u.client.Do(&u.req, &u.response.Response)
			u.answered()
		case waitSleep:
			u.sleep(u.pause)
		case waitTurn:
		case ended:
			return u.finish()
		}
		if u.ctx.Err() != nil {
			u.interrupt()
		}
	}
}

// sleep waits, or until the activation ends.
func (u *Unit) sleep(d time.Duration) {
	if u.timer == nil {
		u.timer = time.NewTimer(d)
	} else {
		u.timer.Reset(d)
	}
	select {
	case <-u.timer.C:
	case <-u.ctx.Done():
		u.timer.Stop()
	}
}

// Close closes the connections.
func (u *Unit) Close() error {
	u.client.Close()
	return nil
}
