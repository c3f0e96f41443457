package env

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// ErrLoki is returned for the log output loki, which does not exist here.
var ErrLoki = errors.New("the log output 'loki' is not built into jsload; use 'file=PATH' and ship that file, for example with Promtail")

// LogConfig says where log lines go and how they look.
type LogConfig struct {
	// Output is stderr, stdout, none or file=PATH[,level=L]. Empty means stderr.
	Output string
	// Format is text, json or raw; anything else means text.
	Format string
	// Console is a file that gets the lines of the script's console in place of
	// Output. Empty means none.
	Console string
	// Verbose shows debug lines.
	Verbose bool
	// Hide replaces what no line may show, such as secrets; nil for nothing.
	Hide func(string) string
	// NoColor turns colours off on a terminal.
	NoColor bool
}

// Log is a logger and what has to be closed behind it.
type Log struct {
	*slog.Logger
	floods  []*floodHandler
	closers []io.Closer
}

// Close reports what was held back and closes the files of the log.
func (l *Log) Close() error {
	for _, f := range l.floods {
		f.state.flush(time.Now())
	}
	var err error
	for _, c := range l.closers {
		err = errors.Join(err, c.Close())
	}
	return err
}

// OpenLog makes the logger of a process. Paths count from the process's folder.
func (p *Process) OpenLog(c LogConfig) (*Log, error) {
	l := &Log{}
	h, err := p.openOutput(c, l)
	if err != nil {
		return nil, err
	}
	var console slog.Handler
	if c.Console != "" {
		f, err := p.openLogFile(c.Console)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("opening the console output: %w", err), l.Close())
		}
		l.closers = append(l.closers, f)
		console = &lineHandler{sink: newSink(f), level: slog.LevelDebug, format: c.formatter(Stream{}), hideSource: true}
	}
	flood := newFloodHandler(h, console == nil)
	l.floods = append(l.floods, flood)
	var top slog.Handler = &sourceHandler{log: flood, console: console}
	if c.Hide != nil {
		top = &hidingHandler{next: top, hide: c.Hide}
	}
	l.Logger = slog.New(top)
	return l, nil
}

func (p *Process) openOutput(c LogConfig, l *Log) (slog.Handler, error) {
	level := slog.LevelInfo
	if c.Verbose {
		level = slog.LevelDebug
	}
	kind, arg, _ := strings.Cut(c.Output, "=")
	switch kind {
	case "", "stderr":
		return &lineHandler{sink: newSink(p.Stderr), level: level, format: c.formatter(p.Stderr)}, nil
	case "stdout":
		return &lineHandler{sink: newSink(p.Stdout), level: level, format: c.formatter(p.Stdout)}, nil
	case "none":
		return slog.DiscardHandler, nil
	case "loki":
		return nil, ErrLoki
	case "file":
		path, fileLevel, err := parseFileOutput(arg, level)
		if err != nil {
			return nil, err
		}
		f, err := p.openLogFile(path)
		if err != nil {
			return nil, fmt.Errorf("opening the log output: %w", err)
		}
		l.closers = append(l.closers, f)
		return &lineHandler{sink: newSink(f), level: fileLevel, format: c.formatter(Stream{})}, nil
	}
	return nil, fmt.Errorf("unsupported log output '%s'; use stderr, stdout, none or file=PATH[,level=LEVEL]", c.Output)
}

func (p *Process) openLogFile(path string) (*os.File, error) {
	return os.OpenFile(p.Path(path), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
}

// Path returns a path of the command line as an absolute one.
func (p *Process) Path(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(p.Dir, path)
}

// parseFileOutput reads PATH[,level=L].
func parseFileOutput(arg string, level slog.Level) (string, slog.Level, error) {
	path, rest, more := strings.Cut(arg, ",")
	if path == "" {
		return "", 0, errors.New("the log output 'file' needs a path: file=PATH[,level=LEVEL]")
	}
	if !more {
		return path, level, nil
	}
	name, ok := strings.CutPrefix(rest, "level=")
	if !ok {
		return "", 0, fmt.Errorf("unknown setting '%s' of the log output 'file'; it has only level=LEVEL", rest)
	}
	level, err := ParseLevel(name)
	return path, level, err
}

// ParseLevel reads a log level: trace, debug, info, warn, warning, error, fatal
// or panic, in any letter case. jsload has nothing below debug or above error.
func ParseLevel(name string) (slog.Level, error) {
	switch strings.ToLower(name) {
	case "trace", "debug":
		return slog.LevelDebug, nil
	case "info":
		return slog.LevelInfo, nil
	case "warn", "warning":
		return slog.LevelWarn, nil
	case "error", "fatal", "panic":
		return slog.LevelError, nil
	}
	return 0, fmt.Errorf("unknown log level '%s'; use debug, info, warning or error", name)
}

func (c LogConfig) formatter(s Stream) formatter {
	switch c.Format {
	case "json":
		return formatJSON
	case "raw":
		return formatRaw
	}
	if s.TTY {
		return terminalFormat(time.Now(), !c.NoColor)
	}
	return formatText
}
