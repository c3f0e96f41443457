package ws

import (
	"errors"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// maxQueued is how many bytes may wait to be written: a server that does not
// read must not fill the memory of the generator.
const maxQueued = 64 << 20

// Errors of sending.
var (
	ErrClosed = errors.New("websocket: the connection is closing or closed")
	ErrFull   = errors.New("websocket: 64 MiB wait to be sent already: the server does not read")
)

// outbox is the queue between the senders of a connection and its writer, a
// goroutine that lives only while there is something to write.
type outbox struct {
	mu      sync.Mutex
	queue   []outgoing
	size    int
	writing bool
	// shut refuses what comes: a close frame is in the queue, or the connection
	// is over.
	shut bool
	// over is true when nothing will be written any more; size then is what never was.
	over    bool
	drained chan struct{} // closed when size is at most low, or over
	low     int
}

type outgoing struct {
	kind int
	data []byte
}

// Send queues a message, Text or Binary, or a Ping of at most 125 bytes. The
// connection owns data from then on.
func (c *Conn) Send(kind Kind, data []byte) error {
	opcode := websocket.TextMessage
	switch kind {
	case Binary:
		opcode = websocket.BinaryMessage
	case Ping:
		opcode = websocket.PingMessage
	}
	return c.enqueue(outgoing{opcode, data})
}

// Close queues a close frame behind what was sent before. The connection ends
// when the server has answered it, or after the given time.
func (c *Conn) Close(code int, reason string, wait time.Duration) error {
	err := c.enqueue(outgoing{websocket.CloseMessage, websocket.FormatCloseMessage(code, reason)})
	if err == nil {
		c.closeWithin(wait)
	}
	return err
}

func (c *Conn) enqueue(m outgoing) error {
	b := &c.out
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.shut {
		return ErrClosed
	}
	if m.kind == websocket.CloseMessage {
		b.shut = true
	} else if b.size > 0 && b.size+len(m.data) > maxQueued {
		return ErrFull
	}
	b.queue = append(b.queue, m)
	b.size += len(m.data)
	if !b.writing {
		b.writing = true
		c.running.Go(c.write)
	}
	return nil
}

// Buffered is how many bytes wait to be written, or never were.
func (c *Conn) Buffered() int {
	c.out.mu.Lock()
	defer c.out.mu.Unlock()
	return c.out.size
}

// Drained returns a channel that is closed once at most low bytes wait to be
// written or the connection is over; nil if that is so already. One goroutine may
// wait at a time.
func (c *Conn) Drained(low int) <-chan struct{} {
	b := &c.out
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.size <= low || b.over {
		return nil
	}
	b.drained, b.low = make(chan struct{}), low
	return b.drained
}

// write writes what is queued and ends.
func (c *Conn) write() {
	for {
		m, ok := c.out.next()
		if !ok {
			return
		}
		if err := c.ws.WriteMessage(m.kind, m.data); err != nil {
			// The reader tells how the connection ended, if not at once then when
			// the time is over.
			c.out.abandon()
			c.closeWithin(brokenWait)
			return
		}
		c.out.wrote(len(m.data))
	}
}

func (b *outbox) next() (outgoing, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.queue) == 0 {
		b.queue, b.writing = nil, false
		return outgoing{}, false
	}
	m := b.queue[0]
	b.queue[0] = outgoing{}
	b.queue = b.queue[1:]
	return m, true
}

func (b *outbox) wrote(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.size -= n
	b.signal()
}

func (b *outbox) signal() {
	if b.drained != nil && (b.size <= b.low || b.over) {
		close(b.drained)
		b.drained = nil
	}
}

// abandon drops what is queued and refuses all that comes.
func (b *outbox) abandon() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.shut, b.over = true, true
	b.queue = nil
	b.signal()
}
