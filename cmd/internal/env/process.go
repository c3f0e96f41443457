// Package env is the process as a value: arguments, environment, folder,
// streams, signals and the logger that writes to them.
//
// cmd/jsload makes one with OS and hands it to cmd/internal/cli; tests make
// their own. Nothing outside this package reads the environment of the process
// or touches its standard streams. It knows nothing of tests, scripts or flags.
package env

import (
	"io"
	"maps"
	"os"
	"os/signal"
	"strings"

	"golang.org/x/term"
)

// Process is all that a command line program sees of its surroundings.
type Process struct {
	// Args are the arguments after the program's name.
	Args []string
	// Vars is the environment. It is read, never written.
	Vars Vars
	// Dir is the working folder, absolute.
	Dir string
	// Executable is the path of the running program, which starts itself again
	// for the target server. Empty means unknown.
	Executable string

	Stdin          io.Reader
	Stdout, Stderr Stream

	// Notify delivers interrupt, terminate and hang-up signals to ch until stop
	// is called. Nil means that no signal ever comes.
	Notify func(ch chan<- os.Signal) (stop func())
	// Exit ends the process at once, for signals after the first. Nil means that
	// the process is not ended.
	Exit func(code int)

	// catchPipe is what OutliveReaders needs of the system; nil for nothing.
	catchPipe func()
}

// Stream is an output stream of the process.
type Stream struct {
	io.Writer
	// TTY is true if a person looks at it.
	TTY bool
	// Size tells the terminal's columns and rows. Nil or zero columns means
	// unknown.
	Size func() (columns, rows int)
}

// Columns returns the width of the terminal, 80 if it is unknown.
func (s Stream) Columns() int {
	if s.Size == nil {
		return 80
	}
	if c, _ := s.Size(); c > 0 {
		return c
	}
	return 80
}

// OS returns the real process.
func OS() *Process {
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	exe, err := os.Executable()
	if err != nil {
		exe = ""
	}
	return &Process{
		Args:       os.Args[1:],
		Vars:       ParseVars(os.Environ()),
		Dir:        dir,
		Executable: exe,
		Stdin:      os.Stdin,
		Stdout:     fileStream(os.Stdout),
		Stderr:     fileStream(os.Stderr),
		Notify:     notify,
		Exit:       os.Exit,
		catchPipe:  catchPipe,
	}
}

func fileStream(f *os.File) Stream {
	fd := int(f.Fd())
	return Stream{Writer: f, TTY: term.IsTerminal(fd), Size: func() (int, int) {
		columns, rows, err := term.GetSize(fd)
		if err != nil {
			return 0, 0
		}
		return columns, rows
	}}
}

func notify(ch chan<- os.Signal) func() {
	signal.Notify(ch, interruptSignals()...)
	return func() { signal.Stop(ch) }
}

// Vars is an environment: names and values.
type Vars map[string]string

// ParseVars reads NAME=VALUE pairs; of several with one name the last counts.
func ParseVars(pairs []string) Vars {
	v := make(Vars, len(pairs))
	for _, p := range pairs {
		if name, value, ok := strings.Cut(p, "="); ok && name != "" {
			v[name] = value
		}
	}
	return v
}

// Setting looks up a setting of the tool under JSLOAD_NAME, then K6_NAME, and
// tells which of the two it found.
func (v Vars) Setting(name string) (value, variable string, ok bool) {
	for _, prefix := range [...]string{"JSLOAD_", "K6_"} {
		if value, ok := v[prefix+name]; ok {
			return value, prefix + name, true
		}
	}
	return "", "", false
}

// With returns a copy that has one more variable.
func (v Vars) With(name, value string) Vars {
	c := maps.Clone(v)
	if c == nil {
		c = Vars{}
	}
	c[name] = value
	return c
}

// Pairs returns the environment as NAME=VALUE, in no particular order.
func (v Vars) Pairs() []string {
	pairs := make([]string, 0, len(v))
	for name, value := range v {
		pairs = append(pairs, name+"="+value)
	}
	return pairs
}
