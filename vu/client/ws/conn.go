package ws

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// Close codes that never are in a frame.
const (
	CodeNoStatus = websocket.CloseNoStatusReceived // a close frame without a code
	CodeAbnormal = websocket.CloseAbnormalClosure  // no close frame
)

const (
	// maxMessage is the largest message that is read, after decompression.
	maxMessage = 128 << 20
	// lingerWait is how long the server may take to close the connection after
	// the closing handshake. Closing it first would leave one of this side's
	// ports unusable for a minute.
	lingerWait = time.Second
	// brokenWait is how long a connection that cannot be written may still be
	// read, pongWait how long an answer to a ping may take to be written.
	brokenWait = 5 * time.Second
	pongWait   = 10 * time.Second
	// goodbyeWait bounds the writing of the last frame of a connection that is
	// interrupted, killWait the whole of its end.
	goodbyeWait = 100 * time.Millisecond
	killWait    = 250 * time.Millisecond
	// keptMessage is the largest buffer that is used for another message.
	keptMessage = 32 << 10
)

// ErrInterrupted is how a connection ended that was interrupted.
var ErrInterrupted = errors.New("websocket: interrupted")

var errTooBig = fmt.Errorf("websocket: a message is larger than %d MiB", maxMessage>>20)

// Ending is how a connection ended.
type Ending struct {
	// Code is the server's close code: CodeNoStatus if its frame had none,
	// CodeAbnormal if there was no frame. Zero means that the server broke the
	// protocol, or that the connection was interrupted.
	Code   int
	Reason string
	// Err says the same as an error. It is never nil.
	Err error
}

// Conn is an open connection. One goroutine takes its events; the other methods
// are safe for concurrent use. It runs a goroutine that reads, and one that
// writes while there is something to write.
type Conn struct {
	ws      *websocket.Conn
	raw     net.Conn // below TLS: closing it never blocks
	shared  *Shared
	running sync.WaitGroup
	in      inbox
	out     outbox

	mu          sync.Mutex
	closer      *time.Timer // closes raw
	overdue     bool        // the closer ran
	interrupted bool
	over        bool
}

func (s *Shared) newConn(w *websocket.Conn, raw net.Conn) *Conn {
	c := &Conn{ws: w, raw: raw, shared: s}
	c.in.room.L = &c.in.mu
	w.SetPingHandler(c.onPing)
	w.SetPongHandler(func(data string) error {
		c.in.put(Event{Kind: Pong, Data: []byte(data)})
		return nil
	})
	w.SetReadLimit(maxMessage)
	c.running.Go(c.read)
	return c
}

// Protocol is the subprotocol that the server chose; empty means none.
func (c *Conn) Protocol() string { return c.ws.Subprotocol() }

// Arm has wake called once, from any goroutine, as soon as there is an event to
// take.
func (c *Conn) Arm(wake func()) { c.in.arm(wake) }

// Take returns the next event, if there is one.
func (c *Conn) Take() (Event, bool) { return c.in.take() }

// Interrupt ends the connection with a frame of the code 1001, if that can be
// written at once. It does not wait.
func (c *Conn) Interrupt() {
	c.mu.Lock()
	if c.over || c.interrupted {
		c.mu.Unlock()
		return
	}
	c.interrupted = true
	c.arrange(killWait)
	c.mu.Unlock()
	c.in.stop()
	c.out.abandon()
	_ = c.ws.NetConn().SetDeadline(time.Unix(1, 0))
}

// Wait returns when the connection's goroutines have ended, which they do after
// the End or an Interrupt.
func (c *Conn) Wait() { c.running.Wait() }

// closeWithin closes the connection if it has not ended by then.
func (c *Conn) closeWithin(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.over && !c.interrupted {
		c.arrange(d)
	}
}

// arrange starts the closer anew; mu is held and the connection is not over.
func (c *Conn) arrange(d time.Duration) {
	c.disarm()
	c.running.Add(1)
	c.closer = time.AfterFunc(d, func() {
		defer c.running.Done()
		c.mu.Lock()
		c.overdue = true
		c.mu.Unlock()
		c.raw.Close()
	})
}

