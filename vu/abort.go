package vu

import "fmt"

// Exit codes of the process. A pipeline keys on them, so they never change.
const (
	ExitThresholds      = 99  // thresholds crossed
	ExitSetupTimeout    = 100 // setup() took longer than setupTimeout
	ExitTeardownTimeout = 101 // teardown() took longer than teardownTimeout
	ExitTimeout         = 102 // another time-out
	ExitStoppedByAPI    = 103 // stopped through the REST API
	ExitConfig          = 104 // invalid configuration
	ExitSignal          = 105 // SIGINT, SIGTERM or SIGHUP
	ExitAPIBind         = 106 // the REST API could not listen
	ExitScript          = 107 // exception in init, setup or teardown
	ExitAborted         = 108 // exec.test.abort()
	ExitPanic           = 109 // a fault of jsload itself
	ExitMarkedFailed    = 110 // exec.test.fail()
	ExitLimited         = 111 // the generator was the limit and --fail-if-generator-limited was given
	ExitOther           = 255 // anything else
)

// Abort is the reason to stop a whole test before its time. It is an error, so
// that it can be the cause of a context.
type Abort struct {
	// Code is the exit code that the process ends with.
	Code int
	// Message is shown to the user.
	Message string
	// Where is the position in the script that asked for it; empty if none did.
	Where string
	// Err is the error behind it, or nil.
	Err error
}

// Error returns the message.
func (a *Abort) Error() string { return a.Message }

// Unwrap returns the error behind the abort.
func (a *Abort) Unwrap() error { return a.Err }

// ExitCode returns the code that the process ends with.
func (a *Abort) ExitCode() int { return a.Code }

// Fault is the error of an iteration that ended with a panic on an event loop, which
// must not end with it. It stops the test.
type Fault struct {
	// Value is what was recovered.
	Value any
	// Stack is the stack of the goroutine at the panic.
	Stack []byte
}

// Error describes the panic without its stack.
func (f *Fault) Error() string { return fmt.Sprintf("panic: %v", f.Value) }
