package vu

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
)

// Journal tells the user what iterations did wrong, and counts it. A test has one,
// shared by its tiers. Log must be set; all else is ready. It is safe for concurrent
// use.
type Journal struct {
	Log *slog.Logger

	told  sync.Map // of *Scenario: an interruption was told
	n     atomic.Uint64
	first atomic.Pointer[string]
}

// Threw logs an uncaught exception of an iteration: its text, with the stack on the
// lines behind the first.
func (j *Journal) Threw(text string, s *Scenario) {
	j.count(text)
	j.Log.LogAttrs(context.Background(), slog.LevelError, text,
		slog.String("executor", s.Executor), slog.String("scenario", s.Name),
		slog.String("source", "stacktrace"), slog.String("hint", "script exception"))
}

// Rejected is Threw for a promise that nobody looked after.
func (j *Journal) Rejected(text string, s *Scenario) {
	j.count(text)
	j.Log.LogAttrs(context.Background(), slog.LevelError, text,
		slog.String("executor", s.Executor), slog.String("scenario", s.Name))
}

// count counts an exception and keeps the text of the first, with its place.
func (j *Journal) count(text string) {
	if j.n.Add(1) > 1 {
		return
	}
	text, stack, _ := strings.Cut(text, "\n")
	at, _, _ := strings.Cut(stack, "\n")
	if at = strings.TrimSpace(at); at != "" {
		text += " " + at
	}
	j.first.Store(&text)
}

// Thrown returns how many iterations ended with an exception, and the first.
func (j *Journal) Thrown() (n uint64, first string) {
	if text := j.first.Load(); text != nil {
		first = *text
	}
	return j.n.Load(), first
}

// Interrupted logs the place of an iteration that had to be cut, one per scenario:
// what one virtual user hangs in, the others mostly hang in too. An abort that the
// script asked for interrupts every virtual user and is no news.
func (j *Journal) Interrupted(ctx context.Context, id ID, s *Scenario, at string) {
	level, text := slog.LevelDebug, "iteration interrupted"
	if _, told := j.told.LoadOrStore(s, true); at != "" && !told && !scriptAsked(ctx) {
		level, text = slog.LevelInfo, "the iteration of a VU was still running when it had to stop; others of the scenario are not listed"
	}
	j.Log.LogAttrs(context.Background(), level, text,
		slog.Uint64("vu", id.InTest), slog.String("scenario", s.Name), slog.String("at", at))
}

// scriptAsked reports that the activation ended because of an abort other than a
// signal.
func scriptAsked(ctx context.Context) bool {
	a, ok := errors.AsType[*Abort](context.Cause(ctx))
	return ok && a.Code != ExitSignal
}
