package record

import (
	"sync"
	"sync/atomic"

	"github.com/jsload/jsload/vu/client/proto"
)

// Of the errors of one code so many texts are told apart. What a server or resolver
// says may be anything.
const maxCauses = 16

// otherCause takes the place of the texts beyond.
const otherCause = "(other errors of this code)"

// causes bounds the texts of errors that tags and tables show. The zero value is
// ready; safe for concurrent use.
type causes struct {
	mu     sync.Mutex
	known  map[int]map[string]struct{}
	folded atomic.Bool
}

// text returns what tags and tables show of an error.
func (c *causes) text(e *proto.Error) string {
	text := e.KindText()
	c.mu.Lock()
	defer c.mu.Unlock()
	of := c.known[e.Code]
	if _, known := of[text]; known {
		return text
	}
	if len(of) >= maxCauses {
		c.folded.Store(true)
		return otherCause
	}
	if of == nil {
		if c.known == nil {
			c.known = make(map[int]map[string]struct{})
		}
		of = make(map[string]struct{})
		c.known[e.Code] = of
	}
	of[text] = struct{}{}
	return text
}

// ErrorsFolded tells whether there were more texts of errors than are told apart.
func (r *Recorder) ErrorsFolded() bool { return r.causes.folded.Load() }
