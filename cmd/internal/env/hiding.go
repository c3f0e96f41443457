package env

import (
	"context"
	"log/slog"
)

// hidingHandler replaces what must not be shown, in messages and in the values of
// attributes. It stands before all other handlers, so that none of them keeps,
// counts or writes it. There is none where nothing is to be hidden.
type hidingHandler struct {
	next slog.Handler
	hide func(string) string
}

func (h *hidingHandler) Enabled(ctx context.Context, l slog.Level) bool {
	return h.next.Enabled(ctx, l)
}

func (h *hidingHandler) Handle(ctx context.Context, r slog.Record) error {
	clean := slog.NewRecord(r.Time, r.Level, h.hide(r.Message), r.PC)
	r.Attrs(func(a slog.Attr) bool {
		clean.AddAttrs(h.attr(a))
		return true
	})
	return h.next.Handle(ctx, clean)
}

func (h *hidingHandler) WithAttrs(list []slog.Attr) slog.Handler {
	return &hidingHandler{next: h.next.WithAttrs(h.attrs(list)), hide: h.hide}
}

func (h *hidingHandler) WithGroup(name string) slog.Handler {
	return &hidingHandler{next: h.next.WithGroup(name), hide: h.hide}
}

func (h *hidingHandler) attrs(list []slog.Attr) []slog.Attr {
	clean := make([]slog.Attr, len(list))
	for i, a := range list {
		clean[i] = h.attr(a)
	}
	return clean
}

// attr keeps the kind of a value unless something in it had to be hidden.
func (h *hidingHandler) attr(a slog.Attr) slog.Attr {
	v := a.Value.Resolve()
	switch v.Kind() {
	case slog.KindGroup:
		return slog.Attr{Key: a.Key, Value: slog.GroupValue(h.attrs(v.Group())...)}
	case slog.KindString, slog.KindAny:
		shown := text(v)
		if clean := h.hide(shown); clean != shown {
			v = slog.StringValue(clean)
		}
	}
	return slog.Attr{Key: h.hide(a.Key), Value: v}
}
