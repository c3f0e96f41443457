package cli

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/jsload/jsload/cmd/internal/env"
	"github.com/jsload/jsload/vu/secret"
)

// report writes an error to the log: each of several joined ones on its own.
func (a *app) report(err error) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			a.report(e)
		}
		return
	}
	if _, done := errors.AsType[*reported](err); done {
		return
	}
	if coded, ok := err.(*codedError); ok {
		a.report(coded.error)
		return
	}
	log := a.logger()
	log.Error(describe(err, a.readable()), fields(err)...)
}

// readable tells whether log lines go to a person, who can read texts of
// several lines.
func (a *app) readable() bool {
	return a.process.Stderr.TTY && a.global.logFormat == "text" && (a.global.logOutput == "" || a.global.logOutput == "stderr")
}

// describe returns an error as text. Errors that know a longer form, such as
// diagnostics with the source line and a caret, give it to a person and one line
// to a program.
func describe(err error, readable bool) string {
	long, ok := errors.AsType[interface {
		error
		fmt.Stringer
	}](err)
	if readable && ok {
		return strings.TrimRight(long.String(), "\n")
	}
	return err.Error()
}

// fields are what a log line tells of an error beside its text.
func fields(err error) []any {
	var f []any
	if s, ok := errors.AsType[interface {
		error
		LogSource() string
	}](err); ok && s.LogSource() != "" {
		f = append(f, slog.String("source", s.LogSource()))
	}
	if h, ok := errors.AsType[interface {
		error
		LogHint() string
	}](err); ok && h.LogHint() != "" {
		f = append(f, slog.String("hint", h.LogHint()))
	}
	return f
}

// open opens the log; a test that cannot log as asked does not start.
func (a *app) openLog() error {
	cfg := a.global.logConfig(a.process)
	if len(a.global.secretSources) > 0 {
		a.redactor = &secret.Redactor{}
		cfg.Hide = a.redactor.Redact
	}
	if err := a.refuseConflicts(a.logFiles()); err != nil {
		return err
	}
	l, err := a.process.OpenLog(cfg)
	if err != nil {
		return err
	}
	a.log = l
	return nil
}

// logger returns the logger, opened as far as the flags were read. If it cannot
// be opened as asked, standard error is used: an error is never lost.
func (a *app) logger() *slog.Logger {
	if a.log == nil {
		// an error before the flags were all read: take what is there
		if err := errors.Join(applyVariables(a.persistent, a.process.Vars), a.openLog()); err != nil {
			a.log, _ = a.process.OpenLog(env.LogConfig{})
		}
	}
	return a.log.Logger
}
