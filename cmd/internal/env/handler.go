package env

import (
	"context"
	"io"
	"log/slog"
	"slices"
	"sync"
	"time"
)

// field is one key and value of a log line.
type field struct {
	key   string
	value slog.Value
}

// line is one log record, ready to be formatted.
type line struct {
	time   time.Time
	level  slog.Level
	msg    string
	fields []field // sorted by key
}

// levelName returns the level's name as pipelines know it.
func levelName(l slog.Level) string {
	switch {
	case l < slog.LevelInfo:
		return "debug"
	case l < slog.LevelWarn:
		return "info"
	case l < slog.LevelError:
		return "warning"
	}
	return "error"
}

// formatter appends one line, its end included.
type formatter func(b []byte, l *line) []byte

// sink writes whole lines, one at a time.
type sink struct {
	mu  sync.Mutex
	w   io.Writer
	buf []byte

	// tell is called with the first error; nil for a sink that has nobody to tell.
	tell func(error)
	lost int  // lines that were not written
	torn bool // the last line ended before its end
}

func newSink(w io.Writer) *sink { return &sink{w: w} }

func (s *sink) write(f formatter, l *line) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.buf = s.buf[:0]
	if s.torn {
		s.buf = append(s.buf, '\n')
	}
	s.buf = f(s.buf, l)
	n, err := s.w.Write(s.buf)
	if err != nil {
		s.lose(n, err)
	} else {
		s.torn = false
	}
	if cap(s.buf) > 1<<16 {
		s.buf = nil // one huge line must not stay in memory
	}
	return err
}

// lose counts a line of which only n bytes were written.
func (s *sink) lose(n int, err error) {
	s.torn = s.torn || n > 0
	s.lost++
	if s.lost == 1 && s.tell != nil {
		s.tell(err)
	}
}

// losses returns how many lines were not written.
func (s *sink) losses() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lost
}

// lineHandler formats records and writes them to one sink.
type lineHandler struct {
	sink       *sink
	level      slog.Level
	format     formatter
	hideSource bool // leave the source attribute out
	attrs      attrs
}

func (h *lineHandler) Enabled(_ context.Context, l slog.Level) bool { return l >= h.level }

func (h *lineHandler) Handle(_ context.Context, r slog.Record) error {
	l := line{time: r.Time, level: r.Level, msg: r.Message, fields: h.attrs.of(r)}
	if h.hideSource {
		l.fields = slices.DeleteFunc(l.fields, func(f field) bool { return f.key == "source" })
	}
	return h.sink.write(h.format, &l)
}

func (h *lineHandler) WithAttrs(a []slog.Attr) slog.Handler {
	c := *h
	c.attrs = h.attrs.with(a)
	return &c
}

func (h *lineHandler) WithGroup(name string) slog.Handler {
	c := *h
	c.attrs = h.attrs.group(name)
	return &c
}

// attrs are attributes given before the record, flattened: the members of a
// group carry its name and a dot in front.
type attrs struct {
	prefix string
	fields []field
}

func (a attrs) with(more []slog.Attr) attrs {
	fields := slices.Clip(a.fields)
	for _, m := range more {
		fields = flatten(fields, a.prefix, m)
	}
	return attrs{prefix: a.prefix, fields: fields}
}

func (a attrs) group(name string) attrs {
	if name == "" {
		return a
	}
	return attrs{prefix: a.prefix + name + ".", fields: a.fields}
}

// of returns the fields of a record, sorted by key. Of two with one key the
// later counts. Names that every line has already get the prefix "fields.".
func (a attrs) of(r slog.Record) []field {
	fields := slices.Clone(a.fields)
	r.Attrs(func(m slog.Attr) bool {
		fields = flatten(fields, a.prefix, m)
		return true
	})
	for i := range fields {
		switch fields[i].key {
		case "time", "level", "msg":
			fields[i].key = "fields." + fields[i].key
		}
	}
	slices.SortStableFunc(fields, func(x, y field) int {
		switch {
		case x.key < y.key:
			return -1
		case x.key > y.key:
			return 1
		}
		return 0
	})
	out := fields[:0]
	for i, f := range fields {
		if i+1 == len(fields) || fields[i+1].key != f.key {
			out = append(out, f)
		}
	}
	return out
}

func flatten(fields []field, prefix string, a slog.Attr) []field {
	v := a.Value.Resolve()
	if v.Kind() != slog.KindGroup {
		if a.Key == "" {
			return fields
		}
		return append(fields, field{key: prefix + a.Key, value: v})
	}
	if a.Key != "" {
		prefix += a.Key + "."
	}
	for _, m := range v.Group() {
		fields = flatten(fields, prefix, m)
	}
	return fields
}

// sourceHandler sends the lines of the script's console to a handler of their
// own, if there is one, and all other lines to the log.
type sourceHandler struct {
	log     slog.Handler
	console slog.Handler // nil: the console goes to the log too
	source  string       // from attributes given before the record
}

// SourceConsole is the value of the source attribute of console lines.
const SourceConsole = "console"

func (h *sourceHandler) Enabled(ctx context.Context, l slog.Level) bool {
	return h.log.Enabled(ctx, l) || h.console != nil && h.console.Enabled(ctx, l)
}

func (h *sourceHandler) Handle(ctx context.Context, r slog.Record) error {
	if h.console != nil && sourceOf(r, h.source) == SourceConsole {
		return h.console.Handle(ctx, r)
	}
	if !h.log.Enabled(ctx, r.Level) {
		return nil
	}
	return h.log.Handle(ctx, r)
}

func (h *sourceHandler) WithAttrs(a []slog.Attr) slog.Handler {
	c := sourceHandler{log: h.log.WithAttrs(a), source: sourceIn(a, h.source)}
	if h.console != nil {
		c.console = h.console.WithAttrs(a)
	}
	return &c
}

func (h *sourceHandler) WithGroup(name string) slog.Handler {
	c := sourceHandler{log: h.log.WithGroup(name), source: h.source}
	if h.console != nil {
		c.console = h.console.WithGroup(name)
	}
	return &c
}

func sourceIn(a []slog.Attr, source string) string {
	for _, m := range a {
		if m.Key == "source" {
			source = m.Value.String()
		}
	}
	return source
}

func sourceOf(r slog.Record, source string) string {
	r.Attrs(func(m slog.Attr) bool {
		if m.Key == "source" {
			source = m.Value.String()
		}
		return true
	})
	return source
}
