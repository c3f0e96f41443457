package native

import (
	"errors"
	"fmt"
	"strings"

	"github.com/jsload/jsload/vu/plan"
	"github.com/jsload/jsload/vu/value"
)

// exception is a thrown value on its way to its handler. Expressions and operations
// raise it as a panic, which machine.steps recovers: that costs nothing where nothing
// is thrown, and stops the evaluation at once as the language demands.
type exception struct {
	value value.Value
	at    plan.Pos
}

// raise throws what an error stands for: the value of a *value.Exception, and for any
// other error what native functions of the script tier throw.
func raise(at plan.Pos, err error) {
	ex := &exception{at: at}
	if thrown, ok := errors.AsType[*value.Exception](err); ok {
		ex.value = thrown.Value
	} else {
		ex.value = value.NewError("GoError", err.Error())
	}
	panic(ex)
}

// must is v unless there was an error, which is raised.
func must[T any](at plan.Pos, v T, err error) T {
	if err != nil {
		raise(at, err)
	}
	return v
}

// maxFrames is how many frames of a stack are shown.
const maxFrames = 50

// text is the exception as the log shows it: the value, then one line a frame.
func (e *exception) text(p *plan.Plan) string {
	var b strings.Builder
	b.WriteString(value.WellFormed(value.ToString(e.value)))
	b.WriteByte('\n')
	n := 0
	for at := e.at; at > 0; at = p.Places[at-1].Caller {
		if n++; n <= maxFrames {
			b.WriteString("\tat " + p.Places[at-1].Frame() + "\n")
		}
	}
	if n > maxFrames {
		fmt.Fprintf(&b, "\t... %d more\n", n-maxFrames)
	}
	return b.String()
}
