package k6grpc

import (
	"context"
	"errors"
	"io"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/modules/k6grpc/internal/schema"
)

// maxUnread is how many messages of a stream wait for the script before no more
// are taken from the server.
const maxUnread = 16

// event is something that happened to a stream.
type event struct {
	message *dynamicpb.Message
	at      int64 // since the run's epoch
	// ended is true for the last event, err then says how: nil for well.
	ended bool
	err   error
}

// pump moves the messages of one stream: a goroutine reads, another writes, and
// the goroutine of the virtual user takes events and gives messages.
type pump struct {
	conn   *grpc.ClientConn
	method *schema.Method
	epoch  metrics.Epoch

	mu     sync.Mutex
	events []event
	armed  func()        // called once when there is an event
	space  chan struct{} // tells the reader of a place among the events

	outgoing []*dynamicpb.Message
	half     bool          // no message follows those in outgoing
	more     chan struct{} // tells the writer of more to do
	sent     []int64       // when messages were sent that nobody has counted
	sendErr  error         // what the writer itself was refused
}

func newPump(conn *grpc.ClientConn, m *schema.Method, epoch metrics.Epoch) *pump {
	return &pump{conn: conn, method: m, epoch: epoch, space: make(chan struct{}, 1), more: make(chan struct{}, 1)}
}

// run opens the stream and reads it to its end. It returns when nothing of it is
// left. ctx ends it early.
func (p *pump) run(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	desc := &grpc.StreamDesc{StreamName: p.method.Name, ClientStreams: p.method.ClientStream, ServerStreams: p.method.ServerStream}
	s, err := p.conn.NewStream(ctx, desc, p.method.Path)
	if err != nil {
		p.put(ctx, event{at: p.epoch.Now(), ended: true, err: err})
		return
	}
	var writer sync.WaitGroup
	writer.Go(func() { p.write(ctx, s) })
	err = p.read(ctx, s)
	at := p.epoch.Now()
	cancel()
	writer.Wait()
	if refused := p.refused(); refused != nil {
		err = refused
	}
	p.put(ctx, event{at: at, ended: true, err: err})
}

// read takes messages until the stream ends; nil means that it ended well.
func (p *pump) read(ctx context.Context, s grpc.ClientStream) error {
	for {
		m := dynamicpb.NewMessage(p.method.Output)
		if err := s.RecvMsg(m); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		p.put(ctx, event{message: m, at: p.epoch.Now()})
	}
}

// write sends what the script gives. It ends with the stream.
func (p *pump) write(ctx context.Context, s grpc.ClientStream) {
	for {
		m, half := p.nextOutgoing()
		switch {
		case m != nil:
			if err := s.SendMsg(m); err != nil {
				p.refuse(err)
				return
			}
			p.mu.Lock()
			p.sent = append(p.sent, p.epoch.Now())
			p.mu.Unlock()
		case half:
			if err := s.CloseSend(); err != nil {
				p.refuse(err)
			}
			return
		default:
			select {
			case <-p.more:
			case <-ctx.Done():
				return
			}
		}
	}
}

func (p *pump) nextOutgoing() (m *dynamicpb.Message, half bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.outgoing) == 0 {
		return nil, p.half
	}
	m = p.outgoing[0]
	p.outgoing[0] = nil
	p.outgoing = p.outgoing[1:]
	return m, false
}

// refuse keeps an error of sending that the reader will not see: io.EOF only says
// that the stream is over.
func (p *pump) refuse(err error) {
	if errors.Is(err, io.EOF) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sendErr = err
}

func (p *pump) refused() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sendErr
}

// put adds an event. All but the last wait for a place.
func (p *pump) put(ctx context.Context, e event) {
	for !p.tryPut(e) {
		select {
		case <-p.space:
		case <-ctx.Done():
			return
		}
	}
}

func (p *pump) tryPut(e event) bool {
	p.mu.Lock()
	if len(p.events) >= maxUnread && !e.ended {
		p.mu.Unlock()
		return false
	}
	p.events = append(p.events, e)
	tell := p.armed
	p.armed = nil
	p.mu.Unlock()
	if tell != nil {
		tell()
	}
	return true
}

// arm has tell called, from any goroutine, once there is an event to take.
func (p *pump) arm(tell func()) {
	p.mu.Lock()
	if len(p.events) == 0 {
		p.armed = tell
		p.mu.Unlock()
		return
	}
	p.mu.Unlock()
	tell()
}

// take returns the oldest event; there must be one.
func (p *pump) take() event {
	p.mu.Lock()
	e := p.events[0]
	p.events[0] = event{}
	p.events = p.events[1:]
	p.mu.Unlock()
	select {
	case p.space <- struct{}{}:
	default:
	}
	return e
}

// send gives the writer a message, finish the end of messages.
func (p *pump) send(m *dynamicpb.Message) {
	p.mu.Lock()
	p.outgoing = append(p.outgoing, m)
	p.mu.Unlock()
	p.wakeWriter()
}

func (p *pump) finish() {
	p.mu.Lock()
	p.half = true
	p.mu.Unlock()
	p.wakeWriter()
}

func (p *pump) wakeWriter() {
	select {
	case p.more <- struct{}{}:
	default:
	}
}

// takeSent returns when messages were sent since the last call.
func (p *pump) takeSent() []int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	sent := p.sent
	p.sent = nil
	return sent
}
