package env

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// Limits of the flood handler, per second and per distinct line.
const (
	floodWindow     = time.Second
	floodErrors     = 20    // warnings and errors of the same text
	floodConsole    = 1_000 // lines of the script's console of the same text
	floodMaxTexts   = 256   // distinct texts followed at once; the others share one entry
	floodOthersText = "\x00others"
)

// floodHandler holds back lines that repeat faster than anyone can read: one
// exception in each of a million iterations must neither slow the run down nor
// bury what else is said. What was held back is counted and reported with the
// next line, or at the end.
type floodHandler struct {
	next   slog.Handler
	source string
	state  *floodState
}

// floodState is shared by all handlers derived from one.
type floodState struct {
	mu      sync.Mutex
	report  slog.Handler // without the attributes of derived handlers
	console bool         // console lines are limited too
	start   time.Time    // of the current window
	texts   map[floodKey]int
	// flooding are the texts that the last window held back: of them one line
	// passes in this one, unless it is the console's.
	flooding map[floodKey]bool
}

type floodKey struct {
	level        slog.Level
	source, text string
}

func newFloodHandler(next slog.Handler, console bool) *floodHandler {
	return &floodHandler{next: next, state: &floodState{report: next, console: console, texts: map[floodKey]int{}, flooding: map[floodKey]bool{}}}
}

func (h *floodHandler) Enabled(ctx context.Context, l slog.Level) bool { return h.next.Enabled(ctx, l) }

func (h *floodHandler) Handle(ctx context.Context, r slog.Record) error {
	source := sourceOf(r, h.source)
	if limit := h.state.limit(r.Level, source); limit > 0 {
		if !h.state.admit(r.Time, floodKey{r.Level, source, floodText(r)}, limit) {
			return nil
		}
	}
	return h.next.Handle(ctx, r)
}

func (h *floodHandler) WithAttrs(a []slog.Attr) slog.Handler {
	return &floodHandler{next: h.next.WithAttrs(a), source: sourceIn(a, h.source), state: h.state}
}

func (h *floodHandler) WithGroup(name string) slog.Handler {
	return &floodHandler{next: h.next.WithGroup(name), source: h.source, state: h.state}
}

// floodText is what makes two lines the same: the message and the error behind it.
func floodText(r slog.Record) string {
	text := r.Message
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "error" {
			text += "\x00" + a.Value.String()
		}
		return true
	})
	return text
}

// limit returns how many lines of one text pass in a window, 0 for all.
func (s *floodState) limit(l slog.Level, source string) int {
	switch {
	case source == SourceConsole && s.console:
		return floodConsole
	case source == SourceConsole || l < slog.LevelWarn:
		return 0
	}
	return floodErrors
}

// admit counts a line and tells whether it is written.
func (s *floodState) admit(now time.Time, k floodKey, limit int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now.Sub(s.start) >= floodWindow {
		s.flushLocked(now)
	}
	if _, known := s.texts[k]; !known && len(s.texts) >= floodMaxTexts {
		k = floodKey{level: k.level, source: k.source, text: floodOthersText}
	}
	s.texts[k]++
	return s.texts[k] <= s.passing(k, limit)
}

// passing returns how many lines of a text pass in this window.
func (s *floodState) passing(k floodKey, limit int) int {
	if s.flooding[k] && k.source != SourceConsole {
		return 1
	}
	return limit
}

func (s *floodState) flush(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flushLocked(now)
}

// flushLocked reports what the window held back and begins the next one.
func (s *floodState) flushLocked(now time.Time) {
	flooding := map[floodKey]bool{}
	for k, n := range s.texts {
		held := n - s.passing(k, s.limit(k.level, k.source))
		if held <= 0 {
			continue
		}
		flooding[k] = true
		if s.report.Enabled(context.Background(), k.level) {
			r := slog.NewRecord(now, k.level, heldBack(k, held), 0)
			// a report that cannot be written is lost like the line itself
			_ = s.report.Handle(context.Background(), r)
		}
	}
	clear(s.texts)
	s.start, s.flooding = now, flooding
}

// heldBackText is how much of a repeated text its report repeats.
const heldBackText = 120

func heldBack(k floodKey, n int) string {
	if k.text == floodOthersText {
		return fmt.Sprintf("%d more lines of various text were held back in the last second", n)
	}
	text := []rune(firstLine(k.text))
	if len(text) > heldBackText {
		text = append(text[:heldBackText], '…')
	}
	return fmt.Sprintf("%d more lines like this one were held back: %s", n, string(text))
}

func firstLine(s string) string {
	for i := range len(s) {
		if s[i] == '\n' || s[i] == 0 {
			return s[:i]
		}
	}
	return s
}