// disarm stops the closer; mu is held.
func (c *Conn) disarm() {
	if c.closer != nil && c.closer.Stop() {
		c.running.Done()
	}
}

// onPing answers and tells the owner.
func (c *Conn) onPing(data string) error {
	err := c.ws.WriteControl(websocket.PongMessage, []byte(data), time.Now().Add(pongWait))
	c.in.put(Event{Kind: Ping, Data: []byte(data)})
	if netErr, ok := errors.AsType[net.Error](err); ok && netErr.Timeout() || errors.Is(err, websocket.ErrCloseSent) {
		return nil
	}
	return err
}

// read runs until the connection is over.
func (c *Conn) read() {
	err := c.receive()
	c.partWith(err)
	_ = c.ws.Close()
	c.out.abandon()
	c.in.put(Event{Kind: End, End: c.ending(err)})
}

func (c *Conn) receive() error {
	for {
		opcode, r, err := c.ws.NextReader()
		if err != nil {
			return err
		}
		data, err := c.shared.message(r)
		if err != nil {
			return err
		}
		kind := Text
		if opcode == websocket.BinaryMessage {
			kind = Binary
		}
		if !c.in.put(Event{Kind: kind, Data: data}) {
			return ErrInterrupted
		}
	}
}

// message reads one message. Small ones are copied out of a buffer that is used
// again: most messages are far smaller than what a reader must reserve.
func (s *Shared) message(r io.Reader) ([]byte, error) {
	b, _ := s.messages.Get().(*bytes.Buffer)
	if b == nil {
		b = new(bytes.Buffer)
	}
	n, err := b.ReadFrom(io.LimitReader(r, maxMessage+1))
	if n > maxMessage {
		return nil, errTooBig
	}
	if err != nil {
		return nil, err
	}
	if b.Cap() > keptMessage {
		return b.Bytes(), nil
	}
	data := append(make([]byte, 0, n), b.Bytes()...)
	b.Reset()
	s.messages.Put(b)
	return data, nil
}

// partWith does what is left to do on the wire.
func (c *Conn) partWith(err error) {
	c.mu.Lock()
	interrupted := c.interrupted
	c.mu.Unlock()
	_, corrupt := errors.AsType[flate.CorruptInputError](err)
	closed, peerClosed := errors.AsType[*websocket.CloseError](err)
	switch {
	case interrupted:
		c.goodbye(websocket.CloseGoingAway, "")
	case corrupt:
		c.goodbye(websocket.CloseInvalidFramePayloadData, "bad compressed data")
	case errors.Is(err, errTooBig):
		c.goodbye(websocket.CloseMessageTooBig, "")
	case peerClosed && closed.Code != CodeAbnormal:
		c.linger()
	}
}

func (c *Conn) goodbye(code int, reason string) {
	_ = c.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, reason), time.Now().Add(goodbyeWait))
}

// linger waits for the server to close the connection.
func (c *Conn) linger() {
	nc := c.ws.NetConn()
	_ = nc.SetReadDeadline(time.Now().Add(lingerWait))
	var rest [256]byte
	for until := time.Now().Add(lingerWait); time.Now().Before(until); {
		if _, err := nc.Read(rest[:]); err != nil {
			return
		}
	}
}

// ending settles how the connection ended.
func (c *Conn) ending(err error) *Ending {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.over = true
	c.disarm()
	if closed, ok := errors.AsType[*websocket.CloseError](err); ok {
		return &Ending{Code: closed.Code, Reason: closed.Text, Err: err}
	}
	_, network := errors.AsType[net.Error](err)
	switch {
	case c.interrupted:
		return &Ending{Err: ErrInterrupted}
	case c.overdue:
		err = errOverdue
	case !network && !errors.Is(err, io.ErrUnexpectedEOF):
		return &Ending{Err: err}
	}
	return &Ending{Code: CodeAbnormal, Reason: err.Error(), Err: err}
}

var errOverdue = errors.New("websocket: the server did not answer the close frame in time")
