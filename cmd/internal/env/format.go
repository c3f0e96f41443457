package env

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"
)

// formatRaw writes the message alone.
func formatRaw(b []byte, l *line) []byte {
	b = append(b, l.msg...)
	return append(b, '\n')
}

// formatText writes time="..." level=info msg="..." key=value.
func formatText(b []byte, l *line) []byte {
	b = append(b, "time="...)
	b = strconv.AppendQuote(b, l.time.Format(time.RFC3339))
	b = append(b, " level="...)
	b = append(b, levelName(l.level)...)
	b = append(b, " msg="...)
	b = appendQuoted(b, l.msg)
	for _, f := range l.fields {
		b = append(b, ' ')
		b = append(b, f.key...)
		b = append(b, '=')
		b = appendQuoted(b, text(f.value))
	}
	return append(b, '\n')
}

// appendQuoted quotes s unless it is made of plain characters only.
func appendQuoted(b []byte, s string) []byte {
	for i := range len(s) {
		if !isPlain(s[i]) {
			return strconv.AppendQuote(b, s)
		}
	}
	return append(b, s...)
}

func isPlain(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._/@^+", c) >= 0
}

// messageWidth is the least width of the message on a terminal, so that the
// fields of short lines stand in one column.
const messageWidth = 44

// terminalFormat writes INFO[0002] message key=value, with the seconds since
// start.
func terminalFormat(start time.Time, color bool) formatter {
	return func(b []byte, l *line) []byte {
		paint := ""
		if color {
			paint = levelColor(l.level)
		}
		b = appendPainted(b, paint, levelShort(l.level))
		b = fmt.Appendf(b, "[%04d] ", int(l.time.Sub(start)/time.Second))
		msg := strings.TrimSuffix(l.msg, "\n")
		if len(l.fields) == 0 {
			b = append(b, msg...)
			return append(b, '\n')
		}
		b = fmt.Appendf(b, "%-*s ", messageWidth, msg)
		for _, f := range l.fields {
			b = append(b, ' ')
			b = appendPainted(b, paint, f.key)
			b = append(b, '=')
			b = appendQuoted(b, text(f.value))
		}
		return append(b, '\n')
	}
}

func appendPainted(b []byte, paint, s string) []byte {
	if paint == "" {
		return append(b, s...)
	}
	b = append(b, paint...)
	b = append(b, s...)
	return append(b, "\x1b[0m"...)
}

func levelShort(l slog.Level) string { return strings.ToUpper(levelName(l)[:4]) }

func levelColor(l slog.Level) string {
	switch levelName(l) {
	case "debug":
		return "\x1b[37m"
	case "info":
		return "\x1b[36m"
	case "warning":
		return "\x1b[33m"
	}
	return "\x1b[31m"
}

// formatJSON writes one object with level, msg, time and the fields, its keys
// sorted.
func formatJSON(b []byte, l *line) []byte {
	all := append(slices.Clone(l.fields),
		field{"level", slog.StringValue(levelName(l.level))},
		field{"msg", slog.StringValue(l.msg)},
		field{"time", slog.StringValue(l.time.Format(time.RFC3339))})
	slices.SortFunc(all, func(x, y field) int { return strings.Compare(x.key, y.key) })
	for i, f := range all {
		if i == 0 {
			b = append(b, '{')
		} else {
			b = append(b, ',')
		}
		b = appendJSON(b, f.key)
		b = append(b, ':')
		b = appendJSON(b, jsonValue(f.value))
	}
	return append(b, "}\n"...)
}

// appendJSON writes v; what JSON cannot hold is written as text.
func appendJSON(b []byte, v any) []byte {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return appendJSON(b, fmt.Sprint(v))
	}
	return append(b, bytes.TrimSuffix(buf.Bytes(), []byte("\n"))...)
}

func jsonValue(v slog.Value) any {
	switch v.Kind() {
	case slog.KindBool, slog.KindInt64, slog.KindUint64, slog.KindFloat64:
		return v.Any()
	case slog.KindAny:
		switch a := v.Any().(type) {
		case error, fmt.Stringer:
			return fmt.Sprint(a)
		default:
			return a
		}
	}
	return text(v)
}

func text(v slog.Value) string {
	switch v.Kind() {
	case slog.KindTime:
		return v.Time().Format(time.RFC3339Nano)
	case slog.KindAny:
		return fmt.Sprint(v.Any())
	}
	return v.String()
}
