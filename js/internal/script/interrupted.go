package script

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"github.com/jsload/jsload/vu"
)

// interruptions says where iterations were that had to be cut, one per scenario:
// what one virtual user hangs in, the others mostly hang in too. The zero value
// is ready.
type interruptions struct{ told sync.Map } // of *vu.Scenario

// tell logs the place of an interrupted iteration. An abort that the script asked
// for interrupts every virtual user and is no news.
func (i *interruptions) tell(log *slog.Logger, u *Unit, at string) {
	s := u.state.Scenario
	attrs := []slog.Attr{slog.Uint64("vu", u.state.ID.InTest), slog.String("scenario", s.Name), slog.String("at", at)}
	level, text := slog.LevelDebug, "iteration interrupted"
	if _, told := i.told.LoadOrStore(s, true); at != "" && !told && !scriptAsked(u.state.Context) {
		level, text = slog.LevelInfo, "the iteration of a VU was still running when it had to stop; others of the scenario are not listed"
	}
	log.LogAttrs(context.Background(), level, text, attrs...)
}

// scriptAsked reports that the activation ended because of an abort other than a
// signal.
func scriptAsked(ctx context.Context) bool {
	a, ok := errors.AsType[*vu.Abort](context.Cause(ctx))
	return ok && a.Code != vu.ExitSignal
}
