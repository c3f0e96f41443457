package options

import "strings"

// Problem is one thing the user wrote wrong.
type Problem struct {
	// Path is the option it is about, such as scenarios.login.rate.
	Path string
	// Message is a whole sentence without a full stop; it names the option.
	Message string
	// Hint is what to write instead, or empty.
	Hint string

	// code is the exit code if it is not that of a bad configuration.
	code int
}

// Problems are all that is wrong with a configuration. It is an error.
type Problems []Problem

// Err returns p as an error, or nil if there are no problems.
func (p Problems) Err() error {
	if len(p) == 0 {
		return nil
	}
	return p
}

// Error lists all problems, one a line.
func (p Problems) Error() string {
	var text strings.Builder
	text.WriteString("There were problems with the specified script configuration:")
	for _, problem := range p {
		text.WriteString("\n- " + problem.Message)
		if problem.Hint != "" {
			text.WriteString(" (" + problem.Hint + ")")
		}
	}
	return text.String()
}

// Exit codes of bad options; they are those of package vu, which imports this
// one.
const (
	exitConfig = 104
	exitOther  = 255
)

// ExitCode returns the code the process ends with: that of an invalid
// configuration unless every problem has another one.
func (p Problems) ExitCode() int {
	for _, problem := range p {
		if problem.code == 0 {
			return exitConfig
		}
	}
	if len(p) == 0 {
		return exitConfig
	}
	return p[0].code
}
