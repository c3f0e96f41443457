package runtime

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules/loop"
	"github.com/jsload/jsload/vu"
)

// Exception is an uncaught exception of a script, with its stack in terms of
// the user's files.
type Exception struct {
	// Text is the exception as the log shows it: the message, then one line a
	// frame.
	Text string
	// Where is the position of the innermost frame of the user's code, as
	// file:line:column; empty when there is none.
	Where string
}

// Error returns the text with its stack.
func (e *Exception) Error() string { return e.Text }

// LogSource is the source that its log line names.
func (e *Exception) LogSource() string { return "stacktrace" }

// Stack returns the text with its stack. Whoever logs an error that has this
// method marks the record as an uncaught exception.
func (e *Exception) Stack() string { return e.Text }

// ExitCode is that of an exception outside iterations.
func (e *Exception) ExitCode() int { return vu.ExitScript }

// Explain turns an error that came out of the interpreter into one of: an
// *Exception, a *loop.Rejection, a *vu.Abort, vu.ErrInterrupted, or the error
// itself.
func (p *Program) Explain(err error) error {
	if err == nil {
		return nil
	}
	var in *goja.InterruptedError
	if errors.As(err, &in) {
		return p.explainInterrupt(in)
	}
	var so *goja.StackOverflowError
	if errors.As(err, &so) {
		return p.exception("RangeError: Maximum call stack size exceeded", so.Stack())
	}
	var ex *goja.Exception
	if errors.As(err, &ex) {
		return p.exception(valueText(ex.Value()), ex.Stack())
	}
	var rej *loop.Rejection
	if errors.As(err, &rej) {
		return &RejectionError{Text: "Uncaught (in promise) " + p.rejectionText(rej.Value)}
	}
	return err
}

// RejectionError is a promise rejection that the script did not handle.
type RejectionError struct{ Text string }

// Error returns the text with its stack.
func (e *RejectionError) Error() string { return e.Text }

func (p *Program) explainInterrupt(in *goja.InterruptedError) error {
	switch v := in.Value().(type) {
	case *vu.Abort:
		if v.Where == "" {
			a := *v
			a.Where = p.where(in.Stack())
			return &a
		}
		return v
	case *stopped:
		return &Interrupted{Where: p.where(in.Stack()), Cause: v.cause}
	case error:
		return v
	}
	return vu.ErrInterrupted
}

// stopped is the value that the interpreter is interrupted with.
type stopped struct{ cause error }

// Interrupted says that a script was stopped from outside.
type Interrupted struct {
	// Where is the position in the user's code that was running.
	Where string
	// Cause is why.
	Cause error
}

// Error names the place.
func (e *Interrupted) Error() string {
	if e.Where == "" {
		return "the script was interrupted"
	}
	return "the script was interrupted at " + e.Where
}

// Unwrap makes it a vu.ErrInterrupted.
func (e *Interrupted) Unwrap() []error { return []error{vu.ErrInterrupted, e.Cause} }

// maxFrames is how many frames of a stack are shown; runaway recursion has
// thousands.
const maxFrames = 50

func (p *Program) exception(text string, stack []goja.StackFrame) *Exception {
	var b strings.Builder
	b.WriteString(text)
	b.WriteByte('\n')
	for i := range stack {
		if i == maxFrames {
			fmt.Fprintf(&b, "\t... %d more\n", len(stack)-i)
			break
		}
		line, ok := p.frame(&stack[i])
		if !ok {
			continue
		}
		b.WriteString("\tat ")
		b.WriteString(line)
		b.WriteByte('\n')
	}
	return &Exception{Text: b.String(), Where: p.where(stack)}
}

func (p *Program) rejectionText(v goja.Value) string {
	o, ok := v.(*goja.Object)
	if !ok {
		return valueText(v)
	}
	stack := o.Get("stack")
	if conv := stackOf(stack); conv != "" {
		return p.rewriteStack(conv)
	}
	return valueText(v)
}

func stackOf(v goja.Value) string {
	if v == nil || goja.IsUndefined(v) || goja.IsNull(v) {
		return ""
	}
	return v.String()
}

// valueText is what String(v) gives, or a stand-in when that throws.
func valueText(v goja.Value) (text string) {
	defer func() {
		if recover() != nil {
			text = "[object that cannot be converted to a string]"
		}
	}()
	if v == nil {
		return "undefined"
	}
	return v.String()
}

// where is the position of the innermost frame in the user's code.
func (p *Program) where(stack []goja.StackFrame) string {
	for i := range stack {
		f := &stack[i]
		if f.SrcName() == nativeSource {
			continue
		}
		if pos, ok := p.position(f); ok {
			return pos
		}
	}
	return ""
}

// frame renders one line of a stack; ok is false for frames of the wrapper
// around the user's modules.
func (p *Program) frame(f *goja.StackFrame) (line string, ok bool) {
	name := p.functionName(f.FuncName())
	if f.SrcName() == nativeSource {
		if name == "" {
			return "native", true
		}
		return name + " (native)", true
	}
	pos, ok := p.position(f)
	if !ok {
		return "", false
	}
	if name == "" {
		return pos, true
	}
	return name + " (" + pos + ")", true
}

// position gives file:line:column of a frame.
func (p *Program) position(f *goja.StackFrame) (string, bool) {
	pos := f.Position()
	if pos.Filename == "" || ownSource(pos.Filename) {
		return "", false
	}
	return pos.Filename + ":" + strconv.Itoa(pos.Line) + ":" + strconv.Itoa(pos.Column), true
}

// ownSource tells whether a file is no file of the user: the glue of the bundle
// and the script code of native modules.
func ownSource(file string) bool { return strings.HasPrefix(file, "jsload:") }

// functionName is the name of a frame as the user wrote it.
func (p *Program) functionName(name string) string {
	if shown, ok := p.bundle.Functions[name]; ok {
		return shown // before the rest: a module's function is named like a path
	}
	switch {
	case name == "<anonymous>" || name == nativeSource:
		return ""
	case strings.Contains(name, "/"):
		name = name[strings.LastIndexByte(name, '.')+1:]
		return strings.TrimSuffix(name, "-fm")
	}
	return name
}

// stackLine is a frame in the text of a stack property.
var stackLine = regexp.MustCompile(`^\tat (?:(.*) \()?(.*):(\d+):(\d+)\(\d+\)\)?$`)

// rewriteStack brings the text of an error's stack property into the form of
// uncaught exceptions.
func (p *Program) rewriteStack(text string) string {
	lines := strings.Split(text, "\n")
	kept := lines[:0]
	for _, line := range lines {
		if name, ok := strings.CutSuffix(line, " (native)"); ok {
			kept = append(kept, "\tat "+p.functionName(strings.TrimPrefix(name, "\tat "))+" (native)")
			continue
		}
		m := stackLine.FindStringSubmatch(line)
		if m == nil {
			kept = append(kept, line)
			continue
		}
		if ownSource(m[2]) {
			continue
		}
		at := m[2] + ":" + m[3] + ":" + m[4]
		if name := p.functionName(m[1]); name != "" {
			at = name + " (" + at + ")"
		}
		kept = append(kept, "\tat "+at)
	}
	return strings.Join(kept, "\n")
}

func timeoutError(what string, limit fmt.Stringer, where string) error {
	text := fmt.Sprintf("%s did not end within %s", what, limit)
	if where != "" {
		text += ", it was at " + where
	}
	return errors.New(text)
}
