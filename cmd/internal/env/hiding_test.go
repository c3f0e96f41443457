package env

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestHiding(t *testing.T) {
	for _, format := range []string{"text", "json", "raw"} {
		p, _, buf := testProcess(t)
		hide := func(s string) string { return strings.ReplaceAll(s, `top"secret`, "***") }
		l := openLog(t, p, LogConfig{Format: format, Console: "console.log", Hide: hide})
		const leak = `a top"secret b`
		l.Info(leak, "s", leak, "err", errors.New(leak), "any", []string{leak}, slog.Group("g", "in", leak), "n", 7)
		derived := l.With("k", leak).WithGroup("w")
		derived.Warn(leak, leak, 1)
		for range 2 * floodErrors {
			l.Error(leak) // what was held back is reported with the text
		}
		l.With("source", SourceConsole).Info(leak)
		closeLog(t, l)
		console, err := os.ReadFile(filepath.Join(p.Dir, "console.log"))
		if err != nil {
			t.Fatal(err)
		}
		all := buf.String() + string(console)
		if strings.Contains(all, "secret") {
			t.Errorf("%s: the log shows what is to be hidden:\n%s", format, all)
		}
		if !strings.Contains(string(console), "a *** b") || !strings.Contains(all, "held back") {
			t.Errorf("%s: lines are missing:\n%s", format, all)
		}
		if format == "json" && !strings.Contains(all, `"n":7`) {
			t.Errorf("the kind of a harmless value is lost:\n%s", all)
		}
	}
}
