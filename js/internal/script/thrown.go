package script

import (
	"strings"
	"sync/atomic"
)

// thrown counts the iterations that ended with an exception. The zero value is
// ready.
type thrown struct {
	n     atomic.Uint64
	first atomic.Pointer[string]
}

// count counts an exception and keeps the text of the first, with its place.
func (t *thrown) count(err error) {
	if t.n.Add(1) > 1 {
		return
	}
	text, stack, _ := strings.Cut(err.Error(), "\n")
	at, _, _ := strings.Cut(stack, "\n")
	if at = strings.TrimSpace(at); at != "" {
		text += " " + at
	}
	t.first.Store(&text)
}

func (t *thrown) get() (n uint64, first string) {
	if text := t.first.Load(); text != nil {
		first = *text
	}
	return t.n.Load(), first
}
