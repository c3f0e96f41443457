package loop

import "sync"

// message is what other goroutines tell a loop.
type message struct {
	kind   messageKind
	task   *Task
	flight *flight       // of came
	turn   uint32        // the activation that is meant
	done   chan struct{} // of gone and quit, closed when it is done
}

type messageKind uint8

const (
	resumed messageKind = iota // resume the task
	active                     // a new activation begins
	cut                        // the activation has ended
	came                       // a worker has done its part of a flight
	worked                     // a worker has done what the task gave it
	gone                       // close the task
	quit                       // end the loop
)

// mailbox takes messages from any goroutine.
type mailbox struct {
	mu       sync.Mutex
	messages []message
	read     []message // handed out, used again
	closed   bool
}

// put adds a message. wake reports whether the loop must be woken for it; ok is
// false if the loop has ended.
func (b *mailbox) put(m message) (wake, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return false, false
	}
	b.messages = append(b.messages, m)
	return len(b.messages) == 1, true
}

// take returns the messages so far, valid until the next take.
func (b *mailbox) take() []message {
	clear(b.read)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.messages, b.read = b.read[:0], b.messages
	return b.read
}

// close refuses further messages and returns the rest.
func (b *mailbox) close() []message {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	return b.messages
}
