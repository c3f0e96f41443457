package ws

import "sync"

// Kind says what an event is.
type Kind uint8

// The kinds of events.
const (
	Text Kind = iota + 1
	Binary
	Ping
	Pong
	// End is the last event of a connection. Nobody owns a descriptor any more.
	End
)

// Event is something that a connection received.
type Event struct {
	Kind Kind
	// Data is the message or what came with a ping or a pong. The receiver of the
	// event owns it.
	Data []byte
	// End is how the connection ended, nil for other kinds.
	End *Ending
}

// maxWaiting is how many bytes of events wait for their taker before the reader
// stops reading: from there on TCP holds the sender back.
const maxWaiting = 1 << 20

// eventCost is what an event counts beside its data.
const eventCost = 64

// inbox is the queue between a connection's reader and its owner.
type inbox struct {
	mu      sync.Mutex
	room    sync.Cond
	queue   []Event
	head    int // of the queue
	size    int // of what waits
	stopped bool
	wake    func()
}

// put appends an event and waits while too much waits to be taken. It is false
// once the inbox was stopped.
func (b *inbox) put(e Event) bool {
	b.mu.Lock()
	b.queue = append(b.queue, e)
	b.size += len(e.Data) + eventCost
	wake := b.wake
	b.wake = nil
	if wake != nil {
		b.mu.Unlock()
		wake()
		b.mu.Lock()
	}
	for b.size > maxWaiting && !b.stopped && e.Kind != End {
		b.room.Wait()
	}
	stopped := b.stopped
	b.mu.Unlock()
	return !stopped
}

// arm has wake called once as soon as there is an event to take.
func (b *inbox) arm(wake func()) {
	b.mu.Lock()
	waiting := b.head < len(b.queue)
	if !waiting {
		b.wake = wake
	}
	b.mu.Unlock()
	if waiting {
		wake()
	}
}

func (b *inbox) take() (Event, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.head == len(b.queue) {
		return Event{}, false
	}
	e := b.queue[b.head]
	b.queue[b.head] = Event{}
	b.head++
	if b.head == len(b.queue) {
		b.queue, b.head = nil, 0 // connections are idle most of the time
	}
	b.size -= len(e.Data) + eventCost
	b.room.Signal()
	return e, true
}

// stop lets the reader go.
func (b *inbox) stop() {
	b.mu.Lock()
	b.stopped = true
	b.room.Broadcast()
	b.mu.Unlock()
}
