package env

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
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
	floods []*floodHandler
	files  []*logFile
	once   sync.Once
	err    error
}

// Close reports what was held back and closes the files of the log. The error says
// what was not written to them. Close may be called again.
func (l *Log) Close() error {
	l.once.Do(func() {
		for _, f := range l.floods {
			f.state.flush(time.Now())
		}
		for _, f := range l.files {
			l.err = errors.Join(l.err, f.close())
		}
	})
	return l.err
}

// logFile is a file that log lines go to.
type logFile struct {
	what string // the setting that names it
	file *os.File
	sink *sink
}

func (f *logFile) close() error {
	err := f.file.Close()
	if n := f.sink.losses(); n > 0 {
		return fmt.Errorf("%s is incomplete: %d lines were not written", f.what, n)
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
		s, err := p.openLogFile(c, l, "console output", c.Console)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("opening the console output: %w", err), l.Close())
		}
		console = &lineHandler{sink: s, level: slog.LevelDebug, format: c.formatter(Stream{}), hideSource: true}
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
		s, err := p.openLogFile(c, l, "log output", path)
		if err != nil {
			return nil, fmt.Errorf("opening the log output: %w", err)
		}
		return &lineHandler{sink: s, level: fileLevel, format: c.formatter(Stream{})}, nil
	}
	return nil, fmt.Errorf("unsupported log output '%s'; use stderr, stdout, none or file=PATH[,level=LEVEL]", c.Output)
}

// openLogFile opens a file for log lines. What cannot be written to it is said on
// standard error, once, and counted.
func (p *Process) openLogFile(c LogConfig, l *Log, what, path string) (*sink, error) {
	file, err := os.OpenFile(p.Path(path), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	f := &logFile{what: "the " + what + " " + path, file: file, sink: newSink(file)}
	stderr := slog.New(&lineHandler{sink: newSink(p.Stderr), level: slog.LevelDebug, format: c.formatter(p.Stderr)})
	f.sink.tell = func(err error) {
		stderr.Error(f.what+" cannot be written, the test goes on and its lines are counted", "error", err.Error())
	}
	l.files = append(l.files, f)
	return f.sink, nil
}

// LogFiles returns the files that OpenLog would open, by the setting that names
// them, in the order of the settings. What is wrong in the settings is left to
// OpenLog.
func (c LogConfig) LogFiles() [][2]string {
	var files [][2]string
	if kind, arg, _ := strings.Cut(c.Output, "="); kind == "file" {
		if path, _, err := parseFileOutput(arg, slog.LevelInfo); err == nil {
			files = append(files, [2]string{"--log-output " + c.Output, path})
		}
	}
	if c.Console != "" {
		files = append(files, [2]string{"--console-output " + c.Console, c.Console})
	}
	return files
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
