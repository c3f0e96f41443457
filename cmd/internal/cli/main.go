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
	"runtime/debug"

	"github.com/spf13/pflag"

	"github.com/jsload/jsload/cmd/internal/env"
	"github.com/jsload/jsload/cmd/internal/term"
	"github.com/jsload/jsload/vu"
	"github.com/jsload/jsload/vu/secret"
)

// Main runs the program and returns its exit code.
func Main(p *env.Process) (code int) {
	own := *p // its streams are replaced while a screen is in use
	a := &app{process: &own}
	defer func() {
		if r := recover(); r != nil {
			a.report(fmt.Errorf("this is a fault of jsload itself, please report it: %v\n%s", r, debug.Stack()))
			code = vu.ExitPanic
		}
		if !a.close() && code == 0 {
			code = vu.ExitOther
		}
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

func (r *reported) Unwrap() error { return r.error }

// app is one run of the program.
type app struct {
	process *env.Process
	global  globalFlags
	// persistent are the flags behind global.
	persistent *pflag.FlagSet
	log        *env.Log
	// redactor knows the secrets of the test; nil if it can have none.
	redactor *secret.Redactor
	// scripts are the arguments of a command that takes scripts.
	scripts []string
	// screen is the terminal that progress is shown on; nil if there is none.
	screen *term.Screen
}

// close closes the log and tells whether all of it was written.
func (a *app) close() (complete bool) {
	if a.log == nil {
		return true
	}
	lost := a.log.Close()
	if lost == nil {
		return true
	}
	// standard error needs nothing to be opened
	a.log, _ = a.process.OpenLog(env.LogConfig{Format: a.global.logFormat, NoColor: a.global.colourless(a.process)})
	a.report(lost)
	return false
}
