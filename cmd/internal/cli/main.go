// Package cli is the command line of jsload: one file per command, and the only
// place where errors become text and exit codes.
//
// cmd/jsload calls Main. It reads flags and variables, hands a script to js, the
// test to vu/engine and what came out to metrics/summary. It holds no rule of
// its own about options, load or metrics.
package cli

import (
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/spf13/pflag"

	"github.com/jsload/jsload/cmd/internal/env"
	"github.com/jsload/jsload/vu"
)

// Main runs the program and returns its exit code.
func Main(p *env.Process) (code int) {
	a := &app{process: p}
	defer func() {
		if r := recover(); r != nil {
			a.report(fmt.Errorf("this is a fault of jsload itself, please report it: %v\n%s", r, debug.Stack()))
			code = vu.ExitPanic
		}
		a.close()
	}()
	root := a.rootCommand()
	a.persistent = root.PersistentFlags()
	root.SetArgs(p.Args)
	root.SetIn(p.Stdin)
	root.SetOut(p.Stdout)
	root.SetErr(p.Stderr)
	err := root.Execute()
	if err == nil {
		return 0
	}
	a.report(err)
	return exitCode(err)
}

// exitCode returns the code that an error carries, or 255.
func exitCode(err error) int {
	if coded, ok := errors.AsType[interface {
		error
		ExitCode() int
	}](err); ok {
		return coded.ExitCode()
	}
	return vu.ExitOther
}

// codedError gives an error an exit code.
type codedError struct {
	error
	code int
}

func (e *codedError) Unwrap() error { return e.error }
func (e *codedError) ExitCode() int { return e.code }

// configError marks an error of the configuration.
func configError(err error) error {
	if err == nil {
		return nil
	}
	return &codedError{error: err, code: vu.ExitConfig}
}

// reported is an error that was shown already: only its code is left to give.
type reported struct{ error }

func (r reported) Unwrap() error { return r.error }

// app is one run of the program.
type app struct {
	process *env.Process
	global  globalFlags
	// persistent are the flags behind global.
	persistent *pflag.FlagSet
	log        *env.Log
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

func (a *app) openLog() error {
	l, err := a.process.OpenLog(a.global.logConfig(a.process))
	if err != nil {
		return err
	}
	a.log = l
	return nil
}

func (a *app) report(err error) {
	if _, done := errors.AsType[reported](err); done {
		return
	}
	a.logger().Error(describe(err))
}

func (a *app) close() {
	if a.log == nil {
		return
	}
	if err := a.log.Close(); err != nil {
		fmt.Fprintln(a.process.Stderr, "closing the log:", err)
	}
}
