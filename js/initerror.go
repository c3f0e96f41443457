package js

import (
	"errors"
	"regexp"
	"strings"

	"github.com/jsload/jsload/js/internal/runtime"
)

// initError is an exception of init code in a file that the script imports. Its
// log line tells by which imports the file came in.
type initError struct {
	*runtime.Exception
	chain string
}

func (e *initError) Unwrap() error { return e.Exception }

// LogHint is what the log line adds.
func (e *initError) LogHint() string { return e.chain }

var rePosition = regexp.MustCompile(`:\d+:\d+$`)

// explainInit adds to an exception of the init code how the file that threw came
// into the test.
func (t *Test) explainInit(err error) error {
	if _, retry := errors.AsType[*runtime.ErrNotBundled](err); retry {
		return err
	}
	exception, ok := errors.AsType[*runtime.Exception](err)
	if !ok || exception.Where == "" {
		return err
	}
	file := rePosition.ReplaceAllString(exception.Where, "")
	chain := t.bundle.Chain(t.main.URL, file)
	if len(chain) == 0 {
		return err
	}
	return &initError{exception, file + " is imported by " + strings.Join(chain, ", which is imported by ")}
}
